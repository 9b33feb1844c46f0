import { expect, test } from 'vitest';
import { ALL_PRODUCTS, PRODUCT_LOOKUP } from '../../src/contract/index.ts';
import { type FakeResponse, judgeCases, products, type Setting, stepsOf } from '../judging.test.support.ts';

const UPCS = ['012345678905', '042100000177'] as const;
const [FIRST, SECOND] = UPCS;
const UNKNOWN = '999999999993';
const red = [{ Colour: 'red' }];
const asked = (upc: string, answer: FakeResponse = {}): FakeResponse => ({ inputs: { upc }, ...answer });
const found = (upc: string, told: string | null = upc): FakeResponse =>
  asked(upc, { rows: [{ upc: told, characteristics: red }] });
const lost = (upc: string) => asked(upc, { status: 404 });
const noRows = { kind: 'rowsNotFound', message: 'no rows' } as const;
const garbled = { kind: 'syntax', message: 'no JSON' } as const;

judgeCases('C.lookup-listed', {}, [
  [
    'one of the last week not found',
    { products: [found(FIRST), lost(SECOND)], recent: { rows: [{ upc: SECOND }] } },
    'inconclusive',
  ],
  [
    'one of the last week not found, by a look-up of the same data week',
    {
      bulk: { values: { asOf: [20_000] } },
      products: [{ ...found(FIRST), values: { asOf: [20_000] } }, lost(SECOND)],
      recent: { rows: [{ upc: SECOND }] },
    },
    'fail',
  ],
  ['found without a UPC in the answer', { products: [found(FIRST, null)] }, 'pass'],
  [
    'another product for an unknown UPC',
    {
      bulk: { rows: [{ upc: FIRST }] },
      products: [found(FIRST)],
      unknown: asked(SECOND, { rows: [{ upc: FIRST, characteristics: red }] }),
    },
    'fail',
    { findings: [{ exchange: '#unknown-0' }] },
  ],
  [
    'a stand-in for an unknown UPC',
    {
      bulk: { rows: [{ upc: FIRST }] },
      products: [found(FIRST)],
      unknown: asked(SECOND, { rows: [{ upc: '000000000000', characteristics: red }] }),
    },
    'pass',
  ],
  [
    'none with characteristics',
    { products: [asked(FIRST, { rows: [{}] }), asked(SECOND, { rows: [{}] })] },
    'fail (profile)',
    { findings: { length: 1 } },
  ],
  ['one without the product’s place', { products: [found(FIRST), asked(SECOND, { problem: noRows })] }, 'fail'],
]);

const changed = (bulk: readonly string[], ...answers: FakeResponse[]) => ({
  delta: { rows: UPCS.map((upc) => ({ upc, changeKind: 'changed' })) },
  bulk: { rows: bulk.map((upc) => ({ upc })) },
  products: answers,
});
judgeCases('C.lookup-changed', {}, [
  ['one in the delta alone is not: perhaps delisted', changed([FIRST], found(FIRST), lost(SECOND)), 'fail (plausible)'],
  [
    'one of each is not: the listed gates',
    changed([FIRST], lost(FIRST), lost(SECOND)),
    'fail',
    { findings: { length: 1 } },
  ],
  [
    'unread, in the delta alone',
    changed([FIRST], found(FIRST), asked(SECOND, { problem: garbled })),
    'pass',
    { evidence: { exchanges: 1 } },
  ],
  ['unread, nothing listed', changed([], asked(SECOND, { problem: garbled })), 'inconclusive'],
  ['unread and listed', changed([FIRST], asked(FIRST, { problem: garbled }), found(SECOND)), 'inconclusive'],
]);

const malformed = (upc: string, answer: FakeResponse = { status: 404 }) => asked(upc, answer);
const trial = (...answers: FakeResponse[]) => ({
  unknown: asked(UNKNOWN, { status: 404 }),
  known: [found(FIRST), found(SECOND)],
  malformed: answers,
});
judgeCases('C.malformed-upc', {}, [
  ['answered emptily', trial(malformed('1', {}), malformed('2', { rows: [{ characteristics: [] }] })), 'pass'],
  ['more than an unknown UPC yields', { ...trial(found('1', FIRST)), unknown: found(UNKNOWN, null) }, 'fail'],
  [
    'the known UPC yields none',
    { ...trial(found('1', FIRST)), known: lost(FIRST) },
    'inconclusive',
    { because: expect.stringContaining(FIRST) },
  ],
  [
    'the unknown yields the known one',
    { ...trial(malformed('1')), unknown: found(UNKNOWN, FIRST) },
    'inconclusive',
    { because: expect.stringContaining(UNKNOWN) },
  ],
  [
    'one of two answered',
    trial(malformed('1', { status: null }), malformed('2')),
    'pass',
    { evidence: { exchanges: 3 } },
  ],
  ['no known UPC', { ...trial(malformed('1')), known: [] }, 'untested'],
]);
judgeCases('C.malformed-upc', { profile: { upc: { admits: ['trim'] } } }, [
  ['what the implementer admits is told', trial(malformed('1')), 'pass', { note: expect.stringContaining('trim') }],
]);
judgeCases(
  'C.malformed-upc',
  { profile: { delta: null, operations: { [ALL_PRODUCTS]: null }, examples: { upc: UPCS } } },
  [['from examples, refused', { unknown: lost(UNKNOWN), known0: found(FIRST), malformed0: malformed('1') }, 'pass']],
);

const listed = (category: string, upc: string = FIRST) => ({ upc, category });
const agree = (rows: readonly object[], ...answers: FakeResponse[]) => ({ bulk: { rows }, products: answers });
judgeCases('C.category-agrees', {}, [
  ['one of two listed', agree([listed('Tea'), listed('Rum')], asked(FIRST, { rows: [{ category: 'Rum' }] })), 'pass'],
  ['once for the answer', agree([listed('Tea')], asked(FIRST, { rows: [{}], values: { category: ['Rum'] } })), 'fail'],
  [
    'in every row of the answer',
    agree([listed('Tea')], asked(FIRST, { rows: [{ category: 'Tea' }, { category: 'TEA' }] })),
    'pass',
  ],
  [
    'several in the answer',
    agree([listed('Tea')], asked(FIRST, { rows: [{ category: 'Rum' }, { category: 'Gin' }] })),
    'untested',
  ],
]);
judgeCases(
  'C.category-agrees',
  { profile: { delta: null, operations: { [PRODUCT_LOOKUP]: { response: { fields: { category: null } } } } } },
  [
    [
      'by id',
      agree([{ upc: FIRST, categoryId: '1' }], asked(FIRST, { rows: [{ category: 'Rum', categoryId: '1' }] })),
      'pass',
    ],
  ],
);
judgeCases(
  'C.category-agrees',
  { profile: { operations: { [ALL_PRODUCTS]: { response: { fields: { category: null } } } } } },
  [
    [
      'by id, where the list carries no name',
      agree([{ upc: FIRST, categoryId: '1' }], asked(FIRST, { rows: [{ category: 'Rum', categoryId: '2' }] })),
      'fail',
    ],
  ],
);

const stated = { profile: { statuses: { unknown: [404, 410], malformed: [400, 403], tooMany: [420] } } };
/** Look-ups of random UPCs; null: the stated refusal. */
const random = (...upcs: (string | FakeResponse | null)[]) =>
  Object.fromEntries(
    upcs.map((upc, at) => [
      `random ${at + 1}`,
      typeof upc === 'string' ? found(upc) : (upc ?? asked('222222222224', { status: 404 })),
    ]),
  );
const unknown = (answer: FakeResponse) => ({ unknown: asked(UNKNOWN, answer) });
judgeCases('C.unknown-status', stated, [
  ['none', unknown({ status: null }), 'inconclusive', { because: 'no response: the connection was refused' }],
  ['in the way as stated', unknown({ status: 420 }), 'inconclusive'],
  ['a product after all, and none for another', { unknown: found(UNKNOWN), ...random(null, FIRST, FIRST) }, 'pass'],
  [
    'a product for each UPC',
    { unknown: found(UNKNOWN), ...random(FIRST, '098765432109', '111111111117') },
    'fail',
    { findings: [{ kind: 'random-upc-known', since: '0.2.0' }] },
  ],
  [
    'the same product for each UPC, which other rules judge',
    { unknown: found(UNKNOWN), ...random(FIRST, FIRST, { ...found(FIRST), inputs: { upc: '098765432109' } }) },
    'inconclusive',
  ],
]);
judgeCases(
  'C.unknown-status',
  {
    profile: {
      ...stated.profile,
      delta: null,
      operations: { [PRODUCT_LOOKUP]: { response: { fields: { characteristics: null } } } },
    },
  },
  [['a 200, and nothing read that could tell', unknown({}), 'inconclusive']],
);
judgeCases('C.malformed-status', stated, [
  [
    'turned away before',
    trial(malformed('1', { status: 414 }), malformed('2', { status: 431 }), malformed('3', { status: 503 })),
    'inconclusive',
  ],
  ['not answered', trial(malformed('1', { status: null })), 'untested'],
  ['what other operations answer', { ...trial(), bulk: { status: 404, rows: products(1) } }, 'untested'],
]);
judgeCases('C.malformed-status', { profile: { statuses: { malformed: [422] } } }, [
  [
    '400 for a control character',
    trial(malformed('1\n', { status: 400 }), malformed('1', { status: 422 })),
    'pass',
    { evidence: { exchanges: 1 } },
  ],
  ['404 for a control character', trial(malformed('1\n', { status: 404 })), 'fail'],
  ['400 for another', trial(malformed('1 ', { status: 400 })), 'fail'],
]);

/** The malformed strings made of listed UPCs. */
const malform = async (setting: Setting, ...upcs: string[]) =>
  ((await stepsOf('C.malformed-upc', setting)).malformed?.each?.choose?.(upcs.map((upc) => ({ upc }))) ?? []).map(
    ({ upc }) => String(upc),
  );

test('malformed strings are made of two listed UPCs, less what the implementer admits to', async () => {
  const all = await malform({}, FIRST, SECOND, '111111111111');
  expect(all).toContain(` ${FIRST}`);
  expect(all).toContain(`${SECOND}A`);
  expect(all.some((upc) => upc.includes('1111111111'))).toBe(false);
  const rest = await malform({ profile: { upc: { admits: ['trim'] } } }, FIRST);
  expect(rest).not.toContain(` ${FIRST}`);
  expect(rest).toContain(`0${FIRST}`);
  expect(rest).toContain(`${FIRST}A`);
});

test('without a list they are made of the first examples', async () => {
  const steps = await stepsOf('C.malformed-upc', {
    profile: { delta: null, operations: { [ALL_PRODUCTS]: null }, examples: { upc: UPCS } },
  });
  expect(steps.known0?.inputs).toEqual({ upc: { value: FIRST } });
  expect(Object.keys(await stepsOf('C.lookup-example', { profile: { examples: { upc: UPCS } } }))).toHaveLength(2);
});

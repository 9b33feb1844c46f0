/** What is written about a service, from what is learned to the text of the file. */
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { printableLines } from '../../exchange/printable.ts';
import { loadOffline } from '../../profile/load.ts';
import { parseProfile } from '../../profile/parse-profile.ts';
import type { Learned } from '../types.ts';
import { writeLearned } from './index.ts';
import { maskedQuotes, maskedValue } from './masked.ts';
import { differingKeys, unansweredQuestions } from './merge.ts';

const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
const RESPONSE = ['operations', BULK, 'response'];
const UPC = [...RESPONSE, 'fields', 'upc'];

const nothing: Learned = {
  profile: { name: 'acme' },
  seen: {},
  settled: [],
  questions: [],
  open: [],
  promises: [],
  defects: [],
  verdicts: [],
  answered: [],
  requests: 0,
  bytes: 0,
  isLimitReached: false,
  received: [],
};

const bulk = (response: object, request: object = {}): Learned['profile'] => ({
  name: 'acme',
  operations: { [BULK]: { response, request } },
});

const learned: Learned = {
  ...nothing,
  profile: {
    ...bulk(
      {
        paging: { style: 'page', first: 1, size: 500 },
        fields: { categoryId: { at: '@.catKey' }, upc: { at: '@.gtin', as: 'gtin14' } },
        rows: '$.items[*]',
      },
      { query: { cat: '{categoryId}', page: '{page}' } },
    ),
    auth: { scheme: 'none' },
  },
  settled: [
    { path: [...RESPONSE, 'rows'], evidence: '400 of 400' },
    { path: [...RESPONSE, 'fields', 'categoryId'], evidence: '400 of 400' },
    { path: UPC, evidence: '400 of 400, look-up of 5' },
    { path: ['operations', BULK, 'request', 'query', 'cat'], evidence: '12 rows of “Green Tea”' },
  ],
  questions: [
    {
      path: [...RESPONSE, 'fields', 'asOf'],
      rivals: [
        { value: '$.asOf', evidence: '1 of 1', example: '2026-11-14' },
        { value: { at: '$.loaded', as: 'us' }, evidence: '1 of 1', example: '11/14/2026' },
      ],
    },
  ],
  promises: [
    { path: ['dataWeek', 'endsOn'], value: 'saturday', seen: '400 of 400' },
    { path: ['dataWeek', 'onePerList'], value: true, seen: '3 lists' },
    { path: [...UPC, 'required'], value: true, seen: '400 of 400, 3 calls' },
    { path: [...RESPONSE, 'fields', 'categoryId', 'required'], value: true, seen: '400 of 400, 3 calls' },
  ],
  defects: [{ path: UPC, sentence: '1 of 400 is “12”' }],
};
const options = { source: 'http://127.0.0.1:1', unlocks: () => ['C.same-reload'] };

test('questions are first, then short keys in the order of the schema with their evidence, promises last', () => {
  expect(
    writeLearned(learned, options),
  ).toBe(`# yaml-language-server: $schema=./node_modules/mdwi-conformance/dist/schema/profile.schema.json
# Learned by mdwi profile learn from http://127.0.0.1:1: comments at keys have the evidence. Decide the
# questions and promises, then run mdwi profile check. What is missing here is open: mdwi profile why KEY.
# Questions (1): write the value that is right at its key.
# 1. ${BULK}: response.fields.asOf, for C.same-reload
#    - $.asOf: 1 of 1, e.g. "####-##-##"
#    - { at: $.loaded, as: us }: 1 of 1, e.g. "##/##/####"

name: acme
auth: { scheme: none }
operations:
  ${BULK}:
    request: { query: { cat: "{categoryId}", page: "{page}" } } # cat: 12 rows of “Xxxxx Xxx”
    # rows, categoryId: 400 of 400; upc: 400 of 400, look-up of 5
    # likely defect: upc: 1 of 400 is “##”
    response: { rows: "$.items[*]", fields: { upc: { at: "@.gtin", as: gtin14 }, categoryId: "@.catKey" },
      paging: { style: page, size: 500 } }

# Promises that were seen to hold: state those that the service makes, each at its key.
# dataWeek: { endsOn: saturday, onePerList: true }   # seen: endsOn: 400 of 400; onePerList: 3 lists; yours to promise
# ${BULK}: response.fields.{upc, categoryId}.required: true   # seen: 400 of 400, 3 calls; yours to promise
`);
});

test('the text is a valid profile of what is learned', async () => {
  const { data } = parseProfile(writeLearned(learned, options), 'acme.yaml');
  expect(data).toEqual((await loadOffline(learned.profile as never)).data);
});

test('values of the service are masked unless they are to be shown', () => {
  expect(maskedValue({ brand: 'Sun', sales: [12.5, null] })).toBe('{ brand: "Xxx", sales: [##.#, null] }');
  expect(maskedQuotes('“042100000177” and “Ünion A” of 400')).toBe('“############” and “Xxxxx X” of 400');
  const shown = writeLearned(learned, { ...options, showValues: true });
  for (const value of ['12 rows of “Green Tea”', 'e.g. 2026-11-14', '“12”']) expect(shown).toContain(value);
});

test('text of the service is never printed raw, and reads back as it is', () => {
  const hostile = '\u202e::error::\n##[error]\u{e0001}\u001b[2J';
  const text = writeLearned(
    {
      ...learned,
      profile: bulk({ rows: '$[*]', fields: { upc: `@['${hostile}']` } }, { query: { [hostile]: '::x', a: hostile } }),
      settled: [{ path: UPC, evidence: hostile }],
      questions: [{ path: UPC, rivals: [{ value: hostile, evidence: hostile, example: hostile }] }],
      promises: [{ path: ['markets', 'products'], value: [hostile], seen: hostile }],
      defects: [{ path: UPC, sentence: hostile }],
    },
    { source: hostile, showValues: true },
  );
  expect(text).toBe(printableLines(text));
  expect(parse(text).operations[BULK]).toEqual({
    request: { query: { [hostile]: '::x', a: hostile } },
    response: { rows: '$[*]', fields: { upc: `@['${hostile}']` } },
  });
});

test('comments have at most a hundred lines', () => {
  const members = Array.from({ length: 300 }, (_, at) => [`p${at}`, { at: '@.x' }] as const);
  const text = writeLearned(
    {
      ...nothing,
      profile: { name: 'acme', codes: Object.fromEntries(members) },
      settled: members.map(([name], at) => ({ path: ['codes', name], evidence: `${at} of 400`.repeat(20) })),
      promises: members.map(([name]) => ({ path: ['codes', name], value: 1, seen: name })),
    },
    options,
  );
  expect(text.split('\n').filter((line) => /^\s*#/.test(line)).length).toBeLessThanOrEqual(100);
});

test('equal parts are written once', () => {
  const fields = { category: '@.category', subCategory: '@.subCategory', brand: '@.brand', sales4Weeks: '@.sales' };
  const responseOf = (rows: string) => ({ request: {}, response: { rows, fields: { ...fields } } });
  const operations = {
    'GET /RetailMeasurement/v1/CategoryPerformance': responseOf('$.a'),
    'GET /RetailMeasurement/v1/BrandPerformance': responseOf('$.b'),
  };
  const text = writeLearned({ ...nothing, profile: { name: 'acme', operations } }, options);
  expect(text).toContain('fields: &fields {');
  expect(text).toContain('response: { rows: $.b, fields: *fields }');
  expect(parse(text).operations).toEqual(operations);
});

const EDITED = `# Ours.
name: acme # the name
# A list of ours.
markets: { products: [US] }
operations:
  ${BULK}:
    # As the vendor says.
    request: { query: { cat: "{category}" } }   # changed by hand
`;

test('a file of a hand keeps its keys and comments, and gets the keys that it lacks', () => {
  const text = writeLearned(learned, { ...options, base: EDITED });
  expect(parse(text).operations[BULK].request).toEqual({ query: { cat: '{category}' } });
  expect(parse(text).operations[BULK].response.rows).toBe('$.items[*]');
  for (const kept of [
    '# Ours.',
    'name: acme # the name',
    '# A list of ours.',
    '# As the vendor says.',
    'changed by hand',
  ])
    expect(text).toContain(kept);
  expect(parse(text).auth).toEqual({ scheme: 'none' });
});

test('learning again writes the same text, and each generated comment once', () => {
  for (const base of ['', EDITED]) {
    const first = writeLearned(learned, { ...options, base });
    expect(writeLearned(learned, { ...options, base: first })).toBe(first);
  }
});

test('what is added to a shared part is not added to its other places', () => {
  const shared = `name: acme\noperations:\n  ${BULK}: &a { request: {} }\n  GET /webservices/testService: *a\n`;
  const text = writeLearned({ ...nothing, profile: bulk({ rows: '$[*]' }) }, { ...options, base: shared });
  expect(parse(text).operations['GET /webservices/testService']).toEqual({ request: {} });
  expect(parse(text).operations[BULK]).toEqual({ request: {}, response: { rows: '$[*]' } });
});

test('what a merge key adds stays, and gets what it lacks in the map that has the key', () => {
  const base = [
    'x: &x { response: { rows: $.items, fields: { upc: "@.u" } }, request: {} }',
    'name: acme',
    `operations: { ${BULK}: { <<: *x, examples: { upc: ["1"] } } }`,
    '',
  ].join('\n');
  const response = { rows: '$.items', fields: { upc: '@.other', brand: '@.b' } };
  const text = writeLearned({ ...nothing, profile: bulk(response) }, { source: 'here', base });
  expect(text).toContain(base.split('\n')[0]);
  expect(parse(text, { merge: true }).operations[BULK]).toEqual({
    response: { rows: '$.items', fields: { upc: '@.u', brand: '@.b' } },
    request: {},
    examples: { upc: ['1'] },
  });
});

test('a start as JSON, and one with CRLF, become such a file, too', () => {
  const profile = { name: 'acme', operations: { [BULK]: { request: { query: { cat: '{category}' } } } } };
  const fromJson = writeLearned(learned, { ...options, base: JSON.stringify(profile, undefined, 2) });
  expect(parse(fromJson)).toMatchObject({ ...profile, auth: { scheme: 'none' } });
  const first = writeLearned(learned, options);
  expect(writeLearned(learned, { ...options, base: first.replaceAll('\n', '\r\n') })).toBe(first);
});

test('fields are not added to rows at another place', () => {
  const base = `name: acme\noperations:\n  ${BULK}: { response: { rows: "$.other[*]" } }\n`;
  const text = writeLearned(learned, { ...options, base });
  expect(parse(text).operations[BULK]).toMatchObject({ response: { rows: '$.other[*]' } });
  expect(parse(text).operations[BULK].response.fields).toBeUndefined();
});

test('keys that differ are found, and what a hand adds to a binding is no difference', () => {
  const stated = bulk({ rows: '$.other[*]', fields: { upc: { at: '@.gtin', as: 'upc' }, categoryId: '@.catKey' } });
  expect(differingKeys(stated, learned.profile)).toEqual([
    [...RESPONSE, 'rows'],
    [...UPC, 'as'],
    ['operations', BULK, 'request'],
  ]);
  const promised = bulk({ fields: { upc: { at: '@.gtin', as: 'gtin14', required: true } } });
  expect(differingKeys(promised, bulk({ fields: { upc: '@.gtin' } }))).toEqual([]);
});

test('questions whose keys a profile states are answered', () => {
  const also = [{ path: UPC, values: ['@.a', '@.b'] }];
  const [question] = learned.questions.map((each) => ({ ...each, also }));
  const answered = (response: object) => unansweredQuestions(question ? [question] : [], bulk(response));
  expect(answered({})).toEqual([question]);
  expect(answered({ fields: { asOf: '$.asOf' } })).toMatchObject([
    { path: UPC, rivals: [{ value: '@.a' }, { value: '@.b' }] },
  ]);
  expect(answered({ fields: { asOf: '$.asOf', upc: '@.a' } })).toEqual([]);
});

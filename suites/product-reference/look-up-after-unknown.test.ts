/** Services whose look-ups depend on the request before, or on the replica that responds. */
import { expect, test } from 'vitest';
import { type Answer, judgeService } from '../judge-in-process.test.support.ts';

const LOOKUP = 'GET /PLATFORMAPI/prodRef/v1/products/{upc}';
const upcAt = (at: number): string => String(100_000 + at).padStart(12, '0');

/** Whether a look-up finds its product, with the number of look-ups so far and whether the one before was of an unknown UPC. */
type Finds = (nth: number, isAfterUnknown: boolean) => boolean;

async function judge(finds: Finds, products = 60, date: (nth: number) => string = () => '2026-11-14') {
  const known = Array.from({ length: products }, (_, at) => upcAt(at));
  let nth = 0;
  let isAfterUnknown = false;
  const service: Answer = ({ path }) => {
    if (path.endsWith('/allProducts')) return [200, { rows: known.map((upc) => ({ upc })) }];
    const [, upc] = /\/products\/(\d{12})$/.exec(path) ?? [];
    if (upc === undefined) return undefined;
    nth++;
    const isFound = known.includes(upc) && finds(nth, isAfterUnknown);
    isAfterUnknown = !known.includes(upc);
    return isFound ? [200, { upc, asOf: date(nth), features: ['a'] }] : [404, { message: 'no such product' }];
  };
  const profile = `name: t
operations:
  GET /PLATFORMAPI/prodRef/v1/allProducts:
    request: {}
    response: { rows: "$.rows[*]", fields: { upc: "@.upc" } }
  ${LOOKUP}:
    request: {}
    response: { rows: $, fields: { upc: "@.upc", characteristics: "@.features[*]", asOf: { at: $.asOf, as: iso } } }`;
  const run = await judgeService(profile, service, { rules: ['C.lookup-after-unknown'], operations: [LOOKUP] });
  return run.results
    .filter(({ rule }) => rule === 'C.lookup-after-unknown')
    .map(({ verdict, note }) => ({ verdict, note }));
}

const refusingAfterUnknown: Finds = (_, isAfterUnknown) => !isAfterUnknown;

test('a service that finds each product passes', async () => {
  expect(await judge(() => true)).toMatchObject([{ verdict: 'pass' }]);
});

test('a service that refuses the look-up after an unknown UPC fails', async () => {
  expect(await judge(refusingAfterUnknown)).toMatchObject([{ verdict: 'fail' }]);
});

test.each([2, 3, 4, 5, 6])('one of %d replicas in turn that knows nothing is no failure', async (replicas) => {
  for (let behind = 0; behind < replicas; behind++) {
    const [result] = await judge((nth) => nth % replicas !== behind);
    expect(result?.verdict).not.toBe('fail');
  }
});

test('refusals from one look-up on are no failure', async () => {
  for (const last of [40, 44, 47, 50, 60]) expect((await judge((nth) => nth < last))[0]?.verdict).not.toBe('fail');
});

test.each<[string, Parameters<typeof judge>]>([
  ['with too few products for a chain', [refusingAfterUnknown, 10]],
  ['that is reloaded meanwhile', [refusingAfterUnknown, 60, (nth) => (nth < 60 ? '2026-11-14' : '2026-11-21')]],
])('a service %s is not decided', async (_, given) => {
  expect(await judge(...given)).toMatchObject([
    { verdict: 'inconclusive', note: expect.stringMatching(/not steadily after unknown UPCs only/) },
  ]);
});

/** Values that stand once for a look-up's answer, beside its rows: section 4.3 shows neither. */
import { expect, test } from 'vitest';
import { judgeService } from '../judge-in-process.test.support.ts';

const LOOKUP = '/PLATFORMAPI/prodRef/v1/products/';
const KNOWN = '042100000177';

/** A product as pairs, its UPC one of them. */
async function judgePairs(upc: string) {
  const profile = `name: pairs
examples: { upc: ["${KNOWN}"] }
operations:
  GET ${LOOKUP}{upc}:
    request: {}
    response:
      rows: $[*]
      fields: { upc: { at: "$[?@.k=='UPC'].v", as: upc }, characteristics: "$[*]" }`;
  const pairs = [
    { k: 'UPC', v: upc },
    { k: 'Colour', v: 'red' },
  ];
  const run = await judgeService(profile, ({ path }) => (path === LOOKUP + KNOWN ? [200, pairs] : undefined), {
    operations: [`GET ${LOOKUP}{upc}`],
    rules: ['C.upc-12-digits', 'C.lookup-example', 'C.malformed-upc'],
  });
  return Object.fromEntries(run.results.map(({ rule, verdict }) => [rule, verdict]));
}

test('are read for the product', async () => {
  expect(await judgePairs(KNOWN)).toEqual({
    'C.upc-12-digits': 'pass',
    'C.lookup-example': 'pass',
    'C.malformed-upc': 'pass',
  });
});

test('and judged like values of its rows', async () => {
  expect(await judgePairs('04210000017')).toMatchObject({ 'C.upc-12-digits': 'fail' });
  expect(await judgePairs('042100000178')).toMatchObject({ 'C.lookup-example': 'fail' });
});

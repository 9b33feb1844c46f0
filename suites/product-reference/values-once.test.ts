/** Values that stand once for a look-up's answer, beside its rows: section 4.3 shows neither. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { judgeTarget } from '../../src/commands/judge-target.ts';
import { parseProfile } from '../../src/profile/parse-profile.ts';

const LOOKUP = '/PLATFORMAPI/prodRef/v1/products/';
const KNOWN = '042100000177';
let server: Server | undefined;
afterEach(() => server?.close());

/** A product as pairs, its UPC one of them. */
async function judgePairs(upc: string) {
  const pairs = createServer((request, response) => {
    const isKnown = request.url === LOOKUP + KNOWN;
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' });
    response.end(
      isKnown
        ? JSON.stringify([
            { k: 'UPC', v: upc },
            { k: 'Colour', v: 'red' },
          ])
        : '{}',
    );
  });
  server = pairs;
  await new Promise<void>((ready) => pairs.listen(0, '127.0.0.1', ready));
  const profile = parseProfile(
    `name: pairs
examples: { upc: ["${KNOWN}"] }
operations:
  GET ${LOOKUP}{upc}:
    request: {}
    response:
      rows: $[*]
      fields: { upc: { at: "$[?@.k=='UPC'].v", as: upc }, characteristics: "$[*]" }`,
    'pairs.yaml',
    {},
  );
  const base = `http://127.0.0.1:${(pairs.address() as AddressInfo).port}`;
  const rules = ['C.upc-12-digits', 'C.lookup-example', 'C.malformed-upc'];
  const run = await judgeTarget({
    base,
    profile,
    selection: { safety: 'read', operations: [`GET ${LOOKUP}{upc}`], rules },
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

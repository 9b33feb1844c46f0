/** Statuses a profile states, held against the reference dialect and a service with statuses of its own. */
import { expect, test } from 'vitest';
import type { Run } from '../../src/run/types.ts';
import { judgeService, judgeSimulation } from '../judge-in-process.test.support.ts';
import { patchedReference } from '../patched-reference.test.support.ts';

const LOOKUP = 'GET /PLATFORMAPI/prodRef/v1/products/{upc}';
const rules = ['C.unknown-status', 'C.malformed-status'];

const verdicts = ({ results }: Run) => results.map(({ verdict }) => verdict);

test.each([
  [{ unknown: [404], malformed: [400] }, ['pass', 'pass']],
  [{ unknown: [410, 404], malformed: [422, 400] }, ['pass', 'pass']],
  [{ unknown: [410], malformed: [422] }, ['fail', 'fail']],
  [{ unknown: [404] }, ['pass', 'not-applicable']],
  [{ malformed: [400] }, ['not-applicable', 'pass']],
])('%j of the reference dialect: %j', async (statuses, expected) => {
  const selection = { safety: 'read', rules, operations: [LOOKUP] } as const;
  const run = await judgeSimulation({ products: 50 }, { profile: await patchedReference({ statuses }), selection });
  expect(verdicts(run)).toEqual(expected);
  for (const { verdict, basis, gating } of run.results)
    if (verdict === 'fail') expect([basis, gating]).toEqual(['profile', true]);
});

const KNOWN = '012345678905';

/** Judges a look-up that answers with these statuses, by what it is asked for; other paths are not found. */
const judge = (answer: (upc: string) => readonly [number, unknown], statuses: string, which = rules) =>
  judgeService(
    `name: t
examples: { upc: ["${KNOWN}"] }
statuses: ${statuses}
operations: { "${LOOKUP}": { request: {}, response: { rows: $.found, fields: { characteristics: "@.about.*" } } } }`,
    ({ path }) => (path.includes('/products/') ? answer(decodeURIComponent(path.split('/').at(-1) ?? '')) : undefined),
    { rules: which, operations: [LOOKUP] },
  );
const product = { found: { about: { colour: 'red' } } };
const nothing = { found: null };

test('an error in a 200 may be the stated status, and is read as a response', async () => {
  const answer = (upc: string) => [200, upc === KNOWN ? product : nothing] as const;
  const run = await judge(answer, '{ unknown: [200], malformed: [200] }', [...rules, 'C.malformed-upc']);
  expect(verdicts(run)).toEqual(['pass', 'pass', 'pass']);
  expect(verdicts(await judge(answer, '{ unknown: [404] }'))[0]).toBe('fail');
});

test('a service that knows the unknown UPC does not fail: the profile needs another one', async () => {
  const [unknown] = (await judge(() => [200, product], '{ unknown: [404] }')).results;
  expect(unknown).toMatchObject({ verdict: 'inconclusive', note: expect.stringContaining('unknownUpc') });
});

test('a 403 has the meaning that the profile states', async () => {
  const answer = (upc: string) => (upc === KNOWN ? ([200, product] as const) : ([403, nothing] as const));
  const stated = await judge(answer, '{ unknown: [403], malformed: [403] }', [...rules, 'C.malformed-upc']);
  expect(verdicts(stated)).toEqual(['pass', 'pass', 'pass']);
  expect(verdicts(await judge(answer, '{ tooMany: [420] }', ['C.malformed-upc']))).toEqual(['inconclusive']);
});

test('a status that means too many requests here is retried, and prevents a judgement if it persists', async () => {
  let turned = 0;
  const busyTwice = (upc: string): readonly [number, unknown] =>
    turned++ < 2 ? [420, {}] : upc === KNOWN ? [200, product] : [404, {}];
  const judgeBusy = (answer: typeof busyTwice) =>
    judge(answer, '{ unknown: [404], tooMany: [420] }', ['C.lookup-example', 'C.unknown-status']);
  expect(verdicts(await judgeBusy(busyTwice))).toEqual(['pass', 'pass']);
  expect((await judgeBusy(() => [420, {}])).results.map(({ note }) => note)).toEqual([
    expect.stringContaining('status 420 prevents a judgement'),
    'status 420 prevents a judgement',
  ]);
});

test('what never reached the look-up is not judged', async () => {
  const answer = (upc: string): readonly [number, unknown] =>
    upc.length > 500 ? [414, {}] : upc === KNOWN ? [200, product] : /\p{Cc}/u.test(upc) ? [400, {}] : [422, {}];
  expect(verdicts(await judge(answer, '{ malformed: [422] }'))[1]).toBe('pass');
});

/** Statuses a profile states, held against the reference dialect and a service with statuses of its own. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { startSimulator } from '../../simulator/server.ts';
import { judgeTarget } from '../../src/commands/judge-target.ts';
import { parseProfile } from '../../src/profile/parse-profile.ts';
import type { Profile } from '../../src/profile/schema.ts';
import type { Run } from '../../src/run/types.ts';
import { patchedReference } from '../patched-reference.test.support.ts';

const LOOKUP = 'GET /PLATFORMAPI/prodRef/v1/products/{upc}';
const rules = ['C.unknown-status', 'C.malformed-status'];

async function judge(base: string, profile: Profile, which = rules): Promise<Run> {
  return judgeTarget({
    base,
    profile,
    selection: { safety: 'read', rules: which, operations: [LOOKUP] },
    wait: async () => undefined,
  });
}
const verdicts = ({ results }: Run) => results.map(({ verdict }) => verdict);

test.each([
  [{ unknown: [404], malformed: [400] }, ['pass', 'pass']],
  [{ unknown: [410, 404], malformed: [422, 400] }, ['pass', 'pass']],
  [{ unknown: [410], malformed: [422] }, ['fail', 'fail']],
  [{ unknown: [404] }, ['pass', 'not-applicable']],
  [{ malformed: [400] }, ['not-applicable', 'pass']],
])('%j of the reference dialect: %j', async (statuses, expected) => {
  const simulator = await startSimulator({ products: 50 });
  try {
    const run = await judge(simulator.url, await patchedReference({ statuses }));
    expect(verdicts(run)).toEqual(expected);
    for (const { verdict, basis, gating } of run.results)
      if (verdict === 'fail') expect([basis, gating]).toEqual(['profile', true]);
  } finally {
    await simulator.close();
  }
});

/** A look-up that answers with these statuses, by what it is asked for. */
async function withLookUp(answer: (upc: string) => readonly [number, unknown], act: (base: string) => Promise<void>) {
  const server = createServer((request, response) => {
    const upc = decodeURIComponent((request.url ?? '').split('/').at(-1) as string);
    // Whoever answers every path alike proves nothing.
    const [status, body] = request.url?.includes('/products/') ? answer(upc) : [404, {}];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  await act(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await new Promise((closed) => server.close(closed));
}

const KNOWN = '012345678905';
const profileWith = (statuses: string) =>
  parseProfile(
    `name: t
examples: { upc: ["${KNOWN}"] }
statuses: ${statuses}
operations: { "${LOOKUP}": { request: {}, response: { rows: $.found, fields: { characteristics: "@.about.*" } } } }`,
    't.yaml',
    {},
  );
const product = { found: { about: { colour: 'red' } } };
const nothing = { found: null };

test('an error in a 200 may be the stated status, and is read as a response', async () => {
  await withLookUp(
    (upc) => [200, upc === KNOWN ? product : nothing],
    async (base) => {
      const run = await judge(base, profileWith('{ unknown: [200], malformed: [200] }'), [...rules, 'C.malformed-upc']);
      expect(verdicts(run)).toEqual(['pass', 'pass', 'pass']);
      expect(verdicts(await judge(base, profileWith('{ unknown: [404] }')))[0]).toBe('fail');
    },
  );
});

test('a service that knows the unknown UPC does not fail: the profile needs another one', async () => {
  await withLookUp(
    () => [200, product],
    async (base) => {
      const [unknown] = (await judge(base, profileWith('{ unknown: [404] }'))).results;
      expect(unknown).toMatchObject({ verdict: 'inconclusive', note: expect.stringContaining('unknownUpc') });
    },
  );
});

test('a 403 has the meaning that the profile states', async () => {
  await withLookUp(
    (upc) => (upc === KNOWN ? [200, product] : [403, nothing]),
    async (base) => {
      const stated = profileWith('{ unknown: [403], malformed: [403] }');
      expect(verdicts(await judge(base, stated, [...rules, 'C.malformed-upc']))).toEqual(['pass', 'pass', 'pass']);
      const open = profileWith('{ tooMany: [420] }');
      expect(verdicts(await judge(base, open, ['C.malformed-upc']))).toEqual(['inconclusive']);
    },
  );
});

test('a status that means too many requests here is retried, and prevents a judgement if it persists', async () => {
  let turned = 0;
  const busyTwice = (upc: string): readonly [number, unknown] =>
    turned++ < 2 ? [420, {}] : upc === KNOWN ? [200, product] : [404, {}];
  const stated = profileWith('{ unknown: [404], tooMany: [420] }');
  await withLookUp(busyTwice, async (base) => {
    expect(verdicts(await judge(base, stated, ['C.lookup-example', 'C.unknown-status']))).toEqual(['pass', 'pass']);
  });
  await withLookUp(
    () => [420, {}],
    async (base) => {
      const run = await judge(base, stated, ['C.lookup-example', 'C.unknown-status']);
      expect(run.results.map(({ note }) => note)).toEqual([
        expect.stringContaining('status 420 prevents a judgement'),
        'status 420 prevents a judgement',
      ]);
    },
  );
});

test('what never reached the look-up is not judged', async () => {
  await withLookUp(
    (upc) =>
      upc.length > 500 ? [414, {}] : upc === KNOWN ? [200, product] : /\p{Cc}/u.test(upc) ? [400, {}] : [422, {}],
    async (base) => {
      expect(verdicts(await judge(base, profileWith('{ malformed: [422] }')))[1]).toBe('pass');
    },
  );
});

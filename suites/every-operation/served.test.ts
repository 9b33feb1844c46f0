/** What is said of an operation the profile excepts from authentication. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createLiveSource } from '../../src/client/live-source.ts';
import { parseProfile } from '../../src/profile/parse-profile.ts';
import { performRun } from '../../src/run/run.ts';
import { RULES } from '../index.ts';

const TEST = 'GET /webservices/testService';
const FILTERS = 'GET /webservices/getAllProspectFilters';
let server: Server | undefined;
afterEach(() => server?.close());

/** A gateway that asks for a key before routing, but for the open paths. */
async function judgeServed(open: readonly string[], { rule = 'every.served', served = [TEST, FILTERS] } = {}) {
  const gate = createServer((request, response) => {
    const key = `${request.method} ${request.url}`;
    const allowed = open.includes(key) || request.headers.authorization === 'Bearer tttt';
    response.statusCode = allowed ? (served.includes(key) ? 200 : 404) : 401;
    response.end('{}');
  });
  server = gate;
  await new Promise<void>((ready) => gate.listen(0, '127.0.0.1', ready));
  const auth = { scheme: 'bearer', token: 'tttt' } as const;
  const source = createLiveSource({ auth: [auth] });
  const run = await performRun({
    rules: RULES.filter(({ id }) => id === rule),
    selection: { safety: 'read' },
    profile: parseProfile(`name: t\nimplements: ["${TEST}", "${FILTERS}"]\nauthExcept: ["${TEST}"]`, 't.yaml', {}),
    base: `http://127.0.0.1:${(gate.address() as AddressInfo).port}`,
    source,
    strict: true,
    allowInconclusive: false,
    requireConformant: false,
    suiteVersion: '9.9.9',
  }).finally(() => source.close());
  return run.results
    .filter(({ verdict }) => verdict !== 'not-applicable')
    .map(({ operation, verdict, basis }) => ({ operation, verdict, basis }));
}

test('an operation without credentials passes, next to one that needs them', async () => {
  expect(await judgeServed([TEST])).toEqual([
    { operation: FILTERS, verdict: 'pass', basis: 'stated' },
    { operation: TEST, verdict: 'pass', basis: 'stated' },
  ]);
});

test('an operation that requires credentials contradicts its profile', async () => {
  expect(await judgeServed([])).toEqual([
    { operation: FILTERS, verdict: 'pass', basis: 'stated' },
    { operation: TEST, verdict: 'fail', basis: 'profile' },
  ]);
});

test('an alias is requested with credentials, which show whether it is served', async () => {
  const only = (served: string[]) => judgeServed([TEST], { rule: 'every.unversioned-only', served });
  const filters = { operation: FILTERS, verdict: 'pass', basis: 'plausible' };
  expect(await only([TEST, FILTERS])).toEqual([filters, { operation: TEST, verdict: 'pass', basis: 'plausible' }]);
  expect(await only([TEST, FILTERS, 'GET /webservices/v1/testService'])).toEqual([
    filters,
    { operation: TEST, verdict: 'fail', basis: 'plausible' },
  ]);
});

/** Steps that are sent again until a condition holds, and steps that depend on a condition. */
import { createServer } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parseProfile } from '../profile/parse-profile.ts';
import { listen } from '../resources.test.support.ts';
import { collect, isOk, passed, type Reading, type Steps, step } from '../rule/index.ts';
import { perform, ruleOf } from './perform.test.support.ts';

const SERVICE = 'GET /webservices/testService';
const profile = parseProfile(
  `name: t\noperations:\n  ${SERVICE}:\n    request: {}\n    response: { rows: $ }\n`,
  't.yaml',
);
// The time is that of the test, so that pauses are.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

/** Runs the steps against a server that answers 404 before its nth request; returns what the judge saw and the pauses. */
async function judged(steps: Steps, okFrom: number, headers: Record<string, string> = {}) {
  let requests = 0;
  const server = createServer(({ url }, response) => {
    requests++;
    if (url === '/slow') vi.setSystemTime(Date.now() + 60_000);
    response.writeHead(requests >= okFrom ? 200 : 404, { 'content-type': 'application/json', ...headers }).end('{}');
  });
  const seen: { [name: string]: readonly Reading[] } = {};
  const pauses: number[] = [];
  const judge = (readings: typeof seen) => {
    Object.assign(seen, readings);
    return passed({ exchanges: 1 });
  };
  await perform({
    rules: [ruleOf('A.poll', { statement: 'A.content', subjects: [SERVICE], probe: () => steps, judge })],
    selection: { safety: 'all' },
    profile,
    base: await listen(server),
    wait: async (ms) => void pauses.push(ms),
  });
  return { requests, pauses, seen };
}

const isKnown = (readings: readonly Reading[]): boolean => readings.some(isOk);
const poll = (limitMs: number) =>
  step({
    operation: SERVICE,
    accepts: 'any',
    folds: { rows: collect(['id']) },
    poll: { isDone: isKnown, intervalMs: 1000, limitMs },
  });

test('a poll ends when its condition holds', async () => {
  const { requests, pauses, seen } = await judged({ status: poll(60_000) }, 3);
  expect([requests, pauses]).toEqual([3, [1000, 1000]]);
  expect(seen.status?.map(({ head, exhausted }) => [head?.status, exhausted])).toEqual([
    [404, undefined],
    [404, undefined],
    [200, undefined],
  ]);
});

test('a poll ends at its limit, and its last reading says so', async () => {
  const { requests, seen } = await judged({ status: poll(3000) }, 100);
  expect(requests).toBe(4);
  expect(seen.status?.map(({ exhausted }) => exhausted)).toEqual([undefined, undefined, undefined, true]);
});

test('the time in which other requests are sent is part of a pause', async () => {
  const slow = step({ operation: SERVICE, accepts: 'any', variant: { path: '/slow' } });
  const { requests, pauses } = await judged({ status: poll(60_000), slow }, 4);
  expect([requests, pauses]).toEqual([4, [0, 1000]]);
});

test('a poll without a limit is one request', async () => {
  expect(await judged({ status: poll(0) }, 100)).toMatchObject({ requests: 1, pauses: [] });
});

test('a longer Retry-After is obeyed between two requests', async () => {
  const { pauses } = await judged({ status: poll(10_000) }, 2, { 'retry-after': '7' });
  expect(pauses).toEqual([7000]);
});

test('a step after a poll waits for its end, and one whose condition does not hold is not sent', async () => {
  const after = (name: string, wanted: boolean) =>
    step({
      operation: SERVICE,
      accepts: 'any',
      repetition: 500,
      variant: { path: `/${name}` },
      after: ['status'],
      optional: true,
      when: (of) => isKnown(of('status')) === wanted,
    });
  const { requests, seen } = await judged(
    { status: poll(60_000), known: after('a', true), lost: after('b', false) },
    3,
  );
  expect([requests, seen.known?.length, seen.lost?.length]).toEqual([4, 1, 0]);
});

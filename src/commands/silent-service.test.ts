/** Runs against services that fall silent, as a whole or in part, and against slow ones, with short time-outs. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Simulator } from '../../simulator/server.ts';
import { OPERATIONS, operationOf } from '../contract/index.ts';
import { loadProfile } from '../profile/load.ts';
import type { Profile } from '../profile/schema.ts';
import type { Run, Selection } from '../run/types.ts';
import { type Intercept, resetConnection, startFront } from './front-server.test.support.ts';
import { judgeTarget } from './judge-target.ts';
import { startSimulatorServer } from './start-simulator.ts';

const TIMEOUT_MS = 1500;
const UPDATES = 'GET /PLATFORMAPI/prodRef/v1/updateProducts';
const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';

let simulator: Simulator;
let profile: Profile;
beforeAll(async () => {
  simulator = await startSimulatorServer({ products: 20 });
  const reference = await loadProfile('reference');
  const limits = { timeoutMs: TIMEOUT_MS, rateWindowMs: TIMEOUT_MS };
  profile = { ...reference, data: { ...reference.data, limits } };
});
afterAll(() => simulator.close());

async function judge(
  intercept: Intercept,
  selection: Partial<Selection> = {},
  limits: NonNullable<Profile['data']['limits']> = {},
): Promise<Run> {
  const front = await startFront(simulator.url, intercept);
  return judgeTarget({
    base: front.url,
    profile: { ...profile, data: { ...profile.data, limits: { ...profile.data.limits, ...limits } } },
    selection: { safety: 'read', groups: ['C', 'D'], ...selection },
    onProgress: () => {},
  }).finally(() => front.close());
}

/** The time spent on requests without a response, in time-outs. A busy machine adds to it. */
const silenceOf = ({ exchanges }: Run): number =>
  exchanges.filter(({ failure }) => failure !== undefined).reduce((sum, { ms }) => sum + ms, 0) / TIMEOUT_MS;
const failuresOf = ({ results }: Run) => results.filter(({ verdict }) => verdict === 'fail' || verdict === 'error');
const notesOf = ({ results }: Run): string => results.map(({ note }) => note).join('\n');

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const EARLY_HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';

/** Writes the beginning, and then a piece again and again. */
const drip =
  (begin: string, piece: string) =>
  (socket: Socket): void => {
    socket.write(begin);
    const timer = setInterval(() => socket.write(piece), 100);
    socket.on('close', () => clearInterval(timer)).on('error', () => undefined);
  };
const SILENT: Readonly<Record<string, (socket: Socket) => void>> = {
  'no byte': () => undefined,
  'a status line': (socket) => void socket.write('HTTP/1.1 200 OK\r\n'),
  'endless interim responses': drip(EARLY_HINTS, EARLY_HINTS),
  'an endless chunk extension': drip(`${HEAD}Transfer-Encoding: chunked\r\n\r\n5;a=`, 'b'),
  'a body that stalls': (socket) => void socket.write(`${HEAD}Content-Length: 99\r\n\r\n{"items":[`),
  'a body that trickles': drip(`${HEAD}Content-Length: 99999\r\n\r\n{"items":[`, ' '),
};
const silently = (response: ServerResponse, fall: (socket: Socket) => void = () => undefined): true => {
  fall(response.socket as Socket);
  return true;
};

describe('a service that falls silent in mid-run', () => {
  test.concurrent.each(Object.keys(SILENT))('with %s ends the run, with one cause', async (name) => {
    const run = await judge((_, response, nth) => nth >= 40 && silently(response, SILENT[name]));
    expect(run.exitCode).toBe(3);
    expect(run.cause).toHaveLength(1);
    expect(run.cause?.[0]?.sentence).toMatch(
      /^the service stopped responding at request #41, \d\d:\d\d:\d\d UTC \((?:no response in time|a response that is too slow)\), not back after \d+ s: /,
    );
    expect(run.reason).toBe(run.cause?.[0]?.sentence);
    expect(run.results.filter((each) => each.verdict === 'inconclusive' && each.cause === undefined)).toEqual([]);
    expect(failuresOf(run)).toEqual([]);
    expect(silenceOf(run)).toBeLessThan(9);
  });
});

describe('a service that is silent from the start', () => {
  test.concurrent('ends the run, after requests to several groups', async () => {
    const run = await judge((_, response) => silently(response), { groups: ['A', 'B', 'C', 'D'] });
    expect(run).toMatchObject({ outcome: 'undetermined', exitCode: 3 });
    expect(run.reason).toMatch(/^the service does not answer: /);
    expect(new Set(run.exchanges.map(({ operation }) => operationOf(operation).group)).size).toBeGreaterThan(1);
    expect(silenceOf(run)).toBeLessThan(9);
  });

  test.concurrent('ends a run of one operation, too', async () => {
    const run = await judge((_, response) => silently(response), { operations: [BULK] });
    expect(run).toMatchObject({ outcome: 'undetermined', exitCode: 3 });
    expect(silenceOf(run)).toBeLessThan(9);
  });
});

describe('a service that is silent in part is judged on the rest:', () => {
  const documented = OPERATIONS.map(({ key }) => new RegExp(`^${key.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`));
  const isDocumented = (method = '', url = '') =>
    documented.some((each) => each.test(`${method} ${url.split('?')[0]}`));

  test.concurrent('one operation', async () => {
    const run = await judge(({ url }, response) => url?.includes('/updateProducts') === true && silently(response));
    expect(run.cause).toBeUndefined();
    expect(failuresOf(run)).toEqual([]);
    expect(notesOf(run)).not.toContain('not sent: the service');
    const ofOthers = run.results.filter(({ operation, verdict }) => operation !== UPDATES && verdict === 'pass');
    expect(ofOthers.length).toBeGreaterThan(50);
    // A first request with its retry, and three others.
    const unanswered = run.exchanges.filter(
      ({ method, url, failure }) => failure && `${method} ${new URL(url).pathname}` === UPDATES,
    );
    expect(unanswered.length).toBeLessThanOrEqual(5);
  });

  test.concurrent('a group', async () => {
    const run = await judge(({ url }, response) => url?.startsWith('/Retail') === true && silently(response), {
      groups: ['C', 'D'],
    });
    expect(run.cause?.map(({ sentence }) => sentence)).toEqual([
      expect.stringContaining('on every request of group D'),
    ]);
    expect(failuresOf(run)).toEqual([]);
    expect(
      run.results.filter(({ operation, verdict }) => /prodRef/.test(operation) && verdict === 'pass').length,
    ).toBeGreaterThan(50);
  });

  test.concurrent('what the document describes', async () => {
    const run = await judge(({ method, url }, response) => !isDocumented(method, url) && silently(response), {
      groups: ['C'],
    });
    expect(run.cause).toBeUndefined();
    expect(failuresOf(run)).toEqual([]);
    expect(notesOf(run)).not.toContain('not sent: the service has');
    // The first one has the whole time, and is sent twice.
    expect(silenceOf(run)).toBeLessThan(12);
  });
});

describe('a service that is merely slow is judged to the end:', () => {
  const SERVED: Partial<Selection> = { operations: [BULK, UPDATES], rules: ['every.served'] };
  const delayed =
    (delayOf: (nth: number) => number): Intercept =>
    ({ method, url, headers }, response, nth) => {
      const pause = delayOf(nth);
      if (pause === 0) return false;
      const { host: _, ...others } = headers;
      setTimeout(async () => {
        const answer = await fetch(new URL(url ?? '/', simulator.url), {
          method: method ?? 'GET',
          headers: others as Record<string, string>,
        });
        response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
        response.end(await answer.text());
      }, pause);
      return true;
    };

  test.concurrent.each<[string, (nth: number) => number]>([
    ['each response needs most of the time-out', () => 0.7 * TIMEOUT_MS],
    ['only the first response is slow', (nth) => (nth === 0 ? 0.7 * TIMEOUT_MS : 0)],
    ['the first response needs longer than the time-out', (nth) => (nth === 0 ? 1.2 * TIMEOUT_MS : 0)],
    ['one response in mid-run needs longer than the time-out', (nth) => (nth === 3 ? 1.2 * TIMEOUT_MS : 0)],
  ])('%s', async (_, delayOf) => {
    const run = await judge(delayed(delayOf), SERVED);
    expect(run.results.map(({ verdict }) => verdict)).toEqual(['pass', 'pass']);
    expect(run.exitCode).toBe(0);
  });

  test.concurrent('waits for Retry-After are no silence', async () => {
    const refused = new Set<string>();
    const run = await judge(({ url }, response) => {
      const key = String(url);
      if (refused.has(key)) return false;
      refused.add(key);
      response.writeHead(429, { 'retry-after': '2' }).end();
      return true;
    }, SERVED);
    expect(run.exitCode).toBe(0);
    expect(refused.size * 2000).toBeGreaterThan(3 * TIMEOUT_MS);
  });
});

/** Answers itself from a request on, for a number of requests. */
const from =
  (begin: number, answer: (response: ServerResponse) => true, count = Number.POSITIVE_INFINITY): Intercept =>
  (_, response, nth) =>
    nth >= begin && nth < begin + count && answer(response);
const respond =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse): true => {
    response.writeHead(status, headers).end();
    return true;
  };

/** A run of group C without an outage. */
let judged: Promise<Run> | undefined;
const sound = (): Promise<Run> => {
  judged ??= judge(() => false, { groups: ['C'] });
  return judged;
};

describe('an outage in mid-run', () => {
  test.concurrent.each<[string, (response: ServerResponse) => true, string]>([
    ['closed connections', resetConnection, 'a closed connection'],
    ['502', respond(502), '502'],
    ['503', respond(503), '503'],
  ])('is one cause (%s)', async (_, answer, symptom) => {
    const run = await judge(from(6, answer, 12));
    expect(run.exitCode).toBe(3);
    expect(run.cause?.map(({ sentence }) => sentence)).toEqual([
      expect.stringMatching(
        new RegExp(`^the service stopped responding at request #7, .* \\(${symptom}\\), back after`),
      ),
    ]);
    expect(run.reason).toBe(run.cause?.[0]?.sentence);
    expect(failuresOf(run)).toEqual([]);
  });

  test.concurrent.each<[string, (response: ServerResponse) => true]>([
    ['closed connections', resetConnection],
    ['502', respond(502)],
    ['silence', (response) => silently(response)],
  ])('is waited for with retryForMs (%s)', async (_, answer) => {
    const [expected, run] = await Promise.all([
      sound(),
      judge(from(40, answer, 4), { groups: ['C'] }, { retryForMs: 60_000 }),
    ]);
    expect(run.results.map(({ verdict }) => verdict)).toEqual(expected.results.map(({ verdict }) => verdict));
    expect(run.exitCode).toBe(0);
    expect(run.cause).toEqual([
      { sentence: expect.stringMatching(/ at request #41, .* back after/), operations: [], count: 0 },
    ]);
    expect(run.exchanges.filter(({ retryOf }) => retryOf !== undefined)).toHaveLength(1);
    expect(run.manifest.waits?.pausedMs ?? 0).toBeGreaterThan(_ === 'silence' ? -1 : 2000);
  });

  test.concurrent('ends the run if it lasts longer', async () => {
    const run = await judge(from(40, resetConnection), {}, { retryForMs: 1500 });
    expect(run.exitCode).toBe(3);
    expect(run.reason).toMatch(/^the service stopped responding at request #41, .* not back after/);
    expect(run.exchanges.length).toBeLessThan(45);
  });

  test.concurrent('of one operation is none, and nothing is waited for', async () => {
    const run = await judge(
      ({ url }, response) => url?.includes('/updateProducts') === true && respond(502)(response),
      {},
      {
        retryForMs: 60_000,
      },
    );
    expect(run.cause).toBeUndefined();
    expect(failuresOf(run)).toEqual([]);
    expect(
      run.results.filter(({ operation, verdict }) => operation !== UPDATES && verdict === 'pass').length,
    ).toBeGreaterThan(50);
  });
});

describe('refusals without end after a good start end the run', () => {
  test.concurrent.each<Record<string, string>>([{}, { 'retry-after': '2' }])('of one group (%o)', async (headers) => {
    const run = await judge(from(40, respond(429, headers)), { groups: ['C'] });
    expect(run.exitCode).toBe(3);
    expect(run.cause?.map(({ sentence }) => sentence)).toEqual([
      expect.stringMatching(
        /^the service started to refuse requests at request #41, .* \(429\), not back after \d+ s: wait/,
      ),
    ]);
    const { refusals = 0, refusedMs = 0 } = run.manifest.waits ?? {};
    expect(refusals).toBeGreaterThan(1);
    expect(refusedMs).toBeGreaterThan(1000);
    expect(run.exchanges.length).toBeLessThan(45);
  });
});

test('a run ends at its longest duration with what it has', async () => {
  const run = await judge(from(40, silently), {}, { maxDurationMs: 2500, timeoutMs: 60_000 });
  expect(run.exitCode).toBe(3);
  expect(run.reason).toMatch(/^the run has reached its longest duration \(--max-duration/);
  expect(run.results.filter((each) => each.verdict === 'inconclusive' && each.cause === undefined)).toEqual([]);
  expect(run.manifest.interrupted).toBeUndefined();
});

/** Runs against services that fall silent, as a whole or in part, and against slow ones, with short time-outs. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Simulator } from '../../simulator/server.ts';
import { OPERATIONS, operationOf } from '../contract/index.ts';
import { loadProfile } from '../profile/load.ts';
import type { Profile } from '../profile/schema.ts';
import type { Run, Selection } from '../run/types.ts';
import { type Intercept, startFront } from './front-server.test.support.ts';
import { judgeTarget } from './judge-target.ts';
import { startDialectSimulator } from './start-simulator.ts';

const TIMEOUT_MS = 1500;
const UPDATES = 'GET /PLATFORMAPI/prodRef/v1/updateProducts';
const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';

let simulator: Simulator;
let profile: Profile;
beforeAll(async () => {
  simulator = await startDialectSimulator('reference', { products: 20 });
  const reference = await loadProfile('reference');
  const limits = { timeoutMs: TIMEOUT_MS, rateWindowMs: TIMEOUT_MS };
  profile = { ...reference, data: { ...reference.data, limits } };
});
afterAll(() => simulator.close());

async function judge(intercept: Intercept, selection: Partial<Selection> = {}): Promise<Run> {
  const front = await startFront(simulator.url, intercept);
  return judgeTarget({
    base: front.url,
    profile,
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

  test.concurrent('ends a run of one operation, too', async () => {
    const run = await judge((_, response, nth) => nth >= 5 && silently(response), { operations: [BULK] });
    expect(run.exitCode).toBe(3);
    expect(run.reason).toMatch(/^the service stopped responding at request #6, /);
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
    const run = await judge(({ method, url }, response) => !isDocumented(method, url) && silently(response));
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

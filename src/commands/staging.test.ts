/** Runs against a staging system as it is: broken connections, refusals, and causes that explain many results. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Simulator } from '../../simulator/server.ts';
import { ALL_PRODUCTS, operationOf } from '../contract/index.ts';
import { loadProfile } from '../profile/load.ts';
import type { Profile } from '../profile/schema.ts';
import type { Run, Selection } from '../run/types.ts';
import { cutBody, type FrontServer, type Intercept, resetConnection, startFront } from './front-server.test.support.ts';
import { judgeTarget } from './judge-target.ts';
import { startSimulatorServer } from './start-simulator.ts';

let simulator: Simulator;
let profile: Profile;
const open: FrontServer[] = [];
beforeAll(async () => {
  simulator = await startSimulatorServer({ products: 40 });
  profile = await loadProfile('reference');
});
afterAll(() => simulator.close());
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

/** Judges the simulator behind a front server. */
async function judge(intercept: Intercept, selection: Selection): Promise<Run & { readonly front: FrontServer }> {
  const front = await startFront(simulator.url, intercept);
  open.push(front);
  const run = await judgeTarget({
    base: front.url,
    profile,
    selection,
    wait: async () => undefined,
    onProgress: () => {},
  });
  return { ...run, front };
}

const bulk: Selection = { safety: 'read', operations: [ALL_PRODUCTS] };
const isBulk = (url = ''): boolean => url.startsWith(operationOf(ALL_PRODUCTS).path);
/** The verdict of each rule on the last operation that it applies to. */
const verdictsOf = ({ results }: Run) =>
  Object.fromEntries(
    results.filter(({ verdict }) => verdict !== 'not-applicable').map((each) => [each.rule, each.verdict]),
  );
const every =
  (status: number, type = 'text/plain', body = ''): Intercept =>
  (_, response) => {
    response.writeHead(status, { 'content-type': type });
    response.end(body);
    return true;
  };

describe('a transport fault of a request that changes nothing', () => {
  test.each([
    ['a reset', resetConnection],
    ['a cut body', cutBody],
  ])('%s is retried once; the pass is marked and the failed exchange is shown', async (_, fault) => {
    const sound = await judge(() => false, bulk);
    let faults = 0;
    const run = await judge(({ url }, response) => isBulk(url) && faults++ === 0 && fault(response), bulk);
    expect(verdictsOf(run)).toEqual(verdictsOf(sound));
    const marked = run.results.filter((each) => each.retried);
    expect(marked.map(({ verdict }) => verdict)).toContain('pass');
    expect(sound.results.some((each) => each.retried)).toBe(false);
    const retry = run.exchanges.find((each) => each.retryOf !== undefined);
    expect(run.exchanges.find(({ id }) => id === retry?.retryOf)?.failure).toBeDefined();
    expect(run.exchanges.length).toBe(sound.exchanges.length + 1);
    // The rows of the cut body are not counted twice.
    const evidence = ({ results }: Run) => results.map((each) => each.evidence);
    expect(evidence(run)).toEqual(evidence(sound));
  });

  test('stays a finding if it happens again', async () => {
    const run = await judge(({ url }, response) => isBulk(url) && cutBody(response), bulk);
    expect(run.results.find((each) => each.rule === 'every.sound-answer')?.verdict).toBe('fail');
    expect(run.outcome).toBe('nonconformant');
  });

  test('in every second response marks what it touches', async () => {
    let count = 0;
    const run = await judge(({ url }, response) => isBulk(url) && count++ % 2 === 0 && cutBody(response), bulk);
    expect(run.outcome).not.toBe('nonconformant');
    const passes = run.results.filter((each) => each.verdict === 'pass');
    expect(passes.length).toBeGreaterThan(3);
    expect(passes.filter((each) => each.retried).length).toBe(passes.length);
  });

  test('of a job or a write is not retried, a POST that only reads is', async () => {
    const job = 'POST /webservices/businesscount';
    const catalogue = 'POST /data-access/v1/Catalogues';
    const reset: Intercept = ({ url, method }, response) =>
      method === 'POST' && /businesscount$|Catalogues$/.test(url ?? '') && resetConnection(response);
    const run = await judge(reset, { safety: 'all', operations: [job, catalogue], rules: ['every.served'] });
    expect(run.exchanges.filter((each) => each.retryOf && each.operation === job)).toEqual([]);
    expect(run.exchanges.some((each) => each.retryOf && each.operation === catalogue)).toBe(true);
  });
});

describe('a service that refuses', () => {
  test.each([401, 403, 429])('everything with %i gets few requests, and its run one sentence', async (status) => {
    const run = await judge(every(status), { safety: 'read' });
    expect(run.front.requests.length).toBeLessThan(60);
    expect(run.outcome).toBe('undetermined');
    expect(run.reason).toMatch(new RegExp(`^${status} on every request: `));
    expect(run.cause).toHaveLength(1);
    const open = run.results.filter((each) => ['inconclusive', 'fail'].includes(each.verdict));
    expect(open.filter((each) => each.cause !== 0)).toEqual([]);
    expect(run.cause?.[0]?.count).toBeGreaterThan(100);
  });

  test('everything but one operation is judged on this operation, and stops for all others', async () => {
    const intercept: Intercept = (request, response, nth) => !isBulk(request.url) && every(401)(request, response, nth);
    const run = await judge(intercept, { safety: 'read' });
    const ofBulk = run.results.filter(({ operation }) => operation === ALL_PRODUCTS);
    expect(ofBulk.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(3);
    expect(run.front.requests.length).toBeLessThan(200);
    expect(run.cause?.[0]?.sentence).toMatch(/^401 on every request of \d+ of \d+ operations: check `auth`/);
  });

  test('one group is judged on all others, and the refusals are one cause', async () => {
    const intercept: Intercept = (request, response, nth) =>
      request.url?.startsWith('/RetailMeasurement') === true && every(401)(request, response, nth);
    const run = await judge(intercept, { safety: 'read', groups: ['C', 'D'] });
    const sound = await judge(() => false, { safety: 'read', groups: ['C'] });
    // C.names-listed compares products with the names that group D lists.
    const ofC = ({ results }: typeof run) =>
      results.filter(({ rule, operation }) => operationOf(operation).group === 'C' && rule !== 'C.names-listed');
    expect(verdictsOf({ ...run, results: ofC(run) })).toEqual(verdictsOf({ ...sound, results: ofC(sound) }));
    expect(run.results.some(({ note }) => note?.includes('not sent'))).toBe(false);
    expect(run.cause?.map(({ sentence }) => sentence)).toEqual([
      '401 on every request of group D (Retail measurement): check `auth` of the profile',
    ]);
  });
});

test('adjacent operations that are silent do not hide the others of their group', async () => {
  const run = await judge(
    ({ url }, response) => url?.includes('/Catalogue/Dimension/') === true && resetConnection(response),
    {
      safety: 'read',
      groups: ['B'],
      rules: ['every.served'],
    },
  );
  const isSilent = ({ operation }: Run['results'][number]): boolean => operation.includes('/Catalogue/Dimension/');
  expect(run.results.filter((each) => !isSilent(each) && each.verdict !== 'pass').map(({ note }) => note)).toEqual([]);
  expect(run.results.filter(isSilent).map(({ verdict }) => verdict)).toEqual(Array(4).fill('inconclusive'));
});

test('an interruption is no cause', async () => {
  const interrupt = new AbortController();
  const front = await startFront(simulator.url, ({ url }) => {
    if (isBulk(url)) interrupt.abort('SIGINT');
    return isBulk(url);
  });
  open.push(front);
  const { signal } = interrupt;
  const run = await judgeTarget({ base: front.url, profile, selection: bulk, signal, onProgress: () => {} });
  expect(run.outcome).toBe('interrupted');
  expect(run.cause).toBeUndefined();
});

describe('one cause is stated once', () => {
  const login = '<html><title>Sign in</title><form><input type="password"></form></html>';
  test.each<[string, Intercept, string]>([
    ['a wrong base path', every(404), '404 on every request: check the base URL and `prefixes`'],
    ['errors of the service', every(500), '500 on every request: the service’s log may say why'],
    ['a login page', every(200, 'text/html; charset=utf-8', login), 'a login page on every request: check `auth`'],
    [
      'a front server',
      every(502, 'text/html', '<h1>502 Bad Gateway</h1><hr><center>nginx/1.25.3</center>'),
      '502, a page of nginx, on every request: a server in front of the service responds',
    ],
    [
      'a redirect to a login host',
      (_, response) => {
        response.writeHead(302, { location: 'http://127.0.0.2:9/login' });
        response.end();
        return true;
      },
      'a redirect to http://127.0.0.2:9 on every request: check `auth`',
    ],
    [
      'a redirect to a login page',
      ({ url }, response) => {
        if (url === '/login') response.writeHead(200, { 'content-type': 'text/html' }).end(login);
        else response.writeHead(302, { location: '/login' }).end();
        return true;
      },
      'a redirect to /login on every request: check `auth`',
    ],
  ])('%s', async (_, intercept, sentence) => {
    const run = await judge(intercept, { safety: 'read', groups: ['C'] });
    expect(run.cause?.[0]?.sentence).toContain(sentence);
    expect(run.reason).toContain(sentence);
    const open = run.results.filter((each) => ['inconclusive', 'fail'].includes(each.verdict));
    expect(open.filter((each) => each.cause !== 0).map((each) => [each.rule, each.operation, each.note])).toEqual([]);
  });

  test('failures of a response that a redirect leads to are not explained by the redirect', async () => {
    const run = await judge(({ url }, response) => {
      if (!isBulk(url)) return false;
      const isMoved = url?.includes('moved=');
      if (!isMoved)
        response.writeHead(307, { location: `http://localhost:${response.socket?.localPort}${url}?moved=1` }).end();
      else response.writeHead(200, { 'content-type': 'application/json' }).end('{"items":[');
      return true;
    }, bulk);
    expect(run.results.some((each) => each.verdict === 'fail')).toBe(true);
    expect(run.cause).toBeUndefined();
  });

  test('a sound run has none', async () => {
    expect((await judge(() => false, { safety: 'read', groups: ['C'] })).cause).toBeUndefined();
  });
});

/** The public functions `run`, `startSimulator` and `startReplay`. */
import { createServer, type RequestListener } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSimulator } from '../../simulator/server.ts';
import {
  type App,
  defineProfile,
  type Run,
  type RunOptions,
  run,
  startSimulator as start,
  startReplay,
} from '../api/index.ts';
import { listen } from '../resources.test.support.ts';
import { UsageError } from '../usage-error.ts';

const operations = ['GET /PLATFORMAPI/prodRef/v1/allProducts', 'GET /PLATFORMAPI/prodRef/v1/products/{upc}'] as const;
const CATEGORY = 'GET /RetailMeasurement/v1/CategoryPerformance';

/** Two apps, of both kinds, that pass each request on to a simulator. */
async function forwardingApps(fault?: string): Promise<{ readonly url: string; readonly apps: Record<string, App> }> {
  const simulator = await startSimulator({ products: 30, ...(fault !== undefined && { fault }) });
  onTestFinished(() => simulator.close());
  const handler = ({ method, url, headers, body }: Request): Promise<Response> => {
    const { pathname, search } = new URL(url);
    const upload = body ? { body, duplex: 'half' as const } : {};
    return fetch(`${simulator.url}${pathname}${search}`, { method, headers, redirect: 'manual', ...upload });
  };
  const listener: RequestListener = async (request, response) => {
    const { method = 'GET', url, rawHeaders } = request;
    const headers = rawHeaders.flatMap((name, at): [string, string][] =>
      at % 2 === 0 && !/^(connection|transfer-encoding)$/i.test(name) ? [[name, rawHeaders[at + 1] as string]] : [],
    );
    const upload =
      method === 'POST' ? { body: Readable.toWeb(request) as ReadableStream, duplex: 'half' as const } : {};
    const answer = await fetch(`${simulator.url}${url}`, { method, headers, redirect: 'manual', ...upload });
    response.writeHead(answer.status, [...answer.headers].flat());
    response.end(await answer.bytes());
  };
  return { url: simulator.url, apps: { 'a fetch handler': handler, 'a listener': listener } };
}

const verdictsOf = ({ results }: Run) =>
  results.map(({ rule, operation, verdict }) => `${rule} ${operation} ${verdict}`);

test.each([
  [undefined, 'conformant', 0],
  ['bulk-upc-letter', 'nonconformant', 1],
])('an app is judged in-process like over a port (fault: %s)', async (fault, outcome, exitCode) => {
  const { url, apps } = await forwardingApps(fault);
  const options = { profile: 'reference', rules: ['C.*', 'every.served'], operations } as const;
  const direct = await run({ baseUrl: url, ...options });
  expect(direct).toMatchObject({ outcome, exitCode });
  for (const app of Object.values(apps)) {
    const inProcess = await run({ app, ...options });
    expect(verdictsOf(inProcess)).toEqual(verdictsOf(direct));
    expect(inProcess.manifest.target).toBe('app (in-process)');
    const curls = inProcess.exchanges.flatMap(({ curl }) => curl ?? []);
    for (const curl of curls) expect(curl).toMatch(/http:\/\/localhost\/.* # while the app runs$/);
    expect(curls.length > 0).toBe(exitCode === 1);
  }
});

test('no port is opened', async () => {
  const listening = () => process.getActiveResourcesInfo().filter((each) => each === 'TCPServerWrap').length;
  const before = listening();
  const during: number[] = [];
  const app: RequestListener = (_request, response) => {
    during.push(listening());
    response.end('{}');
  };
  await run({ app, rules: ['every.served'], groups: ['C'] });
  // Servers of earlier tests may still be closing.
  expect(during.length).toBeGreaterThan(0);
  expect(Math.max(...during)).toBeLessThanOrEqual(before);
});

/** An app with one list, of these headers and bytes. */
const listApp =
  (headers: Record<string, string>, body: string): RequestListener =>
  (request, response) => {
    const isList = request.url === CATEGORY.slice('GET '.length);
    response.writeHead(isList ? 200 : 404, { 'content-type': 'application/json', ...(isList && headers) });
    response.end(isList ? body : '{}');
  };

const profile = defineProfile({
  name: 'list',
  implements: [CATEGORY],
  operations: { [CATEGORY]: { request: {}, response: { rows: '$.rows[*]', fields: { category: '@.c' } } } },
});
const SOUND = { profile, rules: ['every.sound-answer'] } as const;

/** Judges an app as a server on a port. */
async function overPort(app: App, options: Omit<RunOptions, 'app' | 'baseUrl' | 'recording' | 'simulator'>) {
  return run({ baseUrl: await listen(createServer(app as RequestListener)), ...options });
}

const verdictOf = ({ results }: Run) => results.find(({ operation }) => operation === CATEGORY);

describe('what that way cannot show is untested', () => {
  test('a content coding that a server in front may apply', async () => {
    const app = listApp({ 'content-encoding': 'gzip' }, '{"rows":[{"c":"x"}]}');
    expect(verdictOf(await overPort(app, SOUND))?.verdict).toBe('inconclusive');
    const result = verdictOf(await run({ app, ...SOUND }));
    expect(result).toMatchObject({ verdict: 'untested', note: expect.stringContaining('content codings') });
  });

  test('the framing of a body', async () => {
    const app = () => new Response('{"rows":[]}', { headers: { 'content-length': '4000' } });
    const result = verdictOf(await run({ app, ...SOUND }));
    expect(result).toMatchObject({ verdict: 'untested', note: expect.stringContaining('the framing of bodies') });
  });

  test('a connection that the app closes', async () => {
    const app: App = (request, _response) => request.socket.destroy();
    const result = verdictOf(await run({ app, ...SOUND }));
    expect(result).toMatchObject({ verdict: 'untested', note: expect.stringContaining('faults of connections') });
  });

  test('a request target that a URL parser would change, of which the app gets nothing', async () => {
    const targets: (string | undefined)[] = [];
    const app: App = (request, response) => {
      targets.push(request.url);
      response.end('{}');
    };
    const dots = { ...profile, prefixes: { [CATEGORY]: '/a/./b' } };
    const { results, manifest } = await run({ app, profile: dots, rules: ['every.served'] });
    const served = results.find(({ operation }) => operation === CATEGORY);
    expect(served).toMatchObject({ verdict: 'untested', note: expect.stringContaining('request targets') });
    expect({ targets, requests: manifest.requests }).toEqual({ targets: [], requests: 0 });
  });
});

test('an error that the app throws is undecided, never a pass, and does not end the run', async () => {
  const app: RequestListener = (request, response) => {
    if (request.url?.startsWith('/RetailMeasurement/v1/Category')) throw new TypeError('no such column');
    listApp({}, '{"rows":[]}')(request, response);
  };
  const judged = await run({ app, ...SOUND, rules: ['every.served', 'every.sound-answer'] });
  expect(judged.exitCode).toBe(3);
  expect(judged.results.some(({ verdict }) => verdict === 'pass')).toBe(false);
  expect(verdictOf(judged)?.note).toContain('the app threw TypeError: no such column');
  expect(judged.manifest.requests).toBe(3);
});

test('an aborted signal ends the run, which is then partial', async () => {
  const stop = new AbortController();
  const app: App = (_request, response) => {
    stop.abort();
    response.end('{}');
  };
  const judged = await run({ app, ...SOUND, rules: ['every.served'], signal: stop.signal });
  expect(judged.outcome).toBe('interrupted');
  expect(judged.manifest.requests).toBe(1);
});

// TypeScript refuses what the function refuses.
// @ts-expect-error
const noTarget: RunOptions = {};
// @ts-expect-error
const twoTargets: RunOptions = { baseUrl: 'http://h', simulator: true };

test.each<[string, object, RegExp]>([
  ['no target', noTarget, /no target is named: give one of baseUrl, recording, app and simulator/],
  ['two targets', twoTargets, /baseUrl and simulator: only one of them/],
  ['an app that is none', { app: {} }, /app is neither a function nor an object with a function `fetch`/],
  ['an empty address', { baseUrl: '' }, /^the base address is empty: give baseUrl URL, recording NAME/],
  ['an unknown rule', { simulator: true, rules: ['C.no'] }, /^rules: there is no rule “C\.no”/],
  ['an unknown group', { recording: 'reference', groups: ['Z'] }, /^groups Z: allowed are A, B, C, D/],
  ['an unknown recording', { recording: 'no-such' }, /no-such/],
])('%s is refused in one sentence', async (_, options, says) => {
  const refused = run(options as RunOptions);
  await expect(refused).rejects.toThrow(UsageError);
  await expect(refused).rejects.toThrow(says);
});

test('servers close at the end of their block', async () => {
  const urls: string[] = [];
  {
    await using simulator = await start({ products: 20 });
    await using replay = await startReplay({ recording: 'reference' });
    for (const { url } of [simulator, replay]) {
      urls.push(url);
      expect((await fetch(`${url}/webservices/testService`)).status).toBe(200);
    }
    expect((await fetch(`${replay.url}/not/recorded`)).status).toBe(502);
  }
  for (const url of urls) await expect(fetch(url)).rejects.toThrow();
});

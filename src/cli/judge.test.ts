import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { startSimulator } from '../../simulator/server.ts';
import { newFolder } from '../resources.test.support.ts';
import type { Run } from '../run/types.ts';
import { perform } from './perform.test.support.ts';

const C = '/PLATFORMAPI/prodRef/v1';
const BASE = 'https://api.example/market';

interface Seen {
  readonly path: string;
  readonly status: number;
  readonly type: string;
  readonly bytes: Buffer;
}

/** What a service answers to a few requests. */
async function see(fault?: string): Promise<Seen[]> {
  const simulator = await startSimulator({ products: 40, ...(fault && { fault }) });
  const paths = [
    `${C}/allCategories`,
    `${C}/allProducts`,
    `${C}/updateProducts?weeks=4`,
    '/RetailMeasurement/v1/BrandPerformance',
    `${C}/products/nonsense`,
    `${C}/allProducts?utm=1`,
  ];
  const seen: Seen[] = [];
  for (const path of paths) {
    const answer = await fetch(`${simulator.url}${path}`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    seen.push({ path, status: answer.status, type: answer.headers.get('content-type') ?? '', bytes });
  }
  await simulator.close();
  return seen;
}

type Shape = (seen: Seen, at: number) => object;
const named = (lines: Record<string, string>) => Object.entries(lines).map(([name, value]) => ({ name, value }));
const time = (at: number) => new Date(Date.parse('2026-11-20T09:00:00Z') + at * 1000).toISOString();

/** How an exporter differs from others. */
interface Exported {
  readonly entry?: object;
  readonly request?: object;
  readonly response?: object;
  readonly content?: object;
}

const shape =
  (differencesOf: (seen: Seen, at: number) => Exported): Shape =>
  (seen, at) => {
    const { path, status, type, bytes } = seen;
    const { entry, request, response, content } = differencesOf(seen, at);
    const sizes = { headersSize: -1, bodySize: -1 };
    const common = { httpVersion: 'HTTP/1.1', cookies: [], ...sizes };
    return {
      ...{ startedDateTime: time(at), time: 20, cache: {}, timings: { connect: -1, send: 0, wait: 19, receive: 1 } },
      ...entry,
      request: {
        ...{ method: 'GET', url: `${BASE}${path}`, headers: named({ Host: 'api.example' }), queryString: [] },
        ...{ ...common, ...request },
      },
      response: {
        ...{ status, statusText: 'OK', headers: named({ 'Content-Type': type }), redirectURL: '' },
        ...{ ...common, ...response },
        content: { size: bytes.length, mimeType: type, text: bytes.toString('utf8'), ...content },
      },
    };
  };

const SHAPES: Record<string, Shape> = {
  Chrome: shape(({ path, type }) => ({
    entry: { _initiator: { type: 'script' }, _resourceType: 'fetch', serverIPAddress: '10.0.0.1' },
    request: {
      httpVersion: 'http/2.0',
      headers: named({ ':authority': 'api.example', ':method': 'GET', ':path': path, accept: '*/*' }),
    },
    response: {
      ...{ statusText: '', httpVersion: 'http/2.0', _transferSize: 120, _error: null },
      headers: named({ 'content-encoding': 'br', 'content-type': type }),
    },
    content: { mimeType: 'application/json' },
  })),
  Firefox: shape(({ type, bytes }, at) => ({
    entry: { startedDateTime: time(at).replace('Z', '+00:00'), _securityState: 'secure', pageref: 'page_1' },
    request: { httpVersion: 'HTTP/2', headers: named({ Host: 'api.example', Origin: 'https://app.example' }) },
    response: {
      ...{ httpVersion: 'HTTP/2', headersSize: 300, bodySize: bytes.length + 300 },
      headers: named({ 'Content-Type': type, 'X-Firefox-Spdy': 'h2' }),
    },
  })),
  mitmproxy: shape(({ type, bytes }, at) => ({
    entry: { startedDateTime: time(at).replace('Z', '+00:00') },
    response: { headers: named({ 'Content-Type': type, 'content-length': `${bytes.length}` }) },
    content: { compression: 0, text: bytes.toString('base64'), encoding: 'base64' },
  })),
  Charles: shape(({ path, type, bytes }) => ({
    entry: { comment: '', _charlesStatus: 'COMPLETE' },
    request: { url: `https://api.example:443/market${path}` },
    response: { headers: named({ 'Content-Type': type, 'Content-Encoding': 'gzip' }) },
    content: { size: Math.round(bytes.length / 3), compression: bytes.length },
  })),
};

const noise = [
  ['https://stats.example/p.gif', 200],
  [`${BASE}${C}/allProducts`, 0],
].map(([url, status]) => ({
  startedDateTime: time(99),
  request: { method: 'GET', url, headers: [] },
  response: { status, headers: [], content: {} },
}));

function write(seen: readonly Seen[], shape: Shape): string {
  const dir = newFolder();
  const entries = [...seen.map(shape).toReversed(), ...noise];
  writeFileSync(
    join(dir, 'some.har'),
    JSON.stringify({ log: { version: '1.1', creator: { name: 'x', version: '1' }, entries } }),
  );
  return dir;
}

const run = (...args: string[]) => perform(args);

let sound: Seen[] = [];
let faulty: Seen[] = [];
beforeAll(async () => {
  [sound, faulty] = [await see(), await see('bulk-upc-11-digits')];
});

describe.each(Object.keys(SHAPES))('traffic as %s exports it', (name) => {
  const exported = SHAPES[name] as Shape;

  test('is read, and what was not read is reported', async () => {
    const dir = write(sound, exported);
    const {
      code,
      stdout: out,
      stderr: err,
    } = await run('judge', join(dir, 'some.har'), '--profile', 'reference', '--verbose');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`8 exchanges: 6 with ${BASE}, 6 for operations of the interface, 5 read back completely`);
    expect(out).toContain('1 of other origins');
    expect(out).toContain('1 without a response');
    expect(out).toContain('1 query parameter “utm”, which the profile does not declare');
    expect(out).toMatch(/C\.upc-12-digits {2}.*\bpassed/);
    expect(out).not.toContain('✗');
  });

  test('shows a violation, with its place', async () => {
    const dir = write(faulty, exported);
    const report = join(dir, 'run.json');
    const flags = ['--profile', 'reference', '--report', `json=${report}`];
    const { code, stdout: out, stderr: err } = await run('judge', join(dir, 'some.har'), ...flags);
    expect(code).toBe(1);
    expect(err).toBe('mdwi judge: 1 gating check failed\n');
    expect(out).toContain('✗ C.upc-12-digits  GET /PLATFORMAPI/prodRef/v1/allProducts');
    const { results, exchanges, manifest } = JSON.parse(readFileSync(report, 'utf8')) as Run;
    const [failure] = results.filter(({ verdict }) => verdict === 'fail');
    expect(failure).toMatchObject({ rule: 'C.upc-12-digits', findings: [{ exchange: 'entries[4]' }] });
    expect(exchanges.find(({ id }) => id === 'entries[4]')?.curl).toContain(`${BASE}${C}/allProducts`);
    expect(manifest.target).toContain(BASE);
  });
});

test('what was imported is judged by its name, its folder or its file', async () => {
  const dir = write(faulty, SHAPES.Chrome as Shape);
  const args = ['--name', 'mine', '--recordings', dir, '--profile', 'reference'];
  expect((await run('import', join(dir, 'some.har'), ...args)).code).toBe(0);
  const lane = readFileSync(join(dir, 'mine', 'provenance.json'), 'utf8');
  expect(lane).toContain('"profile": "reference"');
  for (const word of [['mine', '--recordings', dir], [join(dir, 'mine')], [`${join(dir, 'mine')}/`]]) {
    const { code, stdout: out } = await run('judge', ...word);
    expect(code).toBe(1);
    expect(out).toContain('C.upc-12-digits');
  }
});

test('a folder of HAR files is read as one, and what was exported twice is judged once', async () => {
  const dir = write(sound, SHAPES.Firefox as Shape);
  writeFileSync(join(dir, 'more.har'), readFileSync(join(dir, 'some.har')));
  const { code, stdout: out } = await run('judge', dir, '--profile', 'reference');
  expect(code).toBe(0);
  expect(out).toContain('16 exchanges: 6 with');
  expect(out).toContain('6 exported twice');
});

test('without a profile nothing can be read, and so nothing is proved', async () => {
  const {
    code,
    stdout: out,
    stderr: err,
  } = await run('judge', join(write(faulty, SHAPES.Chrome as Shape), 'some.har'));
  expect(code).toBe(3);
  expect(out).toContain('6 the profile does not declare the request');
  expect(err).toContain('nothing was proved');
});

test.each([
  [['judge'], 'the file, folder or recording to judge is missing'],
  [['judge', 'nowhere.har'], 'nowhere.har: there is no such file or folder'],
  [['judge', 'nobody'], 'recordings/nobody holds no recording'],
  [['judge', 'src/contract'], 'src/contract holds neither HAR files nor a recording'],
  [['judge', 'package.json'], 'package.json cannot be read as HAR: it holds no log.entries'],
  [['judge', 'package.json', '--safety', 'read'], 'flags here:'],
])('%j is refused in one sentence', async (args, says) => {
  const { code, stderr: err } = await run(...args);
  expect(code).toBe(2);
  expect(err).toContain(says);
  expect(err.trim().split('\n')).toHaveLength(1);
});

test('a folder without anything to judge is reported', async () => {
  const dir = newFolder();
  mkdirSync(join(dir, 'empty'));
  expect((await run('judge', join(dir, 'empty'))).stderr).toContain('holds neither HAR files nor a recording');
});

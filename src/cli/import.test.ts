import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { startReplay } from '../../simulator/replay/replay.ts';
import { openRecording } from '../recording/store/open-recording.ts';
import { newFolder } from '../resources.test.support.ts';
import { perform } from './perform.test.support.ts';

const BASE = 'https://api.example/market';
const UPC = '042100000177';

interface Asked {
  readonly url: string;
  readonly method?: string;
  readonly at?: string;
  readonly body?: string;
  readonly headers?: readonly { name: string; value: string }[];
  readonly status?: number;
  readonly text?: string;
  readonly type?: string;
}

/** An entry in the shape of Chrome’s. */
const entry = ({
  url,
  method = 'GET',
  at = '09:00:00',
  body,
  headers = [],
  status = 200,
  text = '{}',
  type = 'application/json',
}: Asked) => ({
  _resourceType: 'fetch',
  startedDateTime: `2026-11-20T${at}.000Z`,
  time: 5,
  request: {
    method,
    url,
    httpVersion: 'h2',
    headers: [{ name: ':path', value: '/x' }, ...headers],
    bodySize: body === undefined ? 0 : body.length,
    ...(body !== undefined && { postData: { mimeType: 'application/json', text: body } }),
  },
  response: {
    status,
    statusText: '',
    httpVersion: 'h2',
    headers: [
      { name: 'content-type', value: type },
      { name: 'content-encoding', value: 'gzip' },
    ],
    content: { size: Buffer.byteLength(text), mimeType: type, text },
  },
});

const har = (entries: readonly unknown[]) =>
  JSON.stringify({ log: { version: '1.2', creator: { name: 'x', version: '1' }, entries } });

const run = (...args: string[]) => perform(args);

/** A folder with a HAR file. */
function withHar(entries: readonly unknown[], name = 'some.har') {
  const dir = newFolder();
  const file = join(dir, name);
  writeFileSync(file, name.endsWith('.gz') ? gzipSync(har(entries)) : har(entries));
  return { dir, file };
}

test('traffic with the service becomes a recording, in the order of time, and everything else is reported', async () => {
  const { dir, file } = withHar([
    entry({ url: `${BASE}/webservices/getDriveJobStatus?jobId=1`, at: '09:00:09', text: '{"state":"done"}' }),
    entry({ url: `${BASE}/webservices/getDriveJobStatus?jobId=1`, at: '09:00:01', text: '{"state":"running"}' }),
    entry({ url: `${BASE}/PLATFORMAPI/prodRef/v1/products/${UPC}`, text: `{"upc":"${UPC}","self":"${BASE}/x"}` }),
    entry({ url: `${BASE}/data-access/v1/Catalogues`, method: 'POST', body: '{"catalogueId":"A"}' }),
    entry({ url: 'https://api.example/app.js', text: 'x' }),
    entry({ url: 'https://stats.example/collect' }),
    entry({ url: 'data:image/png;base64,AA' }),
  ]);
  const { code, stdout: out, stderr: err } = await run('import', file, '--name', 'mine', '--recordings', dir);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain('4 of 7 exchanges of');
  expect(out).toContain(`for 3 operations of ${BASE}`);
  expect(out).toMatch(/left out .*1 of other origins/);
  expect(out).toContain('1 of the same origin, but no path of the interface');
  const recording = openRecording(dir, 'mine');
  expect(recording.about).toMatchObject({ source: 'import', basePath: '/market', upstream: 'https://api.example' });
  const replay = await startReplay({ recording });
  onTestFinished(() => replay.close());
  const get = async (path: string, init?: RequestInit) => (await fetch(`${replay.url}${path}`, init)).text();
  expect(await get('/webservices/getDriveJobStatus?jobId=1')).toBe('{"state":"running"}');
  expect(await get('/webservices/getDriveJobStatus?jobId=1')).toBe('{"state":"done"}');
  expect(await get(`/PLATFORMAPI/prodRef/v1/products/${UPC}`)).toBe(`{"upc":"${UPC}","self":"${replay.url}/x"}`);
  const posted = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{ "catalogueId": "A" }' };
  expect(await get('/data-access/v1/Catalogues', posted)).toBe('{}');
});

test('credentials are hidden in every place', async () => {
  const token = 'tok_9f8e7d6c5b4a39281706';
  const { dir, file } = withHar([
    entry({
      url: `${BASE}/webservices/testService`,
      headers: [{ name: 'Authorization', value: `Bearer ${token}` }],
      text: `{"echo":"${token}"}`,
    }),
  ]);
  expect((await run('import', file, '--name', 'mine', '--recordings', dir, '--secret', token)).code).toBe(0);
  const written = readdirSync(join(dir, 'mine'), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => readFileSync(join(each.parentPath, each.name), 'utf8'));
  expect(written.length).toBeGreaterThan(1);
  expect(written.join('')).not.toContain(token);
});

test('importing the same file again changes nothing but the provenance', async () => {
  const long = JSON.stringify({ items: 'x'.repeat(100_000) });
  const { dir, file } = withHar(
    [entry({ url: `${BASE}/PLATFORMAPI/prodRef/v1/allProducts`, text: long })],
    'some.har.gz',
  );
  const state = () =>
    readdirSync(join(dir, 'mine'), { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile() && each.name !== 'provenance.json')
      .map((each) => `${each.name} ${readFileSync(join(each.parentPath, each.name), 'utf8')}`)
      .sort();
  expect((await run('import', file, '--name', 'mine', '--recordings', dir)).code).toBe(0);
  const before = state();
  expect(before.some((each) => each.startsWith('sha256-'))).toBe(true);
  expect((await run('import', file, '--name', 'mine', '--recordings', dir)).code).toBe(0);
  expect(state()).toEqual(before);
});

test('traffic with several services: one is to be named', async () => {
  const ask = (base: string) =>
    ['allProducts', 'allCategories'].map((each) => entry({ url: `${base}/PLATFORMAPI/prodRef/v1/${each}` }));
  const { dir, file } = withHar([...ask('https://a.example'), ...ask('https://b.example/x')]);
  const { code, stderr: err } = await run('import', file, '--name', 'mine', '--recordings', dir);
  expect(code).toBe(2);
  expect(err).toContain(
    'several services: choose one with --base-url: https://a.example (2 operations, 2 requests), https://b.example/x (',
  );
  const named = await run('import', file, '--name', 'mine', '--recordings', dir, '--base-url', 'https://b.example/x');
  expect(named.code).toBe(0);
  expect(openRecording(dir, 'mine').about.basePath).toBe('/x');
});

test.each([
  [['import'], 'the name of the file is missing'],
  [['import', 'x.har'], '--name NAME is needed'],
  [['import', 'nowhere.har', '--name', 'x'], 'nowhere.har cannot be read: there is no such file'],
  [['import', 'x.har', '--name', '../x'], 'is not a valid name of a recording'],
  [['import', 'x.har', '--name', 'x', '--base-url', 'nonsense'], 'is not a URL'],
  [['import', '.', '--name', 'x'], 'cannot be read: it is a folder'],
])('%j is refused in one sentence', async (args, says) => {
  const { code, stderr: err } = await run(...args, ...(args.length > 1 ? ['--recordings', newFolder()] : []));
  expect(code).toBe(2);
  expect(err).toContain(says);
  expect(err.trim().split('\n')).toHaveLength(1);
});

test.each([
  ['{"log":{"entries":[{"request":', 'is truncated in entry 0, which begins at byte 19'],
  ['<html></html>', 'is not the { that a HAR file begins with'],
  ['{"log":{"version":"1.2"}}', 'holds no log.entries'],
  ['{"log":{"entries":[]}}', 'none of the 0 requests'],
  ['PK\u0003\u0004', 'is a ZIP archive'],
  ['', 'it is empty'],
])('a damaged file leaves no recording: %s', async (text, says) => {
  const dir = newFolder();
  writeFileSync(join(dir, 'bad.har'), text);
  const { code, stderr: err } = await run('import', join(dir, 'bad.har'), '--name', 'mine', '--recordings', dir);
  expect(code).toBe(2);
  expect(err).toContain(says);
  expect(readdirSync(dir)).toEqual(['bad.har']);
});

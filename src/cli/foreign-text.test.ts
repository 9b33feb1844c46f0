/** Texts of others that would command a terminal or a CI system, through the output of every command that shows any. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serve } from '../../simulator/gateway/servers.test.support.ts';
import { printableLines } from '../exchange/printable.ts';
import { newFolder } from '../resources.test.support.ts';
import { perform } from './perform.test.support.ts';

const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
const CODES =
  '\u001b[2J\u001b]0;owned\u0007\u009b31m\r\u202e\u2028\u0085\u2066\u200b\u00ad\u3164\ufffe\ufdd0\u{1ffff}\ud800';

/** Bidi controls, characters without width, halves of surrogate pairs, noncharacters: without the code under test. */
const isInvisible = (code: number): boolean =>
  [0xad, 0x61c, 0x115f, 0x3164, 0xfeff].includes(code) ||
  (code >= 0x200e && code <= 0x200f) ||
  code === 0x200b ||
  (code >= 0x2028 && code <= 0x202e) ||
  (code >= 0x2060 && code <= 0x206f) ||
  (code >= 0xd800 && code <= 0xdfff) ||
  (code >= 0xfdd0 && code <= 0xfdef) ||
  (code & 0xfffe) === 0xfffe;
const COMMANDS = '\n::error::owned\n ::set-output name=a::b\n##[error]owned ##vso[task.setvariable]owned\n';
const HOSTILE = `${CODES}${COMMANDS}`;

const folder = newFolder(afterAll);

/** What a command prints. */
async function printed(args: string[]): Promise<string> {
  const { stdout, stderr } = await perform(args);
  return stdout + stderr;
}

/** A service whose every part is hostile: values, names, types, texts, targets of redirects, reason phrases. */
const startHostile = () =>
  serve((request, response) => {
    const path = (request.url ?? '').split('?')[0];
    if (path?.endsWith('allProducts')) {
      response.setHeader('content-type', 'application/json');
      response.setHeader('x-note', '\u009b31m ##[error]owned');
      return void response.end(JSON.stringify({ items: [{ gtin: HOSTILE, [`n${HOSTILE}`]: 1 }], [HOSTILE]: HOSTILE }));
    }
    if (path?.endsWith('allCategories')) {
      response.setHeader('location', `/x?::error::${encodeURIComponent(HOSTILE.toWellFormed())}`);
      return void response.writeHead(302, '\u009b31m ##[error]owned').end(HOSTILE);
    }
    response.writeHead(500, '##[error]owned', { 'content-type': `text/html; charset=\u009b##[error]` }).end(HOSTILE);
  });

const profile = join(folder, 'profile.yaml');
const har = join(folder, 'traffic.har');

beforeAll(() => {
  writeFileSync(
    profile,
    `name: ${JSON.stringify(`acme${HOSTILE}`)}
implements: [C]
operations:
  ${BULK}:
    request: { query: { q: ${JSON.stringify(`::error::${CODES.toWellFormed()}`)} } }
    response: { rows: '$.items[*]', fields: { upc: { at: '@.gtin', as: gtin14 } } }
`,
  );
  const entry = (url: string, method = 'GET') => ({
    startedDateTime: '2026-11-20T10:00:00.000Z',
    time: 1,
    request: { method, url, httpVersion: 'HTTP/1.1', headers: [], queryString: [], cookies: [] },
    response: { status: 200, statusText: HOSTILE, headers: [], content: { mimeType: HOSTILE, text: HOSTILE } },
  });
  const entries = [
    entry('http://service.example/PLATFORMAPI/prodRef/v1/allProducts?q=1'),
    entry(`http://${encodeURIComponent('##[error]')}.example/${HOSTILE}`, `GET${HOSTILE}`),
    entry(`ws://${HOSTILE}`),
  ];
  writeFileSync(har, JSON.stringify({ log: { version: '1.2', creator: { name: HOSTILE, version: '1' }, entries } }));
});

/** Nothing is obeyed in it, and it is not silence. */
function expectPrintable(text: string): void {
  expect(text.length).toBeGreaterThan(10);
  expect(text).toBe(printableLines(text));
  expect([...text].map((char) => char.codePointAt(0) as number).filter(isInvisible)).toEqual([]);
}

test('what run, record, profile and plan show of a service, and what replay, drift and recordings show of a recording', async () => {
  const base = await startHostile();
  const target = ['--base-url', base, '--profile', profile];
  const recordings = ['--recordings', join(folder, 'recordings')];
  const scope = ['--operation', BULK];
  const run = await printed(['run', ...target, ...scope, '--verbose']);
  expect(run).toContain('owned');
  expectPrintable(run);
  expectPrintable(await printed(['run', ...target, ...scope, '--report', 'json=-']));
  expectPrintable(await printed(['run', ...target, ...scope, '--report', 'markdown=-']));
  expectPrintable(await printed(['run', ...target, ...scope, '--report', 'junit=-']));
  expectPrintable(await printed(['plan', ...target]));
  expectPrintable(await printed(['profile', 'check', profile]));
  expectPrintable(await printed(['profile', 'check', profile, '--base-url', base]));
  expectPrintable(await printed(['profile', 'openings', profile]));
  const learned = await printed(['profile', 'learn', ...target, '--show-values']);
  expect(learned).toContain('owned');
  expectPrintable(learned);
  expectPrintable(await printed(['profile', 'why', 'allProducts', ...target, '--show-values']));
  const tried = await printed(['profile', 'try', profile, BULK, '--base-url', base]);
  expect(tried).toContain('owned');
  expectPrintable(tried);
  expectPrintable(await printed(['record', ...target, ...scope, ...recordings, '--name', 'one']));
  const other = await serve((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ items: [{ gtin: 7, other: HOSTILE }], [`more${HOSTILE}`]: [HOSTILE] }));
  });
  const drift = ['drift', 'one', '--base-url', other, '--profile', profile, ...recordings];
  expectPrintable(await printed(drift));
  expectPrintable(await printed([...drift, '--report', 'markdown=-']));
  expectPrintable(await printed(['run', '--recordings', 'one', '--recordings-dir', join(folder, 'recordings')]));
  mkdirSync(join(folder, 'recordings', 'one', 'bodies'), { recursive: true });
  writeFileSync(join(folder, 'recordings', 'one', 'bodies', `x\u001b[2J\n::error::owned`), 'x');
  const verified = await printed(['recordings', 'verify', 'one', ...recordings]);
  expect(verified).toContain('owned');
  expectPrintable(verified);
  expectPrintable(await printed(['recordings', 'prune', 'one', ...recordings]));
  // For people, bodies stay as they were.
  expect(run).toContain('"gtin":');
});

test('what judge and import show of traffic', async () => {
  const recordings = ['--recordings', join(folder, 'imported')];
  expectPrintable(await printed(['judge', har, '--profile', profile]));
  expectPrintable(await printed(['import', har, '--name', 'two', '--profile', profile, ...recordings]));
});

test('judge hides the credentials that the traffic shows', async () => {
  const file = join(folder, 'proof.har');
  const [token, cookie] = ['t0ken-of-a-client-1', 's3ssion-of-a-client'];
  const request = {
    method: 'GET',
    url: 'http://service.example/PLATFORMAPI/prodRef/v1/allProducts?q=1',
    httpVersion: 'HTTP/1.1',
    headers: [{ name: 'Authorization', value: `Bearer ${token}` }],
  };
  const response = {
    status: 200,
    statusText: 'OK',
    headers: [{ name: 'Set-Cookie', value: `sid=${cookie}` }],
    content: { mimeType: 'application/json', text: JSON.stringify({ items: [{ gtin: token }, { gtin: cookie }] }) },
  };
  const entries = [{ startedDateTime: '2026-11-20T10:00:00.000Z', time: 1, request, response }];
  writeFileSync(file, JSON.stringify({ log: { version: '1.2', creator: { name: 'x', version: '1' }, entries } }));
  const plain = join(folder, 'plain.yaml');
  writeFileSync(
    plain,
    `name: acme ${token} ${cookie}\nimplements: [C]\noperations:\n  ${BULK}: { request: { query: { q: "1" } }, response: { rows: '$.items[*]', fields: { upc: '@.gtin' } } }\n`,
  );
  const text = await printed(['judge', file, '--profile', plain]);
  expect(text).toContain('profile   acme *** ***');
  expect(text).not.toContain(token);
  expect(text).not.toContain(cookie);
});

test('what a refusal repeats', async () => {
  const service = await serve((_, response) => response.end());
  for (const args of [
    [HOSTILE],
    ['run', HOSTILE],
    ['run', '--base-url', HOSTILE],
    ['run', '--base-url', service, '--profile', HOSTILE.replaceAll('\n', ' ')],
    ['run', '--base-url', service, '--rule', HOSTILE],
    ['explain', HOSTILE],
    ['judge', HOSTILE],
    ['recordings', 'verify', HOSTILE],
    ['recordings', HOSTILE],
    ['drift', HOSTILE, 'reference'],
    ['simulate', '--fault', HOSTILE],
    ['faults', HOSTILE],
    ['selftest', '--only', HOSTILE],
  ])
    expectPrintable(await printed(args));
});

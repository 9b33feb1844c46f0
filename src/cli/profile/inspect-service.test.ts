/** Inspection of a service: the content of the drafted profile, and the requests sent for it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { parseProfile } from '../../profile/parse-profile.ts';
import { parsePartialJson } from '../../reading/partial-json.ts';
import { listen } from '../../resources.test.support.ts';
import { draftProfile } from './init.ts';
import { inspectService } from './inspect-service.ts';

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  return listen(createServer(answer));
}

/** The comments of a profile drafted with a look at the service. */
async function commentsOf(base: string): Promise<string> {
  const text = draftProfile(await inspectService(base));
  expect(parseProfile(text, 'draft.yaml').data.operations).toEqual({});
  return text;
}

test('sends each harmless GET once, bare and without credentials, and describes the responses', async () => {
  const asked: string[] = [];
  const base = await serve((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    expect(request.headers.authorization).toBeUndefined();
    if (request.url?.endsWith('allProducts')) {
      response.setHeader('content-type', 'application/json').setHeader('content-encoding', 'gzip');
      response.end(gzipSync(JSON.stringify({ meta: { n: 2 }, data: { 'the items': [{ gtin: '00012345678905' }] } })));
    } else if (request.url?.endsWith('allCategories')) {
      response.setHeader('content-type', 'text/xml').end('<cats><cat id="1">Tea</cat><cat id="2">Milk</cat></cats>');
    } else if (request.url?.endsWith('Metadata')) {
      response.setHeader('content-type', 'text/csv').end('Category;Brand\nTea;Sun\nTea;Moon\n');
    } else {
      response.writeHead(401, { 'www-authenticate': 'Bearer realm="x"' }).end();
    }
  });
  const text = await commentsOf(base);
  expect(asked).toHaveLength(new Set(asked).size);
  expect(asked).toHaveLength(15);
  expect(asked.every((each) => each.startsWith('GET ') && !/[?{]|products\/|getSave/.test(each))).toBe(true);
  expect(text).toContain('> it holds { meta: { n: 2 }, data: { the items: [ 1 × { gtin: "0001…" } ] } }');
  expect(text).toContain("> rows may be at $.data['the items'][*] (1 seen)");
  expect(text).toContain("rows: $.data['the items'][*]   # the selector of the rows in the response (section 4.3)");
  expect(text).toContain('> rows may be at $.cats[0].cat[*] (2 seen)');
  expect(text).toContain('> rows may be at $[*] (2 seen)');
  expect(text).toMatch(/> 401 without credentials: .*testService.*\n# > WWW-Authenticate: Bearer realm="x"/);
});

test('a long list is cut off, and its beginning shows its shape', async () => {
  const base = await serve((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.write('{"items":[');
    const row = `${JSON.stringify({ upc: '012345678905', text: 'x'.repeat(1000) })},`;
    const more = () => {
      while (!response.destroyed) if (!response.write(row)) return void response.once('drain', more);
    };
    more();
  });
  const text = await commentsOf(base);
  expect(text).toMatch(/> rows may be at \$\.items\[\*\] \(\d{2,} seen\)/);
});

test('nothing a service says leaves its comment', async () => {
  const base = await serve((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ 'a\nname: evil\n#': [{ '\u2028x\nauth: {}': 1 }], 'b\r\n': [{}] }));
  });
  const text = await commentsOf(base);
  expect(text).not.toMatch(/^(name: evil|auth: \{\})/m);
});

test.each([
  ['whole', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  ['truncated', '['.repeat(2000)],
])('deep nesting, %s, does no harm', async (_, body) => {
  const base = await serve((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(body);
  });
  expect(await commentsOf(base)).toContain('[ 1 × [ 1 × [ 1 × [ 1 × [ 1 × … ] ] ] ] ]');
});

test('a service that does not answer is reported as such', async () => {
  const base = await serve((request) => request.socket.destroy());
  expect(await commentsOf(base)).toMatch(/> a bare GET without credentials: no response: /);
});

test.each([
  ['{"a":[1,2', { a: [1] }],
  ['{"items":[{"upc":"0123"},{"up', { items: [{ upc: '0123' }, {}] }],
  ['{"items":[{"upc":"0123"},{"upc":"45', { items: [{ upc: '0123' }, {}] }],
  ['{"a":"x, y","b":{"c":1},"d', { a: 'x, y', b: { c: 1 } }],
  ['[{"u":"\\"a,"},{"u":"b"},{', [{ u: '"a,' }, { u: 'b' }, {}]],
  ['\ufeff{"a":1}', { a: 1 }],
  ['<html>', undefined],
  ['{"a":', {}],
  ['', undefined],
])('the beginning %s', (text, value) => {
  expect(parsePartialJson(text)).toEqual(value);
});

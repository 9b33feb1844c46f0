import { expect, test } from 'vitest';
import fc from '../../seeded-fast-check.test.support.ts';
import {
  headersForClient,
  mayHoldUrls,
  OriginSplitter,
  originPattern,
  piecesWithOrigin,
  RECORDED_ORIGIN,
  replaceOrigin,
} from './origin.ts';

const OURS = 'http://127.0.0.1:9000/~/ci';
const there = (text: string, from = 'http://api.example') => replaceOrigin(text, originPattern(from), OURS);

test('an origin is replaced in every form', () => {
  expect(there('"next":"http://api.example/x?p=2"')).toBe(`"next":"${OURS}/x?p=2"`);
  expect(there('HTTP://API.example:80/x')).toBe(`${OURS}/x`);
  expect(there('"http:\\/\\/api.example\\/x"')).toBe('"http:\\/\\/127.0.0.1:9000\\/~\\/ci\\/x"');
  expect(there('?to=http%3A%2F%2Fapi.example%2Fx')).toBe('?to=http%3A%2F%2F127.0.0.1%3A9000%2F~%2Fci%2Fx');
  expect(there('?to=http%3a%2f%2fapi.example%2fx')).toBe('?to=http%3A%2F%2F127.0.0.1%3A9000%2F~%2Fci%2fx');
  expect(there('//api.example/x')).toBe('//127.0.0.1:9000/~/ci/x');
  expect(there('<//api.example/x>; rel=next')).toBe('<//127.0.0.1:9000/~/ci/x>; rel=next');
  // The origin that a service behind a TLS-terminating proxy uses for itself.
  expect(there('https://api.example:443/x https://api.example/y')).toBe(`${OURS}/x ${OURS}/y`);
  expect(there('see http://api.example.')).toBe(`see ${OURS}.`);
  expect(there('https://[::1]:8443/x', 'https://[::1]:8443')).toBe(`${OURS}/x`);
});

test('other origins are not changed', () => {
  for (const text of [
    'http://api.example.com/',
    'http://api.example:8080/',
    'https://api.example:80/',
    'http://api.example:443/',
    'http://api.example-two/',
    'http://api.example@evil/',
    'http://xapi.example/',
    'xhttp%3A%2F%2Fapi.example%3A8080%2F',
    'a comment //api.example',
  ])
    expect(there(text)).toBe(text);
});

test('an origin with the path of a lane is replaced and restored', () => {
  expect(replaceOrigin(`{"next":"${OURS}/x"}`, originPattern(OURS), RECORDED_ORIGIN)).toBe(
    `{"next":"${RECORDED_ORIGIN}/x"}`,
  );
  expect(replaceOrigin('http://127.0.0.1:9000/x', originPattern(OURS), RECORDED_ORIGIN)).toBe(
    'http://127.0.0.1:9000/x',
  );
});

test('URLs in headers stay in the lane of the client', () => {
  const lines = [
    ['Location', '/jobs/1'],
    ['Content-Location', '//api.example/x'],
    ['Link', '</a?p=2>; rel=next, <//other/b>, <c>, <http://api.example/d>'],
    ['Set-Cookie', 'a=/x; Path=/api; HttpOnly'],
    ['X-Path', '/api'],
  ] as const;
  const theirs = originPattern('http://api.example');
  expect(headersForClient(lines, theirs, OURS)).toEqual([
    ['Location', '/~/ci/jobs/1'],
    ['Content-Location', '//127.0.0.1:9000/~/ci/x'],
    ['Link', `</~/ci/a?p=2>; rel=next, <//other/b>, <c>, <${OURS}/d>`],
    ['Set-Cookie', 'a=/x; Path=/~/ci/api; HttpOnly'],
    ['X-Path', '/api'],
  ]);
  expect(headersForClient(lines, theirs, 'http://127.0.0.1:9000')[0]).toEqual(['Location', '/jobs/1']);
});

const word = fc.constantFrom(
  'http://api.example',
  'HTTP://api.example:80',
  'http:\\/\\/api.example',
  'http%3A%2F%2Fapi.example',
  '"//api.example',
  'http://api.example.com',
  'http:/',
  '%3A80',
  ':8',
  '0',
  '/x é',
  '\u0000',
  '"',
);

test.each(['http://api.example', 'http://a'])('the chunk size does not change the result: %s', (origin) => {
  const finder = originPattern(origin);
  fc.assert(
    fc.property(fc.array(word), fc.array(fc.nat(40)), (words, cuts) => {
      const bytes = Buffer.from(words.join('').replaceAll('api.example', new URL(origin).hostname), 'utf8');
      const splitter = new OriginSplitter(finder);
      const out: Uint8Array[] = [];
      let at = 0;
      for (const cut of [...cuts, bytes.length]) {
        out.push(...piecesWithOrigin(splitter.push(bytes.subarray(at, at + cut)), OURS));
        at += cut;
      }
      out.push(...piecesWithOrigin(splitter.end(), OURS));
      expect(Buffer.concat(out).toString('utf8')).toBe(replaceOrigin(bytes.toString('utf8'), finder, OURS));
    }),
    { numRuns: 500 },
  );
});

test('slow chunks are passed on without delay', () => {
  const splitter = new OriginSplitter(originPattern('http://api.example'));
  const row = Buffer.from('{"upc":"012345678905"}\n');
  expect(splitter.push(row)).toEqual([row]);
  expect(splitter.push(Buffer.from('{"next":"http://api.exa'))).toEqual([Buffer.from('{"next":"')]);
});

test('origins are replaced only in texts', () => {
  for (const type of [
    'application/json',
    'application/hal+json',
    'text/csv',
    'application/xml',
    'application/x-ndjson',
  ])
    expect(mayHoldUrls(type)).toBe(true);
  for (const type of ['application/zip', 'image/png', 'multipart/form-data', 'application/octet-stream'])
    expect(mayHoldUrls(type)).toBe(false);
  expect(mayHoldUrls('')).toBeUndefined();
});

/** Patterns and readers finish on texts that make quadratic algorithms time out. */
import { expect, test } from 'vitest';
import { bodyFrom } from '../exchange/body.ts';
import { findJsonList, findXmlRows } from '../recording/drift/read-shape.ts';
import { valuePathsOf } from '../recording/format/value-paths.ts';
import { checkDepth, isCutOff } from './json-text.ts';
import { readBody } from './read-body.ts';
import { comparable, signatureOf } from './signature.ts';

const LONG = 1_000_000;
const filled = (unit: string, length = LONG): string => unit.repeat(length / unit.length);
const head = (type: string) => ({ status: 200, reasonPhrase: 'OK', headers: [['Content-Type', type]] as const });
const read = (type: string, body: string) =>
  readBody(
    { fields: { upc: { at: '@.k5' } }, rows: '$[*]', maxRowBytes: 16_000_000 },
    head(type),
    bodyFrom(Buffer.from(body)).chunks(),
    () => undefined,
  );

test.each(['\\"', '"\\', '"a', '\\'])('the depth of a JSON text of %j', (unit) => {
  expect(() => checkDepth(`"${filled(unit)}`)).not.toThrow();
  expect(isCutOff(`["${filled('\\"')}`)).toBe(true);
});

test('brackets count outside of strings only, and not after an unclosed string', () => {
  expect(() => checkDepth('['.repeat(2000))).toThrow('nested deeper');
  expect(() => checkDepth(`"${'['.repeat(2000)}`)).not.toThrow();
  expect(() => checkDepth(`"\\\\"${'['.repeat(2000)}`)).toThrow('nested deeper');
});

test.each(['a-', '-', '--a', 'a_', '1-'])('the signature of a text of %j', async (unit) => {
  const exchange = {
    request: { method: 'GET', url: 'http://host/a', headers: [] },
    response: head('text/plain'),
    body: bodyFrom(Buffer.from(filled(unit, 64_000))),
    redirects: [],
    timing: { startedAt: '', totalMs: 0 },
  };
  const signature = await signatureOf(exchange);
  const [one] = comparable(signature ? [signature] : []);
  expect(one?.body.includes('#')).toBe(unit === '1-');
});

test.each(['<a', '<a ', '<a b="', '<!--', '<', '<![CDATA[', '<a x'])(
  'XML that begins with %j again and again',
  (unit) => {
    expect(valuePathsOf(filled(unit, 180_000), 'application/xml')).toBeUndefined();
    expect(findXmlRows(filled(unit, 18_000))).toBeUndefined();
  },
);

test('the list of a JSON text that is one text', () => {
  expect(findJsonList(`{"${filled('\\"', 60_000)}`)).toBeUndefined();
});

const many = (unit: (index: number) => string, between: string): string =>
  Array.from({ length: 100_000 }, (_, index) => unit(index)).join(between);

test.each<[string, string, string, number]>([
  ['keys of a row', 'application/json', `[{${many((at) => `"k${at}":${at}`, ',')}}]`, 1],
  ['elements of a row', 'application/json', `[[${many(String, ',')}]]`, 1],
  ['keys of a line', 'application/x-ndjson', `{${many((at) => `"k${at}":${at}`, ',')}}`, 1],
  ['columns', 'text/csv', `${many((at) => `k${at}`, ',')}\n${many(String, ',')}\n`, 1],
  ['quotes of a cell', 'text/csv', `k5\n"${filled('""')}"\n`, 1],
])('a hundred thousand %s', async (_, type, body, rows) => {
  expect(await read(type, body)).toMatchObject({ rows, complete: true });
});

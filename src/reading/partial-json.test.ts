/** Values of truncated JSON. */
import { expect, test } from 'vitest';
import { parsePartialJson } from './partial-json.ts';

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

import { expect, test } from 'vitest';
import { HarDamageError, harEntries } from './har-entries.ts';

/** The entries of a text, in chunks of the given size. */
function split(text: string, size = 7): unknown[] {
  const bytes = Buffer.from(text);
  const values: unknown[] = [];
  const entries = harEntries((value) => values.push(value));
  for (let at = 0; at < bytes.length; at += size) entries.push(bytes.subarray(at, at + size));
  entries.end();
  return values;
}
const why = (text: string): string => {
  try {
    split(text);
    return 'nothing';
  } catch (error) {
    if (error instanceof HarDamageError) return error.message;
    throw error;
  }
};

const ENTRIES = [{ a: 'x"]}\\' }, { entries: [{ log: 1 }], text: '{"log":{"entries":[' }, {}];

test.each([1, 2, 3, 5, 64, 100_000])('entries are found in chunks of %i bytes', (size) => {
  const log = {
    version: '1.2',
    pages: [{ entries: [1] }],
    comment: '"entries":[',
    entries: ENTRIES,
    browser: { x: [{}] },
  };
  expect(split(JSON.stringify({ log }), size)).toEqual(ENTRIES);
  expect(split(` ${JSON.stringify({ meta: { entries: [{}] }, log }, null, 2)}\n`, size)).toEqual(ENTRIES);
});

test('members with the same names at other paths are not the entries', () => {
  expect(split('{"x":{"log":{"entries":[{"no":1}]}},"entries":[{"no":2}],"log":{"entries":[]}}')).toEqual([]);
});

test.each([
  ['', 'it is empty'],
  ['[]', 'byte 0: "[" is not the { that a HAR file begins with'],
  ['<html>', 'byte 0: "<" is not the { that a HAR file begins with'],
  ['{"log":{"x":', 'byte 12: the file is truncated in the part before its entries'],
  ['{"log":{"entries":[{"a":1},{"b"', 'byte 31: the file is truncated in entry 1, which begins at byte 27'],
  ['{"log":{"entries":[{"a":1}', 'byte 26: the file is truncated in entry 0, which begins at byte 19'],
  [
    '{"log":{"entries":[{"a":1},{"a":1]}]}}',
    "entry 1, which begins at byte 27, is not JSON (Expected ',' or '}' after property value)",
  ],
])('damage is told with its place: %s', (text, says) => {
  expect(why(text)).toBe(says);
});

test('an entry that is not JSON is reported with its number and position', () => {
  expect(why('{"log":{"entries":[{},{"a":01}]}}')).toMatch(/^entry 1, which begins at byte 22, is not JSON \(/);
});

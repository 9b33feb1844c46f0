import { expect, test } from 'vitest';
import { EntrySplitter, HarDamageError } from './split-entries.ts';

/** The entries of a text, in chunks of the given size. */
function split(text: string, size = 7): unknown[] {
  const bytes = Buffer.from(text);
  const splitter = new EntrySplitter();
  const values: unknown[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    for (const { value } of splitter.push(bytes.subarray(at, at + size))) values.push(value);
  }
  splitter.end();
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
  expect(split(`\ufeff ${JSON.stringify({ meta: { entries: [{}] }, log }, null, 2)}\n`, size)).toEqual(ENTRIES);
});

test('members with the same names at other paths are not the entries', () => {
  expect(split('{"x":{"log":{"entries":[{"no":1}]}},"entries":[{"no":2}],"log":{"entries":[]}}')).toEqual([]);
});

test.each([
  ['', 'it is empty'],
  ['[]', 'byte 0: the file begins with a list, but a HAR file begins with an object'],
  ['<html>', 'byte 0: "<" is not the { that a HAR file begins with'],
  ['{"log":{}}', 'it holds no log.entries'],
  ['{"log":{"entries":[{"a":1},{"b"', 'byte 31: the file is truncated in entry 1, which begins at byte 27'],
  ['{"log":{"entries":[{"a":1}', 'byte 26: the file is truncated after entry 0'],
  ['{"log":{"entries":[{"a":1]}]}}', 'byte 25: a ] has no opening bracket in entry 0, which begins at byte 19'],
  ['{"log":{"entries":[7]}}', 'byte 19: entry 0 is not an object'],
])('damage is told with its place: %s', (text, says) => {
  expect(why(text)).toBe(says);
});

test('an entry that is not JSON is reported with its number and position', () => {
  expect(why('{"log":{"entries":[{},{"a":01}]}}')).toMatch(/^entry 1, which begins at byte 22, is not JSON \(/);
});

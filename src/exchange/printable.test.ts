import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutText, isPrintable, printable, printableLines } from './printable.ts';

/** What no terminal and no log may receive from others. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const OBEYED = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]/;
const COMMANDS = /^\s*::|##[\w.-]*\[|^\s*(?:---|\+\+\+|~~~|\^\^\^)(?:\s|$)/;

test.each([
  ['<b>caf\u00e9</b> \u{1f468}\u200d\u{1f469} a::b # ## c', '<b>caf\u00e9</b> \u{1f468}\u200d\u{1f469} a::b # ## c'],
  ['\u001b[31m\u001b]0;x\u0007', '\\u001b[31m\\u001b]0;x\\u0007'],
  ['a\r\nb\tc\u0085d', 'a\\r\\nb\\tc\\u0085d'],
  ['abc\u202edef\u2066\u200b', 'abc\\u202edef\\u2066\\u200b'],
  ['a\u2028b\ud800c\u{e0041}', 'a\\u2028b\\ud800c\\u{e0041}'],
  ['::error::x', '\\u003a:error::x'],
  ['x ##[error]y', 'x \\u0023#[error]y'],
  ['###teamcity[x]', '#\\u0023#teamcity[x]'],
])('%j is printed as %s', (text, shown) => {
  expect(printable(text)).toBe(shown);
  expect(isPrintable(shown)).toBe(true);
  expect(isPrintable(text)).toBe(text === shown);
});

test('no text is interpreted, and the function is idempotent', () => {
  const piece = fc.oneof(
    fc.constantFrom('::', '##[', '##vso[', '##', '[', '#', '---', ' ', '\u001b]', '\u009b', '\r', '\n', '\u202e'),
    fc.string({ unit: 'binary', maxLength: 5 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const shown = printable(pieces.join(''));
      expect(shown.replace(/[\ud800-\udbff][\udc00-\udfff]/g, '')).not.toMatch(OBEYED);
      expect(shown).not.toMatch(COMMANDS);
      expect(printable(shown)).toBe(shown);
      for (const line of printableLines(pieces.join('')).split('\n')) expect(printable(line)).toBe(line);
    }),
    { numRuns: 200 },
  );
});

test.each([
  ['short', 5, 'short'],
  ['words and more words', 12, 'words and mo…'],
  ['the token eyJhbGciOiJIUzI1NiJ9', 20, 'the token eyJhbGci…'],
  ['{"token":"eyJhbGciOiJIUzI1NiJ9"}', 25, '{"token":"eyJhbGci…'],
  ['c2VjcmV0LXRva2VuLXNlY3JldA==', 20, 'c2VjcmV0…'],
])('%s cut to %i is %s', (text, length, cut) => {
  expect(cutText(text, length)).toBe(cut);
});

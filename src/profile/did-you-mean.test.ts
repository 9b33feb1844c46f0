import { expect, test } from 'vitest';
import { closestWord, didYouMean } from './did-you-mean.ts';

test.each([
  ['a swapped pair', 'nmae', 'name'],
  ['a swapped pair in three letters', 'tow', 'two'],
  ['a swapped pair in upper case', 'CATEGROY', 'category'],
  ['a missing letter', 'nam', 'name'],
  ['an extra letter', 'autth', 'auth'],
  ['a wrong letter', 'suth', 'auth'],
  ['the word itself', 'auth', 'auth'],
])('%s: “%s” suggests “%s”', (_, word, nearest) => {
  expect(closestWord(word, ['auth', 'two', 'name', 'category'])).toBe(nearest);
});

test.each(['', 'a', 'otw', 'xy', 'upc', 'x'.repeat(1_000_000)])('%.20s suggests nothing far away', (word) => {
  expect(closestWord(word, ['name', 'three', 'url'])).toBeUndefined();
});

test('a suggestion is a part of a sentence', () => {
  expect(didYouMean('nmae', ['name'])).toBe(' (did you mean “name”?)');
  expect(didYouMean('gtin', ['name'])).toBe('');
});

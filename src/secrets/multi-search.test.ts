/** Finding needles, held against looking for each by itself. */

import { expect, test } from 'vitest';
import fc from '../seeded-fast-check.test.support.ts';
import { MultiSearch, type SearchMatch } from './multi-search.ts';

const word = fc.string({ unit: fc.constantFrom(...'abAB"_'), minLength: 4, maxLength: 20 });
const text = fc.string({ unit: fc.constantFrom(...'abAB"_'), maxLength: 200 });

/** The first of the places where one stands, the longest of those that begin there. */
function naive(words: readonly string[], given: string, from: number, until: number, isFolding: boolean) {
  const sought = isFolding ? given.toLowerCase() : given;
  return words
    .flatMap((value): SearchMatch<string>[] => {
      const start = sought.indexOf(value, from);
      return start < 0 || start >= until ? [] : [{ start, end: start + value.length, value }];
    })
    .sort((x, y) => x.start - y.start || y.end - x.end)[0];
}

test.each([false, true])('finds what looking for each finds, from any place to any other; folding: %s', (isFolding) => {
  const words = fc.uniqueArray(isFolding ? word.map((each) => each.toLowerCase()) : word, { maxLength: 6 });
  fc.assert(
    fc.property(words, text, fc.nat(200), fc.nat(220), (needles, given, from, until) => {
      const known = new MultiSearch<string>(isFolding);
      for (const each of needles) known.add(Buffer.from(each), each);
      expect(known.find(Buffer.from(given), from, until)).toEqual(naive(needles, given, from, until, isFolding));
    }),
    { numRuns: 1000 },
  );
});

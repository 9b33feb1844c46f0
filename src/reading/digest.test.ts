import { describe, expect, it } from 'vitest';
import fc from '../seeded-fast-check.test.support.ts';
import { digestOf, RowDigest } from './digest.ts';
import { type Observation, type Row, Unconverted } from './types.ts';

function digest(rows: readonly Row[], values: Observation['values'] = {}): string {
  const sum = new RowDigest();
  for (const row of rows) sum.add(row);
  return digestOf(sum, values);
}

const cell = fc.oneof(
  fc.string({ maxLength: 4 }),
  fc.double({ noNaN: true }).map((number) => number + 0),
  fc.constantFrom(null, undefined),
  fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 3 }),
);
const row = fc.record({ upc: cell, brand: cell, sales4Weeks: cell }, { requiredKeys: [] });

describe('the digest of rows', () => {
  it('is the same in any order', () => {
    fc.assert(
      fc.property(
        fc
          .array(row, { maxLength: 6 })
          .chain((rows) => fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length }))),
        ([rows, shuffled]) => {
          expect(digest(shuffled)).toBe(digest(rows));
        },
      ),
    );
  });

  it('changes with any cell', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 3 }), cell, cell, (rows, one, other) => {
        fc.pre(JSON.stringify([one]) !== JSON.stringify([other]) && one !== undefined && other !== undefined);
        fc.pre(!Array.isArray(one) || !Array.isArray(other));
        expect(digest([...rows, { brand: one }])).not.toBe(digest([...rows, { brand: other }]));
      }),
    );
  });

  it.each<[string, readonly Row[], readonly Row[]]>([
    ['a text and a number', [{ brand: '1' }], [{ brand: 1 }]],
    ['a text and null', [{ brand: 'null' }], [{ brand: null }]],
    ['nothing and null', [{ brand: undefined }], [{ brand: null }]],
    ['fields', [{ brand: 'x' }], [{ category: 'x' }]],
    ['where one cell ends', [{ brand: 'ab', category: 'c' }], [{ brand: 'a', category: 'bc' }]],
    ['a text that looks like more cells', [{ brand: 'a"category"b' }], [{ brand: 'a', category: 'b' }]],
    [
      'what belongs together',
      [
        { brand: 'a', upc: '1' },
        { brand: 'b', upc: '2' },
      ],
      [
        { brand: 'a', upc: '2' },
        { brand: 'b', upc: '1' },
      ],
    ],
    ['a row and two of it', [{ brand: 'a' }], [{ brand: 'a' }, { brand: 'a' }]],
    ['no row and an empty one', [], [{}]],
    ['neighbouring numbers', [{ sales4Weeks: 1 }], [{ sales4Weeks: 1 + Number.EPSILON }]],
    ['swapped figures', [{ sales4Weeks: 1, sales12Weeks: 2 }], [{ sales4Weeks: 2, sales12Weeks: 1 }]],
    ['a value and one that did not convert', [{ brand: 'x' }], [{ brand: new Unconverted('x', 'why') }]],
    ['characteristics', [{ characteristics: [{ a: 1 }] }], [{ characteristics: [{ a: 2 }] }]],
  ])('tells apart %s', (_, one, other) => {
    expect(digest(one)).not.toBe(digest(other));
  });

  it.each<[string, Row, Row]>([
    ['zero and minus zero', { sales4Weeks: 0 }, { sales4Weeks: -0 }],
    ['the order of a list', { characteristics: [{ a: 1 }, 2] }, { characteristics: [2, { a: 1 }] }],
    [
      'the order of members',
      { characteristics: [{ a: 1, b: { c: 2, d: 3 } }] },
      { characteristics: [{ b: { d: 3, c: 2 }, a: 1 }] },
    ],
    [
      'the reason of what did not convert',
      { brand: new Unconverted({ a: 1 }, 'one') },
      { brand: new Unconverted({ a: 1 }, 'other') },
    ],
  ])('does not look at %s', (_, one, other) => {
    expect(digest([one])).toBe(digest([other]));
  });

  it('has no collisions among the rows of a bulk list', () => {
    const seen = new Set<string>();
    for (let at = 0; at < 100_000; at++)
      seen.add(digest([{ upc: String(at).padStart(12, '0'), sales4Weeks: at / 100 }]));
    expect(seen.size).toBe(100_000);
  });
});

describe('the digest of values', () => {
  it('depends on the distinct values, not on their number or order', () => {
    expect(digest([], { market: ['US', 'US', 'CA'] })).toBe(digest([], { market: ['CA', 'US'] }));
    expect(digest([], { market: ['US'] })).not.toBe(digest([], { market: ['CA'] }));
    expect(digest([], { market: ['US'] })).not.toBe(digest([], { brand: ['US'] }));
    expect(digest([], { asOf: [1] })).not.toBe(digest([], { asOf: [] }));
  });

  it('is not mixed up with rows', () => {
    expect(digest([{ name: 'x' }])).not.toBe(digest([], { name: ['x'] }));
    expect(digest([])).toMatch(/^0{16}-0{16}$/);
  });
});

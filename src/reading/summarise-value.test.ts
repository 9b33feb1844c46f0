import { describe, expect, it } from 'vitest';
import fc from '../seeded-fast-check.test.support.ts';
import { summariseValue } from './summarise-value.ts';

describe('sketch', () => {
  it.each<[unknown, string]>([
    [null, 'null'],
    [undefined, 'undefined'],
    [true, 'true'],
    [120, '120'],
    [1234567.89, '1234…'],
    ['abc', '"abc"'],
    ['012345678905', '"0123…"'],
    [[], '[]'],
    [{}, '{}'],
    [[1, 2, 3], '[ 3 × 1 ]'],
    [
      { data: { items: [{ gtin: '012345678905', desc: 'Chips' }], total: 120 } },
      '{ data: { items: [ 1 × { gtin: "0123…", desc: "Chip…" } ], total: 120 } }',
    ],
    [{ a: { b: { c: { d: { e: 1 } } } } }, '{ a: { b: { c: { d: { … } } } } }'],
    [[[[[[1]]]]], '[ 1 × [ 1 × [ 1 × [ 1 × [ 1 × … ] ] ] ] ]'],
    [
      Object.fromEntries('abcdefghij'.split('').map((name) => [name, 1])),
      '{ a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, … 2 more }',
    ],
    [{ ['n'.repeat(40)]: 1 }, `{ ${'n'.repeat(24)}…: 1 }`],
  ])('%j is %s', (value, text) => {
    expect(summariseValue(value)).toBe(text);
  });

  it('is one line of at most 300 characters, and no value longer than four', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const text = summariseValue({ secret: 'LICENSED-FIGURE', value });
        expect(text.length).toBeLessThanOrEqual(300);
        expect(text).not.toContain('LICENS');
      }),
    );
  });

  it('does not follow nesting to its end', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(summariseValue(deep)).toContain('…');
  });
});

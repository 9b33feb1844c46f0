import { describe, expect, it } from 'vitest';
import fc from '../seeded-fast-check.test.support.ts';
import { digestOf, RowDigest } from './digest.ts';
import { mergeObservations } from './merge.ts';
import { type Cell, type Observation, type Row, Unconverted } from './types.ts';

function observed(
  rows: readonly Row[],
  values: Observation['values'] = {},
  more: Partial<Observation> = {},
): Observation {
  const sum = new RowDigest();
  for (const row of rows) sum.add(row);
  return { rows: rows.length, complete: true, values, digest: digestOf(sum, values), ...more };
}

const cell: fc.Arbitrary<Cell> = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.constantFrom(null, undefined),
  fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 3 }),
  fc.jsonValue({ maxDepth: 2 }).map((raw) => new Unconverted(raw, 'because')),
);
const row = fc.record({ upc: cell, category: cell, characteristics: cell });

describe('pages as one list', () => {
  it('have the digest of the whole list, wherever the pages end', () => {
    fc.assert(
      fc.property(fc.array(row), fc.nat(10), (rows, at) => {
        const values = { market: ['Total US'] };
        const merged = mergeObservations([observed(rows.slice(0, at), values), observed(rows.slice(at), values)], true);
        expect(merged).toEqual(observed(rows, values));
      }),
    );
  });

  it('keep each distinct value of all pages', () => {
    const pages = [
      observed([], { market: ['US'], asOf: [7] }),
      observed([], { market: ['US', 'CA'] }),
      observed([], { asOf: [7] }),
    ];
    expect(mergeObservations(pages, true).values).toEqual({ market: ['US', 'CA'], asOf: [7] });
  });

  it('are complete only if all are, and have the first problem', () => {
    const good = observed([{ upc: '012345678905' }]);
    const bad = observed([], {}, { complete: false, problem: { kind: 'syntax', message: 'first' } });
    const worse = observed([], {}, { complete: false, problem: { kind: 'media', message: 'second' } });
    expect(mergeObservations([good, good], true)).toMatchObject({ rows: 2, complete: true });
    expect(mergeObservations([good, good], false)).toMatchObject({ rows: 2, complete: false });
    expect(mergeObservations([good, bad, worse], true)).toMatchObject({
      rows: 1,
      complete: false,
      problem: bad.problem,
    });
    expect(mergeObservations([good], true)).not.toHaveProperty('problem');
    expect(mergeObservations([good], true)).not.toHaveProperty('next');
  });

  it('none are an empty list', () => {
    expect(mergeObservations([], true)).toEqual(observed([]));
  });
});

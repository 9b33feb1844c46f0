import { describe, expect, test } from 'vitest';
import type { Row } from '../reading/types.ts';
import type { Strata } from './sample-rows.ts';
import { type SampleSize, sampleRows } from './sample-rows.ts';

const upcOf = (at: number): string => String(100_000_000_000 + at * 7919);

/** A list of products in twenty categories of very different size, with dates. */
const ROWS: readonly Row[] = Array.from({ length: 5000 }, (_, at) => ({
  upc: upcOf(at),
  category: at % 100 < 81 ? 'big' : `small ${at % 100}`,
  changedOn: 20_000 + ((at * 31) % 700),
}));

const STRATA: Strata = {
  name: 'all',
  special: ({ upc }) => String(upc).startsWith('0'),
  positions: true,
  ends: ['changedOn'],
  values: ['category'],
};

const SIZE: SampleSize = { max: 24, strata: 30, seed: 1 };

function sampleOf(rows: readonly Row[], size: SampleSize = SIZE, strata = STRATA): readonly Row[] {
  const running = sampleRows(['upc'], size, strata).start({});
  rows.forEach((row, at) => {
    running.row(row, at);
  });
  return running.done();
}

const upcsOf = (rows: readonly Row[]): unknown[] => rows.map(({ upc }) => upc);

describe('the rows of a sample', () => {
  test('contain one of every category, the first, the last, a middle, the newest, the oldest, and a leading zero', () => {
    const rows = [...ROWS.slice(0, 3000), { upc: '000000000042', category: 'big' }, ...ROWS.slice(3000)];
    const sampled = upcsOf(sampleOf(rows));
    const inSample = rows.filter(({ upc }) => sampled.includes(upc));
    expect(new Set(inSample.map(({ category }) => category))).toEqual(new Set(rows.map(({ category }) => category)));
    expect(sampled).toEqual(expect.arrayContaining([rows[0]?.upc, rows.at(-1)?.upc, '000000000042']));
    const days = inSample.map(({ changedOn }) => Number(changedOn ?? 20_001));
    expect([Math.min(...days), Math.max(...days)]).toEqual([20_000, 20_699]);
    const places = inSample.map((row) => rows.indexOf(row) / rows.length);
    expect(places.some((place) => place > 0.45 && place < 0.55)).toBe(true);
    expect(new Set(sampled).size).toBe(sampled.length);
    expect(sampled.length).toBeLessThanOrEqual(54);
  });

  test('are the same for a seed, others for another seed, and do not depend on the order, except for positions', () => {
    const { positions: _, ...ordered } = STRATA;
    expect(sampleOf(ROWS)).toEqual(sampleOf(ROWS));
    expect(sampleOf(ROWS.toReversed(), SIZE, ordered)).toEqual(sampleOf(ROWS, SIZE, ordered));
    const other = upcsOf(sampleOf(ROWS, { ...SIZE, seed: 2 }, { name: '' }));
    const shared = upcsOf(sampleOf(ROWS, SIZE, { name: '' })).filter((upc) => other.includes(upc));
    expect(shared.length).toBeLessThan(5);
  });

  test('contain one of the three weeks before the newest date, in any order of the list', () => {
    const rows = Array.from({ length: 90 }, (_, at) => ({ upc: String(at).padStart(12, '0'), changedOn: 20_000 + at }));
    const strata = { name: 'dates', ends: ['changedOn'] } as const;
    const daysOf = (list: readonly Row[]) =>
      sampleOf(list, { max: 0, strata: 3, seed: 1 }, strata).map(({ upc }) => Number(upc));
    const days = daysOf(rows);
    expect(days.toSorted((x, y) => x - y)).toEqual([0, expect.any(Number), 89]);
    expect(days.filter((day) => day > 89 - 28 && day <= 89 - 7)).toHaveLength(1);
    expect(daysOf(rows.toReversed())).toEqual(days);
  });

  test('of seed 0 have no strata', () => {
    expect(sampleOf(ROWS, { ...SIZE, seed: 0 })).toHaveLength(24);
  });

  test('are all rows if the list is not longer than the sample', () => {
    const few = ROWS.slice(0, 500);
    expect(new Set(upcsOf(sampleOf(few, { max: 10_000, strata: 200, seed: 1 })))).toEqual(new Set(upcsOf(few)));
  });

  test('of many categories are of some of them, others for another seed', () => {
    const rows = ROWS.map(({ upc }) => ({ upc, category: `category of ${upc}` }));
    const [one, other] = [1, 2].map((seed) => upcsOf(sampleOf(rows, { max: 0, strata: 20, seed })));
    expect([one?.length, other?.length]).toEqual([20, 20]);
    expect(one?.filter((upc) => other?.includes(upc)).length).toBeLessThan(12);
  });
});

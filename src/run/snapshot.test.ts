import { describe, expect, test } from 'vitest';
import { ALL_PRODUCTS, type OperationKey, REFRESH_DATES, UPDATE_PRODUCTS } from '../contract/index.ts';
import { parseProfile } from '../profile/parse-profile.ts';
import type { Inputs } from '../profile/template.ts';
import type { Row } from '../reading/types.ts';
import { declarationsOf } from '../rule/declarations.ts';
import type { RequestSpec } from './request-spec.ts';
import { type SnapshotSource, sampleOrder, snapshotFolds, snapshotOf } from './snapshot.ts';

const upc = (at: number): string => String(at).padStart(12, '0');
const products = (count: number, from = 1): Row[] =>
  Array.from({ length: count }, (_, at) => ({ upc: upc(from + at) }));
const declarations = declarationsOf(parseProfile('name: a', 'a.yaml'));
const day = (text: string): number => Date.parse(text) / 86_400_000;

/** A response that was read, with the folds of its snapshot. */
function read(
  operation: OperationKey,
  inputs: Inputs,
  rows: readonly Row[],
  { asOf, complete = true, ...over }: Partial<RequestSpec> & { asOf?: string; complete?: boolean } = {},
): SnapshotSource {
  const spec: RequestSpec = { operation, inputs, variant: {}, repetition: 0, ...over };
  const folds = snapshotFolds(spec).map((fold) => {
    const running = fold.start(inputs);
    for (const [at, row] of rows.entries()) running.row(row, at);
    return [fold.key, running.done()] as const;
  });
  const values = asOf === undefined ? {} : { asOf: [day(asOf)] };
  return {
    spec,
    result: {
      exchanges: [],
      folds: new Map(folds),
      observation: { rows: rows.length, complete, values, digest: '' },
    },
  };
}

const snapshot = (...sources: SnapshotSource[]) => snapshotOf(sources, declarations);

describe('deltas', () => {
  test('have one digest for one set of products, whatever the order', () => {
    const rows = products(3);
    const [one, same, other] = [rows, [...rows].reverse(), products(4)].map(
      (each) => snapshot(read(UPDATE_PRODUCTS, { window: 1 }, each, { asOf: '2026-11-14' }))?.deltas[0],
    );
    expect(one).toMatchObject({ weeks: 1, products: 3, asOf: '2026-11-14' });
    expect(same).toEqual(one);
    expect(other?.digest).not.toBe(one?.digest);
  });

  test('that are filtered, cut off, repeated or unreadable are left out', () => {
    const rows = products(3);
    expect(snapshot(read(UPDATE_PRODUCTS, { window: 1, category: 'Tea' }, rows))).toBeUndefined();
    expect(snapshot(read(UPDATE_PRODUCTS, { window: 1 }, rows, { complete: false }))).toBeUndefined();
    expect(snapshot(read(UPDATE_PRODUCTS, { window: 1 }, rows, { repetition: 1 }))).toBeUndefined();
    expect(snapshot(read(UPDATE_PRODUCTS, { window: 1 }, [...rows, {}]))).toBeUndefined();
  });
});

describe('products', () => {
  test('are all of a short list', () => {
    expect(snapshot(read(ALL_PRODUCTS, {}, products(3)))?.products).toEqual({
      count: 3,
      sample: [upc(1), upc(2), upc(3)],
    });
  });

  test('are a sample of a long list, which is the same part of another list', () => {
    const [one, other] = [products(5000), products(5000, 1001)].map(
      (rows) => snapshot(read(ALL_PRODUCTS, {}, rows))?.products,
    );
    const bound = Math.min(one?.bound ?? 0, other?.bound ?? 0);
    expect(one?.count).toBe(5000);
    expect(one?.sample.length).toBeGreaterThan(400);
    expect(one?.sample.length).toBeLessThan(600);
    const common = (sample: readonly string[] = []) =>
      sample.filter((each) => sampleOrder(Number(each)) <= bound && each > upc(1000) && each <= upc(5000));
    expect(common(one?.sample).length).toBeGreaterThan(100);
    expect(common(one?.sample)).toEqual(common(other?.sample));
  });
});

test('refresh dates are the newest of each item', () => {
  const items = [
    { id: 'sales', date: day('2026-11-07') },
    { id: 'sales', date: day('2026-11-14') },
    { id: 'stock', date: null },
    { id: 'far away', date: 1e12 },
  ];
  expect(snapshot(read(REFRESH_DATES, { catalogueId: 'c' }, items))?.refreshDates).toEqual([
    { id: 'sales', date: '2026-11-14' },
  ]);
});

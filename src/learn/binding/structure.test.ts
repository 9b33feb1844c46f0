import { describe, expect, it } from 'vitest';
import {
  ALL_CATEGORIES,
  ALL_PRODUCTS,
  BRAND_PERFORMANCE,
  CATALOGUES,
  CATEGORY_PERFORMANCE,
  type Field,
  type OperationKey,
  PERFORMANCE_METADATA,
  PRODUCT_LOOKUP,
} from '../../contract/index.ts';
import { candidatesOf } from './candidates.ts';
import { type Place, placesIn } from './places.ts';
import { Structure, vocabulariesOf } from './structure.ts';

const NAMES = [
  ['Tea', 'c1', 'Black Tea', 'Acme', 'Sun'],
  ['Tea', 'c1', 'Green Tea', 'Acme', 'Moon'],
  ['Tea', 'c1', 'Iced Tea', 'Bolt & Co', 'Flash'],
  ['Coffee', 'c2', 'Ground Coffee', 'Bolt & Co', 'Spark'],
  ['Coffee', 'c2', 'Instant Coffee', 'Acme', 'Sun'],
  ['Bread', 'c3', 'Rye Bread', 'Mill', 'Crust'],
  ['Bread', 'c3', 'White Bread', 'Mill', 'Crumb'],
] as const;

const table = (operation: OperationKey, columns: readonly number[]): { operation: OperationKey; places: Place[] } => ({
  operation,
  places: placesIn(
    NAMES.map((row) => columns.map((at) => row[at])),
    '@',
  ),
});

const TABLES = [
  table(ALL_CATEGORIES, [2, 0, 1]),
  table(CATEGORY_PERFORMANCE, [0, 2]),
  table(BRAND_PERFORMANCE, [4, 2, 0, 3]),
];

describe('vocabulariesOf', () => {
  it('finds the names of both hierarchies, coarse and fine, and the ids of categories', () => {
    const found = vocabulariesOf([...TABLES, table(ALL_PRODUCTS, [4, 3, 1, 2, 0])]);
    const valuesOf = (field: Field) => [...(found.get(field)?.values ?? [])].sort();
    expect(valuesOf('category')).toEqual(['Bread', 'Coffee', 'Tea']);
    expect(valuesOf('categoryId')).toEqual(['c1', 'c2', 'c3']);
    expect(valuesOf('subCategory')).toHaveLength(7);
    expect(valuesOf('manufacturer')).toEqual(['Acme', 'Bolt & Co', 'Mill']);
    expect(valuesOf('brand')).toEqual(['Crumb', 'Crust', 'Flash', 'Moon', 'Spark', 'Sun']);
  });

  it('takes the names that are left for manufacturers and brands, where lists with brands have categories, too', () => {
    const metadata = [[0], [2], [3], [4]].flatMap((columns) => table(PERFORMANCE_METADATA, columns).places);
    const found = vocabulariesOf([
      table(CATEGORY_PERFORMANCE, [0, 2]),
      table(BRAND_PERFORMANCE, [4, 2, 0, 3]),
      { operation: PERFORMANCE_METADATA, places: metadata },
    ]);
    expect([...(found.get('manufacturer')?.values ?? [])].sort()).toEqual(['Acme', 'Bolt & Co', 'Mill']);
    expect(found.get('brand')?.values.size).toBe(6);
  });

  it('leaves kinds apart of which none is coarser, and those of one operation only', () => {
    expect([...vocabulariesOf([table(BRAND_PERFORMANCE, [0, 2, 3, 4])]).keys()]).toEqual([]);
    const even = NAMES.map(([category]) => [category, `${category} again`]);
    const places = placesIn(even, '@');
    const found = vocabulariesOf([
      { operation: ALL_CATEGORIES, places },
      { operation: CATEGORY_PERFORMANCE, places },
    ]);
    expect([...found.keys()]).toEqual([]);
  });
});

const known = new Map();
const contextOf = (structure: Structure, operation: OperationKey, operations: Parameters<Structure['of']>[1]) => ({
  operation,
  known,
  meanings: new Map<string, Field>(),
  ...structure.of(operation, operations),
});

describe('Structure', () => {
  const upcs = ['036000291452', '042100000177', '660133988943'];
  const dates = ['2026-01-03', '2026-02-14', '2026-03-09'];
  const rows = [
    { upc: upcs[0], changedOn: 20_456 },
    { upc: upcs[1], changedOn: 20_498 },
    { upc: upcs[2], changedOn: 20_521 },
  ];
  const operations = new Map([[PRODUCT_LOOKUP, { rows, answers: [] }]]) as unknown as Parameters<Structure['of']>[1];
  const columns = placesIn(
    upcs.map((upc, at) => ({ q: upc, r: dates[(at + 1) % 3], s: dates[at] })),
    '@',
  );

  it('prefers the column that has for each UPC what another operation has', () => {
    const context = contextOf(new Structure(), ALL_PRODUCTS, operations);
    const [best, next] = candidatesOf('changedOn', columns, context);
    expect(best?.place.selector).toBe('@.s');
    expect(best?.reasons).toContain('the same UPC has it in 3 other rows');
    expect((best?.bits ?? 0) - (next?.bits ?? 0)).toBeGreaterThan(5);
  });

  it('never decides against the column that a name prefers', () => {
    const named = placesIn(
      upcs.map((upc, at) => ({ upc, changedOn: dates[(at + 1) % 3], s: dates[at] })),
      '@',
    );
    const [best, next] = candidatesOf('changedOn', named, contextOf(new Structure(), ALL_PRODUCTS, operations));
    expect(best?.place.selector).toBe('@.changedOn');
    expect((best?.bits ?? 0) - (next?.bits ?? 0)).toBeLessThan(3);
  });

  it('takes the column that the next operation accepts as the ids', () => {
    const structure = new Structure();
    structure.accept(CATALOGUES, 'retail');
    const places = placesIn(
      [
        ['Retail', 'retail', 3],
        ['Panel', 'panel', 2],
      ],
      '@',
    );
    const context = contextOf(structure, CATALOGUES, new Map());
    expect(candidatesOf('id', places, context)[0]).toMatchObject({ place: { selector: '@[1]' } });
    expect(candidatesOf('name', places, context)[0]?.reasons).toContain('the only other text');
  });
});

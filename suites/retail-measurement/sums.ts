/** Category rows are the sums of brand rows, where the profile states it. The document does not (section 4.4). */
import { BRAND_PERFORMANCE, CATEGORY_PERFORMANCE, SALES_FIGURES, SALES_FILTERS } from '../../src/contract/index.ts';
import { areOfOneAsOf } from '../../src/rule/data-weeks.ts';
import {
  collect,
  editRow,
  type Finding,
  findingIn,
  notApplicable,
  type Row,
  relationRule,
  rows,
  untested,
} from '../../src/rule/index.ts';
import {
  type Filter,
  filtersInRows,
  hasInventedFigures,
  MAX_COMPARED_ROWS,
  rowGrain,
  rowIdentity,
  unitOf,
} from '../../src/rule/performance-rows.ts';

/** The dollar figures: percentages cannot be added. */
const AMOUNTS = SALES_FIGURES.filter((each) => each !== 'percentChange');

const amountsOf = (rows: readonly Row[]): number[] =>
  rows.flatMap((row) => AMOUNTS.flatMap((each) => (typeof row[each] === 'number' ? [row[each]] : [])));

/** The sum of each amount; undefined if a row lacks one. */
function sumsOf(rows: readonly Row[]): readonly number[] | undefined {
  const sums = AMOUNTS.map((figure) =>
    rows.reduce((sum, row) => sum + (typeof row[figure] === 'number' ? row[figure] : Number.NaN), 0),
  );
  return sums.some(Number.isNaN) ? undefined : sums;
}

/** Whether some rows have the sums of others, or of a part of these; false if a row lacks an amount. */
function areSums(rows: readonly Row[], others: readonly Row[], tolerance: number, times = 1): boolean {
  const [one, other] = [sumsOf(rows), sumsOf(others)];
  return !!one && !!other && one.every((each, at) => Math.abs(times * each - (other[at] ?? 0)) <= tolerance);
}

/**
 * The text in place of a name that marks totals: in two groups of rows or more, and in each with the text, the rows with it
 * are the sum of all others. `unit` is that of the amounts.
 */
function textsOfTotals(rows: readonly Row[], field: Filter, groupedBy: readonly Filter[], unit: number) {
  const others = groupedBy.filter((each) => each !== field);
  const isTotal = new Map<string, boolean[]>();
  for (const group of Map.groupBy(rows, (row) => rowIdentity(row, others)).values())
    for (const [text, named] of Map.groupBy(group, (row) => rowIdentity(row, [field]))) {
      const isHalf = named.length < group.length && areSums(named, group, unit * group.length, 2);
      isTotal.set(text, [...(isTotal.get(text) ?? []), isHalf]);
    }
  const texts = [...isTotal].filter(([, are]) => are.length > 1 && are.every(Boolean)).map(([text]) => text);
  // Of two equal halves, neither is known to be the total.
  return new Set(texts.length === 1 ? texts : []);
}

/** Rows whose totals that are marked by a text lack the name instead, as other totals do. */
function withoutTexts(
  rows: readonly Row[],
  fields: readonly Filter[],
  groupedBy: readonly Filter[],
  unit: number,
): readonly Row[] {
  const marked = fields.map((field) => ({ field, texts: textsOfTotals(rows, field, groupedBy, unit) }));
  if (marked.every(({ texts }) => texts.size === 0)) return rows;
  return rows.map((row) => {
    const total = marked.filter(({ field, texts }) => texts.has(rowIdentity(row, [field])));
    return total.length === 0 ? row : { ...row, ...Object.fromEntries(total.map(({ field }) => [field, undefined])) };
  });
}

/**
 * The rows of the finest grain, if every other row is a total of these with its names; undefined if a row may be no total,
 * such as the sales of unbranded products.
 */
function withoutTotals(rows: readonly Row[], fields: readonly Filter[], unit: number): readonly Row[] | undefined {
  const byGrain = Map.groupBy(rows, (row) => rowGrain(row, fields));
  const [finest = '', ...others] = [...byGrain.keys()].toSorted((x, y) => y.split('1').length - x.split('1').length);
  const isWithin = (grain: string) => [...grain].every((each, at) => each === '0' || finest[at] === '1');
  if (!others.every(isWithin)) return undefined;
  const parts = byGrain.get(finest) ?? [];
  const areTotals = others.every((grain) => {
    const names = fields.filter((_, at) => grain[at] === '1');
    const partsOf = Map.groupBy(parts, (row) => rowIdentity(row, names));
    return (byGrain.get(grain) ?? []).every((row) => {
      const added = partsOf.get(rowIdentity(row, names)) ?? [];
      return added.length > 0 && areSums([row], added, unit * (added.length + 1));
    });
  });
  return areTotals ? parts : undefined;
}

/** The greatest sum of one dollar figure over rows. */
const salesOf = (rows: readonly Row[]): number =>
  Math.max(
    ...AMOUNTS.map((each) =>
      Math.abs(rows.reduce((sum, row) => sum + (typeof row[each] === 'number' ? row[each] : 0), 0)),
    ),
  );

/** The groups of brand rows whose names no category row has, whichever of these names a category row contains. */
function partsWithoutTotal(totals: readonly Row[], parts: readonly Row[], fields: readonly Filter[]): Row[][] {
  const grains = new Map<string, readonly Filter[]>();
  const identities = new Set<string>();
  for (const total of totals) {
    const names = fields.filter((each) => typeof total[each] === 'string');
    grains.set(names.join(), names);
    identities.add(names.join() + rowIdentity(total, names));
  }
  const isCovered = (row: Row) => [...grains].some(([grain, names]) => identities.has(grain + rowIdentity(row, names)));
  return [...Map.groupBy(parts, (row) => rowIdentity(row, fields)).values()].filter(
    ([first]) => first !== undefined && !isCovered(first),
  );
}

const folds = { rows: collect([...SALES_FILTERS, ...AMOUNTS], MAX_COMPARED_ROWS) };
const FIELDS = [['category', 'subCategory'], AMOUNTS] as const;

/** The brand rows with the names of a category row, by the names that it has. */
function partsByNames(parts: readonly Row[]): (row: Row, names: readonly Filter[]) => readonly Row[] {
  const groups = new Map<string, ReadonlyMap<string, readonly Row[]>>();
  return (row, names) => {
    const key = names.join();
    const known = groups.get(key) ?? Map.groupBy(parts, (each) => rowIdentity(each, names));
    groups.set(key, known);
    return known.get(rowIdentity(row, names)) ?? [];
  };
}

export const categorySums = relationRule({
  id: 'D.category-sums',
  statement: 'D.category-performance',
  demands: 'The dollar sales of a category row are the sums of the brand rows with its names.',
  how: [
    'Both lists are read to their end, and for each category row the brand rows with the same names are added up.',
    'A difference of one unit per added row is rounding; the unit is the largest power of ten of which all amounts of a list are multiples.',
    'A figure that one of the rows lacks is not judged.',
    'Brand rows that lack a name, or have one text such as “Total” in its place, are left out if they are the sums of the others; a category row is such a total if it is the sum of the other rows of its category.',
    'Where the profile states `atLeast`, only a sum above the category row fails.',
    'Where it states `equal`, brand rows with sales need a category row with their names, and a category row with sales needs brand rows.',
    'Without one as-of date in both lists a difference is inconclusive.',
  ],
  looksLike: [
    'A server that rounds each row, or that suppresses small brands, looks like this violation, which is legal; the unit of the amounts, and `figures.sums: atLeast` in its profile, tell them apart.',
    'So does the as-of date where one list is reloaded before the other, and rows without sales may be left out of either list.',
  ],
  subjects: [CATEGORY_PERFORMANCE],
  promises: ['sums'],
  sides: {
    categories: rows(CATEGORY_PERFORMANCE, { fields: FIELDS, folds }),
    brands: rows(BRAND_PERFORMANCE, { fields: FIELDS, folds }),
  },
  counterexample: ({ brands }) => ({
    brands: editRow(brands, Object.fromEntries(AMOUNTS.map((each) => [each, 1e12]))),
  }),
  compare({ categories, brands }, { declarations }) {
    const lists = [categories, brands];
    if (lists.some(hasInventedFigures))
      return notApplicable('the figures of the recording are invented (`--scrub figures`), so they do not add up');
    if (!lists.every((each) => each.folds.rows.complete)) return { doubt: 'there are too many rows to compare' };
    if (lists.some(({ operation }) => declarations.hasGrain(operation)))
      return untested('rows have a grain of their own, so their sums are not defined');
    const inBrands = filtersInRows(declarations, BRAND_PERFORMANCE);
    const fields = filtersInRows(declarations, CATEGORY_PERFORMANCE).filter((each) => inBrands.includes(each));
    const [categoryRows, brandRows] = [categories.folds.rows.rows, brands.folds.rows.rows];
    const [unit, unitOfBrands] = [unitOf(amountsOf(categoryRows)), unitOf(amountsOf(brandRows))];
    const totals = withoutTexts(categoryRows, fields, fields, unit);
    const parts = withoutTotals(withoutTexts(brandRows, inBrands, fields, unitOfBrands), inBrands, unitOfBrands);
    if (!parts) return untested('some brand rows lack names that others have, and are not the sums of others');
    const isEqual = declarations.sums === 'equal';
    const toleranceOf = (rows: readonly Row[]) => unit + rows.length * unitOfBrands;
    const partsOf = partsByNames(parts);
    let compared = 0;
    const withoutBrandRows: Finding[] = [];
    const findings = totals.flatMap((total, row): Finding[] => {
      const names = fields.filter((each) => typeof total[each] === 'string');
      const identity = rowIdentity(total, names);
      const added = names.length === 0 ? [] : partsOf(total, names);
      if (added.length === 0 && names.length > 0 && salesOf([total]) > unit) {
        const expected = `brand rows that add up to the category row ${identity}`;
        withoutBrandRows.push(findingIn(brands, 'brand-rows-missing', expected, 'no brand row has its names'));
      }
      return AMOUNTS.flatMap((figure): Finding[] => {
        const stated = total[figure];
        const amounts = added.map((each) => each[figure]);
        if (added.length === 0 || typeof stated !== 'number' || !amounts.every((each) => typeof each === 'number'))
          return [];
        compared++;
        const sum = amounts.reduce((all, each) => all + each, 0);
        const difference = sum - stated;
        if ((isEqual ? Math.abs(difference) : difference) <= toleranceOf(added)) return [];
        const expected = `${figure} of ${identity} ${isEqual ? 'equal to' : 'at least'} the sum of its ${added.length} brand rows, ${sum.toFixed(2)}`;
        return [findingIn(categories, `${figure}-not-the-sum`, expected, `row ${row}: ${stated}`, { row })];
      });
    });
    if (isEqual && compared > 0) {
      const uncovered = partsWithoutTotal(totals, parts, fields).filter((rows) => salesOf(rows) > toleranceOf(rows));
      const withoutCategoryRow = uncovered.map((rows) => {
        const expected = `a category row with the sum of the ${rows.length} brand rows ${rowIdentity(rows[0] as Row, fields)}`;
        return findingIn(categories, 'category-row-missing', expected, 'no category row has their names');
      });
      findings.push(...withoutBrandRows, ...withoutCategoryRow);
    }
    const [first] = findings;
    const asOfs = lists.map(({ observation }) => observation?.values.asOf ?? []);
    const isOneWeek = areOfOneAsOf(asOfs, [CATEGORY_PERFORMANCE, BRAND_PERFORMANCE], declarations);
    if (!first || isOneWeek) return { of: lists, compared, findings };
    return { doubt: `${first.actual} instead of ${first.expected}, but the lists do not contain the same as-of date` };
  },
  nothing: 'no brand row has the names and figures of a category row',
});

/** Category rows are the sums of brand rows, where the profile states it. The document does not (section 4.4). */
import { BRAND_PERFORMANCE, CATEGORY_PERFORMANCE, SALES_FIGURES, SALES_FILTERS } from '../../src/contract/index.ts';
import { areOfOneAsOf } from '../../src/rule/data-weeks.ts';
import {
  collect,
  decide,
  defineRule,
  editRow,
  type Finding,
  findingIn,
  inconclusive,
  listNeeds,
  notApplicable,
  onlyReading,
  type Row,
  step,
  untested,
} from '../../src/rule/index.ts';
import {
  type Filter,
  filtersInRows,
  hasInventedFigures,
  MAX_COMPARED_ROWS,
  rowIdentity,
  unitOf,
} from '../../src/rule/performance-rows.ts';
import { type Amounts, withoutTexts, withoutTotals } from '../../src/rule/total-rows.ts';

/** The dollar figures: percentages cannot be added. */
const AMOUNTS = SALES_FIGURES.filter((each) => each !== 'percentChange');

const amountsOf = (rows: readonly Row[]): number[] =>
  rows.flatMap((row) => AMOUNTS.flatMap((each) => (typeof row[each] === 'number' ? [row[each]] : [])));

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

export const categorySums = defineRule({
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
  needs: () => ['sums', ...listNeeds(CATEGORY_PERFORMANCE, ...FIELDS), ...listNeeds(BRAND_PERFORMANCE, ...FIELDS)],
  repeat: 'pass',
  probe: () => ({
    categories: step({ operation: CATEGORY_PERFORMANCE, accepts: 'complete', folds }),
    brands: step({ operation: BRAND_PERFORMANCE, accepts: 'complete', folds }),
  }),
  counterexample: ({ brands }) => ({
    brands: editRow(brands, Object.fromEntries(AMOUNTS.map((each) => [each, 1e12]))),
  }),
  judge(seen, { declarations }) {
    const [categories, brands] = [onlyReading(seen.categories), onlyReading(seen.brands)];
    const lists = [categories, brands];
    if (lists.some(hasInventedFigures))
      return notApplicable('the figures of the recording are invented (`--scrub figures`), so they do not add up');
    if (!lists.every((each) => each.folds.rows.complete)) return inconclusive('there are too many rows to compare');
    if (lists.some(({ operation }) => declarations.hasGrain(operation)))
      return untested('rows have a grain of their own, so their sums are not defined');
    const inBrands = filtersInRows(declarations, BRAND_PERFORMANCE);
    const fields = filtersInRows(declarations, CATEGORY_PERFORMANCE).filter((each) => inBrands.includes(each));
    const amountsIn = ({ folds }: typeof categories): Amounts => ({
      figures: AMOUNTS,
      unit: unitOf(amountsOf(folds.rows.rows)),
    });
    const [ofCategories, ofBrands] = [amountsIn(categories), amountsIn(brands)];
    const totals = withoutTexts(categories.folds.rows.rows, fields, fields, ofCategories);
    const parts = withoutTotals(withoutTexts(brands.folds.rows.rows, inBrands, fields, ofBrands), inBrands, ofBrands);
    if (!parts) return untested('some brand rows lack names that others have, and are not the sums of others');
    const isEqual = declarations.sums === 'equal';
    const toleranceOf = (rows: readonly Row[]) => ofCategories.unit + rows.length * ofBrands.unit;
    const partsOf = partsByNames(parts);
    let compared = 0;
    const withoutBrandRows: Finding[] = [];
    const findings = totals.flatMap((total, row): Finding[] => {
      const names = fields.filter((each) => typeof total[each] === 'string');
      const identity = rowIdentity(total, names);
      const added = names.length === 0 ? [] : partsOf(total, names);
      if (added.length === 0 && names.length > 0 && salesOf([total]) > ofCategories.unit) {
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
    const nothing = 'no brand row has the names and figures of a category row';
    if (!first || isOneWeek) return decide({ of: lists, compared, findings }, { nothing });
    return inconclusive(
      `${first.actual} instead of ${first.expected}, but the lists do not contain the same as-of date`,
    );
  },
});

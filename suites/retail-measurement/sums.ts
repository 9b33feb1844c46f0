/** Category rows are the sums of brand rows, where the profile states it. The document does not (section 4.4). */
import {
  BRAND_PERFORMANCE,
  CATEGORY_PERFORMANCE,
  type OperationKey,
  SALES_FIGURES,
  SALES_FILTERS,
} from '../../src/contract/index.ts';
import { areOfOneAsOf } from '../../src/rule/data-weeks.ts';
import {
  collect,
  defineRule,
  editRow,
  evidenceOf,
  type Finding,
  failed,
  inconclusive,
  type Need,
  notApplicable,
  onlyReading,
  openingOf,
  passed,
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
import { withoutTexts, withoutTotals } from '../../src/rule/total-rows.ts';

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

const list = (operation: OperationKey) =>
  step({ operation, accepts: 'complete', folds: { rows: collect([...SALES_FILTERS, ...AMOUNTS], MAX_COMPARED_ROWS) } });

const needsOf = (operation: OperationKey): Need[] => [
  openingOf(operation, 'request'),
  openingOf(operation, 'rows'),
  [openingOf(operation, 'fields.category'), openingOf(operation, 'fields.subCategory')],
  AMOUNTS.map((each) => openingOf(operation, `fields.${each}`)),
];

export const categorySums = defineRule({
  id: 'D.category-sums',
  statement: 'D.category-performance',
  basis: 'profile',
  since: '0.2.0',
  demands: 'The dollar sales of a category row are the sums of the brand rows with its names.',
  how: 'Both lists are read to their end. For each category row, the brand rows with the same names are added up. A difference of one unit per added row is rounding; the unit is the largest power of ten of which all amounts of a list are multiples. A figure that one of the rows lacks is not judged. Brand rows that lack a name, or have one text such as “Total” in its place, are left out if they are the sums of the others; a category row is such a total if it is the sum of the other rows of its category. Where the profile states `atLeast`, only a sum above the category row fails; where it states `equal`, brand rows with sales need a category row with their names, and a category row with sales needs brand rows. Without one as-of date in both lists a difference is inconclusive.',
  looksLike:
    'A server that rounds each row, or that suppresses small brands, looks like this violation, which is legal; the unit of the amounts, and `figures.sums: atLeast` in its profile, tell them apart. So does the as-of date where one list is reloaded before the other, and rows without sales may be left out of either list.',
  subjects: [CATEGORY_PERFORMANCE],
  needs: () => ['sums', ...needsOf(CATEGORY_PERFORMANCE), ...needsOf(BRAND_PERFORMANCE)],
  repeat: 'pass',
  probe: () => ({ categories: list(CATEGORY_PERFORMANCE), brands: list(BRAND_PERFORMANCE) }),
  counterexample: ({ brands }) => ({
    brands: editRow(brands, Object.fromEntries(AMOUNTS.map((each) => [each, 1e12]))),
  }),
  judge(seen, { declarations }) {
    const [categories, brands] = [onlyReading(seen.categories), onlyReading(seen.brands)];
    if ([categories, brands].some(hasInventedFigures))
      return notApplicable('the figures of the recording are invented (`--scrub figures`), so they do not add up');
    const [categoryRows, brandRows] = [categories.folds.rows, brands.folds.rows];
    if (!categoryRows.complete || !brandRows.complete) return inconclusive('there are too many rows to compare');
    if (declarations.hasGrain(CATEGORY_PERFORMANCE) || declarations.hasGrain(BRAND_PERFORMANCE))
      return untested('rows have a grain of their own, so their sums are not defined');
    const inBrands = filtersInRows(declarations, BRAND_PERFORMANCE);
    const fields = filtersInRows(declarations, CATEGORY_PERFORMANCE).filter((each) => inBrands.includes(each));
    const units = [unitOf(amountsOf(categoryRows.rows)), unitOf(amountsOf(brandRows.rows))] as const;
    const totals = withoutTexts(categoryRows.rows, fields, fields, { figures: AMOUNTS, unit: units[0] });
    const ofBrands = { figures: AMOUNTS, unit: units[1] };
    const parts = withoutTotals(withoutTexts(brandRows.rows, inBrands, fields, ofBrands), inBrands, ofBrands);
    if (!parts) return untested('some brand rows lack names that others have, and are not the sums of others');
    const groups = new Map<string, Map<string, Row[]>>();
    const partsOf = (row: Row, names: readonly Filter[]): readonly Row[] => {
      const key = names.join();
      const known = groups.get(key) ?? Map.groupBy(parts, (each) => rowIdentity(each, names));
      groups.set(key, known);
      return known.get(rowIdentity(row, names)) ?? [];
    };
    let compared = 0;
    const withoutBrandRows: Finding[] = [];
    const findings = totals.flatMap((total, index): Finding[] => {
      const names = fields.filter((each) => typeof total[each] === 'string');
      const added = names.length === 0 ? [] : partsOf(total, names);
      if (added.length === 0 && names.length > 0 && salesOf([total]) > units[0])
        withoutBrandRows.push({
          kind: 'brand-rows-missing',
          expected: `brand rows that add up to the category row ${rowIdentity(total, names)}`,
          actual: 'no brand row has its names',
          exchange: brands.exchange,
        });
      if (added.length === 0) return [];
      const tolerance = units[0] + added.length * units[1];
      return AMOUNTS.flatMap((figure): Finding[] => {
        const stated = total[figure];
        const amounts = added.map((row) => row[figure]);
        if (typeof stated !== 'number' || !amounts.every((each) => typeof each === 'number')) return [];
        compared++;
        const sum = amounts.reduce((all, each) => all + each, 0);
        const difference = sum - stated;
        if ((declarations.sums === 'atLeast' ? difference : Math.abs(difference)) <= tolerance) return [];
        return [
          {
            kind: `${figure}-not-the-sum`,
            expected: `${figure} of ${rowIdentity(total, names)} ${declarations.sums === 'atLeast' ? 'at least' : 'equal to'} the sum of its ${added.length} brand rows, ${sum.toFixed(2)}`,
            actual: `row ${index}: ${stated}`,
            exchange: categories.exchange,
            row: index,
          },
        ];
      });
    });
    if (compared === 0) return untested('no brand row has the names and figures of a category row');
    if (declarations.sums === 'equal') {
      findings.push(...withoutBrandRows);
      for (const rows of partsWithoutTotal(totals, parts, fields)) {
        if (salesOf(rows) <= units[0] + rows.length * units[1]) continue;
        findings.push({
          kind: 'category-row-missing',
          expected: `a category row with the sum of the ${rows.length} brand rows ${rowIdentity(rows[0] as Row, fields)}`,
          actual: 'no category row has their names',
          exchange: categories.exchange,
        });
      }
    }
    if (findings.length === 0) return passed({ ...evidenceOf([categories, brands]), distinct: compared });
    const asOfs = [categories, brands].map(({ observation }) => observation?.values.asOf ?? []);
    if (!areOfOneAsOf(asOfs, [CATEGORY_PERFORMANCE, BRAND_PERFORMANCE], declarations))
      return inconclusive(
        `${findings[0]?.actual} instead of ${findings[0]?.expected}, but the lists do not contain the same as-of date`,
      );
    return failed(findings);
  },
});

/** A filtered bulk list contains each product once: section 4.3. */
import { ALL_PRODUCTS } from '../../src/contract/index.ts';
import { statedAsOf } from '../../src/rule/data-weeks.ts';
import {
  addRow,
  defineRule,
  evidenceOf,
  type Finding,
  failed,
  inconclusive,
  notApplicable,
  onlyReading,
  passed,
  type Reading,
  untested,
} from '../../src/rule/index.ts';
import { filteredLists, filterNeeds, filterSteps, requestedCategory } from './category-filter-steps.ts';

export const filterOnce = defineRule({
  id: 'C.filter-once',
  statement: 'C.category-filter',
  basis: 'derived',
  since: '0.2.0',
  demands: 'The bulk list filtered by a category contains each product once.',
  how: 'The list is requested for up to 40 categories. A UPC that occurs twice in a filtered list and once in the unfiltered one is a duplicate. Lists are not judged where the profile reads a grain; a list whose pages contain several as-of dates is inconclusive. So is a list without an as-of date where the unfiltered list contains other products twice.',
  looksLike:
    'A service that lists a product once for each of several rows of it, such as markets or sizes, is legal; the unfiltered list then contains it as often. A service that is reloaded between two pages is legal, too; the as-of dates of the pages, and a second reading, tell it apart.',
  subjects: [ALL_PRODUCTS],
  needs: (subject) => [...filterNeeds(subject), 'allProducts.fields.upc'],
  repeat: 'pass',
  probe: (_subject, declarations) => filterSteps(declarations),
  counterexample: ({ filtered }) => ({ filtered: addRow(filtered, {}) }),
  judge(seen, { declarations }) {
    if (declarations.hasGrain(ALL_PRODUCTS)) return notApplicable('rows of products have a grain of their own');
    const bulk = onlyReading(seen.bulk);
    const inBulk = new Set(bulk.folds.upcs.duplicates);
    const asOf = statedAsOf(bulk, declarations);
    // Where a product may have several rows, the number of its rows may change with a reload.
    const isOfOneWeek = (reading: Reading) =>
      new Set(reading.observation?.values.asOf).size < 2 &&
      (inBulk.size === 0 || (asOf !== undefined && statedAsOf(reading, declarations) === asOf));
    const lists = filteredLists(seen);
    const repeated = lists.flatMap((reading): { finding: Finding; isOfOneWeek: boolean }[] => {
      const duplicates = reading.folds.upcs.duplicates.filter((upc) => bulk.folds.upcs.has(upc) && !inBulk.has(upc));
      if (duplicates.length === 0) return [];
      const finding = {
        kind: 'repeated',
        expected: `each product once in the list of ${requestedCategory(reading)}, as in the unfiltered list`,
        actual: `${duplicates.length} UPCs occur more than once, e.g. ${duplicates.slice(0, 3).join(', ')}`,
        exchange: reading.exchange,
      };
      return [{ finding, isOfOneWeek: isOfOneWeek(reading) }];
    });
    const findings = repeated.filter(({ isOfOneWeek }) => isOfOneWeek).map(({ finding }) => finding);
    if (findings.length > 0) return failed(findings);
    const [first] = repeated;
    if (first)
      return inconclusive(`${first.finding.actual}, but as-of dates do not show that the lists are of one data week`);
    const rows = lists.reduce((sum, reading) => sum + reading.folds.upcs.size, 0);
    return rows === 0 ? untested('no filtered list has a row') : passed({ ...evidenceOf(lists), distinct: rows });
  },
});

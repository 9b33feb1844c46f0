/** A product has the same values in the filtered and in the unfiltered bulk list: section 4.3. */
import { ALL_PRODUCTS, type Field } from '../../src/contract/index.ts';
import { statedAsOf } from '../../src/rule/data-weeks.ts';
import {
  type Declarations,
  defineRule,
  editRow,
  evidenceOf,
  type Finding,
  failed,
  inconclusive,
  notApplicable,
  onlyReading,
  passed,
  step,
  untested,
} from '../../src/rule/index.ts';
import { listedValues } from '../../src/rule/listed-values.ts';
import { filteredLists, filterNeeds, filterSteps, requestedCategory, withFolds } from './category-filter-steps.ts';

/** Values of a product that do not depend on the filter. */
const COMPARED = ['activeOn', 'changedOn', 'firstActiveOn', 'characteristics'] as const satisfies Field[];

const comparedFields = (declarations: Declarations): Field[] =>
  COMPARED.filter((field) => declarations.selector(ALL_PRODUCTS, field) !== undefined);

export const filterAgrees = defineRule({
  id: 'C.filter-agrees',
  statement: 'C.category-filter',
  basis: 'derived',
  since: '0.2.0',
  demands: 'A product has the same dates and characteristics in the filtered and in the unfiltered bulk list.',
  how: 'The list is requested for up to 40 categories. Each date and the characteristics of a row, as the profile reads them, must be those of a row of the same UPC in the unfiltered list. Lists that state another as-of date, and products with a date of change or of first activity from the as-of date on, are not compared, and a value that one of them lacks is not; a difference without as-of dates is inconclusive.',
  looksLike:
    'A service whose filtered lists come from a cache of the week before is legal, and so is one whose filtered rows have fewer members. The as-of dates tell the first one apart, and missing values are not compared.',
  subjects: [ALL_PRODUCTS],
  needs: (subject) => [...filterNeeds(subject), 'allProducts.fields.upc'],
  repeat: 'pass',
  probe(_subject, declarations) {
    const steps = filterSteps(declarations);
    const folds = { values: listedValues(comparedFields(declarations)) };
    return { categories: steps.categories, bulk: step({ ...steps.bulk, folds }), ...withFolds(steps, folds) };
  },
  counterexample: ({ filtered }, { declarations }) => ({
    filtered: editRow(filtered, Object.fromEntries(comparedFields(declarations).map((field) => [field, -1]))),
  }),
  judge(seen, { declarations }) {
    if (comparedFields(declarations).length === 0)
      return notApplicable('the profile reads no date and no characteristics in the bulk list');
    const bulk = onlyReading(seen.bulk);
    const asOf = statedAsOf(bulk, declarations);
    const ofWeek = filteredLists(seen).filter((reading) => {
      const own = statedAsOf(reading, declarations);
      return asOf === undefined || own === undefined || own === asOf;
    });
    let isUndecided = false;
    const findings = ofWeek.flatMap((reading): Finding[] => {
      const differences = reading.folds.values.differencesFrom(bulk.folds.values, asOf);
      if (asOf === undefined || statedAsOf(reading, declarations) === undefined) {
        isUndecided ||= differences.length > 0;
        return [];
      }
      return differences.map(({ upc, field, row }) => ({
        kind: `other-${field}`,
        expected: `the ${field} of ${upc} that the unfiltered list shows`,
        actual: `row ${row} of the list of ${requestedCategory(reading)} shows another one`,
        exchange: reading.exchange,
        row,
      }));
    });
    if (findings.length > 0) return failed(findings);
    if (isUndecided)
      return inconclusive(
        'a filtered list shows other values than the unfiltered one, and one of both states no as-of date',
      );
    const rows = ofWeek.reduce((sum, { folds }) => sum + folds.values.rows, 0);
    return rows === 0
      ? untested('no filtered list of the data week of the unfiltered one has a row')
      : passed({ ...evidenceOf(ofWeek), rows });
  },
});

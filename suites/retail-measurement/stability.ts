/** The sales and the names of one data week are the same when they are requested again: sections 4.4 and 8. */
import {
  ownFilterOf,
  PERFORMANCE_METADATA,
  PERFORMANCE_OPERATIONS,
  type PerformanceOperation,
  SALES_FIGURES,
  SALES_FILTERS,
} from '../../src/contract/index.ts';
import { chooseSpecialNames } from '../../src/rule/choose-names.ts';
import { type CollectedRows, comparedRows, countContent, differenceOfRows } from '../../src/rule/compare-rows.ts';
import { dropRow, isValue, listNeeds, needsOf, type Reading, type Rule, step } from '../../src/rule/index.ts';
import { filterValuesStep, METADATA_NAMES, ownRule } from '../../src/rule/performance-rows.ts';
import { rowsBy, stableDrawRule, stableRule } from '../../src/rule/stable-rule.ts';

/** The fewest names among which one is a part: of two, the other may have left the list. */
const MIN_NAMES = 3;

/** The name whose rows, with equal figures, are all that a reading contains, among several names of another reading. */
function filteredName(whole: Reading<CollectedRows>, part: Reading<CollectedRows>): string | undefined {
  const [all, own] = [whole.folds.rows.rows, part.folds.rows.rows];
  for (const field of SALES_FILTERS) {
    const [name, ...others] = new Set(own.map((row) => row[field]));
    if (!isValue(name) || others.length > 0 || new Set(all.map((row) => row[field])).size < MIN_NAMES) continue;
    const rows = all.filter((row) => row[field] === name);
    const isEqual = differenceOfRows({ ...whole, folds: { rows: { ...whole.folds.rows, rows } } }, part) === undefined;
    if (isEqual) return `the rows of ${field} ${JSON.stringify(name)}`;
  }
  return undefined;
}

const SALES_FIELDS = [...SALES_FILTERS, ...SALES_FIGURES];

export const salesStable = (operation: PerformanceOperation): Rule =>
  stableRule({
    ...ownRule(operation, 'NAME-sales-stable'),
    statement: 'D.windows',
    since: '0.1.0',
    demands: 'The sales of one data week are the same when they are requested again.',
    needs: () => listNeeds(operation),
    ...rowsBy(operation, 'rows', SALES_FIELDS),
    filteredPart: filteredName,
    // Rows without a figure contain no sales that could change.
    size: ({ folds }) => folds.rows.rows.filter((row) => SALES_FIGURES.some((field) => isValue(row[field]))).length,
  });

export const namesStable = stableRule({
  id: 'D.metadata-stable',
  statement: 'D.metadata',
  demands: 'The metadata lists the same names when it is requested again.',
  subjects: [PERFORMANCE_METADATA],
  needs: () => METADATA_NAMES,
  ...rowsBy(PERFORMANCE_METADATA, 'names', SALES_FILTERS),
});

export const filtersStable = stableDrawRule({
  id: 'D.filters-stable',
  statement: 'D.filters',
  demands: 'The results of a filter are the same each time, whatever filter was requested before.',
  looksLike: 'A cache with one copy per content coding may lag for one of them, which is legal, too.',
  subjects: PERFORMANCE_OPERATIONS,
  needs: (subject) => {
    const filter = ownFilterOf(subject);
    return needsOf(subject, 'request', 'rows', `inputs.${filter}`, `fields.${filter}`);
  },
  draw: 'repeatedFilters',
  sharesFirst: true,
  of: 'names',
  source: (subject, declarations) => ({
    step: filterValuesStep(declarations, subject, ownFilterOf(subject)),
    fold: 'rows',
    as: { [ownFilterOf(subject)]: ownFilterOf(subject) },
    choose: chooseSpecialNames(ownFilterOf(subject)),
  }),
  request: (operation) => step({ operation, accepts: 'response', folds: comparedRows(SALES_FIELDS) }),
  defect: dropRow,
  isFound: (reading) => countContent(reading) > 0,
});

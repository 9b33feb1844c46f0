/**
 * The four filters: section 4.4. “Names” are the values of a filter, such as brand names. `accepts` and `each` are
 * explained in `src/rule/step.ts`, `repeat`, `counterexample` and the nested lists of `needs` in `src/rule/types.ts`; the
 * other words are in the glossary of ARCHITECTURE.md.
 */

import { type OperationKey, PERFORMANCE_OPERATIONS, SALES_FILTERS } from '../../src/contract/index.ts';
import { chooseSpecialNames, normaliseName } from '../../src/rule/choose-names.ts';
import {
  collect,
  type Declarations,
  defineRule,
  dropRow,
  editRow,
  everyRow,
  evidenceOf,
  type Finding,
  failed,
  inconclusive,
  judgeRowFailures,
  type Need,
  onlyReading,
  openingOf,
  passed,
  type Row,
  type Rule,
  respondWith,
  type Step,
  type Steps,
  step,
  untested,
} from '../../src/rule/index.ts';
import { judgeServerErrors } from '../../src/rule/judge-server-errors.ts';
import {
  type Filter,
  filtersInRows,
  filterValuesStep,
  MAX_COMPARED_ROWS,
  missingRows,
  rowIdentity,
} from '../../src/rule/performance-rows.ts';

export function filterRules(filter: Filter): readonly Rule[] {
  const slug = filter.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const needs = (subject: OperationKey): Need[] => [
    openingOf(subject, 'request'),
    openingOf(subject, 'rows'),
    openingOf(subject, `inputs.${filter}`),
    openingOf(subject, `fields.${filter}`),
  ];
  const matching = everyRow(`in-${filter}`, (row, inputs) => {
    const actual = row[filter];
    const requested = inputs[filter];
    if (typeof actual !== 'string' || requested === undefined) return undefined;
    return (
      normaliseName(actual) === normaliseName(String(requested)) || {
        kind: `other-${filter}`,
        message: `${filter} is ${JSON.stringify(actual)}; requested: ${JSON.stringify(requested)}`,
      }
    );
  });
  const filteredStep = (subject: OperationKey, declarations: Declarations) =>
    step({
      operation: subject,
      each: {
        from: 'values',
        fold: 'rows',
        as: { [filter]: filter },
        max: declarations.draw('salesFilters'),
        of: 'names',
        choose: chooseSpecialNames(filter),
      },
      accepts: 'complete',
      folds: { matching, rows: collect(SALES_FILTERS, MAX_COMPARED_ROWS) },
    });
  return [
    defineRule({
      id: `D.filter-${slug}-sound`,
      statement: 'D.filters',
      basis: 'stated',
      since: '0.1.0',
      demands: `Results filtered by ${filter} name contain only rows of that ${filter}.`,
      how: 'Some names are requested, those with special characters first; every row must have the requested name.',
      subjects: PERFORMANCE_OPERATIONS,
      needs,
      probe: (subject, declarations) => ({
        values: filterValuesStep(declarations, subject, filter),
        filtered: filteredStep(subject, declarations),
      }),
      counterexample: (seen) => ({ filtered: editRow(seen.filtered, { [filter]: 'Another' }) }),
      judge: (seen) =>
        judgeRowFailures(seen.filtered, (reading) => reading.folds.matching, `only rows of the requested ${filter}`),
    }),
    defineRule({
      id: `D.filter-${slug}-complete`,
      statement: 'D.filters',
      basis: 'derived',
      since: '0.1.0',
      demands: `Results filtered by ${filter} name contain every row of that ${filter}.`,
      how: 'The filtered response must contain the rows of that name in the unfiltered response. Rows are identified by the filter values that they contain. It is judged only if the rows of both responses are split by the same dimensions.',
      subjects: PERFORMANCE_OPERATIONS,
      needs,
      repeat: 'pass',
      probe: (subject, declarations) => ({
        values: filterValuesStep(declarations, subject, filter),
        all: step({
          operation: subject,
          accepts: 'complete',
          folds: { rows: collect(SALES_FILTERS, MAX_COMPARED_ROWS) },
        }),
        filtered: filteredStep(subject, declarations),
      }),
      counterexample: (seen) => ({ filtered: dropRow(seen.filtered) }),
      judge(seen, { subject, declarations }) {
        const fields = filtersInRows(declarations, subject);
        const all = onlyReading(seen.all).folds.rows;
        if (!all.complete || seen.filtered.some((reading) => !reading.folds.rows.complete))
          return inconclusive('there are too many rows to compare');
        let compared = 0;
        let hasOtherGrain = false;
        const findings = seen.filtered.flatMap((reading): Finding[] => {
          const expectedRows = all.rows.filter(
            (row) =>
              typeof row[filter] === 'string' &&
              normaliseName(row[filter]) === normaliseName(String(reading.inputs[filter])),
          );
          const missing = missingRows(expectedRows, reading.folds.rows.rows, fields, [filter]);
          if (!missing) {
            hasOtherGrain = true;
            return [];
          }
          compared += expectedRows.length;
          if (missing.length === 0) return [];
          return [
            {
              kind: 'missing-rows',
              expected: `all ${expectedRows.length} rows of ${filter} ${JSON.stringify(reading.inputs[filter])}`,
              actual: `${missing.length} rows are missing, e.g. ${rowIdentity(missing[0] as Row, fields)}`,
              exchange: reading.exchange,
            },
          ];
        });
        if (findings.length > 0) return failed(findings);
        if (compared === 0)
          return untested(
            hasOtherGrain
              ? 'the filtered rows are split by other dimensions than the unfiltered rows'
              : 'the unfiltered response contains no row of the requested names',
          );
        return passed({ ...evidenceOf(seen.filtered), rows: compared });
      },
    }),
  ];
}

/** Prefix of the names of the steps with a filter. */
const FILTERED = 'filtered';

export const filtersWithoutServerErrors = defineRule<Steps>({
  id: 'D.filters-answered',
  statement: 'D.filters',
  basis: 'profile',
  since: '0.1.0',
  demands: 'Results can be filtered by every available name.',
  how: 'Some names of each kind are requested, those with special characters first. The rule fails if one gets 500 or 501 each time while others get 2xx.',
  subjects: PERFORMANCE_OPERATIONS,
  needs: (subject) => [
    openingOf(subject, 'request'),
    openingOf(subject, 'rows'),
    SALES_FILTERS.map((filter) => openingOf(subject, `inputs.${filter}`)),
    SALES_FILTERS.map((filter) => openingOf(subject, `fields.${filter}`)),
  ],
  repeat: 'inconclusive',
  probe(subject, declarations) {
    const usable = filtersInRows(declarations, subject).filter((each) =>
      declarations.isFilled(openingOf(subject, `inputs.${each}`)),
    );
    return Object.fromEntries(
      usable.flatMap((filter): [string, Step][] => [
        [`values ${filter}`, filterValuesStep(declarations, subject, filter)],
        [
          `${FILTERED} ${filter}`,
          step({
            operation: subject,
            each: {
              from: `values ${filter}`,
              fold: 'rows',
              as: { [filter]: filter },
              max: declarations.draw('salesFilters'),
              of: 'names',
              choose: chooseSpecialNames(filter),
            },
            accepts: 'response',
          }),
        ],
      ]),
    );
  },
  counterexample(seen) {
    const [name = '', filtered = []] = Object.entries(seen).find(([each]) => each.startsWith(FILTERED)) ?? [];
    return { [name]: [...respondWith(filtered, 500), ...filtered] };
  },
  judge: (seen) =>
    judgeServerErrors(Object.entries(seen).flatMap(([name, readings]) => (name.startsWith(FILTERED) ? readings : []))),
});

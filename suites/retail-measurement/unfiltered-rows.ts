/** The unfiltered response contains the rows of the filtered ones: section 4.4. */
import { type OperationKey, ownFilterOf, SALES_FILTERS } from '../../src/contract/index.ts';
import { chooseSpecialNames } from '../../src/rule/choose-names.ts';
import {
  addRow,
  collect,
  defineRule,
  evidenceOf,
  type Finding,
  failed,
  inconclusive,
  onlyReading,
  openingOf,
  passed,
  type Row,
  type Rule,
  step,
  untested,
} from '../../src/rule/index.ts';
import {
  filtersInRows,
  filterValuesStep,
  MAX_COMPARED_ROWS,
  rowGrain,
  rowIdentity,
} from '../../src/rule/performance-rows.ts';

/** A rule: the unfiltered response contains the rows of each filtered one. */
export function filteredWithinAll(
  subject: OperationKey,
  id: string,
  statement: 'D.category-performance' | 'D.brand-performance',
): Rule {
  const filter = ownFilterOf(subject);
  return defineRule({
    id,
    statement,
    basis: 'derived',
    since: '0.1.0',
    demands: 'The unfiltered response contains every row of a filtered response.',
    how: 'The unfiltered response must contain the rows of the responses filtered by some names, compared by their identifying names. It is judged only if the rows of both have the same grain.',
    subjects: [subject],
    needs: () => [
      openingOf(subject, 'request'),
      openingOf(subject, 'rows'),
      openingOf(subject, `inputs.${filter}`),
      openingOf(subject, `fields.${filter}`),
    ],
    repeat: 'pass',
    probe: (_subject, declarations) => ({
      values: filterValuesStep(declarations, subject, filter),
      all: step({
        operation: subject,
        accepts: 'complete',
        folds: { rows: collect(SALES_FILTERS, MAX_COMPARED_ROWS) },
      }),
      filtered: step({
        operation: subject,
        each: {
          from: 'values',
          fold: 'rows',
          as: { [filter]: filter },
          max: declarations.draw('salesFilters'),
          of: 'names',
          choose: chooseSpecialNames(filter),
        },
        accepts: 'content',
        folds: { rows: collect(SALES_FILTERS, MAX_COMPARED_ROWS) },
      }),
    }),
    counterexample: (seen) => ({ filtered: addRow(seen.filtered, { subCategory: 'Another' }) }),
    judge(seen, { declarations }) {
      const fields = filtersInRows(declarations, subject);
      const all = onlyReading(seen.all).folds.rows;
      if (!all.complete) return inconclusive('there are too many rows to compare');
      const grains = new Set(all.rows.map((row) => rowGrain(row, fields)));
      const identities = new Set(all.rows.map((row) => rowIdentity(row, fields)));
      let compared = 0;
      const findings = seen.filtered.flatMap((reading): Finding[] => {
        // An unfiltered response without a row has no grain that could differ.
        const rows = reading.folds.rows.rows.filter((row) => grains.size === 0 || grains.has(rowGrain(row, fields)));
        compared += rows.length;
        const missing = rows.filter((row) => !identities.has(rowIdentity(row, fields)));
        if (missing.length === 0) return [];
        return [
          {
            kind: 'missing-rows',
            expected: `the unfiltered response contains every row of ${filter} ${JSON.stringify(reading.inputs[filter])}`,
            actual: `${missing.length} rows are missing, e.g. ${rowIdentity(missing[0] as Row, fields)}`,
            exchange: reading.exchange,
          },
        ];
      });
      if (findings.length > 0) return failed(findings);
      return compared === 0
        ? untested('no filtered response has a row of the same grain as the unfiltered one')
        : passed({ ...evidenceOf(seen.filtered), rows: compared });
    },
  });
}

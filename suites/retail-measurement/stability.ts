/** The sales of one data week are the same when they are requested again: sections 4.4 and 8. */
import {
  BRAND_PERFORMANCE,
  CATEGORY_PERFORMANCE,
  operationOf,
  SALES_FIGURES,
  SALES_FILTERS,
} from '../../src/contract/index.ts';
import { collect, isValue, type Reading, type Rule, step } from '../../src/rule/index.ts';
import { stableRule } from '../../src/rule/stable-rule.ts';

const figures = { rows: collect([...SALES_FILTERS, ...SALES_FIGURES], 100_000) };

type Figures = Reading<typeof figures>;

/** Describes the first row, with names and figures, that only one of two readings contains; undefined if both are equal. */
function compareFigures(first: Figures, second: Figures): string | undefined {
  const sortedRows = ({ folds }: Figures) => folds.rows.rows.map((row) => JSON.stringify(row)).sort();
  const [before, after] = [sortedRows(first), sortedRows(second)];
  const at = before.findIndex((row, index) => row !== after[index]);
  if (at < 0 && before.length === after.length) return undefined;
  return `${before.length} rows, then ${after.length}; e.g. ${before[at] ?? 'no row'}, then ${after[at < 0 ? before.length : at] ?? 'no row'}`;
}

const figuresStable = (subject: typeof CATEGORY_PERFORMANCE | typeof BRAND_PERFORMANCE, id: string): Rule => {
  const { name } = operationOf(subject);
  return stableRule({
    id,
    statement: 'D.windows',
    demands: 'The sales of one data week are the same when they are requested again.',
    subject,
    needs: [`${name}.request`, `${name}.rows`],
    lists: { rows: step({ operation: subject, accepts: 'complete', folds: figures }) },
    compare: compareFigures,
    // Rows without a figure contain no sales that could change.
    size: ({ folds }) => folds.rows.rows.filter((row) => SALES_FIGURES.some((field) => isValue(row[field]))).length,
  });
};

export const categorySalesStable = figuresStable(CATEGORY_PERFORMANCE, 'D.category-sales-stable');

export const brandSalesStable = figuresStable(BRAND_PERFORMANCE, 'D.brand-sales-stable');

/** The sales of one data week are the same when they are asked for again: sections 4.4 and 8. */
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

/** The rows, names and figures, that only one of two readings shows. */
function compareFigures(first: Figures, second: Figures): string | undefined {
  const told = ({ folds }: Figures) => folds.rows.rows.map((row) => JSON.stringify(row)).sort();
  const [before, after] = [told(first), told(second)];
  const at = before.findIndex((row, index) => row !== after[index]);
  if (at < 0 && before.length === after.length) return undefined;
  return `${before.length} rows, then ${after.length}; e.g. ${before[at] ?? 'nothing'} against ${after[at < 0 ? before.length : at] ?? 'nothing'}`;
}

const figuresStable = (subject: typeof CATEGORY_PERFORMANCE | typeof BRAND_PERFORMANCE, id: string): Rule => {
  const { name } = operationOf(subject);
  return stableRule({
    id,
    statement: 'D.windows',
    demands: 'The sales of one data week are the same when they are asked for again.',
    subject,
    needs: [`${name}.request`, `${name}.rows`],
    lists: { rows: step({ operation: subject, wants: 'whole', folds: figures }) },
    compare: compareFigures,
    // Rows without a figure hold no sales that could have changed.
    size: ({ folds }) => folds.rows.rows.filter((row) => SALES_FIGURES.some((field) => isValue(row[field]))).length,
  });
};

export const categorySalesStable = figuresStable(CATEGORY_PERFORMANCE, 'D.category-sales-stable');

export const brandSalesStable = figuresStable(BRAND_PERFORMANCE, 'D.brand-sales-stable');

/** Total rows of sales, which a list may contain besides its other rows. */
import type { SALES_FILTERS } from '../../src/contract/index.ts';
import { percentChange } from './sales.ts';
import type { PerformanceRow } from './types.ts';

/** One row for each combination of these names: the sums of the rows with them. */
export function salesTotals(
  rows: readonly PerformanceRow[],
  names: readonly (typeof SALES_FILTERS)[number][],
): PerformanceRow[] {
  const sum = (
    parts: readonly PerformanceRow[],
    name: 'sales4Weeks' | 'sales12Weeks' | 'sales52Weeks' | 'salesLastYear',
  ) => Math.round(parts.reduce((total, row) => total + (typeof row[name] === 'number' ? row[name] : 0), 0) * 100) / 100;
  return [...Map.groupBy(rows, (row) => JSON.stringify(names.map((name) => row[name]))).values()].map((parts) => {
    const first = parts[0] as PerformanceRow;
    const total = {
      sales4Weeks: sum(parts, 'sales4Weeks'),
      sales12Weeks: sum(parts, 'sales12Weeks'),
      sales52Weeks: sum(parts, 'sales52Weeks'),
      salesLastYear: sum(parts, 'salesLastYear'),
    };
    const own = Object.fromEntries(names.flatMap((name) => (name in first ? [[name, first[name]]] : [])));
    return {
      ...own,
      market: first.market,
      ...total,
      percentChange: percentChange(total.sales52Weeks, total.salesLastYear),
    };
  });
}

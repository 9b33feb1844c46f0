/** Keeps a bounded number of rows, spread evenly over a list of unknown length. */
import type { Row } from '../../../reading/types.ts';

const MAX_ROWS = 2000;

/** @example const sample = sampledRows(); sample.add(row, index); sample.rows() */
export function sampledRows(): { add(row: Row, index: number): void; rows(): readonly Row[] } {
  let [kept, stride]: [Row[], number] = [[], 1];
  return {
    add(row, index) {
      if (index % stride !== 0) return;
      kept.push(row);
      if (kept.length < MAX_ROWS) return;
      kept = kept.filter((_, at) => at % 2 === 0);
      stride *= 2;
    },
    rows: () => kept,
  };
}

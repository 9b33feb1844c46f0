/** A fold of the dates of the products of a list, in memory of a few bytes per row. */
import type { Field } from '../contract/index.ts';
import { Unconverted } from '../reading/types.ts';
import type { Fold } from './fold.ts';
import { withRoom } from './listed-values.ts';
import { asUpc } from './upc-set.ts';

const ABSENT = -(2 ** 31);
const UNREADABLE = ABSENT + 1;

/** A date of a row: a day number, undefined if the row has none, or null if it cannot be converted. */
export type DateCell = number | undefined | null;

export interface ProductDates {
  /** Visits each row that has a UPC; the dates are in the order of the fields. */
  visit(each: (upc: string, dates: readonly DateCell[]) => void): void;
  /** The newest of all dates; undefined if there is none. */
  readonly newest: number | undefined;
}

/** The dates of each row with a UPC. */
export function productDates(fields: readonly Field[]): Fold<ProductDates> {
  return {
    key: `productDates:${fields.join()}`,
    start() {
      let upcs = new Float64Array(64);
      let days = new Int32Array(64);
      let [rows, cells] = [0, 0];
      let newest: number | undefined;
      return {
        row(row) {
          if (typeof row.upc !== 'string') return;
          upcs = withRoom(upcs, rows);
          upcs[rows++] = Number(row.upc);
          for (const field of fields) {
            const cell = row[field];
            days = withRoom(days, cells);
            days[cells++] = typeof cell === 'number' ? cell : cell instanceof Unconverted ? UNREADABLE : ABSENT;
            if (typeof cell === 'number' && (newest === undefined || cell > newest)) newest = cell;
          }
        },
        done: () => ({
          newest,
          visit(each) {
            for (let at = 0; at < rows; at++) {
              const dates: DateCell[] = [];
              for (let cell = at * fields.length; cell < (at + 1) * fields.length; cell++) {
                const day = days[cell] as number;
                dates.push(day === ABSENT ? undefined : day === UNREADABLE ? null : day);
              }
              each(asUpc(upcs[at] as number), dates);
            }
          },
        }),
      };
    },
  };
}

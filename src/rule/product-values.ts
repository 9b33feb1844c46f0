/** Folds of the values of products by UPC, in memory of a few bytes per row. */
import type { Field } from '../contract/index.ts';
import { type Cell, type Row, Unconverted } from '../reading/types.ts';
import { normaliseName } from './choose-names.ts';
import type { Fold } from './fold.ts';
import { seededHash } from './seeded-hash.ts';
import { asUpc } from './upc-set.ts';

/**
 * The texts of a value: equal values have equal texts. Texts may differ in case and white space; a list has one text per
 * node. Empty for a value that is missing or was not converted; a blank is missing.
 */
export function comparableTexts(value: Cell): string[] {
  if (value instanceof Unconverted) return [];
  if (typeof value === 'string') return isBlank(value) ? [] : [normaliseName(value)];
  if (typeof value === 'number') return [String(value)];
  if (!Array.isArray(value)) return [];
  const nodes = value.map(withoutBlanks).filter((node) => node !== undefined);
  return nodes.map((node) => JSON.stringify(typeof node === 'string' ? normaliseName(node) : node));
}

const isBlank = (node: unknown): boolean => node === undefined || node === null || String(node).trim() === '';

/** A node of a list without its blank members; undefined if it is blank, or if only the name of a blank is left. */
function withoutBlanks(node: unknown): unknown {
  if (typeof node !== 'object' || node === null) return isBlank(node) ? undefined : node;
  const members = Object.entries(node);
  const kept = members.filter(([, member]) => !isBlank(member));
  if (kept.length === members.length) return node;
  return kept.length < 2 ? undefined : Object.fromEntries(kept);
}

/** No value, or one that was not converted. */
const NONE = 0;

/** The hash of a value; the order of a list has no meaning. */
function hashOf(row: Row, field: Field): number {
  const texts = comparableTexts(row[field]);
  return texts.length === 0 ? NONE : seededHash(texts.sort().join('\n'), 1) || 1;
}

/** A product that has another value in one list than in the other. */
interface ValueDifference {
  readonly upc: string;
  readonly field: Field;
  readonly row: number;
}

interface ListedValues {
  /** The number of rows with a UPC. */
  readonly rows: number;
  /**
   * The rows whose product has no row with an equal value in the other list; values that one of both lacks are equal.
   * Products that changed on the as-of date or after it are left out: one of the lists may show that already.
   */
  differencesFrom(other: ListedValues, asOf?: number): ValueDifference[];
  /** The hashes of a field in the rows of a product, 0 for a row without such a value or that changed from a day on. */
  hashesOf(upc: number, field: number, from: number): readonly number[];
}

/** A typed array with room for one more value: twice as long when it is full. */
const withRoom = <T extends Float64Array | Int32Array | Uint32Array>(array: T, size: number): T => {
  if (size < array.length) return array;
  const Kind = array.constructor as new (buffer: ArrayBuffer) => T;
  return new Kind((array.buffer as ArrayBuffer).transfer(array.byteLength * 2));
};

/** The latest of the dates that may be after the as-of date of a list that is updated meanwhile. */
const latestOf = ({ changedOn, firstActiveOn }: Row): number =>
  Math.max(...[changedOn, firstActiveOn].map((date) => (typeof date === 'number' ? date : Number.NEGATIVE_INFINITY)));

/** The values of the rows of a list, by UPC. */
export function listedValues(fields: readonly Field[]): Fold<ListedValues> {
  return {
    key: `listedValues:${fields.join()}`,
    start() {
      let upcs = new Float64Array(64);
      let indexes = new Uint32Array(64);
      let hashes = new Uint32Array(64);
      let latest = new Float64Array(64);
      let rows = 0;
      let byUpc: Uint32Array | undefined;
      /** The places of the rows, sorted by their UPC. */
      const sorted = (): Uint32Array => {
        byUpc ??= Uint32Array.from({ length: rows }, (_, at) => at).sort(
          (one, other) => (upcs[one] as number) - (upcs[other] as number),
        );
        return byUpc;
      };
      return {
        row(row, index) {
          if (typeof row.upc !== 'string') return;
          upcs = withRoom(upcs, rows);
          indexes = withRoom(indexes, rows);
          latest = withRoom(latest, rows);
          upcs[rows] = Number(row.upc);
          indexes[rows] = index;
          latest[rows] = latestOf(row);
          for (const [at, field] of fields.entries()) {
            hashes = withRoom(hashes, rows * fields.length + at);
            hashes[rows * fields.length + at] = hashOf(row, field);
          }
          rows++;
        },
        done: () => ({
          rows,
          hashesOf(upc, field, from) {
            const order = sorted();
            let low = 0;
            for (let high = rows; low < high; ) {
              const middle = (low + high) >>> 1;
              if ((upcs[order[middle] as number] as number) < upc) low = middle + 1;
              else high = middle;
            }
            const found: number[] = [];
            for (; low < rows && upcs[order[low] as number] === upc; low++) {
              const at = order[low] as number;
              found.push((latest[at] as number) < from ? (hashes[at * fields.length + field] as number) : NONE);
            }
            return found;
          },
          differencesFrom(other, asOf = Number.POSITIVE_INFINITY) {
            const differences: ValueDifference[] = [];
            for (let at = 0; at < rows; at++)
              for (const [place, field] of fields.entries()) {
                const own = hashes[at * fields.length + place] as number;
                if (own === NONE || (latest[at] as number) >= asOf) continue;
                const others = other.hashesOf(upcs[at] as number, place, asOf);
                if (others.length === 0 || others.some((hash) => hash === own || hash === NONE)) continue;
                const upc = String(upcs[at]).padStart(12, '0');
                differences.push({ upc, field, row: indexes[at] as number });
              }
            return differences;
          },
        }),
      };
    },
  };
}

const ABSENT = -(2 ** 31);
const UNREADABLE = ABSENT + 1;

/** A date of a row: a day number, undefined if the row has none, or null if it cannot be converted. */
export type DateCell = number | undefined | null;

interface ProductDates {
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

/** Folds of the values of products by UPC, in memory of a few bytes per row. */

import type { Field } from '../contract/index.ts';
import { type Cell, type Row, Unconverted } from '../reading/types.ts';
import { normaliseName } from './choose-names.ts';
import { seededHash } from './draws.ts';
import { fold } from './index.ts';
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

/** A list of numbers in a typed array that doubles when it is full. */
class Numbers<T extends Float64Array | Int32Array | Uint32Array> {
  length = 0;
  #array: T;

  constructor(array: T) {
    this.#array = array;
  }

  push(value: number): void {
    if (this.length === this.#array.length) {
      const Kind = this.#array.constructor as new (buffer: ArrayBuffer) => T;
      this.#array = new Kind(
        (this.#array.buffer as ArrayBuffer).transfer(Math.max(64, this.length * 2) * this.#array.BYTES_PER_ELEMENT),
      );
    }
    this.#array[this.length++] = value;
  }

  at(index: number): number {
    return this.#array[index] as number;
  }
}

/** The latest of the dates that may be after the as-of date of a list that is updated meanwhile. */
const latestOf = ({ changedOn, firstActiveOn }: Row): number =>
  Math.max(...[changedOn, firstActiveOn].map((date) => (typeof date === 'number' ? date : Number.NEGATIVE_INFINITY)));

/** The values of the rows of a list, by UPC. */
export const listedValues = (fields: readonly Field[]) =>
  fold(
    `listedValues:${fields.join()}`,
    () => ({
      upcs: new Numbers(new Float64Array()),
      indexes: new Numbers(new Uint32Array()),
      hashes: new Numbers(new Uint32Array()),
      latest: new Numbers(new Float64Array()),
    }),
    ({ upcs, indexes, hashes, latest }, row, index) => {
      if (typeof row.upc !== 'string') return;
      upcs.push(Number(row.upc));
      indexes.push(index);
      latest.push(latestOf(row));
      for (const field of fields) hashes.push(hashOf(row, field));
    },
    ({ upcs, indexes, hashes, latest }): ListedValues => {
      const rows = upcs.length;
      let byUpc: Uint32Array | undefined;
      /** The places of the rows, sorted by their UPC. */
      const sorted = (): Uint32Array => {
        byUpc ??= Uint32Array.from({ length: rows }, (_, at) => at).sort((one, other) => upcs.at(one) - upcs.at(other));
        return byUpc;
      };
      return {
        rows,
        hashesOf(upc, field, from) {
          const order = sorted();
          let low = 0;
          for (let high = rows; low < high; ) {
            const middle = (low + high) >>> 1;
            if (upcs.at(order[middle] as number) < upc) low = middle + 1;
            else high = middle;
          }
          const found: number[] = [];
          for (; low < rows && upcs.at(order[low] as number) === upc; low++) {
            const at = order[low] as number;
            found.push(latest.at(at) < from ? hashes.at(at * fields.length + field) : NONE);
          }
          return found;
        },
        differencesFrom(other, asOf = Number.POSITIVE_INFINITY) {
          const differences: ValueDifference[] = [];
          for (let at = 0; at < rows; at++)
            for (const [place, field] of fields.entries()) {
              const own = hashes.at(at * fields.length + place);
              if (own === NONE || latest.at(at) >= asOf) continue;
              const others = other.hashesOf(upcs.at(at), place, asOf);
              if (others.length === 0 || others.some((hash) => hash === own || hash === NONE)) continue;
              differences.push({ upc: asUpc(upcs.at(at)), field, row: indexes.at(at) });
            }
          return differences;
        },
      };
    },
  );

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
export const productDates = (fields: readonly Field[]) =>
  fold(
    `productDates:${fields.join()}`,
    () => ({ upcs: new Numbers(new Float64Array()), days: new Numbers(new Int32Array()), newest: ABSENT }),
    (all, row) => {
      if (typeof row.upc !== 'string') return;
      all.upcs.push(Number(row.upc));
      for (const field of fields) {
        const cell = row[field];
        all.days.push(typeof cell === 'number' ? cell : cell instanceof Unconverted ? UNREADABLE : ABSENT);
        if (typeof cell === 'number') all.newest = Math.max(all.newest, cell);
      }
    },
    ({ upcs, days, newest }): ProductDates => ({
      newest: newest === ABSENT ? undefined : newest,
      visit(each) {
        for (let at = 0; at < upcs.length; at++) {
          const dates = fields.map((_, place): DateCell => {
            const day = days.at(at * fields.length + place);
            return day === ABSENT ? undefined : day === UNREADABLE ? null : day;
          });
          each(asUpc(upcs.at(at)), dates);
        }
      },
    }),
  );

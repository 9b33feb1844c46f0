/** Folds reduce the rows of a list to what a rule needs while the body arrives. Their memory is bounded for any length. */
import type { Field } from '../contract/index.ts';
import { cutText } from '../exchange/cut-text.ts';
import type { Inputs } from '../profile/template.ts';
import { type Cell, type Row, Unconverted } from '../reading/types.ts';
import { UpcSet } from './upc-set.ts';

export interface Fold<T> {
  /** Folds with equal keys run once over the same rows. */
  readonly key: string;
  start(inputs: Inputs): { row(row: Row, index: number): void; done(): T };
}

export type FoldMap = { readonly [name: string]: Fold<unknown> };
export type FoldResults<F extends FoldMap> = { readonly [N in keyof F]: F[N] extends Fold<infer T> ? T : never };

/** Whether a cell is a value: found, not null, converted. */
export const isValue = (cell: Cell): cell is string | number | readonly unknown[] =>
  typeof cell === 'string' ||
  typeof cell === 'number' ||
  (cell !== undefined && cell !== null && !(cell instanceof Unconverted));

export interface BreachAt {
  readonly index: number;
  readonly message: string;
}

export interface Tally {
  /** Number of rows. */
  readonly rows: number;
  readonly values: number;
  readonly nulls: number;
  readonly missing: number;
  readonly unconverted: number;
  /** The rows of the first gaps (missing, null) and the first unconverted values. */
  readonly firstGaps: readonly BreachAt[];
  readonly firstUnconverted: readonly BreachAt[];
  /** Number of different values, counted up to a limit. */
  readonly distinct: number;
}

const MAX_SHOWN = 5;
const DISTINCT_BOUND = 1000;

/** A value as JSON, cut to 80 characters. */
export function showValue(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? cutText(text, 77) : text;
}

/** Counts values and gaps of a field. `excuse` defines legal gaps (a null percentage where last year is zero). */
export function tally(
  field: Field,
  allowedGap?: { readonly name: string; readonly legal: (row: Row) => boolean },
): Fold<Tally> {
  return {
    key: `tally:${field}:${allowedGap?.name ?? ''}`,
    start() {
      let [rows, values, nulls, missing, unconverted] = [0, 0, 0, 0, 0];
      const firstGaps: BreachAt[] = [];
      const firstUnconverted: BreachAt[] = [];
      const distinct = new Set<unknown>();
      return {
        row(row, index) {
          rows++;
          const cell = row[field];
          if (isValue(cell)) {
            values++;
            if (distinct.size < DISTINCT_BOUND) distinct.add(cell);
            return;
          }
          // Where a value cannot exist, a text such as “n/a” is legal, too.
          if (allowedGap?.legal(row)) return;
          if (cell instanceof Unconverted) {
            unconverted++;
            if (firstUnconverted.length < MAX_SHOWN)
              firstUnconverted.push({
                index,
                message: `row ${index}: ${field} is ${showValue(cell.raw)}: ${cell.why}`,
              });
          } else {
            if (cell === null) nulls++;
            else missing++;
            if (firstGaps.length < MAX_SHOWN)
              firstGaps.push({ index, message: `row ${index}: ${field} is ${cell === null ? 'null' : 'missing'}` });
          }
        },
        done: () => ({
          rows,
          values,
          nulls,
          missing,
          unconverted,
          firstGaps,
          firstUnconverted,
          distinct: distinct.size,
        }),
      };
    },
  };
}

/** The UPCs of a list. Values that are no UPC are counted in `unread`. */
export const upcs: Fold<UpcSet> = {
  key: 'upcs',
  start() {
    const keys = new UpcSet();
    return {
      row(row) {
        if (typeof row.upc === 'string') keys.add(row.upc);
        else keys.unread++;
      },
      done: () => keys,
    };
  },
};

/** The UPCs of a list, grouped by a text field. */
export function upcsBy(field: Field): Fold<ReadonlyMap<string, UpcSet>> {
  return {
    key: `upcsBy:${field}`,
    start() {
      const groups = new Map<string, UpcSet>();
      return {
        row(row) {
          const group = row[field];
          if (typeof row.upc !== 'string' || typeof group !== 'string') return;
          let keys = groups.get(group);
          if (!keys) {
            keys = new UpcSet();
            groups.set(group, keys);
          }
          keys.add(row.upc);
        },
        done: () => groups,
      };
    },
  };
}

/** The UPCs of the rows without a text in a field, which `upcsBy` omits. */
export function upcsWithout(field: Field): Fold<UpcSet> {
  return {
    key: `upcsWithout:${field}`,
    start() {
      const keys = new UpcSet();
      return {
        row(row) {
          if (typeof row.upc === 'string' && typeof row[field] !== 'string') keys.add(row.upc);
        },
        done: () => keys,
      };
    },
  };
}

/** The number of rows for each text of a field, for up to `bound` different texts. */
export function texts(
  field: Field,
  bound = 100_000,
): Fold<{ readonly counts: ReadonlyMap<string, number>; readonly complete: boolean }> {
  return {
    key: `texts:${field}:${bound}`,
    start() {
      // A mutable counter avoids a second look-up of the text.
      const counters = new Map<string, { count: number }>();
      let complete = true;
      return {
        row(row) {
          const cell = row[field];
          if (typeof cell !== 'string') return;
          const counter = counters.get(cell);
          if (counter) counter.count++;
          else if (counters.size < bound) counters.set(cell, { count: 1 });
          else complete = false;
        },
        done: () => ({ counts: new Map([...counters].map(([text, { count }]) => [text, count])), complete }),
      };
    },
  };
}

export interface Extent {
  readonly values: number;
  readonly least?: { readonly value: number; readonly index: number };
  readonly greatest?: { readonly value: number; readonly index: number };
}

/** The least and the greatest number or day of a field, with their rows. */
export function extent(field: Field): Fold<Extent> {
  return {
    key: `extent:${field}`,
    start() {
      let values = 0;
      let least: Extent['least'];
      let greatest: Extent['greatest'];
      return {
        row(row, index) {
          const value = row[field];
          if (typeof value !== 'number') return;
          values++;
          if (!least || value < least.value) least = { value, index };
          if (!greatest || value > greatest.value) greatest = { value, index };
        },
        done: () => ({ values, ...(least && { least }), ...(greatest && { greatest }) }),
      };
    },
  };
}

export interface Breaches {
  /** Number of checked rows. */
  readonly checked: number;
  readonly count: number;
  readonly first: readonly BreachAt[];
}

/** Checks each row. `check` returns true, undefined for a row without the values, or a sentence that states what is wrong. */
export function everyRow(name: string, check: (row: Row, inputs: Inputs) => true | string | undefined): Fold<Breaches> {
  return {
    key: `every:${name}`,
    start(inputs) {
      let checked = 0;
      let count = 0;
      const first: BreachAt[] = [];
      return {
        row(row, index) {
          const result = check(row, inputs);
          if (result === undefined) return;
          checked++;
          if (result === true) return;
          count++;
          if (first.length < MAX_SHOWN) first.push({ index, message: `row ${index}: ${result}` });
        },
        done: () => ({ checked, count, first }),
      };
    },
  };
}

/** The named fields of the rows, for up to `bound` rows. */
export function collect(
  fields: readonly Field[],
  bound = 50_000,
): Fold<{ readonly rows: readonly Row[]; readonly complete: boolean }> {
  return {
    key: `collect:${fields.join()}:${bound}`,
    start() {
      const rows: Row[] = [];
      let complete = true;
      return {
        row(row) {
          if (rows.length >= bound) complete = false;
          else rows.push(Object.fromEntries(fields.map((field) => [field, row[field]])));
        },
        done: () => ({ rows, complete }),
      };
    },
  };
}

export interface Repeats {
  /** Number of rows with enough of the identifying fields. */
  readonly checked: number;
  /** Number of rows with the identity of an earlier row, and the first such identities. */
  readonly count: number;
  readonly first: readonly string[];
  /** Whether all rows were compared. */
  readonly complete: boolean;
}

/** Maximum number of compared rows, which bounds the memory. */
const REPEATS_BOUND = 500_000;

/**
 * Rows that occur more than once: identified by the named fields, and by their `grain` where the profile reads one.
 *
 * @param least minimum number of fields that a compared row contains; default all
 */
export function repeats(fields: readonly Field[], least = fields.length): Fold<Repeats> {
  return {
    key: `repeats:${fields.join()}:${least}`,
    start() {
      const seen = new Set<string>();
      let [checked, count, complete] = [0, 0, true];
      const first: string[] = [];
      return {
        row(row) {
          const names = fields.map((field) => (isValue(row[field]) ? row[field] : null));
          if (names.filter((name) => name !== null).length < least) return;
          checked++;
          const identity = JSON.stringify(isValue(row.grain) ? [...names, row.grain] : names);
          if (seen.has(identity)) {
            count++;
            if (first.length < MAX_SHOWN) first.push(identity);
          } else if (seen.size < REPEATS_BOUND) seen.add(identity);
          else complete = false;
        },
        done: () => ({ checked, count, first, complete }),
      };
    },
  };
}

const HASH_START = 0x811c9dc5;

/** Continues an FNV-1a hash with a text. */
function continueHash(start: number, text: string): number {
  let hash = start;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

/** Mixes the bits of a hash, so that the smallest hashes are a uniform sample. */
function mixBits(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}

/** Collects the named fields of the rows with the smallest hashes. */
function sampler(max: number, fields: readonly Field[]) {
  let sample: { readonly hash: number; readonly row: Row }[] = [];
  let bound = max === 0 ? 0 : Number.POSITIVE_INFINITY;
  return {
    wants: (hash: number): boolean => hash < bound,
    add(hash: number, row: Row): void {
      const cut = Object.fromEntries(fields.map((field) => [field, row[field]]));
      sample = [...sample, { hash, row: cut }].sort((x, y) => x.hash - y.hash).slice(0, max);
      if (sample.length === max) bound = (sample.at(-1) as { readonly hash: number }).hash;
    },
    rows: () => sample,
  };
}

/**
 * A sample of up to `most` rows by hash, independent of the order of rows, with one row that matches `special` first.
 * Rows without one of the fields are omitted.
 */
export function sampleRows(
  fields: readonly Field[],
  max: number,
  special?: { readonly name: string; readonly is: (row: Row) => boolean },
): Fold<readonly Row[]> {
  return {
    key: `spread:${fields.join()}:${max}:${special?.name ?? ''}`,
    start() {
      const any = sampler(max, fields);
      const specials = sampler(special ? 1 : 0, fields);
      return {
        row(row) {
          let names = HASH_START;
          for (const field of fields) {
            const cell = row[field];
            if (!isValue(cell)) return;
            names = continueHash(~names, typeof cell === 'string' ? cell : JSON.stringify(cell));
          }
          const hash = mixBits(names);
          if (any.wants(hash)) any.add(hash, row);
          if (specials.wants(hash) && special?.is(row)) specials.add(hash, row);
        },
        done() {
          const chosen = [...specials.rows(), ...any.rows()];
          return chosen
            .filter((each, at) => chosen.findIndex((other) => other.hash === each.hash) === at)
            .slice(0, max)
            .map((each) => each.row);
        },
      };
    },
  };
}

/** A fold that samples rows: a uniform sample that is independent of their order, and a row of each stratum. */
import { type Field, UNSTRATIFIED_SEED } from '../contract/index.ts';
import type { Inputs } from '../profile/template.ts';
import type { Cell, Row } from '../reading/types.ts';
import { addToHash, mixBits, seededHash, startHash } from './draws.ts';
import { type Fold, isValue, pickFields } from './fold.ts';

/** What makes rows a stratum of their own. */
export interface Strata {
  /** A name for the key of the fold. */
  readonly name: string;
  /** Rows with a property, such as a UPC with leading zeros. */
  readonly special?: (row: Row) => boolean;
  /** The first, the middle and the last row: pages of a list may differ. */
  readonly positions?: true;
  /** The rows with the least and the greatest value of these fields, and one of the weeks before the last: a date is a day number. */
  readonly ends?: readonly Field[];
  /** One row of each value of the first of these fields that a row has. */
  readonly values?: readonly Field[];
}

/** A row that a sample may contain. */
interface Candidate {
  readonly hash: number;
  readonly row: Row;
}

/** The value whose stratum a row belongs to. */
function stratumOf(row: Row, { values = [] }: Strata): string | undefined {
  const cell = row[values.find((field) => isValue(row[field])) ?? 'category'];
  return values.length > 0 && typeof cell === 'string' ? cell : undefined;
}

/** The row of a stratum with the least order; of equal ones the one with the least hash. */
class LeastRow {
  candidate: Candidate | undefined;
  #order = Number.POSITIVE_INFINITY;

  offer(order: number, hash: number, row: Row): void {
    if (order > this.#order || (order === this.#order && hash >= (this.candidate?.hash ?? 0))) return;
    this.#order = order;
    this.candidate = { hash, row };
  }
}

const CHECKPOINTS = 16;

/** The last, the first and a middle row of a list of unknown length, with a constant number of rows in memory. */
function positionRows() {
  let checkpoints: Candidate[] = [];
  let [stride, count] = [1, 0];
  let last: Candidate | undefined;
  return {
    add(candidate: Candidate): void {
      last = candidate;
      if (count % stride === 0) checkpoints.push(candidate);
      count++;
      if (checkpoints.length < CHECKPOINTS * 2) return;
      checkpoints = checkpoints.filter((_, at) => at % 2 === 0);
      stride *= 2;
    },
    rows: () => [last, checkpoints[0], checkpoints[Math.floor(count / 2 / stride)]] as const,
  };
}

/** Lengths in days. A delta of 4 weeks lists products that the delta of 1 week lacks: those that changed between the two. */
const [WEEK, FOUR_WEEKS] = [7, 28];

/** A row of the weeks before the last one, counted from the newest date of the list; rows of at most 28 days are in memory. */
function earlierWeeks() {
  const rows = new Map<number, LeastRow>();
  let newest = Number.NEGATIVE_INFINITY;
  return {
    offer(day: number, hash: number, row: Row): void {
      if (day <= newest - FOUR_WEEKS) return;
      if (day > newest) {
        newest = day;
        for (const known of rows.keys()) if (known <= day - FOUR_WEEKS) rows.delete(known);
      }
      const least = rows.get(day) ?? new LeastRow();
      least.offer(0, hash, row);
      rows.set(day, least);
    },
    candidate(): Candidate | undefined {
      const earlier = [...rows].filter(([day]) => day <= newest - WEEK);
      return earlier.map(([, { candidate }]) => candidate).sort((x, y) => (x?.hash ?? 0) - (y?.hash ?? 0))[0];
    },
  };
}

/** The entries with the least orders, of at most `2 * max` in memory. */
function leastEntries<K, V>(max: number) {
  let known = new Map<K, { readonly order: number; readonly value: V }>();
  /** Entries with this order or a larger one are not needed. */
  let bound = max === 0 ? 0 : Number.POSITIVE_INFINITY;
  const sorted = () => [...known].sort(([, x], [, y]) => x.order - y.order);
  return {
    get: (key: K): V | undefined => known.get(key)?.value,
    /** Whether an entry may be among the least, and is not yet. */
    isNew: (key: K, order: number): boolean => order < bound && !known.has(key),
    add(key: K, order: number, value: V): void {
      known.set(key, { order, value });
      if (known.size < max * 2) return;
      const kept = sorted().slice(0, max);
      known = new Map(kept);
      bound = kept.at(-1)?.[1].order ?? 0;
    },
    /** The entries in their order, also those beyond `max` that are in memory. */
    entries: () => sorted().map(([key, { value }]) => [key, value] as const),
    least: (): V[] =>
      sorted()
        .slice(0, max)
        .map(([, { value }]) => value),
  };
}

/**
 * Collects one row of each stratum while a list arrives.
 * @param max the number of rows that are wanted
 */
function strataRows(strata: Strata, max: number, hashOf: (value: string) => number) {
  const special = new LeastRow();
  const positions = positionRows();
  const ends = (strata.ends ?? []).map((field) => ({
    field,
    least: new LeastRow(),
    greatest: new LeastRow(),
    earlier: earlierWeeks(),
  }));
  // Some of the values may be in the sample already.
  const values = leastEntries<string, LeastRow>(max * 4);
  return {
    add(hash: number, row: Row): void {
      if (strata.special?.(row)) special.offer(0, hash, row);
      if (strata.positions) positions.add({ hash, row });
      for (const { field, least, greatest, earlier } of ends) {
        const value = row[field];
        if (typeof value !== 'number') continue;
        least.offer(value, hash, row);
        greatest.offer(-value, hash, row);
        if (Number.isInteger(value)) earlier.offer(value, hash, row);
      }
      const value = stratumOf(row, strata);
      if (value === undefined) return;
      const known = values.get(value);
      known?.offer(0, hash, row);
      const order = known ? Number.POSITIVE_INFINITY : hashOf(value);
      if (!values.isNew(value, order)) return;
      const least = new LeastRow();
      least.offer(0, hash, row);
      values.add(value, order, least);
    },
    /**
     * The rows, the most telling stratum first.
     * @param hasValue whether the sample has a row of a value already
     */
    rows(hasValue: (value: string) => boolean): Candidate[] {
      const [last, ...others] = positions.rows();
      const newest = ends.map(({ greatest }) => greatest.candidate);
      const oldest = ends.map(({ least }) => least.candidate);
      const earlier = ends.map((each) => each.earlier.candidate());
      const ofValues = values.entries().flatMap(([value, { candidate }]) => (hasValue(value) ? [] : [candidate]));
      return [special.candidate, last, ...newest, ...others, ...earlier, ...oldest, ...ofValues].filter(
        (each) => !!each,
      );
    },
  };
}

/** The size and the seed of a sample. */
export interface SampleSize {
  /** Number of rows of the uniform sample. */
  readonly max: number;
  /** Number of rows of strata in addition. */
  readonly strata?: number;
  readonly seed: number;
  /** Fields that the sampled rows contain in addition; they do not decide which rows are sampled. */
  readonly further?: readonly Field[];
}

/**
 * Whether one of the requests has these values as inputs. Missing values are ignored; without any value it is false.
 * @example matchesAnyRequest({ upc: '012345678905' }, [{ upc: '012345678905' }]) // true
 */
export function matchesAnyRequest(values: Readonly<Record<string, Cell>>, requests: readonly Inputs[]): boolean {
  if (requests.length === 0) return false;
  const given = Object.entries(values).filter(([, cell]) => isValue(cell));
  if (given.length === 0) return false;
  return requests.some((inputs) =>
    given.every(([name, cell]) => String(cell) === String(inputs[name as keyof Inputs])),
  );
}

/**
 * A sample of up to `max` rows by hash, independent of the order of rows, preceded by up to `strata` rows of strata that
 * it misses. Rows without one of the fields are omitted. Rows that a waiver names (`required` of `start`) are added.
 * @example sampleRows(['upc'], { max: 24, strata: 20, seed: 1 }, { name: 'by-category', values: ['category'] })
 */
export function sampleRows(
  fields: readonly Field[],
  { max, strata: maxStrata = 0, seed, further = [] }: SampleSize,
  strata: Strata = { name: '' },
): Fold<readonly Row[]> {
  const isStratified = seed !== UNSTRATIFIED_SEED;
  const picked = [...fields, ...further];
  return {
    key: `sample:${fields.join()}:${max}:${maxStrata}:${seed}:${strata.name}${further.length > 0 ? `:${further.join()}` : ''}`,
    start(_inputs, required = []) {
      const named = leastEntries<number, Candidate>(max);
      const uniform = leastEntries<number, Candidate & { readonly value: string | undefined }>(max);
      // Without strata, one special row replaces one row of the uniform sample.
      const specials = leastEntries<number, Candidate>(strata.special && !isStratified ? 1 : 0);
      const ofEachStratum = strataRows(strata, maxStrata, (value) => seededHash(value, seed));
      return {
        row(row) {
          let hashState = startHash(seed);
          for (const field of fields) {
            const cell = row[field];
            if (!isValue(cell)) return;
            hashState = addToHash(hashState, typeof cell === 'string' ? cell : JSON.stringify(cell));
          }
          const hash = mixBits(hashState);
          const candidate = () => ({ hash, row: pickFields(row, picked) });
          const isNamed =
            required.length > 0 && named.isNew(hash, hash) && matchesAnyRequest(pickFields(row, fields), required);
          if (isNamed) named.add(hash, hash, candidate());
          if (uniform.isNew(hash, hash)) uniform.add(hash, hash, { ...candidate(), value: stratumOf(row, strata) });
          if (specials.isNew(hash, hash) && strata.special?.(row)) specials.add(hash, hash, candidate());
          if (isStratified && maxStrata > 0) ofEachStratum.add(hash, row);
        },
        done() {
          const hasHash = new Set<number>();
          const addIfNew = ({ hash }: Candidate) => !hasHash.has(hash) && hasHash.add(hash);
          const uniformRows = uniform.least();
          const values = new Set(uniformRows.map(({ value }) => value));
          const sampled = [...specials.least(), ...uniformRows].filter(addIfNew).slice(0, max);
          const ofStrata = ofEachStratum
            .rows((value) => values.has(value))
            .filter(addIfNew)
            .slice(0, maxStrata);
          // The named rows are added: in place of others they would hide new failures.
          return [...ofStrata, ...sampled, ...named.least().filter(addIfNew)].map(({ row }) => pickFields(row, picked));
        },
      };
    },
  };
}

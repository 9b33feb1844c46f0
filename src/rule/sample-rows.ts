/** A fold that samples rows: a uniform sample that is independent of their order, and a row of each stratum. */
import { type Field, UNSTRATIFIED_SEED } from '../contract/index.ts';
import type { Inputs } from '../profile/template.ts';
import type { Cell, Row } from '../reading/types.ts';
import { type Fold, isValue, pickFields } from './fold.ts';
import { addToHash, mixBits, seededHash, startHash } from './seeded-hash.ts';
import { type Candidate, type Strata, StrataRows, stratumOf } from './strata.ts';

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

/** Collects the different rows with the smallest hashes. */
class SmallestHashes<C extends Candidate> {
  readonly #max: number;
  #rows = new Map<number, C>();
  /** Rows with this hash or a larger one are not needed. */
  #maxHash: number;

  constructor(max: number) {
    this.#max = max;
    this.#maxHash = max === 0 ? 0 : Number.POSITIVE_INFINITY;
  }

  /** Whether a row with this hash may be among the smallest. */
  isCandidate(hash: number): boolean {
    return hash < this.#maxHash && !this.#rows.has(hash);
  }

  add(candidate: C): void {
    this.#rows.set(candidate.hash, candidate);
    if (this.#rows.size < this.#max * 2) return;
    this.#rows = new Map(this.rows().map((each) => [each.hash, each]));
    this.#maxHash = Math.max(...this.#rows.keys());
  }

  rows(): C[] {
    return [...this.#rows.values()].sort((x, y) => x.hash - y.hash).slice(0, this.#max);
  }
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
      const named = new SmallestHashes<Candidate>(max);
      const uniform = new SmallestHashes<Candidate & { readonly value: string | undefined }>(max);
      // Without strata, one special row replaces one row of the uniform sample.
      const specials = new SmallestHashes<Candidate>(strata.special && !isStratified ? 1 : 0);
      const strataRows = new StrataRows(strata, maxStrata, (value) => seededHash(value, seed));
      return {
        row(row) {
          let hashState = startHash(seed);
          for (const field of fields) {
            const cell = row[field];
            if (!isValue(cell)) return;
            hashState = addToHash(hashState, typeof cell === 'string' ? cell : JSON.stringify(cell));
          }
          const hash = mixBits(hashState);
          const isNamed =
            required.length > 0 && named.isCandidate(hash) && matchesAnyRequest(pickFields(row, fields), required);
          if (isNamed) named.add({ hash, row: pickFields(row, picked) });
          if (uniform.isCandidate(hash))
            uniform.add({ hash, row: pickFields(row, picked), value: stratumOf(row, strata) });
          if (specials.isCandidate(hash) && strata.special?.(row)) specials.add({ hash, row: pickFields(row, picked) });
          if (isStratified && maxStrata > 0) strataRows.add(hash, row);
        },
        done() {
          const hasHash = new Set<number>();
          const addIfNew = ({ hash }: Candidate) => !hasHash.has(hash) && hasHash.add(hash);
          const uniformRows = uniform.rows();
          const values = new Set(uniformRows.map(({ value }) => value));
          const sampled = [...specials.rows(), ...uniformRows].filter(addIfNew).slice(0, max);
          const ofStrata = strataRows
            .rows((value) => values.has(value))
            .filter(addIfNew)
            .slice(0, maxStrata);
          // The named rows are added: in place of others they would hide new failures.
          return [...ofStrata, ...sampled, ...named.rows().filter(addIfNew)].map(({ row }) => pickFields(row, picked));
        },
      };
    },
  };
}

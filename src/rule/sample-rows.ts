/** A fold that samples rows, independent of their order. */
import type { Field } from '../contract/index.ts';
import type { Row } from '../reading/types.ts';
import { type Fold, isValue } from './fold.ts';

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

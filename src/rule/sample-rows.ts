/** A fold that samples rows, independent of their order. */
import type { Field } from '../contract/index.ts';
import type { Inputs } from '../profile/template.ts';
import type { Cell, Row } from '../reading/types.ts';
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

/** The named fields of a row. */
const cutRow = (row: Row, fields: readonly Field[]): Row =>
  Object.fromEntries(fields.map((field) => [field, row[field]]));

/** Collects the named fields of the rows with the smallest hashes. */
function sampler(max: number, fields: readonly Field[]) {
  let sample: { readonly hash: number; readonly row: Row }[] = [];
  let bound = max === 0 ? 0 : Number.POSITIVE_INFINITY;
  return {
    wants: (hash: number): boolean => hash < bound,
    add(hash: number, row: Row): void {
      sample = [...sample, { hash, row: cutRow(row, fields) }].sort((x, y) => x.hash - y.hash).slice(0, max);
      if (sample.length === max) bound = (sample.at(-1) as { readonly hash: number }).hash;
    },
    rows: () => sample,
  };
}

/**
 * Whether values are the inputs of one of the requests: all values that there are, and at least one.
 * @example hasInputs({ upc: '012345678905' }, [{ upc: '012345678905' }]) // true
 */
export function hasInputs(values: Readonly<Record<string, Cell>>, requests: readonly Inputs[]): boolean {
  if (requests.length === 0) return false;
  const given = Object.entries(values).filter(([, cell]) => isValue(cell));
  if (given.length === 0) return false;
  return requests.some((inputs) =>
    given.every(([name, cell]) => String(cell) === String(inputs[name as keyof Inputs])),
  );
}

/**
 * A sample of up to `most` rows by hash, independent of the order of rows, with one row that matches `special` first.
 * Rows without one of the fields are omitted. Rows that a waiver names are added.
 */
export function sampleRows(
  fields: readonly Field[],
  max: number,
  special?: { readonly name: string; readonly is: (row: Row) => boolean },
): Fold<readonly Row[]> {
  return {
    key: `spread:${fields.join()}:${max}:${special?.name ?? ''}`,
    start(_inputs, drawn = []) {
      const named = sampler(max, fields);
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
          if (drawn.length > 0 && named.wants(hash) && hasInputs(cutRow(row, fields), drawn)) named.add(hash, row);
          if (any.wants(hash)) any.add(hash, row);
          if (specials.wants(hash) && special?.is(row)) specials.add(hash, row);
        },
        done() {
          const isNew = (each: { readonly hash: number }, at: number, all: readonly { readonly hash: number }[]) =>
            all.findIndex((other) => other.hash === each.hash) === at;
          const chosen = [...specials.rows(), ...any.rows()].filter(isNew).slice(0, max);
          // The named rows are added: in place of others they would hide new failures.
          return [...chosen, ...named.rows()].filter(isNew).map((each) => each.row);
        },
      };
    },
  };
}

/** A fold reduces the rows of a list to what a rule needs while the body arrives. Its memory is bounded for any length. */

import type { Field } from '../contract/index.ts';
import { cutText } from '../exchange/cut-text.ts';
import type { Inputs } from '../profile/template.ts';
import { type Cell, type Row, Unconverted } from '../reading/types.ts';

export interface Fold<T> {
  /** Folds with equal keys run once over the same rows. */
  readonly key: string;
  /** @param required the inputs that a sample must contain if a row has them */
  start(inputs: Inputs, required?: readonly Inputs[]): { row(row: Row, index: number): void; done(): T };
}

/**
 * A fold of one mutable state.
 * @example fold('names', () => new Set(), (names, { name }) => void names.add(name)) // the different names
 */
export const fold = <S, T = S>(
  key: string,
  begin: () => S,
  add: (state: S, row: Row, index: number) => void,
  done: (state: S) => T = (state) => state as unknown as T,
): Fold<T> => ({
  key,
  start() {
    const state = begin();
    return { row: (row, index) => add(state, row, index), done: () => done(state) };
  },
});

export type FoldMap = { readonly [name: string]: Fold<unknown> };

export type FoldResults<F extends FoldMap> = { readonly [N in keyof F]: F[N] extends Fold<infer T> ? T : never };

/** Whether a cell is a value: found, not null, converted. */
export const isValue = (cell: Cell): cell is string | number | readonly unknown[] =>
  typeof cell === 'string' ||
  typeof cell === 'number' ||
  (cell !== undefined && cell !== null && !(cell instanceof Unconverted));

/** Some fields of a row, also those without a value. */
export function pickFields(row: Row, fields: readonly Field[]): Row {
  const picked: { [F in Field]?: Cell } = {};
  for (const field of fields) picked[field] = row[field];
  return picked;
}

/** What is wrong in a row. */
export interface RowBreach {
  /** Identifies what is wrong, not which value shows it. */
  readonly kind: string;
  readonly message: string;
}

export interface BreachAt extends RowBreach {
  readonly index: number;
}

export const MAX_SHOWN = 5;

/** Collects the first breaches of each kind: many of one kind hide no other. */
export class FirstBreaches {
  readonly found: BreachAt[] = [];
  readonly #counts = new Map<string, number>();

  /** @param message called only for a breach that is kept */
  add(index: number, kind: string, message: () => string): void {
    const count = this.#counts.get(kind) ?? 0;
    if (count >= MAX_SHOWN) return;
    this.#counts.set(kind, count + 1);
    this.found.push({ index, kind, message: message() });
  }
}

/** A value as JSON, cut to 80 characters. */
export function showValue(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? cutText(text, 77) : text;
}

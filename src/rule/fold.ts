/** A fold reduces the rows of a list to what a rule needs while the body arrives. Its memory is bounded for any length. */

import { cutText } from '../exchange/cut-text.ts';
import type { Inputs } from '../profile/template.ts';
import { type Cell, type Row, Unconverted } from '../reading/types.ts';

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

export const MAX_SHOWN = 5;

/** A value as JSON, cut to 80 characters. */
export function showValue(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? cutText(text, 77) : text;
}

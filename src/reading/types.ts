/** What an exchange means under a profile. Rules see only this. */
import type { Field } from '../contract/index.ts';

/** A value that was found but did not convert: the profile's codec, or the default one, does not fit it. */
export class Unconverted {
  readonly raw: unknown;
  readonly why: string;
  constructor(raw: unknown, why: string) {
    this.raw = raw;
    this.why = why;
  }
}

/**
 * A neutral value. `undefined`: the selector found nothing; `null`: it found null. UPCs are strings of 12 digits, money
 * is in dollars, percentages in percent, dates are day numbers (days since 1970-01-01), lists are the raw nodes found.
 */
export type Cell = string | number | null | undefined | readonly unknown[] | Unconverted;

/** One row of a list: only the fields the profile binds, row-relative ones. */
export type Row = { readonly [F in Field]?: Cell };

/** Called once per row while the body arrives. `index` counts from 0 over all pages. */
export type RowSink = (row: Row, index: number) => void;

export const READING_PROBLEMS = [
  'encoding',
  'media',
  'syntax',
  'truncated',
  'rowsNotFound',
  'tooLarge',
  'timeLimit',
  'interrupted',
] as const;

export interface ReadingProblem {
  readonly kind: (typeof READING_PROBLEMS)[number];
  /** One sentence: what was wrong, where, and what the body holds instead. */
  readonly message: string;
}

export interface Observation {
  /** Rows delivered. */
  readonly rows: number;
  /** Whether the list was read to its end (all pages, no problem on the way). */
  readonly complete: boolean;
  /** Values that stand once for the whole answer (`$…` and header selectors), every node found. */
  readonly values: { readonly [F in Field]?: readonly Cell[] };
  readonly problem?: ReadingProblem;
  /** Raw text found by the paging selector, when the profile pages by cursor or next-URL. */
  readonly next?: string;
  /** Order-independent digest of the rows and values: equal content, equal digest. */
  readonly digest: string;
}

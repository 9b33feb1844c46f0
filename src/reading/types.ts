/** The observation of an exchange under a profile, the input of rules. */
import type { Field, Input } from '../contract/index.ts';
import type { Refusal } from './refusal.ts';

/** A value that was found but could not be converted by the profile's converter or the default one. */
export class Unconverted {
  readonly raw: unknown;
  readonly why: string;
  constructor(raw: unknown, why: string) {
    this.raw = raw;
    this.why = why;
  }
}

/**
 * A neutral value. `undefined`: the selector found no node; `null`: it found null. UPCs are strings of 12 digits, money
 * is in dollars, percentages in percent, dates are day numbers (days since 1970-01-01), lists are the raw nodes found.
 */
export type Cell = string | number | null | undefined | readonly unknown[] | Unconverted;

/** One row of a list: the row-relative fields that the profile binds. */
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
  /** One sentence: the problem, its location, and the actual content. */
  readonly message: string;
}

/** What one page states about itself and its request, where the profile reads it. */
export interface PageStatement {
  /** The number of rows of the page. */
  readonly rows: number;
  /** The values found for each of `response.counts`, in the order of the profile. */
  readonly counts: readonly (readonly Cell[])[];
  /** The values of the request that the page repeats: its different values, with the row if it is read in rows. */
  readonly echoes: { readonly [I in Input]?: readonly { readonly value: Cell; readonly row?: number }[] };
  /** The as-of dates of the page. */
  readonly asOf: readonly Cell[];
}

export interface Observation {
  /** The number of delivered rows. */
  readonly rows: number;
  /** Whether the list was read to its end (all pages, without a problem). */
  readonly complete: boolean;
  /** Values read once per response (`$…` and header selectors), every node found. */
  readonly values: { readonly [F in Field]?: readonly Cell[] };
  readonly problem?: ReadingProblem;
  /** The response is a refusal, as the profile declares; its rows and values mean nothing. */
  readonly refusal?: Refusal;
  /** Raw text found by the paging selector, if the profile uses paging by cursor or next-URL. */
  readonly next?: string;
  /** What each page states, if the profile reads counts or echoes. */
  readonly stated?: readonly PageStatement[];
  /** Order-independent digest of the rows and values: equal content, equal digest. */
  readonly digest: string;
}

/** The observation of an exchange under a profile, the input of rules. */
import type { Field, Input, OperationKey } from '../contract/index.ts';

/** A value that was found but could not be converted by the profile's converter or the default one. */
export class Unconverted {
  readonly raw: unknown;
  readonly why: string;
  constructor(raw: unknown, why: string) {
    this.raw = raw;
    this.why = why;
  }
}

/** A code without a meaning: its table does not list it, or was not read. It is a value, but of unknown meaning. */
export class UnknownCode extends Unconverted {
  /** Whether the table was read and does not list the code. */
  readonly isUnlisted: boolean;
  constructor(raw: unknown, why: string, isUnlisted: boolean) {
    super(raw, why);
    this.isUnlisted = isUnlisted;
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
  'charset',
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
export interface PageMetadata {
  /** The number of rows of the page. */
  readonly rows: number;
  /** The values found for each of `response.counts`, in the order of the profile; none for counts within rows. */
  readonly counts: readonly (readonly Cell[])[];
  /** The counts within rows, of each row up to a bound; absent if the profile reads none. */
  readonly rowCounts?: readonly RowCounts[];
  /** The values of the request that the page repeats: its different values, with the row if it is read in rows. */
  readonly echoes: { readonly [I in Input]?: readonly { readonly value: Cell; readonly row?: number }[] };
  /** The as-of dates of the page. */
  readonly asOf: readonly Cell[];
  /** The codes of the page, for each field that the profile reads as a code. */
  readonly codes?: readonly CodeUsage[];
}

/** What one row states about rows of other operations. */
export interface RowCounts {
  /** The index of the row, counted over all pages. */
  readonly row: number;
  /** The ids and names of the row. */
  readonly names: Pick<Row, 'id' | 'name' | 'category' | 'categoryId'>;
  /** The values found for each of `response.counts`, in the order of the profile; none for counts outside the rows. */
  readonly counts: readonly (readonly Cell[])[];
}

/** The codes of one field of a page. */
export interface CodeUsage {
  readonly field: Field;
  /** The number of codes with a meaning. */
  readonly known: number;
  /** The number of codes without a known meaning. */
  readonly unknown: number;
  /** Different codes that the table does not list, with the row if they are read in rows. */
  readonly unlisted: readonly { readonly code: string; readonly row?: number }[];
  /** Why the table was not read. */
  readonly unread?: string;
  /** Whether the table was read to its end. */
  readonly complete: boolean;
  /** The operation that lists the table; absent: the profile does. */
  readonly from?: OperationKey;
  /** The as-of dates of the table. */
  readonly asOf: readonly Cell[];
}

/** What makes a 2xx response a refusal. */
export interface Refusal {
  /** The condition in words, without text of the response: `$.status is "ERROR"`. */
  readonly because: string;
  /** The status with which HTTP says the same, if the profile states one. */
  readonly like?: number;
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
  readonly pageMetadata?: readonly PageMetadata[];
  /** Order-independent digest of the rows and values: equal content, equal digest. */
  readonly digest: string;
}

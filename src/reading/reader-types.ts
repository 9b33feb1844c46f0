/** The interface of body readers: each receives chunks and reports rows while they arrive. */

import type { ResponseHead } from '../exchange/types.ts';
import type { Selector } from '../profile/selector.ts';
import type { CsvDelimiter } from './csv-records.ts';

/** How CSV is written. */
export interface CsvForm {
  /** Default: a comma, or a tab for a tab-separated media type. */
  readonly delimiter?: CsvDelimiter | undefined;
  /** The record with the names of the columns, default 1; 0: none. */
  readonly header?: number | undefined;
  /** Lines that begin with one of these texts are no records. */
  readonly comment?: readonly string[] | undefined;
}

export interface ReaderOptions {
  readonly rowsSelector: Selector | undefined;
  /** Every other selector that will be applied to the document. */
  readonly otherSelectors: readonly Selector[];
  readonly head: ResponseHead;
  readonly maxRowBytes: number;
  readonly csv?: CsvForm | undefined;
  readonly maxWholeBytes: number;
  /** The rows selector ends at a wildcard: if it finds an object, its rows are `[name, value]`. */
  readonly withMemberNames?: boolean;
  /** Whole numbers that would be rounded: the text of their digits (default), or rounded numbers. */
  readonly longIntegers?: 'digits' | 'numbers';
  readonly onRows: (nodes: readonly unknown[]) => void;
}

export interface BodyReader {
  push(chunk: Uint8Array): void;
  /** Returns the decoded document, without streamed rows that no selector needs. Throws a BodyError. */
  end(): {
    readonly document: unknown;
    readonly streamed: boolean;
    /** The cells of lines that are no rows. */
    readonly lines?: readonly (readonly string[])[];
  };
}

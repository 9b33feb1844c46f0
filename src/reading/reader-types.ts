/** The interface of body readers: each takes chunks and reports rows as they arrive. */

import type { ResponseHead } from '../exchange/types.ts';
import type { Selector } from '../profile/selector.ts';
import type { CsvDelimiter } from './csv-records.ts';

export interface ReaderOptions {
  readonly rowsAt: Selector | undefined;
  /** Every other selector that will be applied to the document. */
  readonly others: readonly Selector[];
  readonly head: ResponseHead;
  readonly maxRowBytes: number;
  /** Of CSV; default: a comma, or a tab where the media type says so. */
  readonly delimiter?: CsvDelimiter | undefined;
  readonly maxWholeBytes: number;
  readonly onRows: (nodes: readonly unknown[]) => void;
}

export interface BodyReader {
  push(chunk: Uint8Array): void;
  /** The decoded document, without such rows as were streamed and no selector looks at. Throws a ReadingError. */
  end(): { readonly document: unknown; readonly streamed: boolean };
}

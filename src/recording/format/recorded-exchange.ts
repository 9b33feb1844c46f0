/** One exchange as a recording holds it, free of the HAR format. Pure data: no file is read or written here. */

import type { OperationKey } from '../../contract/index.ts';
import type { HeaderLines } from '../../exchange/header-lines.ts';
import type { FailureKind } from '../../exchange/types.ts';

/** A body as kept: readable text in the HAR itself, anything long or binary in a side file of that folder. */
export type StoredBody =
  | { readonly text: string }
  /** `file` is relative to the folder of the recording: `bodies/sha256-HEX`. */
  | { readonly file: string; readonly bytes: number };

/** Bodies above this many bytes, and those that are no UTF-8 text, go to side files. */
export const INLINE_BYTES = 64 * 1024;

/** The folder of the side files within a recording. */
export const BODIES = 'bodies';

export interface RecordedRequest {
  readonly method: string;
  /** Path and query byte for byte as asked, at the placeholder origin. */
  readonly url: string;
  /** As the client sent them, in wire order; credentials replaced. */
  readonly headers: HeaderLines;
  readonly body?: StoredBody;
}

/** An answer before the answer: 102, 103 and their like; without `100 Continue`, which each leg decides itself. */
export interface InterimAnswer {
  readonly status: number;
  readonly headers: HeaderLines;
}

export interface RecordedResponse {
  readonly status: number;
  readonly reason: string;
  /** As upstream sent them, in wire order, origins replaced; without Content-Encoding where the body is kept decoded. */
  readonly headers: HeaderLines;
  readonly body?: StoredBody;
  /** The Content-Encoding upstream used although identity was asked for; the body is kept decoded. */
  readonly coding?: string;
  /** Header lines that came behind a body in chunks. */
  readonly trailers?: HeaderLines;
}

export interface RecordedExchange {
  /** What tells this request from others (`requestKey`). */
  readonly key: string;
  /** Its place among the answers to the same key in the same lane, from 0. */
  readonly order: number;
  readonly request: RecordedRequest;
  /** Interim answers that came first, in turn. */
  readonly interim?: readonly InterimAnswer[];
  readonly response?: RecordedResponse;
  /** A failure of the transport; `response` may be there all the same: a body cut off. */
  readonly failure?: {
    readonly kind: FailureKind;
    readonly message: string;
    /** Whether the service reset the connection (RST) instead of closing it (FIN). */
    readonly reset?: true;
  };
  readonly operation?: OperationKey;
}

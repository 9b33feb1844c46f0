/** One recorded exchange, independent of the HAR format. Pure data: no file is read or written here. */

import type { OperationKey } from '../../contract/index.ts';
import type { HeaderLines } from '../../exchange/headers.ts';
import type { FailureKind } from '../../exchange/types.ts';

/** A stored body: short text is in the HAR file itself, a long or binary body in a side file. */
export type StoredBody =
  | { readonly text: string }
  /** `file` is relative to the folder of the recording: `bodies/sha256-HEX`. */
  | { readonly file: string; readonly bytes: number };

/** Bodies longer than this, and bodies that are not UTF-8 text, are stored in side files. */
export const INLINE_BYTES = 64 * 1024;

/** The folder of the side files in a recording. */
export const BODIES = 'bodies';

/** The length of a SHA-256 in hex digits. */
const SHA256_DIGITS = 64;

/** The SHA-256 of a side file, as hex: the name of the file ends with it. */
export const sha256Of = ({ file }: { readonly file: string }): string => file.slice(-SHA256_DIGITS);

export interface RecordedRequest {
  readonly method: string;
  /** Path and query byte for byte as sent, at the placeholder origin. */
  readonly url: string;
  /** As the client sent them, in wire order; credentials replaced. */
  readonly headers: HeaderLines;
  readonly body?: StoredBody;
}

/** An interim response (1xx, RFC 9110 section 15.2), without `100 Continue`, which each connection handles itself. */
export interface InterimResponse {
  readonly status: number;
  readonly headers: HeaderLines;
}

export interface RecordedResponse {
  readonly status: number;
  readonly reasonPhrase: string;
  /** As upstream sent them, in wire order, origins replaced; without Content-Encoding if the body is stored decoded. */
  readonly headers: HeaderLines;
  readonly body?: StoredBody;
  /** The Content-Encoding upstream used although identity was requested; the body is stored decoded. */
  readonly coding?: string;
  /** Trailer fields after a chunked body. */
  readonly trailers?: HeaderLines;
}

export interface RecordedExchange {
  /** Identifies the request (`requestKey`). */
  readonly key: string;
  /** The position among the responses to the same key in the same lane, from 0. */
  readonly order: number;
  readonly request: RecordedRequest;
  /** Interim responses, in the order received. */
  readonly interim?: readonly InterimResponse[];
  readonly response?: RecordedResponse;
  /** A transport failure. `response` is present, too, if the body was cut off. */
  readonly failure?: {
    readonly kind: FailureKind;
    readonly message: string;
    /** Whether the service reset the connection (RST) instead of closing it (FIN). */
    readonly reset?: true;
  };
  readonly operation?: OperationKey;
}

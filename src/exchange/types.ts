/** One request and its response, however obtained. Nothing here knows how it was sent or what it means. */

import type { Statuses } from '../profile/schema.ts';

/** What the suites call themselves; some gateways refuse a client without a name. */
export const USER_AGENT = 'mdwi-conformance';

/** A request as it goes out: absolute URL, ordered header lines, body bytes. */
export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: Uint8Array;
  /** False: a redirect is the answer. Default true. */
  readonly follow?: boolean;
  /** True: sent without the profile's credentials. */
  readonly anonymous?: boolean;
  /** What statuses mean to the one who asks, beyond what HTTP says: when to wait, when to renew a token. */
  readonly statuses?: Statuses;
  /** Why it cannot be written in HTTP, as the end of a sentence; it is then not sent. */
  readonly unsendable?: string;
}

export interface ResponseHead {
  readonly status: number;
  readonly reason: string;
  /** Header lines in wire order, names as received, duplicates kept. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/**
 * How a request failed below HTTP, or while its body arrived. `truncated` is a body shorter or longer than announced;
 * `tooLarge` and `tooSlow` mean that our own limits stopped it; `budget` that the run's request budget was used up and
 * nothing was sent; `unsendable` that a value of it, drawn from an answer, cannot be written in HTTP where the profile
 * puts it.
 */
export const FAILURE_KINDS = [
  'refused',
  'dns',
  'tls',
  'reset',
  'timeout',
  'truncated',
  'protocol',
  'tooLarge',
  'tooSlow',
  'budget',
  'notRecorded',
  'unsendable',
  'stopped',
] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

export interface Failure {
  readonly kind: FailureKind;
  /** One sentence a user can act on. */
  readonly message: string;
}

/** A captured response body: small ones in memory, large ones spooled to a file; readable any number of times. */
export interface CapturedBody {
  /** Bytes captured, as received (before any Content-Encoding is undone). */
  readonly bytes: number;
  chunks(): AsyncIterable<Uint8Array>;
  /** The first `limit` bytes (default 64 KiB) as received. */
  head(limit?: number): Promise<Uint8Array>;
  /** The last bytes, at most `limit` (default 4 KiB). */
  tail(limit?: number): Promise<Uint8Array>;
}

export interface Exchange {
  readonly request: WireRequest;
  readonly response?: ResponseHead;
  readonly body: CapturedBody;
  /** Set when the exchange did not complete; `response` may still be present (a body cut off). */
  readonly failure?: Failure;
  /** Same-exchange redirects that were followed, oldest first. */
  readonly redirects: readonly { readonly status: number; readonly from: string; readonly to: string }[];
  readonly timing: { readonly startedAt: string; readonly firstByteMs?: number; readonly totalMs: number };
}

/** Reads a body while it arrives. May stop early by returning; the rest is still captured. */
export type BodyConsumer = (head: ResponseHead, chunks: AsyncIterable<Uint8Array>) => Promise<void>;

/** Where exchanges come from: a live server, the simulator over HTTP, or recordings. Never rejects for a server's fault. */
export interface Source {
  send(request: WireRequest, consume?: BodyConsumer): Promise<Exchange>;
  close(): Promise<void>;
}

/** One request and its response, independent of transport and meaning. */

import type { Statuses } from '../profile/schema.ts';

/** The User-Agent of the suites; some gateways reject a client without one. */
export const USER_AGENT = 'mdwi-conformance';

/** A request on the wire: absolute URL, ordered header lines, body bytes. */
export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: Uint8Array;
  /** False: a redirect is returned as the response. Default true. */
  readonly follow?: boolean;
  /** True: sent without the profile's credentials. */
  readonly anonymous?: boolean;
  /** True: sent with invented values in place of the profile's credentials. */
  readonly invalidCredentials?: boolean;
  /** True: a response that denies the credentials is expected, and says nothing about those of other requests. */
  readonly mayBeDenied?: boolean;
  /** The key of `authFor` whose credentials the request has; absent: those of `auth`. */
  readonly authKey?: string;
  /** What statuses mean for the client beyond HTTP: when to wait, when to renew a token. */
  readonly statuses?: Statuses;
  /** The limit for the head and for each pause within the body, in ms, where it is shorter than that of the source. */
  readonly timeoutMs?: number;
  /** Why HTTP cannot carry the request, as the end of a sentence; it is then not sent. */
  readonly unsendable?: string;
  /** True: it changes nothing on the service, although its method may (RFC 9110, 9.2.1). */
  readonly safe?: true;
}

/** Whether a request changes nothing on the service, by its method or by its operation. */
export const isSafe = ({ method, safe }: WireRequest): boolean =>
  safe === true || method === 'GET' || method === 'HEAD';

export interface ResponseHead {
  readonly status: number;
  readonly reasonPhrase: string;
  /** Header lines in wire order, names as received, duplicates kept. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The host to which this redirect leads; it is not followed there, because the host is not named. */
  readonly notFollowedTo?: string;
  /**
   * The response was sent with a 2xx, and the profile declares it to be a refusal. `status` is then the status with which
   * HTTP says the same, so that no rule reads it as a success.
   */
  readonly refusal?: {
    /** The status on the wire. */
    readonly wireStatus: number;
    /** The condition of the profile in words. */
    readonly because: string;
    /** Whether the profile states the status. */
    readonly isStated: boolean;
  };
}

/** The status on the wire. */
export const sentStatus = ({ status, refusal }: ResponseHead): number => refusal?.wireStatus ?? status;

/**
 * How a request failed below HTTP, or while its body arrived. `truncated` is a body shorter or longer than announced;
 * `tooLarge` and `tooSlow`: a limit of the client stopped it. `budget`: the run's request budget was used up, and nothing
 * was sent. `unsendable`: HTTP cannot carry a value from a response in the place where the profile puts it. `appError`: an
 * app that is judged in-process threw an error. `notShown`: the source hides what the request is about.
 */
export const FAILURE_KINDS = [
  'refused',
  'dns',
  'proxy',
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
  'appError',
  'notShown',
  'stopped',
] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

export interface Failure {
  readonly kind: FailureKind;
  /** One sentence that says what failed and what to do. */
  readonly message: string;
}

/** A captured response body: small ones in memory, large ones in a file; readable any number of times. */
export interface CapturedBody {
  /** Bytes captured, as received (before any Content-Encoding is removed). */
  readonly bytes: number;
  chunks(): AsyncIterable<Uint8Array>;
  /** The first `limit` bytes (default 64 KiB) as received. */
  firstBytes(limit?: number): Promise<Uint8Array>;
  /** The last bytes, at most `limit` (default 4 KiB). */
  lastBytes(limit?: number): Promise<Uint8Array>;
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

/** Parts of the exchange on the wire that a source may hide of a service. */
export const WIRE_ASPECTS = {
  rawTarget: 'request targets byte for byte',
  framing: 'the framing of bodies (Content-Length, transfer coding, the end of a body)',
  contentCoding: 'content codings, which a server may apply after the app',
  connection: 'faults of connections',
} as const;
export type WireAspect = keyof typeof WIRE_ASPECTS;

/** Sends requests: to a live server, the simulator, a recording or an app. Never rejects for a server's fault. */
export interface Source {
  /** What it hides; checks that depend on it stay untested. Absent: nothing. */
  readonly hides?: readonly WireAspect[];
  send(request: WireRequest, consume?: BodyConsumer): Promise<Exchange>;
  /** The refusals (429, 503) after which it waited, and for how long, so far. */
  readonly waits?: { readonly refusals: number; readonly ms: number };
  /** Renews the tokens of an exchange whose 2xx response refuses them, and returns whether it has other ones now. Absent: it has none. */
  renew?(exchange: Exchange): Promise<boolean>;
  close(): Promise<void>;
}

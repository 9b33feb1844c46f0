/** The type of a dialect: one choice for everything that the document leaves open. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Input, Operation } from '../../src/contract/index.ts';
import type { ModelAnswer, Query, Rejected } from '../model/types.ts';
import type { World } from '../model/world.ts';

export interface DialectRequest {
  /** Absent when no documented operation matches; then `write` gets `noSuchPath` or `wrongMethod`. */
  readonly operation?: Operation;
  readonly method: string;
  /** `http://127.0.0.1:PORT` and the base path, the prefix of absolute links in responses. */
  readonly base: string;
  /** The path below the base path, as sent. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The whole path and query as sent, the base path included. */
  readonly target: string;
  /** The path parameter, percent-decoded once; any text. */
  readonly upc?: string;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** Complete, at most 10 MB. */
  readonly body: Uint8Array;
  /** Whether the connection has a client certificate that the server accepts; absent: the server checks no certificates. */
  readonly hasClientCertificate?: boolean | undefined;
}

/** A request that may be none for an operation, e.g. one for a token. */
export interface SideRequest extends Pick<DialectRequest, 'method' | 'headers' | 'body' | 'target' | 'base'> {
  /** The whole requested path, the base path included. */
  readonly path: string;
}

/** The body of a request. */
export interface ExpectedBody {
  readonly type: 'json' | 'form' | 'multipart' | 'xml';
  /** The names of its members or fields at any depth; absent: any. */
  readonly names?: readonly string[];
}

/** What a request of an operation contains, to find mistakes of a client. */
export interface ExpectedRequest {
  /** Query parameters besides those that `read` asks for; null: any, since they are not known. */
  readonly queryNames?: readonly string[] | null;
  /** Query parameters with one value, besides those of which `read` gets one. */
  readonly singleNames?: readonly string[];
  readonly body?: ExpectedBody;
  /** The parameter of an input, and where it is, e.g. `in the query`. */
  readonly places?: { readonly [I in Input]?: { readonly name: string; readonly part: string } };
}

export type Chunk = string | Uint8Array;

export interface DialectResponse {
  readonly status: number;
  /** `Date` and, for 405, `Allow` are added by the server. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** An iterable body is sent while it is generated, in constant memory. */
  readonly body: Chunk | Iterable<Chunk> | AsyncIterable<Chunk>;
  /** Set by behaviors, never by a dialect. */
  readonly delivery?: Delivery;
}

/** What happens to a response on its way to the client. Default: it is sent at once and as a whole. */
export interface Delivery {
  /** The pause before the status line. */
  readonly delayMs?: number;
  /** The connection ends after this many bytes of the body, which therefore is shorter than its framing states. */
  readonly truncateAfterBytes?: number;
  readonly bytesPerSecond?: number;
  /** The connection is reset; nothing is sent. */
  readonly resetConnection?: boolean;
}

/**
 * Both functions are pure, except for the order of rows, which has no meaning. `read` extracts the neutral inputs of a
 * request and omits missing inputs, because the world refuses queries without required inputs. `read` refuses only what the
 * world cannot check: unreadable bodies, wire formats and credentials. `write` formats every kind of answer, including refusals.
 *
 * @example
 * const read = ({ query, upc }) => ({ upc, category: query.get('category') ?? undefined });
 */
export interface Dialect {
  readonly name: string;
  read(request: DialectRequest & { readonly operation: Operation }): Query | Rejected;
  write(answer: ModelAnswer, request: DialectRequest): DialectResponse;
  /** What a request contains, so that mistakes of a client are found. Default: the query parameters that `read` asks for. */
  expects?(operation: Operation): ExpectedRequest;
  /** Maps a requested path below the base path to the documented path, e.g. removes a prefix. Default: unchanged. */
  locate?(path: string): string;
  /** Whether equal credentials may become invalid. Default: no. */
  readonly hasExpiringCredentials?: boolean;
  /** The operations for which clients authenticate by certificates, which only a server of HTTPS can check. Default: none. */
  readonly clientCertificates?: 'every' | 'some';
  /** Responds to requests beside the operations, e.g. for tokens. Default, and if it returns undefined: none. */
  respondBeside?(request: SideRequest): DialectResponse | undefined;
  /** The absolute URLs of the profile at which clients get tokens and sessions. Default: none. */
  readonly loginUrls?: readonly string[];
  /** Whether a row of a delta states that its product was removed. Default: no; then a delta lists no removed products. */
  readonly statesRemovals?: boolean;
  /** One sentence for each thing that differs from the profile of the dialect. Default: nothing does. */
  approximations?(): readonly string[];
  /** Replaces names and ids of the world by those of this dialect. Default: unchanged. */
  adaptWorld?(world: World): World;
}

/** Whether a dialect rejects the request, or a part of it. */
export const isRejected = (read: object): read is Rejected => 'kind' in read && read.kind === 'rejected';

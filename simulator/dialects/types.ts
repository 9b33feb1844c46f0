/** What a dialect is: one way of filling every opening of the document, in one file. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Operation } from '../../src/contract/index.ts';
import type { ModelAnswer, Query, Refused } from '../model/types.ts';
import type { World } from '../model/world.ts';

export interface DialectRequest {
  /** Absent where no documented pair was asked for; then `write` is given `noSuchPath` or `wrongMethod`. */
  readonly operation?: Operation;
  readonly method: string;
  /** `http://127.0.0.1:PORT` and the base path: what absolute links of an answer begin with. */
  readonly base: string;
  /** Below the base, as sent. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The path parameter, percent-decoded once; any text. */
  readonly upc?: string;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** Complete, at most 10 MB. */
  readonly body: Uint8Array;
}

export type Chunk = string | Uint8Array;

export interface Reply {
  readonly status: number;
  /** `Date` and, for 405, `Allow` are added by the server. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** A list is sent as it is walked, in constant memory. */
  readonly body: Chunk | Iterable<Chunk> | AsyncIterable<Chunk>;
}

/**
 * Both functions are pure, but for the order of rows, which means nothing. `read` finds the neutral inputs in a request: an input it does not find it leaves out, for the
 * world refuses what cannot be answered without it; it refuses only what the world cannot know of (unreadable bodies,
 * spellings of its own, credentials). `write` gives every kind of answer a form, refusals included.
 *
 * @example
 * const read = ({ query, upc }) => ({ upc, category: query.get('category') ?? undefined });
 */
export interface Dialect {
  readonly name: string;
  read(request: DialectRequest & { readonly operation: Operation }): Query | Refused;
  write(answer: ModelAnswer, request: DialectRequest): Reply;
  /** The documented path for the one that was asked for below the base, e.g. without a prefix; default: the same. */
  locate?(path: string): string;
  /** The world as this dialect has it, under names of its own; default: as it is. */
  localiseWorld?(world: World): World;
}

/** Tells a refusal of `read` from a question. */
export const isRefused = (read: Query | Refused): read is Refused => 'kind' in read && read.kind === 'refused';

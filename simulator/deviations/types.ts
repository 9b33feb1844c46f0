/** What faults and oddities have in common: hooks that change a request or its response. */
import type { ServerResponse } from 'node:http';
import type { Operation, OperationName } from '../../src/contract/index.ts';
import { didYouMean } from '../../src/profile/did-you-mean.ts';
import type { DialectName } from '../dialects/names.ts';
import type { DialectRequest, DialectResponse } from '../dialects/types.ts';
import type { ModelAnswer, Query, Rejected } from '../model/types.ts';
import type { World } from '../model/world.ts';
import type { RoutedRequest, RouteMatch } from '../router.ts';

export interface QueryContext {
  readonly operation: Operation;
  /** The world without deviations, which returns the correct answer to any query. */
  readonly world: World;
  /** The content codings that the client accepts (Accept-Encoding), in lower case; empty without the header. */
  readonly codings: string;
}

export interface Context extends QueryContext {
  readonly query: Query;
}

/** A request to an operation, as a dialect reads it. */
export type RoutedOperation = DialectRequest & { readonly operation: Operation };

/** A request below the base path, before it is routed. */
export type UnroutedRequest = Omit<DialectRequest, 'operation' | 'upc'>;

export interface ReplyContext {
  readonly request: UnroutedRequest;
  /** The answer of the model, which the dialect wrote. */
  readonly answer: ModelAnswer;
  /** Absent when the request matches no documented operation. */
  readonly operation?: Operation;
}

export type Send = (response: ServerResponse, reply: DialectResponse) => Promise<void>;

/** The points at which a request or its response is changed, in processing order. `route` to `answer` are independent of the dialect. */
export interface Hooks {
  /** Called once for every request, before routing. A returned reply replaces the usual one. */
  before?(request: UnroutedRequest, world: World): DialectResponse | undefined;
  /** Changes the result of routing; `route` is the unchanged router. */
  route?(request: RoutedRequest, route: (request: RoutedRequest) => RouteMatch): RouteMatch;
  /** Changes what the dialect reads of a request; `read` is the unchanged dialect. */
  read?(
    request: RoutedOperation,
    read: (request: RoutedOperation) => Query | Rejected,
    context: Pick<QueryContext, 'world'>,
  ): Query | Rejected;
  /** Changes the query that the dialect read. */
  query?(query: Query, context: QueryContext): Query;
  /** Changes the answer of the model, before the dialect writes it. */
  answer?(answer: ModelAnswer, context: Context): ModelAnswer;
  /** Changes every reply, including replies to unknown paths. */
  finish?(reply: DialectResponse, context: ReplyContext): DialectResponse;
  /** Changes the reply to a query that the dialect could read. */
  reply?(reply: DialectResponse, context: { readonly operation: OperationName }): DialectResponse;
  /** Applies a content coding to every reply, after all other hooks have changed its body. */
  encode?(reply: DialectResponse): DialectResponse;
  /** Sends a reply; `send` is the usual way. */
  send?(response: ServerResponse, reply: DialectResponse, send: Send): Promise<void>;
}

/** A JSON Merge Patch for the profile of the dialect (RFC 7396). */
export interface ProfilePatch {
  readonly [member: string]: unknown;
}

/** The members that the rows of faults and oddities share. */
export interface DeviationRow {
  /** What it does, in one sentence. */
  readonly says: string;
  /** A function creates the hooks of one simulator, with their own state. */
  readonly hooks: Hooks | (() => Hooks);
  /** The dialects that can show it. Default: all. */
  readonly dialects?: readonly DialectName[];
  /** What the implementer states, when no profile of a dialect states it. */
  readonly profile?: ProfilePatch;
}

export interface Deviation extends Omit<DeviationRow, 'hooks'> {
  /** The id: kebab-case, never changed. */
  readonly name: string;
  /** Creates the hooks of one simulator, with their own state. */
  readonly start: () => Hooks;
}

/** Returns a function that finds a deviation by its name, and throws an error with the most similar name for an unknown one. */
export function finderOf<D extends Deviation>(
  all: readonly D[],
  [kind, command]: readonly [kind: string, command: string],
  unlisted: (name: string) => D | undefined = () => undefined,
): (name: string) => D {
  const byName = new Map(all.map((each) => [each.name, each]));
  return (name) => {
    const found = byName.get(name) ?? unlisted(name);
    if (found) return found;
    const meant = didYouMean(name, [...byName.keys()]);
    throw new Error(`there is no ${kind} ${JSON.stringify(name.slice(0, 60))}${meant}; mdwi ${command} lists them`);
  };
}

/** The deviation of a row of a table. */
export const deviationOf = <R extends DeviationRow>(name: string, { hooks, ...row }: R) => ({
  ...row,
  name,
  start: typeof hooks === 'function' ? hooks : () => hooks,
});

/** The type of a fault: a named, minimal deviation that breaks one statement of the document. */
import type { Group, ObservableStatementId, Operation, OperationName } from '../../src/contract/index.ts';
import type { DialectName } from '../dialects/names.ts';
import type { DialectRequest, DialectResponse } from '../dialects/types.ts';
import type { ModelAnswer, Query, Rejected } from '../model/types.ts';
import type { World } from '../model/world.ts';
import type { RoutedRequest, RouteMatch } from '../router.ts';

export interface FaultContext {
  readonly operation: Operation;
  /** The world without faults, which returns the correct answer to any query. */
  readonly world: World;
  /** The content codings that the client accepts (Accept-Encoding), in lower case; empty without the header. */
  readonly codings: string;
}

/** A request to an operation, as a dialect reads it. */
export type RoutedOperation = DialectRequest & { readonly operation: Operation };

/**
 * The points at which a fault changes a request or its response, in processing order. The first three are independent
 * of the dialect. A fault stores its state per world, so that two simulators never share it.
 */
export interface Hooks {
  /** Changes the result of routing; `route` is the unchanged router. */
  route?(request: RoutedRequest, route: (request: RoutedRequest) => RouteMatch): RouteMatch;
  /** Changes what the dialect reads of a request; `read` is the unchanged dialect. */
  read?(
    request: RoutedOperation,
    read: (request: RoutedOperation) => Query | Rejected,
    context: Pick<FaultContext, 'world'>,
  ): Query | Rejected;
  /** Changes the query that the dialect read. */
  query?(query: Query, context: FaultContext): Query;
  /** Changes the answer of the model, before the dialect writes it. */
  answer?(answer: ModelAnswer, context: FaultContext & { readonly query: Query }): ModelAnswer;
  /** Changes the response that the dialect wrote. */
  reply?(reply: DialectResponse, context: { readonly operation: OperationName }): DialectResponse;
}

/** A JSON Merge Patch for the profile of the dialect (RFC 7396). */
export interface ProfilePatch {
  readonly [member: string]: unknown;
}

export interface Fault {
  /** The id: kebab-case, never changed. */
  readonly name: string;
  readonly statement: ObservableStatementId;
  /** The group of the fault, when its statement covers several. */
  readonly group?: Group;
  /** What the fault breaks, in one sentence. */
  readonly says: string;
  /** The document only suggests the broken statement (basis `plausible`): an advisory rule finds the fault, which gates under `--strict`. */
  readonly strict?: true;
  /** What the implementer states and the fault breaks, when no profile of a dialect states it. */
  readonly profile?: ProfilePatch;
  /** The dialects that can show it. Default: all. */
  readonly dialects?: readonly DialectName[];
  readonly hooks: Hooks;
}

/** What a fault is: a named, minimal deviation that breaks one statement of the document. */
import type { Group, ObservableStatementId, Operation, OperationName } from '../../src/contract/index.ts';
import type { Reply } from '../dialects/types.ts';
import type { ModelAnswer, Query } from '../model/types.ts';
import type { World } from '../model/world.ts';
import type { RoutedRequest, RouteMatch } from '../router.ts';

export interface FaultContext {
  readonly operation: Operation;
  /** The faultless world, to ask what the right answer to another question would be. */
  readonly world: World;
}

/**
 * Where a deviation may take hold, in the order of a request's way. All but the last are neutral and so work in every
 * dialect. What state a deviation needs hangs on the world it is given, so that no two simulators share it.
 */
export interface Hooks {
  /** What a method and path lead to; `route` is the right router. */
  route?(asked: RoutedRequest, route: (asked: RoutedRequest) => RouteMatch): RouteMatch;
  ask?(query: Query, context: FaultContext): Query;
  answer?(answer: ModelAnswer, context: FaultContext & { readonly query: Query }): ModelAnswer;
  reply?(reply: Reply, context: { readonly operation: OperationName }): Reply;
}

/** A part of a profile, merged into the dialect’s own: objects by their members, `null` takes a member away (RFC 7396). */
export interface ProfilePatch {
  readonly [member: string]: unknown;
}

export interface Fault {
  /** Stable for ever, kebab-case. */
  readonly name: string;
  readonly statement: ObservableStatementId;
  /** The group it is in, where its statement is about several. */
  readonly group?: Group;
  /** What is broken, in one sentence. */
  readonly says: string;
  /** Only a plausible reading of the document is broken: found under `--strict`. */
  readonly strict?: true;
  /** What the implementer states, and then breaks, where no profile of a dialect states it. */
  readonly profile?: ProfilePatch;
  readonly hooks: Hooks;
}

/**
 * Stops a run whose service does not answer, or denies every request (401, 403, 429). One secured group and one broken
 * operation do not stop it: the requests to other groups and operations decide.
 */

import { type OperationKey, operationOf } from '../contract/index.ts';
import { isRefusedStatus, isTooMany } from '../exchange/refused-status.ts';
import type { Exchange } from '../exchange/types.ts';
import { isDocumented, type RequestSpec } from './request-spec.ts';

/** Consecutive requests without a response after which an operation gets no more. */
const MAX_UNANSWERED = 4;
/** Unanswered requests end the run when they were sent to at least this many operations, or to all operations of the run. */
const UNANSWERED_OPERATIONS = 3;
/** Consecutive requests that the document does not describe, without a response, after which no more of them are sent. */
const MAX_UNANSWERED_UNDOCUMENTED = 8;
/** The minimum number of consecutive denials (401, 403, 429) that can end a run. */
const MIN_DENIED = 8;

/** Consecutive requests with one result. */
interface Streak {
  requests: number;
  readonly operations: Set<OperationKey>;
}

const newStreak = (): Streak => ({ requests: 0, operations: new Set() });

/** The groups of operations. */
export const groupsOf = (operations: Iterable<OperationKey>): Set<string> =>
  new Set([...operations].map((each) => operationOf(each).group));

/** Whether a response, or the end of it, did not arrive in time. */
export const isLate = ({ failure }: Exchange): boolean => failure?.kind === 'timeout' || failure?.kind === 'tooSlow';

/** Whether a request got a response in time. */
export const isAnswered = (exchange: Exchange): boolean => {
  const { response, failure } = exchange;
  return failure?.kind === 'notRecorded' || failure?.kind === 'appError' || (!!response && !isLate(exchange));
};

export class CircuitBreaker {
  /** The operations that this run requests so far, or is about to. */
  readonly #known = new Set<OperationKey>();
  readonly #unansweredRequests = new Map<OperationKey, number>();
  #unansweredUndocumented = 0;
  #unanswered = newStreak();
  readonly #unansweredByGroup = new Map<string, Streak>();
  #denied = newStreak();
  /** Operations that got a documented request. */
  readonly #tried = new Set<OperationKey>();
  /** Operations whose last response was no denial; they are requested even if the service denies all others. */
  readonly #responding = new Set<OperationKey>();
  /** Operations whose last response was a denial. */
  readonly #deniedOperations = new Set<OperationKey>();
  #hasResponded = false;
  #reason: string | undefined;
  #isOver = false;

  /** Announces a request of the run. */
  announce(spec: RequestSpec): void {
    if (isDocumented(spec)) this.#known.add(spec.operation);
  }

  /** Whether nothing more is sent. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Ends all requests of the run. */
  stop(reason: string): void {
    [this.#reason, this.#isOver] = [reason, true];
  }

  /** Whether the last requests that the document does not describe got no response. */
  get dropsUndocumented(): boolean {
    return this.#unansweredUndocumented > 0;
  }

  /** Whether the last request to the operation, to its group, or of the run, got no response, nor did the one before it. */
  isSilentFor(spec: RequestSpec): boolean {
    if (!isDocumented(spec)) return this.#unansweredUndocumented > 1;
    const ofOperation = this.#unansweredRequests.get(spec.operation) ?? 0;
    return Math.max(this.#unanswered.requests, this.#streakOfGroup(spec.operation).requests, ofOperation) > 1;
  }

  #streakOfGroup(operation: OperationKey): Streak {
    const { group } = operationOf(operation);
    const streak = this.#unansweredByGroup.get(group) ?? newStreak();
    this.#unansweredByGroup.set(group, streak);
    return streak;
  }

  /** Why a request is not sent; undefined if it may be sent. */
  whyBlocked(spec: RequestSpec): string | undefined {
    const { operation } = spec;
    // As long as one operation responds, an operation without a request so far may respond, too.
    const mayRespond =
      !this.#isOver && (this.#responding.has(operation) || (this.#responding.size > 0 && !this.#tried.has(operation)));
    if (this.#reason !== undefined && !mayRespond) return `not sent: ${this.#reason}`;
    if (this.#isLong(this.#streakOfGroup(operation)) && !mayRespond)
      return `not sent: the operations of group ${operationOf(operation).group} have stopped answering`;
    if (!isDocumented(spec) && this.#unansweredUndocumented >= MAX_UNANSWERED_UNDOCUMENTED)
      return 'not sent: the service does not answer requests that the document does not describe';
    const count = this.#unansweredRequests.get(operation) ?? 0;
    return count >= MAX_UNANSWERED ? 'not sent: the operation has stopped answering' : undefined;
  }

  /** Counts a request that was sent. A retry counts with the request that it repeats. */
  record(exchange: Exchange, { operation, variant, request }: RequestSpec, isRetry: boolean): void {
    const { response } = exchange;
    if (isDocumented({ variant })) this.#tried.add(operation);
    if (!isAnswered(exchange)) {
      if (isRetry) return;
      // A front server may drop requests that the document does not describe; the others still get responses.
      if (isDocumented({ variant })) this.#recordUnanswered(operation);
      else this.#unansweredUndocumented++;
      return;
    }
    this.#unanswered = newStreak();
    // A response of another path shows nothing about the operation.
    if (!isDocumented({ variant })) this.#unansweredUndocumented = 0;
    else {
      this.#unansweredRequests.delete(operation);
      this.#unansweredByGroup.delete(operationOf(operation).group);
    }
    // Any service is allowed to deny requests that the document does not describe.
    if (!response || !isDocumented({ variant })) return;
    if (isRefusedStatus(response.status, request?.statuses)) {
      this.#recordDenial(operation, response.status, isTooMany(response.status, request?.statuses));
    } else {
      this.#responding.add(operation);
      this.#deniedOperations.delete(operation);
      [this.#hasResponded, this.#denied] = [true, newStreak()];
    }
  }

  #recordUnanswered(operation: OperationKey): void {
    this.#responding.delete(operation);
    this.#unansweredRequests.set(operation, (this.#unansweredRequests.get(operation) ?? 0) + 1);
    this.#extend(this.#unanswered, operation);
    this.#extend(this.#streakOfGroup(operation), operation);
    if (this.#isLong(this.#unanswered)) this.#reason ??= 'the service has stopped answering';
  }

  #isLong({ requests, operations }: Streak): boolean {
    return requests >= MAX_UNANSWERED && operations.size >= Math.min(UNANSWERED_OPERATIONS, this.#known.size);
  }

  #recordDenial(operation: OperationKey, status: number, isRateLimit: boolean): void {
    this.#responding.delete(operation);
    this.#deniedOperations.add(operation);
    this.#extend(this.#denied, operation);
    // A rate limit (429) affects all operations, so a sample suffices. Credentials may be accepted by some operations
    // only, so most operations must be denied.
    const { requests } = this.#denied;
    const denied = isRateLimit ? this.#denied.operations : this.#deniedOperations;
    const coversEnoughOperations = isRateLimit
      ? denied.size >= Math.min(MIN_DENIED, this.#known.size)
      : denied.size * 2 > this.#known.size && denied.size + this.#responding.size >= this.#known.size;
    const coversAllGroups = coversEnoughOperations && groupsOf(denied).size === groupsOf(this.#known).size;
    // In a run of few operations, the last requests may be denied because of their values.
    const isLargeEnough = this.#known.size >= MIN_DENIED || !this.#hasResponded;
    if (Math.max(requests, denied.size) >= MIN_DENIED && coversAllGroups && isLargeEnough)
      this.#reason ??= `the service refuses every request (status ${status})`;
  }

  #extend(streak: Streak, operation: OperationKey): void {
    streak.requests++;
    streak.operations.add(operation);
  }

  /**
   * The index of the request to send next. During a streak, prefers a request to a group, then to an operation, outside
   * the streak that has not responded yet: its response decides whether the whole service is affected.
   */
  nextOf(waiting: readonly { readonly node: { readonly spec: RequestSpec } }[]): number {
    const streak = this.#unanswered.requests > 0 ? this.#unanswered : this.#denied;
    const isStreak = this.#unanswered.requests > 0 || this.#denied.requests > 1;
    if (!isStreak || this.#reason !== undefined) return 0;
    const groups = groupsOf(streak.operations);
    const find = (matches: (operation: OperationKey) => boolean): number =>
      waiting.findIndex(
        ({ node: { spec } }) => isDocumented(spec) && !this.#responding.has(spec.operation) && matches(spec.operation),
      );
    const inOtherGroup = find((operation) => !groups.has(operationOf(operation).group));
    if (inOtherGroup >= 0) return inOtherGroup;
    return Math.max(
      0,
      find((operation) => !streak.operations.has(operation)),
    );
  }
}

/**
 * Stops a run whose service refuses or ignores every request. One secured group and one broken operation do not stop it:
 * the requests that decide are those to other groups and operations.
 */

import { isRefusedStatus } from '../client/refusal.ts';
import { type OperationKey, operationOf } from '../contract/index.ts';
import type { Exchange } from '../exchange/types.ts';
import { isDocumented, type RequestSpec } from './request-spec.ts';

/** Consecutive requests without a response after which an operation gets no more. */
const MAX_SILENT = 4;
/** They end the run if they are to so many operations, or to all. */
const SILENT_OPERATIONS = 3;
/** Consecutive requests that the document does not describe, without a response, after which no more of them are sent. */
const MAX_SILENT_UNDOCUMENTED = 8;
/** Fewer consecutive refusals never end a run. */
const MIN_REFUSED = 8;

/** Consecutive requests with one result. */
interface Streak {
  requests: number;
  readonly operations: Set<OperationKey>;
}

const newStreak = (): Streak => ({ requests: 0, operations: new Set() });
const groupsOf = (operations: Iterable<OperationKey>): Set<string> =>
  new Set([...operations].map((each) => operationOf(each).group));

export class CircuitBreaker {
  /** The operations that this run requests so far, or is about to. */
  readonly #known = new Set<OperationKey>();
  readonly #silentRequests = new Map<OperationKey, number>();
  #silentUndocumented = 0;
  #silent = newStreak();
  #refused = newStreak();
  /** Operations that got a documented request. */
  readonly #tried = new Set<OperationKey>();
  /** Operations whose last response was no refusal; they are requested even if the service refuses all others. */
  readonly #responding = new Set<OperationKey>();
  /** Operations whose last response was a refusal. */
  readonly #refusing = new Set<OperationKey>();
  #hasResponded = false;
  #reason: string | undefined;

  /** Announces a request of the run. */
  expect(spec: RequestSpec): void {
    if (isDocumented(spec)) this.#known.add(spec.operation);
  }

  /** Whether the last request got no response, nor did the one before it. */
  get isSilent(): boolean {
    return this.#silent.requests > 1;
  }

  /** Why a request is not sent; undefined if it may be sent. */
  whyClosed(spec: RequestSpec): string | undefined {
    const { operation } = spec;
    // As long as one operation responds, an operation without a request so far may respond, too.
    const mayRespond = this.#responding.has(operation) || (this.#responding.size > 0 && !this.#tried.has(operation));
    if (this.#reason !== undefined && !mayRespond) return `not sent: ${this.#reason}`;
    if (!isDocumented(spec) && this.#silentUndocumented >= MAX_SILENT_UNDOCUMENTED)
      return 'not sent: the service does not answer requests that the document does not describe';
    const silent = this.#silentRequests.get(operation) ?? 0;
    return silent >= MAX_SILENT ? 'not sent: the operation has stopped answering' : undefined;
  }

  /** Counts a request that was sent. A retry counts with the request that it repeats. */
  record({ response, failure }: Exchange, { operation, variant, request }: RequestSpec, isRetry: boolean): void {
    if (isDocumented({ variant })) this.#tried.add(operation);
    const isLate = failure?.kind === 'timeout' || failure?.kind === 'tooSlow';
    const hasResponded = failure?.kind === 'notRecorded' || failure?.kind === 'appError' || (response && !isLate);
    if (!hasResponded) {
      if (isRetry) return;
      // A front server may drop requests that the document does not describe; the others still get responses.
      if (isDocumented({ variant })) this.#recordSilence(operation);
      else this.#silentUndocumented++;
      return;
    }
    if (!isDocumented({ variant })) this.#silentUndocumented = 0;
    this.#silentRequests.delete(operation);
    this.#silent = newStreak();
    // Requests that the document does not describe may be refused by any service.
    if (!response || !isDocumented({ variant })) return;
    if (isRefusedStatus(response.status, request?.statuses)) {
      const isTooMany = response.status === 429 || request?.statuses?.tooMany?.includes(response.status);
      this.#recordRefusal(operation, response.status, isTooMany ?? false);
    } else {
      this.#responding.add(operation);
      this.#refusing.delete(operation);
      [this.#hasResponded, this.#refused] = [true, newStreak()];
    }
  }

  #recordSilence(operation: OperationKey): void {
    this.#responding.delete(operation);
    this.#silentRequests.set(operation, (this.#silentRequests.get(operation) ?? 0) + 1);
    this.#extend(this.#silent, operation);
    const { requests, operations } = this.#silent;
    if (requests >= MAX_SILENT && operations.size >= Math.min(SILENT_OPERATIONS, this.#known.size))
      this.#reason ??= 'the service has stopped answering';
  }

  #recordRefusal(operation: OperationKey, status: number, isTooMany: boolean): void {
    this.#responding.delete(operation);
    this.#refusing.add(operation);
    this.#extend(this.#refused, operation);
    // A rate limit concerns the client: some operations of each group show it. Credentials may suffice for any operation.
    const { requests } = this.#refused;
    const refused = isTooMany ? this.#refused.operations : this.#refusing;
    const isDecided = isTooMany
      ? refused.size >= Math.min(MIN_REFUSED, this.#known.size)
      : refused.size * 2 > this.#known.size && refused.size + this.#responding.size >= this.#known.size;
    const isEverywhere = isDecided && groupsOf(refused).size === groupsOf(this.#known).size;
    // A run of a few operations may end with requests that a service refuses for their values.
    const isConclusive = this.#known.size >= MIN_REFUSED || !this.#hasResponded;
    if (Math.max(requests, refused.size) >= MIN_REFUSED && isEverywhere && isConclusive)
      this.#reason ??= `the service refuses every request (status ${status})`;
  }

  #extend(streak: Streak, operation: OperationKey): void {
    streak.requests++;
    streak.operations.add(operation);
  }

  /**
   * The index of the request to send next. In a streak it is one to a group, else to an operation, that the streak does
   * not contain and that did not respond before: its response decides whether the whole service is affected.
   */
  nextOf(waiting: readonly { readonly node: { readonly spec: RequestSpec } }[]): number {
    const streak = this.#silent.requests > 1 ? this.#silent : this.#refused;
    if (streak.requests < 2 || this.#reason !== undefined) return 0;
    const groups = groupsOf(streak.operations);
    const find = (holds: (operation: OperationKey) => boolean): number =>
      waiting.findIndex(
        ({ node: { spec } }) => isDocumented(spec) && !this.#responding.has(spec.operation) && holds(spec.operation),
      );
    const inOtherGroup = find((operation) => !groups.has(operationOf(operation).group));
    if (inOtherGroup >= 0) return inOtherGroup;
    return Math.max(
      0,
      find((operation) => !streak.operations.has(operation)),
    );
  }
}

/**
 * Finds out whether a service is silent as a whole. After a request without a response in time, requests that the service
 * answered before are sent again: a response shows that only the one operation is silent, which is then judged as usual.
 */
import { DEFAULT_LIMITS } from '../client/limits.ts';
import { type OperationKey, operationOf } from '../contract/index.ts';
import { isRefusedStatus } from '../exchange/refused-status.ts';
import type { Exchange, Source, WireRequest } from '../exchange/types.ts';
import type { ProfileData } from '../profile/schema.ts';
import { type CircuitBreaker, groupsOf, isAnswered, isLate } from './circuit-breaker.ts';
import { isOut } from './outages.ts';
import { isDocumented, type RequestSpec } from './request-spec.ts';

/** In time-outs: after so long without a response the service is silent; 75 s by default. */
const MAX_SILENCE = 2.5;
/** In time-outs: the shortest time-out during a silence; 5 s by default. */
const SHORTEST = 1 / 6;
/** In time-outs: the time-out during a silence of a service that has sent no response yet. */
const OF_UNKNOWN_SPEED = 0.4;
/** The time-out during a silence is at least so many times as long as the slowest response. */
const SLOWEST_FACTOR = 20;
/** A response that took longer, in time-outs, is not requested as a check. */
const SLOWEST_CHECK = 0.85;

/** The pause between two checks of a service that is down. */
const RETRY_INTERVAL_MS = 1000;
/** In time-outs: refusals (401, 403, 429) after a good start end the run before so long; 60 s by default. */
const MAX_REFUSED = 2;
const STOPPED = 'the service has stopped answering';

/** A request that the service answered, and that changes nothing. */
export interface AnsweredRequest {
  readonly spec: RequestSpec;
  readonly request: WireRequest;
}

export interface HealthCheckOptions {
  readonly source: Source;
  /** The limits of the run. */
  readonly limits?: ProfileData['limits'];
  /** Receives each check as it completes. */
  readonly onCheck: (exchange: Exchange, spec: RequestSpec) => void;
  /** Ends the run if the service is silent. */
  readonly breaker: CircuitBreaker;
  /** Waits for a time in ms. */
  readonly wait: (ms: number) => Promise<unknown>;
}

export class HealthCheck {
  readonly #options: HealthCheckOptions;
  readonly #timeoutMs: number;
  /** The last answered request of each operation. */
  readonly #answered = new Map<OperationKey, AnsweredRequest>();
  #slowestMs: number | undefined;
  /** The time spent waiting since the last response; pauses and waits for Retry-After are no silence. */
  #silentMs = 0;
  /** The operations without a response since the last one. */
  readonly #silent = new Set<OperationKey>();
  /** The time spent on consecutive refusals, waits for Retry-After included, and that of the last one. */
  #refusedMs = 0;
  #lastRefusedMs = 0;
  /** How long an outage is waited for; 0 after the first one. */
  #retryForMs: number;
  /** Consecutive requests that the service did not respond to. */
  #outs = 0;
  /** When the last request was sent that the service did not respond to, if it is to be waited for. */
  #outSince: number | undefined;

  constructor(options: HealthCheckOptions) {
    this.#options = options;
    this.#timeoutMs = options.limits?.timeoutMs ?? DEFAULT_LIMITS.timeoutMs;
    this.#retryForMs = options.limits?.retryForMs ?? 0;
  }

  /** The source for requests of a node: it measures how long each response takes. */
  sourceOf(spec: RequestSpec): Source {
    const { source } = this.#options;
    return { ...source, send: (request, consume) => this.#send(spec, request, consume) };
  }

  /**
   * Ends a doubt: sends checks until one is answered, or the service has not responded for too long. Returns whether an
   * outage was waited for, so that an interrupted request is worth a repetition.
   */
  async check(): Promise<boolean> {
    const { breaker, onCheck, wait } = this.#options;
    if (this.#isRefusing && !breaker.isOver) {
      const next = this.#nextCheck();
      if (next) onCheck(await this.#send(next.spec, next.request), next.spec);
      if (next && this.#isRefusing) breaker.stop('the service refuses every request');
    }
    for (let checks = 0; this.#isDoubtful && !breaker.isOver; checks++) {
      const next = this.#nextCheck();
      if (!next) return false;
      const isWaiting = this.#outSince !== undefined;
      const exchange = await this.#send(next.spec, next.request);
      onCheck(exchange, next.spec);
      if (isLate(exchange)) continue;
      if (isWaiting && this.#outSince === undefined) {
        // One operation that fails while others respond is no outage.
        if (checks === 0) return false;
        this.#retryForMs = 0;
        return true;
      }
      // A refused connection is no silence: each request shows it at once.
      if (!isOut(exchange) || !isWaiting) return false;
      if (this.#isWaitOver) breaker.stop(STOPPED);
      else await wait(RETRY_INTERVAL_MS);
    }
    return false;
  }

  /** Whether the service may be down; after two failures in a row, one check shows whether the operations are. */
  get #isDoubtful(): boolean {
    return this.#silentMs > 0 || this.#outSince !== undefined || this.#outs === 2;
  }

  /** Whether a check and one more refusal would last too long. */
  get #isRefusing(): boolean {
    return this.#refusedMs + 2 * this.#lastRefusedMs > MAX_REFUSED * this.#timeoutMs;
  }

  get #isWaitOver(): boolean {
    return this.#outSince === undefined || performance.now() - this.#outSince >= this.#retryForMs;
  }

  /** A request to a group, then to an operation, that is not silent so far. */
  #nextCheck(): AnsweredRequest | undefined {
    const groups = groupsOf(this.#silent);
    const all = [...this.#answered.values()];
    const next =
      all.find(({ spec: { operation } }) => !groups.has(operationOf(operation).group)) ??
      all.find(({ spec: { operation } }) => !this.#silent.has(operation)) ??
      all[0];
    if (next) this.#remember(next);
    return next;
  }

  /** Makes a request the last one to be sent as a check. */
  #remember(answered: AnsweredRequest): void {
    this.#answered.delete(answered.spec.operation);
    this.#answered.set(answered.spec.operation, answered);
  }

  /** The time-out of the next request; undefined: that of the source. */
  #timeoutFor(spec: RequestSpec): number | undefined {
    // A front server may drop all requests that the document does not describe.
    const isDropped = !isDocumented(spec) && this.#options.breaker.dropsUndocumented;
    if (this.#silentMs === 0 && !isDropped) return undefined;
    const [all, shortest] = [this.#timeoutMs, this.#timeoutMs * SHORTEST];
    const slowest = this.#slowestMs === undefined ? all * OF_UNKNOWN_SPEED : this.#slowestMs * SLOWEST_FACTOR;
    return Math.max(shortest, Math.min(slowest, all, MAX_SILENCE * all - this.#silentMs));
  }

  async #send(spec: RequestSpec, request: WireRequest, consume?: Parameters<Source['send']>[1]): Promise<Exchange> {
    const timeoutMs = this.#timeoutFor(spec);
    const began = performance.now();
    const exchange = await this.#options.source.send(
      timeoutMs === undefined ? request : { ...request, timeoutMs },
      consume,
    );
    this.#recordRefusal(spec, performance.now() - began, exchange);
    this.#outs = isOut(exchange) ? this.#outs + 1 : 0;
    if (this.#outs === 0) this.#outSince = undefined;
    else if (this.#retryForMs > 0 && this.#answered.size > 0) this.#outSince ??= began;
    if (isAnswered(exchange)) this.#recordAnswer(exchange, { spec, request });
    else if (isLate(exchange)) this.#recordSilence(spec, performance.now() - began, exchange);
    return exchange;
  }

  #recordRefusal(spec: RequestSpec, elapsedMs: number, { request, response }: Exchange): void {
    if (!response || request.mayBeDenied) return;
    const isRefused = isRefusedStatus(response.status, request.statuses);
    if (isRefused) [this.#refusedMs, this.#lastRefusedMs] = [this.#refusedMs + elapsedMs, elapsedMs];
    else if (isDocumented(spec)) [this.#refusedMs, this.#lastRefusedMs] = [0, 0];
  }

  #recordAnswer({ response, failure, timing }: Exchange, { spec, request }: AnsweredRequest): void {
    this.#silentMs = 0;
    this.#silent.clear();
    this.#slowestMs = Math.max(this.#slowestMs ?? 0, timing.totalMs);
    const isHarmless = isDocumented(spec) && operationOf(spec.operation).safety === 'read';
    const isSound = !failure && response !== undefined && response.status < 300;
    if (isHarmless && isSound && timing.totalMs <= SLOWEST_CHECK * this.#timeoutMs) this.#remember({ spec, request });
  }

  #recordSilence(spec: RequestSpec, elapsedMs: number, { failure }: Exchange): void {
    // The time-out bounds a pause within a body, too: what came before it is no silence.
    this.#silentMs += Math.min(elapsedMs, (failure?.kind === 'tooSlow' ? 2 : 1) * this.#timeoutMs);
    if (isDocumented(spec)) this.#silent.add(spec.operation);
    const isOver = this.#silentMs >= MAX_SILENCE * this.#timeoutMs && this.#isWaitOver;
    if (isOver && this.#silent.size > 0) this.#options.breaker.stop(STOPPED);
  }
}

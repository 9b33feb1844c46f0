/**
 * Finds out whether a service is silent as a whole. After a request without a response in time, requests that the service
 * answered before are sent again: a response shows that only the one operation is silent, which is then judged as usual.
 */
import { DEFAULT_LIMITS } from '../client/default-limits.ts';
import { type OperationKey, operationOf } from '../contract/index.ts';
import type { Exchange, Source, WireRequest } from '../exchange/types.ts';
import { type CircuitBreaker, groupsOf, isAnswered, isLate } from './circuit-breaker.ts';
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

/** A request that the service answered, and that changes nothing. */
export interface AnsweredRequest {
  readonly spec: RequestSpec;
  readonly request: WireRequest;
}

export interface HealthCheckOptions {
  readonly source: Source;
  /** The time-out of the source, in ms. */
  readonly timeoutMs?: number | undefined;
  /** Receives each check as it completes. */
  readonly onCheck: (exchange: Exchange, spec: RequestSpec) => void;
  /** Ends the run if the service is silent. */
  readonly breaker: CircuitBreaker;
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

  constructor(options: HealthCheckOptions) {
    this.#options = options;
    this.#timeoutMs = options.timeoutMs ?? DEFAULT_LIMITS.timeoutMs;
  }

  /** The source for requests of a node: it measures how long each response takes. */
  sourceOf(spec: RequestSpec): Source {
    const { source } = this.#options;
    return { ...source, send: (request, consume) => this.#send(spec, request, consume) };
  }

  /** Ends a doubt: sends checks until one is answered, or the service has been silent for too long. */
  async check(): Promise<void> {
    while (this.#silentMs > 0 && !this.#isOver) {
      const next = this.#nextCheck();
      if (!next) return;
      const exchange = await this.#send(next.spec, next.request);
      this.#options.onCheck(exchange, next.spec);
      // A refused connection is no silence: each request shows it at once.
      if (!isLate(exchange)) return;
    }
  }

  get #isOver(): boolean {
    return this.#silentMs >= MAX_SILENCE * this.#timeoutMs;
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
    if (isAnswered(exchange)) this.#recordAnswer(exchange, { spec, request });
    else if (isLate(exchange)) this.#recordSilence(spec, performance.now() - began, exchange);
    return exchange;
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
    if (this.#isOver && this.#silent.size > 0) this.#options.breaker.stop('the service has stopped answering');
  }
}

/** Sends the requests of polls: steps that repeat a request until a condition holds, or until a time is over. */
import { retryAfter } from '../client/retry-after.ts';
import type { Poll, Step } from '../rule/index.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { addStep, type RequestGraph } from './request-graph.ts';
import { isExhausted, type PollProgress, stepReadings, type UnitExecution } from './unit-execution.ts';

/** The longest pause for a Retry-After, in ms. */
export const MAX_RETRY_AFTER_MS = 30_000;

interface UnfinishedPoll {
  readonly execution: UnitExecution;
  readonly name: string;
  readonly step: Step;
  readonly poll: Poll;
}

export interface PollerOptions {
  readonly graph: RequestGraph;
  readonly breaker: CircuitBreaker;
  /** Waits for a time in ms. */
  readonly wait: (ms: number) => Promise<unknown>;
  /** The time in ms that pauses are measured with. */
  readonly now: () => number;
  /** Aborts the run: all polls are over. */
  readonly signal?: AbortSignal | undefined;
}

export class Poller {
  readonly #options: PollerOptions;

  constructor(options: PollerOptions) {
    this.#options = options;
  }

  /** Whether a poll sends no further request: its condition holds, its limit is reached, or no response can be expected. */
  isOver(execution: UnitExecution, name: string, poll: Poll): boolean {
    const { graph, signal } = this.#options;
    const readings = stepReadings(graph, execution, name);
    const last = readings.at(-1);
    if (!last?.head || last.unavailable || signal?.aborted) return true;
    if (isExhausted(execution.polls.get(name), poll)) return true;
    return poll.isDone(readings, (other) => stepReadings(graph, execution, other));
  }

  /**
   * Waits for the shortest remaining pause, then sends one request for each poll whose pause is over. Returns false if no
   * poll of these executions is unfinished.
   */
  async sendNext(executions: readonly UnitExecution[]): Promise<boolean> {
    const now = this.#options.now();
    const unfinished = this.#unfinished(executions).map((each) => ({ ...each, ...nextPause(each, now) }));
    if (unfinished.length === 0) return false;
    const pause = Math.min(...unfinished.map(({ remainingMs }) => remainingMs));
    await this.#options.wait(pause);
    for (const { execution, name, step, waitedMs, remainingMs } of unfinished) {
      execution.polls.set(name, { waitedMs: waitedMs + pause, remainingMs: remainingMs - pause });
      if (remainingMs <= pause) await this.#send(execution, name, step);
    }
    return true;
  }

  #unfinished(executions: readonly UnitExecution[]): UnfinishedPoll[] {
    return executions.flatMap((execution) =>
      Object.entries(execution.steps).flatMap(([name, { poll, ...step }]) =>
        poll && execution.nodes.has(name) && !this.isOver(execution, name, poll)
          ? [{ execution, name, step, poll }]
          : [],
      ),
    );
  }

  async #send(execution: UnitExecution, name: string, step: Step): Promise<void> {
    const { graph, breaker } = this.#options;
    const nodes = execution.nodes.get(name) ?? [];
    const [firstNode] = nodes;
    if (!firstNode) return;
    const repetition = (step.repetition ?? 0) + nodes.length;
    const node = graph.nodeOf({ ...step, repetition }, firstNode.spec.inputs, execution);
    const addedFolds = addStep(node, step);
    execution.nodes.set(name, [...nodes, node]);
    breaker.announce(node.spec);
    await graph.fetch(node, addedFolds);
  }
}

/**
 * The pause before the next request of a poll: the rest of the current one, or at least the Retry-After of the last
 * response. The time since that response, in which other requests were sent, is a part of it.
 */
function nextPause({ execution, name, poll }: UnfinishedPoll, now: number): PollProgress {
  const known = execution.polls.get(name);
  if (known && known.remainingMs > 0) return known;
  const { response, timing } = execution.nodes.get(name)?.at(-1)?.firstResult?.exchanges[0] ?? {};
  const retryAfterMs = Math.min(retryAfter(response ?? { headers: [] }) ?? 0, MAX_RETRY_AFTER_MS);
  const pauseMs = Math.max(poll.intervalMs, retryAfterMs);
  const sinceMs = timing ? now - Date.parse(timing.startedAt) - timing.totalMs : 0;
  const passedMs = Math.min(pauseMs, Math.max(0, Math.floor(sinceMs)));
  return { waitedMs: (known?.waitedMs ?? 0) + passedMs, remainingMs: pauseMs - passedMs };
}

/** Executes the steps of the units of a run against a source, each distinct request once, and judges every unit. */
import { setTimeout as sleep } from 'node:timers/promises';
import { retryAfter } from '../client/retry-after.ts';
import { type OperationKey, operationOf, UNSTRATIFIED_SEED } from '../contract/index.ts';
import { isClientStop } from '../exchange/wire/failures.ts';
import type { Inputs } from '../profile/template.ts';
import type { FailedJudgement, Fold, Reading, Step, Steps } from '../rule/index.ts';
import type { ResultSources, RunRequest } from './causes.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import type { RunSnapshot } from './comparison-types.ts';
import { confirmFailure, type Judged } from './confirm-failure.ts';
import { ExchangeLog, NOT_SENT } from './exchange-log.ts';
import { DURATION_OVER, isDurationOver } from './interruption.ts';
import { judgeUnit, type UnitVerdict } from './judge-unit.ts';
import { findOutages, type Outage } from './outages.ts';
import { MAX_RETRY_AFTER_MS, Poller } from './poller.ts';
import { addStep, type GraphNode, isReadFor, REPEATED, RequestGraph, resultOf } from './request-graph.ts';
import { type EngineOptions, isDocumented, type KnownRequests, type RequestSpec } from './request-spec.ts';
import { resendEvidence } from './resend-evidence.ts';
import { snapshotOf } from './snapshot.ts';
import { stepInputs } from './step-inputs.ts';
import { credentialsResult, symptomOf } from './symptom.ts';
import type { ExchangeSummary, Run, Unit } from './types.ts';
import { newExecution, stepReadings, stepsBefore, type UnitExecution } from './unit-execution.ts';

/** The delay before failed units are repeated, in ms: time for a replica or a job to catch up. */
const REPEAT_PAUSE_MS = 300;

/** A request to send, or a response to read again for further folds. */
interface PendingRequest {
  readonly node: GraphNode;
  readonly addedFolds: ReadonlyMap<string, Fold<unknown>>;
  readonly pauseMs: number;
}

/** Whether a request may be sent again, and gets the same response as long as the data is the same: a job proceeds. */
const isRepeatable = (operation: OperationKey): boolean => {
  const { group, safety } = operationOf(operation);
  return group !== 'A' && safety === 'read';
};

/** Some of the inputs of a request. */
const inputsOf = ({ inputs }: RequestSpec, names: readonly string[]): Inputs =>
  Object.fromEntries(Object.entries(inputs).filter(([name]) => names.includes(name)));

export class Engine {
  readonly #options: EngineOptions;
  readonly #log: ExchangeLog;
  readonly #graph: RequestGraph;
  readonly #wait: (ms: number) => Promise<unknown>;
  /** The executions of each unit: one, or two if it is repeated. */
  readonly #executions = new Map<Unit, UnitExecution[]>();
  readonly #breaker = new CircuitBreaker();
  readonly #poller: Poller;
  #pausedMs = 0;
  /** How many requests were sent once more after the repetition. */
  #resent = 0;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#log = new ExchangeLog(options.profile);
    this.#graph = new RequestGraph(options, this.#log, this.#breaker, (ms) => this.#wait(ms));
    const { signal } = options;
    const wait = options.wait ?? ((ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined));
    // A run that sends nothing more needs no pause.
    this.#wait = async (ms) => {
      const began = performance.now();
      if (!this.#breaker.isOver) await wait(ms);
      this.#pausedMs += performance.now() - began;
    };
    this.#poller = new Poller({
      graph: this.#graph,
      breaker: this.#breaker,
      wait: this.#wait,
      now: options.now ?? Date.now,
      signal,
    });
  }

  /** All exchanges so far, in the order of their requests. */
  get exchanges(): readonly ExchangeSummary[] {
    return this.#log.summaries;
  }

  /** How long the run waited for refusals to end, and between requests; undefined: less than a second. */
  get waits(): Run['manifest']['waits'] {
    const { refusals = 0, ms = 0 } = this.#options.source.waits ?? {};
    const [refusedMs, pausedMs] = [Math.round(ms), Math.round(this.#pausedMs)];
    return refusedMs + pausedMs < 1000 ? undefined : { refusals, refusedMs, pausedMs };
  }

  /** A digest of the lists that were read. */
  get snapshot(): RunSnapshot | undefined {
    const sources = [...this.#graph.nodes()].flatMap((node) => {
      const result = resultOf(node);
      return result ? [{ spec: node.spec, result }] : [];
    });
    return snapshotOf(sources, this.#options.declarations);
  }

  /** The inputs that lists supplied to requests that were sent, each once. */
  get draws(): NonNullable<Run['draws']> {
    const isSent = ({ firstResult }: GraphNode) =>
      firstResult?.exchanges.some((each) => (this.#log.idOf(each) ?? NOT_SENT) !== NOT_SENT) ?? false;
    const drawn = [...this.#graph.nodes()].flatMap((node) =>
      node.drawn && isSent(node) ? [{ ...node.spec, drawn: node.drawn }] : [],
    );
    return [...Map.groupBy(drawn, ({ operation }) => operation)].map(([operation, nodes]) => ({
      operation,
      inputs: [...new Map(nodes.map((each) => [JSON.stringify(each.drawn), each.drawn])).values()],
    }));
  }

  /** The curl command of an exchange, the beginning of its response, and its drawn inputs. */
  detail(id: string): Promise<Pick<ExchangeSummary, 'curl' | 'begins' | 'inputs'>> {
    return this.#log.detail(id);
  }

  /** The requests that were sent, without those that were retried or interrupted, each with the symptom of its response. */
  async sentRequests(): Promise<RunRequest[]> {
    const requests = new Map<string, RunRequest>();
    for (const { firstResult, finalResult, spec } of this.#graph.nodes())
      for (const exchange of [...(firstResult?.exchanges ?? []), ...(finalResult?.exchanges ?? [])]) {
        const id = this.#log.idOf(exchange);
        if (id === undefined || id === NOT_SENT || requests.has(id)) continue;
        if (exchange.failure && isClientStop(exchange.failure)) continue;
        const symptom = await symptomOf(exchange);
        const credentials = credentialsResult(exchange);
        requests.set(id, {
          id,
          operation: spec.operation,
          documented: isDocumented(spec),
          symptom,
          ...(credentials && { credentials }),
        });
      }
    return [...requests.values()];
  }

  /** When the service stopped responding during the run, and whether its longest duration ended it. */
  async outages(): Promise<Outage[]> {
    const sentence = `${DURATION_OVER} (--max-duration, limits.maxDurationMs): raise it, or narrow the run`;
    const end = isDurationOver(this.#options.signal) ? [{ ids: new Set<string>(), isOver: false, sentence }] : [];
    return [...(await findOutages(this.#log.sent, this.#breaker.isOver)), ...end];
  }

  /** What the result of a unit rests on. */
  sourcesOf(unit: Unit): ResultSources {
    const exchanges: string[] = [];
    let [isStopped, isRetried] = [false, false];
    for (const { firstResult, finalResult } of this.#nodesOfUnit(unit))
      for (const result of [firstResult, finalResult]) {
        isRetried ||= result?.retried === true;
        for (const exchange of result?.exchanges ?? []) {
          isStopped ||= exchange.failure?.kind === 'stopped';
          const id = this.#log.idOf(exchange);
          if (id !== undefined) exchanges.push(id);
        }
      }
    return { exchanges, isStopped, isRetried };
  }

  /** The nodes of all steps of a unit, also of its repetition. */
  #nodesOfUnit(unit: Unit): GraphNode[] {
    return (this.#executions.get(unit) ?? []).flatMap(({ steps, nodes }) =>
      Object.entries(steps).flatMap(([name, step]) => this.#graph.nodesOf(step, nodes.get(name))),
    );
  }

  /** Executes and judges all units; returns a judgement for each. */
  async execute(units: readonly { readonly unit: Unit; readonly steps: Steps }[]): Promise<Map<Unit, UnitVerdict>> {
    const executions = units.map((each) => newExecution({ ...each, isRepeated: false }));
    for (const { steps } of units)
      for (const step of Object.values(steps)) if (step.fromAllRules) this.#graph.gather(step);
    await this.#run(executions);
    const verdicts = new Map<Unit, UnitVerdict>();
    const failures: Judged<FailedJudgement>[] = [];
    for (const execution of executions) {
      const judgement = this.#judge(execution);
      verdicts.set(execution.unit, judgement);
      if (judgement.verdict === 'fail' && execution.unit.rule.repeat) failures.push({ execution, judgement });
    }
    if (failures.length === 0) return verdicts;
    await this.#wait(REPEAT_PAUSE_MS);
    this.#graph.drawn = [...this.#graph.drawn, ...this.#citedInputs(failures.map(({ judgement }) => judgement))];
    const repeated = failures.map((failed) => ({
      failed,
      execution: newExecution({ unit: failed.execution.unit, steps: failed.execution.steps, isRepeated: true }),
    }));
    await this.#run(repeated.map(({ execution }) => execution));
    const context = {
      log: this.#log,
      declarations: this.#options.declarations,
      readingsOf: (execution: UnitExecution, name: string) => this.#readings(execution, name),
    };
    const failedAgain: Judged<FailedJudgement>[] = [];
    for (const { failed, execution } of repeated) {
      const judgement = confirmFailure(failed, { execution, judgement: this.#judge(execution) }, context);
      verdicts.set(execution.unit, judgement);
      if (judgement.verdict === 'fail') failedAgain.push({ execution, judgement });
    }
    const confirmed = await resendEvidence(failedAgain, {
      log: this.#log,
      send: (step, inputs) => this.#sendAgain(step, inputs),
      pause: () => this.#wait(REPEAT_PAUSE_MS),
    });
    for (const [unit, verdict] of confirmed) verdicts.set(unit, verdict);
    return verdicts;
  }

  /** Sends a request again that the repetition sent, so that its responses can be compared. */
  async #sendAgain(step: Step, inputs: Inputs): Promise<GraphNode> {
    const repetition = (step.repetition ?? 0) + REPEATED * ++this.#resent;
    const node = this.#graph.nodeOf({ ...step, repetition }, inputs, { isRepeated: true });
    this.#breaker.announce(node.spec);
    node.followsRedirects = step.follow !== false;
    await this.#graph.fetch(node, new Map());
    return node;
  }

  /**
   * The drawn inputs of the requests that failures cite: the repetition sends them again if the lists still have them, also
   * where another order of rows draws others. The repetitions of version 0.1.0 had no such requests.
   */
  #citedInputs(failures: readonly FailedJudgement[]): Inputs[] {
    if (this.#options.declarations.seed === UNSTRATIFIED_SEED) return [];
    const ids = new Set(failures.flatMap(({ findings }) => findings.map(({ exchange }) => exchange)));
    return [...ids].flatMap((id) => (id === undefined ? [] : (this.#log.inputsOf(id) ?? [])));
  }

  /** Executes the steps of units in rounds: a step is ready when the steps it depends on have responses. */
  async #run(executions: readonly UnitExecution[]): Promise<void> {
    for (const each of executions) this.#executions.set(each.unit, [...(this.#executions.get(each.unit) ?? []), each]);
    const polled = executions.filter(({ steps }) => Object.values(steps).some(({ poll }) => poll));
    for (let unfinished = executions; ; ) {
      unfinished = unfinished.filter(({ waiting }) => waiting.size > 0);
      let { hasProgress, pending } = this.#startReadySteps(unfinished);
      if (!hasProgress && !(await this.#poller.sendNext(polled))) {
        ({ hasProgress, pending } = this.#startReadySteps(unfinished, { areLastDue: true }));
        if (!hasProgress) return;
      }
      if (hasProgress) this.#options.onRound?.(this.#knownRequests(executions));
      // One pause is enough for all steps of a round.
      const pauseMs = Math.max(0, ...pending.map((each) => (each.node.firstResult ? 0 : each.pauseMs)));
      if (pauseMs > 0) await this.#wait(pauseMs);
      for (const { node } of pending) this.#breaker.announce(node.spec);
      while (pending.length > 0) {
        const [next] = pending.splice(this.#breaker.nextOf(pending), 1);
        if (next) await this.#graph.fetch(next.node, next.addedFolds);
      }
    }
  }

  /** Creates the requests of all steps that are ready. A step without requests may make later steps ready at once. */
  #startReadySteps(executions: readonly UnitExecution[], { areLastDue = false } = {}) {
    const pending: PendingRequest[] = [];
    let hasProgress = false;
    for (const execution of executions) {
      for (const [name, step] of execution.waiting) {
        if ((step.last && !areLastDue) || !this.#isReady(execution, step)) continue;
        hasProgress = true;
        execution.waiting.delete(name);
        const requests = this.#requestsOf(execution, step);
        execution.nodes.set(
          name,
          requests.map(({ node }) => node),
        );
        pending.push(...requests);
      }
    }
    return { hasProgress, pending };
  }

  #requestsOf(execution: UnitExecution, step: Step): PendingRequest[] {
    if (step.when && !step.when((other) => this.#readings(execution, other))) return [];
    const { isRepeated } = execution;
    const { each } = step;
    const pauseMs = isRepeated ? this.#delayOf(execution, step) : 0;
    const of = (name: string): readonly Reading[] => this.#readings(execution, name);
    return stepInputs(step, of, this.#options.declarations, this.#graph.drawn).map((inputs) => {
      const node = this.#graph.nodeOf(step, inputs, execution);
      if (isRepeated && isRepeatable(step.operation)) node.isComparedAcrossReplicas = true;
      if (each) node.drawn ??= inputsOf(node.spec, Object.values(each.as));
      return { node, addedFolds: addStep(node, step), pauseMs };
    });
  }

  #knownRequests(executions: readonly UnitExecution[]): KnownRequests {
    const count = new Map<OperationKey, number>();
    for (const { spec } of this.#graph.nodes()) count.set(spec.operation, (count.get(spec.operation) ?? 0) + 1);
    const incomplete = executions.flatMap(({ waiting }) => [...waiting.values()].map(({ operation }) => operation));
    return { count, incomplete: new Set(incomplete) };
  }

  /** The delay before a step that reads a new resource: at least the Retry-After of the responses before it. */
  #delayOf({ nodes }: UnitExecution, step: Step): number {
    if (step.repeatDelayMs === undefined) return 0;
    const retryAfterMs = stepsBefore(step).flatMap((name) =>
      (nodes.get(name) ?? []).map(
        ({ firstResult }) => retryAfter(firstResult?.exchanges[0]?.response ?? { headers: [] }) ?? 0,
      ),
    );
    return Math.max(step.repeatDelayMs, Math.min(Math.max(0, ...retryAfterMs), MAX_RETRY_AFTER_MS));
  }

  #isReady(execution: UnitExecution, step: Step): boolean {
    return stepsBefore(step).every((name) => {
      const source = execution.steps[name] as Step;
      if (!execution.nodes.get(name)?.every((node) => isReadFor(node, source))) return false;
      const { poll } = source;
      return !poll || this.#poller.isOver(execution, name, poll);
    });
  }

  #readings(execution: UnitExecution, name: string): Reading[] {
    return stepReadings(this.#graph, execution, name);
  }

  #judge(execution: UnitExecution): UnitVerdict {
    const { declarations } = this.#options;
    const { unit, steps } = execution;
    return judgeUnit(unit, steps, (name) => this.#readings(execution, name), declarations, this.#graph.values);
  }
}

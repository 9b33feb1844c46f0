/** Executes the steps of the units of a run against a source, each distinct request once, and judges every unit. */
import { setTimeout as sleep } from 'node:timers/promises';
import { retryAfter } from '../client/retry-after.ts';
import { type OperationKey, operationOf, UNSTRATIFIED_SEED } from '../contract/index.ts';
import { isClientStop } from '../exchange/wire/failures.ts';
import type { Inputs } from '../profile/template.ts';
import { areOfSeveralAsOfs } from '../rule/data-weeks.ts';
import {
  type Fold,
  type Judgement,
  type Poll,
  type Reading,
  type Step,
  type Steps,
  sourceNames,
} from '../rule/index.ts';
import type { ResultSources, RunRequest } from './causes.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import type { EngineOptions, KnownRequests } from './engine-options.ts';
import { ExchangeLog, NOT_SENT } from './exchange-log.ts';
import { judgeUnit, type UnitVerdict } from './judge-unit.ts';
import { type GraphNode, RequestGraph } from './request-graph.ts';
import { isDocumented, type RequestSpec } from './request-spec.ts';
import { snapshotOf } from './snapshot.ts';
import { stepInputs } from './step-inputs.ts';
import { credentialsResult, symptomOf } from './symptom.ts';
import type { ExchangeSummary, Run, RunSnapshot, Unit } from './types.ts';

type Fail = Extract<Judgement, { verdict: 'fail' }>;

interface UnitExecution {
  readonly unit: Unit;
  readonly steps: Steps;
  readonly nodes: Map<string, GraphNode[]>;
  /** The progress of steps with a `poll`. */
  readonly polls: Map<string, PollProgress>;
}

/** How long a poll paused so far, and the rest of the pause before its next request, in ms. */
interface PollProgress {
  readonly waitedMs: number;
  readonly remainingMs: number;
}

const isExhausted = (progress: PollProgress | undefined, { limitMs }: Poll): boolean =>
  (progress?.waitedMs ?? 0) >= limitMs;

/** Delay before failed units are repeated, in ms: time for a replica or a job to catch up. */
const REPEAT_PAUSE = 300;

/** The longest pause for a Retry-After, in ms. */
const LONGEST_PAUSE = 30_000;

const stepsBefore = ({ each, after = [] }: Step): readonly string[] => [...(each ? sourceNames(each) : []), ...after];

/** Whether a request may be sent again, and gets the same response as long as the data is the same: a job proceeds. */
const isRepeatable = (operation: OperationKey): boolean => {
  const { group, safety } = operationOf(operation);
  return group !== 'A' && safety === 'read';
};

/** Some of the inputs of a request. */
const inputsOf = ({ inputs }: RequestSpec, names: readonly string[]): Inputs =>
  Object.fromEntries(Object.entries(inputs).filter(([name]) => names.includes(name)));

/** The identity of a request, without its repetition number. */
const requestOf = ({ operation, inputs, variant }: RequestSpec): string => JSON.stringify([operation, inputs, variant]);

export class Engine {
  readonly #options: EngineOptions;
  readonly #log: ExchangeLog;
  readonly #graph: RequestGraph;
  readonly #wait: (ms: number) => Promise<unknown>;
  /** The units with their nodes; a repeated unit twice. */
  readonly #prepared = new Map<Unit, UnitExecution[]>();
  readonly #breaker = new CircuitBreaker();

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#log = new ExchangeLog(options.profile);
    this.#graph = new RequestGraph(options, this.#log, this.#breaker);
    this.#wait = options.wait ?? sleep;
  }

  /** All exchanges so far, in the order of their requests. */
  get exchanges(): readonly ExchangeSummary[] {
    return this.#log.summaries;
  }

  /** A digest of the lists that were read. */
  get snapshot(): RunSnapshot | undefined {
    const sources = [...this.#graph.nodes()].flatMap(({ spec, first, final }) => {
      const result = final ?? first;
      return result ? [{ spec, result }] : [];
    });
    return snapshotOf(sources, this.#options.declarations);
  }

  /** The inputs that lists supplied to requests that were sent, each once. */
  get draws(): NonNullable<Run['draws']> {
    const isSent = ({ first }: GraphNode) =>
      first?.exchanges.some((each) => (this.#log.idOf(each) ?? NOT_SENT) !== NOT_SENT) ?? false;
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
    const observed = new Map<string, RunRequest>();
    for (const { first, final, spec } of this.#graph.nodes())
      for (const exchange of [...(first?.exchanges ?? []), ...(final?.exchanges ?? [])]) {
        const id = this.#log.idOf(exchange);
        if (id === undefined || id === NOT_SENT || observed.has(id)) continue;
        if (exchange.failure && isClientStop(exchange.failure)) continue;
        const symptom = await symptomOf(exchange);
        const credentials = credentialsResult(exchange);
        observed.set(id, {
          id,
          operation: spec.operation,
          documented: isDocumented(spec),
          symptom,
          ...(credentials && { credentials }),
        });
      }
    return [...observed.values()];
  }

  /** What the result of a unit rests on. */
  sourcesOf(unit: Unit): ResultSources {
    const results = this.#nodesOfUnit(unit).flatMap(({ first, final }) => [first, final].filter((each) => !!each));
    const exchanges = results.flatMap((each) => each.exchanges);
    return {
      exchanges: exchanges.flatMap((each) => this.#log.idOf(each) ?? []),
      isStopped: exchanges.some(({ failure }) => failure?.kind === 'stopped'),
      isRetried: results.some(({ retried }) => retried),
    };
  }

  /** The nodes of all steps of a unit, also of its repetition. */
  #nodesOfUnit(unit: Unit): GraphNode[] {
    return (this.#prepared.get(unit) ?? []).flatMap(({ steps, nodes }) =>
      Object.entries(steps).flatMap(([name, step]) => this.#graph.nodesOf(step, nodes.get(name))),
    );
  }

  /** Executes and judges all units; returns a judgement for each. */
  async execute(units: readonly { readonly unit: Unit; readonly steps: Steps }[]): Promise<Map<Unit, UnitVerdict>> {
    const prepared = units.map((each): UnitExecution => ({ ...each, nodes: new Map(), polls: new Map() }));
    for (const { steps } of units)
      for (const step of Object.values(steps)) if (step.fromAllRules) this.#graph.gather(step);
    await this.#run(prepared, 0);
    const verdicts = new Map<Unit, UnitVerdict>();
    const failures: { prepared: UnitExecution; first: Fail }[] = [];
    for (const each of prepared) {
      const judged = this.#judge(each);
      verdicts.set(each.unit, judged);
      if (judged.verdict === 'fail' && each.unit.rule.repeat) failures.push({ prepared: each, first: judged });
    }
    if (failures.length === 0) return verdicts;
    await this.#wait(REPEAT_PAUSE);
    this.#graph.drawn = [...this.#graph.drawn, ...this.#citedInputs(failures.map(({ first }) => first))];
    const again = failures.map(
      ({ prepared: { unit, steps } }): UnitExecution => ({ unit, steps, nodes: new Map(), polls: new Map() }),
    );
    await this.#run(again, 1);
    failures.forEach(({ prepared: before, first }, at) => {
      const after = again[at] as UnitExecution;
      verdicts.set(after.unit, this.#confirm(before, first, after));
    });
    return verdicts;
  }

  /**
   * The drawn inputs of the requests that failures cite: the repetition sends them again if the lists still have them, also
   * where another order of rows draws others. The repetitions of version 0.1.0 had no such requests.
   */
  #citedInputs(failures: readonly Fail[]): Inputs[] {
    if (this.#options.declarations.seed === UNSTRATIFIED_SEED) return [];
    const ids = new Set(failures.flatMap(({ findings }) => findings.map(({ exchange }) => exchange)));
    return [...ids].flatMap((id) => (id === undefined ? [] : (this.#log.inputsOf(id) ?? [])));
  }

  /** The verdict of a failed unit after its repetition. */
  #confirm(before: UnitExecution, first: Fail, after: UnitExecution): UnitVerdict {
    const { repeat } = after.unit.rule;
    const second = this.#judge(after);
    if (second.verdict === 'pass') {
      const because = `${first.findings[0]?.actual ?? 'it failed'} at first; the repetition passed`;
      return repeat === 'pass' ? { ...second, note: because } : { verdict: 'inconclusive', because };
    }
    if (second.verdict === 'untested') return { verdict: 'inconclusive', because: second.because };
    if (second.verdict !== 'fail') return second;
    if (this.#isIntermittent(before, after, second)) {
      const because = `intermittent errors: ${second.findings[0]?.actual}, which the first request did not get`;
      return { verdict: 'inconclusive', because };
    }
    const doubt =
      repeat === 'pass' && this.#areOfSeveralWeeks(after)
        ? 'the compared responses state different as-of dates'
        : this.#changedAtOnce(after) || (repeat === 'pass' && this.#hasChanged(before, after))
          ? 'the responses changed between two equal requests'
          : undefined;
    if (doubt === undefined) return second;
    const because = `${doubt}; the last one: ${second.findings[0]?.expected}: ${second.findings[0]?.actual}`;
    return { verdict: 'inconclusive', because };
  }

  /** Whether the responses that a relation compares are of different data weeks by their own as-of dates. */
  #areOfSeveralWeeks(prepared: UnitExecution): boolean {
    if (prepared.unit.rule.comparesAsOf) return false;
    const readings = Object.entries(prepared.steps).flatMap(([name, { fromAllRules }]) =>
      fromAllRules ? [] : this.#readings(prepared, name),
    );
    return areOfSeveralAsOfs(readings, this.#options.declarations);
  }

  /** Whether a request got another response when it was sent several times in a row, by replicas of different data. */
  #changedAtOnce({ nodes }: UnitExecution): boolean {
    return [...nodes.values()].flat().some(({ first, final }) => first?.changed || final?.changed);
  }

  /** Whether a request of the repetition got another response than before. */
  #hasChanged(before: UnitExecution, after: UnitExecution): boolean {
    const earlier = this.#digests(before);
    return [...this.#digests(after)].some(([key, digest]) => earlier.has(key) && earlier.get(key) !== digest);
  }

  /** Whether all findings are server errors that the same requests did not get the first time. */
  #isIntermittent(before: UnitExecution, after: UnitExecution, { findings }: Fail): boolean {
    const statuses = (prepared: UnitExecution) =>
      [...prepared.nodes.values()].flat().map(({ spec, first }) => {
        const [exchange] = first?.exchanges ?? [];
        return {
          request: requestOf(spec),
          id: exchange && this.#log.idOf(exchange),
          status: exchange?.response?.status,
        };
      });
    const ok = new Set(
      statuses(before)
        .filter(({ status = 500 }) => status < 500)
        .map(({ request }) => request),
    );
    const broken = statuses(after).filter(({ request, status = 0 }) => status >= 500 && ok.has(request));
    return findings.every(({ exchange }) => exchange !== undefined && broken.some(({ id }) => id === exchange));
  }

  /** The digest of each response of a unit, keyed by request, because the repetition may send different requests. */
  #digests(prepared: UnitExecution): Map<string, string | undefined> {
    const nodes = [...prepared.nodes.values()].flat();
    return new Map(nodes.map((node) => [requestOf(node.spec), (node.final ?? node.first)?.observation?.digest]));
  }

  /** Executes the steps of units in rounds: a step is ready when the steps it depends on have responses. */
  async #run(units: readonly UnitExecution[], attempt: number): Promise<void> {
    for (const each of units) this.#prepared.set(each.unit, [...(this.#prepared.get(each.unit) ?? []), each]);
    for (;;) {
      const pending: { node: GraphNode; folds: Map<string, Fold<unknown>>; pause: number }[] = [];
      let hasProgress = false;
      for (const unit of units) {
        for (const [name, step] of Object.entries(unit.steps)) {
          if (unit.nodes.has(name) || !this.#isReady(unit, step)) continue;
          hasProgress = true;
          if (step.when && !step.when((other) => this.#readings(unit, other))) {
            unit.nodes.set(name, []);
            continue;
          }
          const sourceReadings = step.each ? sourceNames(step.each).flatMap((from) => this.#readings(unit, from)) : [];
          const inputs = stepInputs(step, sourceReadings, this.#options.declarations, this.#graph.drawn);
          const nodes = inputs.map((each) => this.#graph.nodeOf(step, each, attempt));
          unit.nodes.set(name, nodes);
          for (const node of nodes) {
            if (step.follow !== false) node.followed = true;
            if (!step.mayBeUnknown) node.isKnown = true;
            if (attempt > 0 && isRepeatable(step.operation)) node.inARow = true;
            if (step.each) node.drawn ??= inputsOf(node.spec, Object.values(step.each.as));
            const addedFolds = new Map<string, Fold<unknown>>();
            for (const fold of Object.values(step.folds ?? {})) {
              if (!node.folds.has(fold.key) && node.first) addedFolds.set(fold.key, fold);
              node.folds.set(fold.key, fold);
            }
            pending.push({ node, folds: addedFolds, pause: attempt > 0 ? this.#delayOf(unit, step) : 0 });
          }
        }
      }
      if (hasProgress) this.#options.onRound?.(this.#knownRequests(units));
      if (!hasProgress && !(await this.#pollOnce(units, attempt))) return;
      // One pause is enough for all steps of a round.
      const pause = Math.max(0, ...pending.map((each) => (each.node.first ? 0 : each.pause)));
      if (pause > 0) await this.#wait(pause);
      for (const { node } of pending) this.#breaker.announce(node.spec);
      while (pending.length > 0) {
        const [next] = pending.splice(this.#breaker.nextOf(pending), 1);
        if (next) await this.#graph.fetch(next.node, next.folds);
      }
    }
  }

  #knownRequests(units: readonly UnitExecution[]): KnownRequests {
    const count = new Map<OperationKey, number>();
    for (const { spec } of this.#graph.nodes()) count.set(spec.operation, (count.get(spec.operation) ?? 0) + 1);
    const open = units.flatMap(({ steps, nodes }) =>
      Object.entries(steps).flatMap(([name, { operation }]) => (nodes.has(name) ? [] : [operation])),
    );
    return { count, open: new Set(open) };
  }

  /** The delay before a step that reads a new resource: at least the Retry-After of the responses before it. */
  #delayOf(unit: UnitExecution, step: Step): number {
    if (step.repeatDelayMs === undefined) return 0;
    const retryAfterMs = stepsBefore(step).flatMap((name) =>
      (unit.nodes.get(name) ?? []).map(
        ({ first }) => retryAfter(first?.exchanges[0]?.response ?? { headers: [] }) ?? 0,
      ),
    );
    return Math.max(step.repeatDelayMs, Math.min(Math.max(0, ...retryAfterMs), LONGEST_PAUSE));
  }

  /**
   * Waits for the shortest remaining pause, then sends one request for each poll whose pause is over. Returns false if no
   * poll is unfinished.
   */
  async #pollOnce(units: readonly UnitExecution[], attempt: number): Promise<boolean> {
    const unfinished = units.flatMap((unit) =>
      Object.entries(unit.steps).flatMap(([name, { poll, ...step }]) =>
        poll && unit.nodes.has(name) && !this.#isOver(unit, name, poll) ? [{ unit, name, step, poll }] : [],
      ),
    );
    if (unfinished.length === 0) return false;
    const progressOf = ({ unit, name, poll }: (typeof unfinished)[number]): PollProgress => {
      const known = unit.polls.get(name);
      if (known && known.remainingMs > 0) return known;
      const last = unit.nodes.get(name)?.at(-1)?.first?.exchanges[0]?.response;
      const retryAfterMs = Math.min(retryAfter(last ?? { headers: [] }) ?? 0, LONGEST_PAUSE);
      return { waitedMs: known?.waitedMs ?? 0, remainingMs: Math.max(poll.intervalMs, retryAfterMs) };
    };
    const waiting = unfinished.map((each) => ({ ...each, ...progressOf(each) }));
    const pause = Math.min(...waiting.map(({ remainingMs }) => remainingMs));
    await this.#wait(pause);
    for (const { unit, name, step, waitedMs, remainingMs } of waiting) {
      unit.polls.set(name, { waitedMs: waitedMs + pause, remainingMs: remainingMs - pause });
      const nodes = unit.nodes.get(name) ?? [];
      const [first] = nodes;
      if (remainingMs > pause || !first) continue;
      const repetition = (step.repetition ?? 0) + nodes.length;
      const node = this.#graph.nodeOf({ ...step, repetition }, first.spec.inputs, attempt);
      node.followed = first.followed;
      if (!step.mayBeUnknown) node.isKnown = true;
      const added = new Map(Object.values(step.folds ?? {}).map((fold) => [fold.key, fold as Fold<unknown>]));
      const missing = new Map([...added].filter(([key]) => node.first && !node.folds.has(key)));
      for (const [key, fold] of added) node.folds.set(key, fold);
      unit.nodes.set(name, [...nodes, node]);
      this.#breaker.announce(node.spec);
      await this.#graph.fetch(node, missing);
    }
    return true;
  }

  /** Whether a poll sends no further request: its condition holds, its limit is reached, or no response can be expected. */
  #isOver(unit: UnitExecution, name: string, poll: Poll): boolean {
    const readings = this.#readings(unit, name);
    const last = readings.at(-1);
    if (!last?.head || last.unavailable || this.#options.signal?.aborted) return true;
    return isExhausted(unit.polls.get(name), poll) || poll.isDone(readings, (other) => this.#readings(unit, other));
  }

  #isReady(unit: UnitExecution, step: Step): boolean {
    return stepsBefore(step).every((name) => {
      if (!unit.nodes.get(name)?.every((node) => node.first)) return false;
      const poll = unit.steps[name]?.poll;
      return !poll || this.#isOver(unit, name, poll);
    });
  }

  #readings(unit: UnitExecution, name: string): Reading[] {
    const step = unit.steps[name] as Step;
    const readings = this.#graph.readings(step, unit.nodes.get(name));
    if (!step.poll || !isExhausted(unit.polls.get(name), step.poll)) return readings;
    return readings.map((each, at) => (at === readings.length - 1 ? { ...each, exhausted: true as const } : each));
  }

  #judge(prepared: UnitExecution): UnitVerdict {
    return judgeUnit(
      prepared.unit,
      prepared.steps,
      (name) => this.#readings(prepared, name),
      this.#options.declarations,
    );
  }
}

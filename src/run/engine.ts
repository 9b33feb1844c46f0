/** Executes the steps of the units of a run against a source, each distinct request once, and judges every unit. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { retryAfter } from '../client/retry-after.ts';
import { isUpc, type OperationKey } from '../contract/index.ts';
import { buildRequest } from '../exchange/request.ts';
import type { Exchange, FailureKind, Source } from '../exchange/types.ts';
import type { Profile } from '../profile/schema.ts';
import type { Inputs } from '../profile/template.ts';
import { isRequestComplete } from '../rule/declarations.ts';
import type { Declarations, Fold, Judgement, Reading, Step, Steps } from '../rule/index.ts';
import { answerOnce } from './answer-once.ts';
import type { ObservedRequest, ResultBasis } from './causes.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { ExchangeLog } from './exchange-log.ts';
import { fetchRequest, holdsAllWindows, rereadRequest } from './fetch-request.ts';
import { judgeUnit, type UnitVerdict } from './judge-unit.ts';
import { type FetchResult, isDocumented, type RequestSpec } from './request-spec.ts';
import { isRetriable } from './retry.ts';
import { snapshotFolds, snapshotOf } from './snapshot.ts';
import { stepInputs } from './step-inputs.ts';
import { symptomOf } from './symptom.ts';
import type { ExchangeSummary, RunSnapshot, Unit } from './types.ts';
import { unsentSource } from './unsent-source.ts';

export interface EngineOptions {
  readonly base: string;
  readonly profile: Profile;
  readonly declarations: Declarations;
  readonly source: Source;
  readonly onProgress?: (requests: number, operation: OperationKey) => void;
  /** Waits for a time in ms; the simulator, whose clock is fixed, needs no pause. */
  readonly wait?: (ms: number) => Promise<unknown>;
  /** Inputs that samples of lists contain if the lists have them. */
  readonly drawn?: readonly Inputs[];
  /** Aborts the run: no further request is sent. */
  readonly signal?: AbortSignal;
}

type Fail = Extract<Judgement, { verdict: 'fail' }>;

interface GraphNode {
  readonly spec: RequestSpec;
  readonly folds: Map<string, Fold<unknown>>;
  followed: boolean;
  /** The inputs that a list supplied. */
  drawn?: Inputs;
  /** The first response, and the one after redirects if a step follows them. */
  first?: FetchResult;
  final?: FetchResult;
}

interface Prepared {
  readonly unit: Unit;
  readonly steps: Steps;
  readonly nodes: Map<string, GraphNode[]>;
}

/** A well-formed UPC for requests that only show whether the look-up is served. */
const PLACEHOLDER_UPC = '012345678905';
/** Delay before failed units are repeated, in ms: time for a replica or a job to catch up. */
const REPEAT_PAUSE = 300;

/** Failures of requests that were not sent. */
const NOT_SENT: ReadonlySet<FailureKind> = new Set(['budget', 'unsendable', 'notShown']);
/** The longest pause for a Retry-After, in ms. */
const LONGEST_PAUSE = 30_000;

const stepsBefore = ({ each, after = [] }: Step): readonly string[] => [...(each ? [each.from] : []), ...after];

/** Some of the inputs of a request. */
const inputsOf = ({ inputs }: RequestSpec, names: readonly string[]): Inputs =>
  Object.fromEntries(Object.entries(inputs).filter(([name]) => names.includes(name)));

/** The identity of a request, without its repetition number. */
const requestOf = ({ operation, inputs, variant }: RequestSpec): string => JSON.stringify([operation, inputs, variant]);

export class Engine {
  readonly #options: EngineOptions;
  readonly #nodes = new Map<string, GraphNode>();
  /** The same nodes by operation, variant and inputs: steps of many rules request the same, and need not build it again. */
  readonly #nodesOfSteps = new Map<string, GraphNode>();
  readonly #log: ExchangeLog;
  /** By repetition number: the responses that contain all windows of a delta. */
  readonly #shared = new Map<number, Map<string, Exchange>>();
  readonly #wait: (ms: number) => Promise<unknown>;
  /** The units with their nodes; a repeated unit twice. */
  readonly #prepared = new Map<Unit, Prepared[]>();
  readonly #breaker = new CircuitBreaker();

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#log = new ExchangeLog(options.profile);
    this.#wait = options.wait ?? sleep;
  }

  /** All exchanges so far, in the order of their requests. */
  get exchanges(): readonly ExchangeSummary[] {
    return this.#log.summaries;
  }

  /** A digest of the lists that were read. */
  get snapshot(): RunSnapshot | undefined {
    const sources = [...this.#nodes.values()].flatMap(({ spec, first, final }) => {
      const result = final ?? first;
      return result ? [{ spec, result }] : [];
    });
    return snapshotOf(sources, this.#options.declarations);
  }

  /** The curl command of an exchange, the beginning of its response, and its drawn inputs. */
  detail(id: string): Promise<Pick<ExchangeSummary, 'curl' | 'begins' | 'inputs'>> {
    return this.#log.detail(id);
  }

  /** The requests that were sent, without those that were retried, each with the symptom of its response. */
  async observedRequests(): Promise<ObservedRequest[]> {
    const observed = new Map<string, ObservedRequest>();
    for (const { first, final, spec } of this.#nodes.values())
      for (const exchange of [...(first?.exchanges ?? []), ...(final?.exchanges ?? [])]) {
        const id = this.#log.idOf(exchange);
        if (id === undefined || id === 'not sent' || observed.has(id)) continue;
        const symptom = await symptomOf(exchange);
        observed.set(id, { id, operation: spec.operation, documented: isDocumented(spec), symptom });
      }
    return [...observed.values()];
  }

  /** What the result of a unit rests on. */
  basisOf(unit: Unit): ResultBasis {
    const answers = this.#nodesBehind(unit).flatMap(({ first, final }) => [first, final].filter((each) => !!each));
    const exchanges = answers.flatMap((each) => each.exchanges);
    return {
      exchanges: exchanges.flatMap((each) => this.#log.idOf(each) ?? []),
      isStopped: exchanges.some(({ failure }) => failure?.kind === 'stopped'),
      isRetried: answers.some(({ retried }) => retried),
    };
  }

  /** The nodes of all steps of a unit, also of its repetition. */
  #nodesBehind(unit: Unit): GraphNode[] {
    return (this.#prepared.get(unit) ?? []).flatMap(({ steps, nodes }) =>
      Object.entries(steps).flatMap(([name, step]) => this.#nodesOf(step, nodes.get(name))),
    );
  }

  /** Executes and judges all units; returns a judgement for each. */
  async execute(units: readonly { readonly unit: Unit; readonly steps: Steps }[]): Promise<Map<Unit, UnitVerdict>> {
    const prepared = units.map((each): Prepared => ({ ...each, nodes: new Map() }));
    await this.#run(prepared, 0);
    const verdicts = new Map<Unit, UnitVerdict>();
    const failures: { prepared: Prepared; first: Fail }[] = [];
    for (const each of prepared) {
      const judged = this.#judge(each);
      verdicts.set(each.unit, judged);
      if (judged.verdict === 'fail' && each.unit.rule.repeat) failures.push({ prepared: each, first: judged });
    }
    if (failures.length === 0) return verdicts;
    await this.#wait(REPEAT_PAUSE);
    const again = failures.map(({ prepared: { unit, steps } }): Prepared => ({ unit, steps, nodes: new Map() }));
    await this.#run(again, 1);
    failures.forEach(({ prepared: before, first }, at) => {
      const after = again[at] as Prepared;
      verdicts.set(after.unit, this.#confirm(before, first, after));
    });
    return verdicts;
  }

  /** The verdict of a failed unit after its repetition. */
  #confirm(before: Prepared, first: Fail, after: Prepared): UnitVerdict {
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
    const earlier = this.#digests(before);
    const hasChanged =
      repeat === 'pass' &&
      [...this.#digests(after)].some(([key, digest]) => earlier.has(key) && earlier.get(key) !== digest);
    if (!hasChanged) return second;
    const because = `the responses changed between two equal requests; the last one: ${second.findings[0]?.expected}: ${second.findings[0]?.actual}`;
    return { verdict: 'inconclusive', because };
  }

  /** Whether all findings are server errors that the same requests did not get the first time. */
  #isIntermittent(before: Prepared, after: Prepared, { findings }: Fail): boolean {
    const statuses = (prepared: Prepared) =>
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

  /** The digest of each response of a unit, by its request: the repetition may send requests for other rows. */
  #digests(prepared: Prepared): Map<string, string | undefined> {
    const nodes = [...prepared.nodes.values()].flat();
    return new Map(nodes.map((node) => [requestOf(node.spec), (node.final ?? node.first)?.observation?.digest]));
  }

  /** Executes the steps of units in rounds: a step is ready when the steps it depends on have responses. */
  async #run(units: readonly Prepared[], attempt: number): Promise<void> {
    for (const each of units) this.#prepared.set(each.unit, [...(this.#prepared.get(each.unit) ?? []), each]);
    for (;;) {
      const pending: { node: GraphNode; folds: Map<string, Fold<unknown>>; pause: number }[] = [];
      let found = false;
      for (const unit of units) {
        for (const [name, step] of Object.entries(unit.steps)) {
          if (unit.nodes.has(name) || !this.#isReady(unit, step)) continue;
          found = true;
          const sourceReadings = step.each ? this.#readings(unit, step.each.from) : [];
          const inputs = stepInputs(step, sourceReadings, this.#options.declarations, this.#options.drawn);
          const nodes = inputs.map((each) => this.#nodeOf(step, each, attempt));
          unit.nodes.set(name, nodes);
          for (const node of nodes) {
            if (step.follow !== false) node.followed = true;
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
      if (!found) return;
      // One pause is enough for all steps of a round.
      const pause = Math.max(0, ...pending.map((each) => (each.node.first ? 0 : each.pause)));
      if (pause > 0) await this.#wait(pause);
      for (const { node } of pending) this.#breaker.expect(node.spec);
      while (pending.length > 0) {
        const [next] = pending.splice(this.#breaker.nextOf(pending), 1);
        if (next) await this.#fetchNode(next.node, next.folds);
      }
    }
  }

  /** The delay before a step that reads a new resource: at least the Retry-After of the responses before it. */
  #delayOf(unit: Prepared, step: Step): number {
    if (step.repeatDelayMs === undefined) return 0;
    const requested = stepsBefore(step).flatMap((name) =>
      (unit.nodes.get(name) ?? []).map(
        ({ first }) => retryAfter(first?.exchanges[0]?.response ?? { headers: [] }) ?? 0,
      ),
    );
    return Math.max(step.repeatDelayMs, Math.min(Math.max(0, ...requested), LONGEST_PAUSE));
  }

  #isReady(unit: Prepared, step: Step): boolean {
    const before = stepsBefore(step);
    return before.every((name) => unit.nodes.get(name)?.every((node) => node.first) ?? false);
  }

  #nodeOf(step: Step, inputs: Inputs, attempt: number): GraphNode {
    const { base, profile } = this.#options;
    const { operation, variant = {} } = step;
    const repetition = (step.repetition ?? 0) + attempt * 1000;
    const stepKey = JSON.stringify([operation, variant, repetition, inputs]);
    const known = this.#nodesOfSteps.get(stepKey);
    if (known) return known;
    const needsUpc = operation.includes('{upc}') && inputs.upc === undefined;
    const completeInputs = needsUpc ? { ...inputs, upc: PLACEHOLDER_UPC } : inputs;
    const request = buildRequest(base, operation, profile, completeInputs, variant);
    const spec: RequestSpec = { operation, inputs: completeInputs, variant, repetition, request };
    const body = request.body ? Buffer.from(request.body).toString('base64') : '';
    // The window is part of the key: one response may contain all windows, and is requested once (`#sharing`) but read for each.
    const key = JSON.stringify([
      request.method,
      request.url,
      request.headers,
      body,
      request.anonymous ?? false,
      repetition,
      completeInputs.window ?? null,
    ]);
    let node = this.#nodes.get(key);
    if (!node) {
      node = { spec, folds: new Map(snapshotFolds(spec).map((fold) => [fold.key, fold])), followed: false };
      this.#nodes.set(key, node);
    } else if (!isDeepStrictEqual(node.spec.inputs, completeInputs)) {
      // The requests are equal but their inputs differ (the request does not contain one): folds get their own inputs.
      node = {
        spec,
        folds: new Map(),
        followed: false,
        ...(node.first && { first: node.first }),
        ...(node.final && { final: node.final }),
      };
      if (node.first) node.first = { ...node.first, folds: new Map() };
      return node;
    }
    this.#nodesOfSteps.set(stepKey, node);
    return node;
  }

  async #fetchNode(node: GraphNode, addedFolds: ReadonlyMap<string, Fold<unknown>>): Promise<void> {
    if (!node.first) {
      node.first = await this.#fetch(node, false);
    } else if (addedFolds.size > 0) {
      const result = node.final ?? node.first;
      const read = await rereadRequest(node.spec, result, addedFolds.values(), this.#options);
      const merged = { ...result, folds: new Map([...result.folds, ...read]) };
      if (node.final) node.final = merged;
      else node.first = merged;
    }
    const status = node.first.exchanges[0]?.response?.status ?? 0;
    if (node.followed && !node.final && status >= 300 && status < 400) node.final = await this.#fetch(node, true);
  }

  async #fetch(node: GraphNode, follow: boolean): Promise<FetchResult> {
    const { base, profile, source, drawn, onProgress, signal } = this.#options;
    const { operation } = node.spec;
    const whyNotSent = signal?.aborted ? 'not sent: the run was interrupted' : this.#breaker.whyClosed(operation);
    return fetchRequest(node.spec, node.folds.values(), follow, {
      base,
      profile,
      drawn,
      source:
        whyNotSent !== undefined
          ? unsentSource(whyNotSent)
          : holdsAllWindows(profile, operation)
            ? this.#sharing(node.spec)
            : source,
      // While a service is silent, retries would only double the time until the run stops.
      mayRetry: (exchange) => !this.#breaker.isSilent && !signal?.aborted && isRetriable(exchange, node.spec),
      onExchange: (exchange, _, retryOf) => {
        if (this.#log.idOf(exchange) !== undefined) return;
        const { failure } = exchange;
        const isSent = whyNotSent === undefined && !(failure && NOT_SENT.has(failure.kind));
        this.#log.add(exchange, operation, isSent, { retryOf, inputs: node.drawn });
        if (!isSent) return;
        onProgress?.(this.#log.summaries.length, operation);
        this.#breaker.record(exchange, node.spec, retryOf !== undefined);
      },
    });
  }

  #sharing({ repetition }: RequestSpec): Source {
    const sent = this.#shared.get(repetition) ?? new Map<string, Exchange>();
    this.#shared.set(repetition, sent);
    return answerOnce(this.#options.source, sent);
  }

  #nodesOf(step: Step, own: readonly GraphNode[] = []): readonly GraphNode[] {
    return step.fromAllRules ? this.#validNodes(step.operation) : own;
  }

  #readings(unit: Prepared, name: string): Reading[] {
    const step = unit.steps[name] as Step;
    return this.#nodesOf(step, unit.nodes.get(name)).map((node) => {
      const result = (step.follow !== false ? (node.final ?? node.first) : node.first) as FetchResult;
      const [first] = result.exchanges;
      const last = result.exchanges.at(-1);
      const failure = result.notShown ?? (first?.failure ?? last?.failure)?.message;
      const unavailable =
        result.notShown !== undefined || result.exchanges.some((each) => each.failure?.kind === 'notRecorded');
      return {
        exchange: first ? (this.#log.idOf(first) ?? '') : '',
        operation: node.spec.operation,
        inputs: node.spec.inputs,
        ...(first?.response && { head: first.response }),
        ...(failure !== undefined && { failure }),
        ...(unavailable && { unavailable: true as const }),
        ...(result.observation && { observation: result.observation }),
        ...(result.signature && { signature: result.signature }),
        ...(result.schema && { schema: result.schema }),
        folds: Object.fromEntries(
          Object.entries(step.folds ?? {}).map(([each, fold]) => [each, result.folds.get(fold.key)]),
        ),
      };
    });
  }

  /** The valid requests of an operation in this run, of any rule. */
  #validNodes(operation: OperationKey): GraphNode[] {
    const { profile } = this.#options;
    return [...this.#nodes.values()].filter(({ first, spec }) => {
      const { upc } = spec.inputs;
      return (
        first &&
        spec.operation === operation &&
        isDocumented(spec) &&
        (upc === undefined || isUpc(String(upc))) &&
        isRequestComplete(profile, operation, (input) => spec.inputs[input] !== undefined)
      );
    });
  }

  #judge(prepared: Prepared): UnitVerdict {
    return judgeUnit(
      prepared.unit,
      prepared.steps,
      (name) => this.#readings(prepared, name),
      this.#options.declarations,
    );
  }
}

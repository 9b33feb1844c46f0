/** The distinct requests of a run: the steps of many rules need the same one, which is sent once and read for all of them. */
import { isDeepStrictEqual } from 'node:util';
import { type Group, isUpc, type OperationKey, operationOf } from '../contract/index.ts';
import { firstHeader } from '../exchange/headers.ts';
import { buildRequest } from '../exchange/request.ts';
import type { Exchange, FailureKind, Source } from '../exchange/types.ts';
import type { Inputs } from '../profile/template.ts';
import type { CodeTables } from '../reading/code-table.ts';
import { BindingValues } from '../rule/binding-doubts.ts';
import { isRequestComplete } from '../rule/declarations.ts';
import type { Fold, FoldMap, Reading, Step } from '../rule/index.ts';
import { type CircuitBreaker, isLate } from './circuit-breaker.ts';
import { readCodeTable, type TableRequest, tablesNeeded } from './code-tables.ts';
import { inlineTables, withCodes } from './coded-values.ts';
import type { ExchangeLog } from './exchange-log.ts';
import { fetchRequest, holdsAllWindows, rereadRequest } from './fetch-request.ts';
import { HealthCheck } from './health-check.ts';
import { DURATION_OVER, isDurationOver } from './interruption.ts';
import { isOut, isRetriable } from './outages.ts';
import { type EngineOptions, type FetchResult, isDocumented, type RequestSpec } from './request-spec.ts';
import { snapshotFolds } from './snapshot.ts';
import { answerOnce, unsentSource } from './sources.ts';

/** A request of the run, shared by all steps that send it. */
export interface GraphNode {
  readonly spec: RequestSpec;
  readonly folds: Map<string, Fold<unknown>>;
  /** Whether a step needs the response after redirects. */
  followsRedirects: boolean;
  /** A step requests it that names only what exists (without `mayBeUnknown`). */
  isKnown?: true;
  /** Each request is sent several times in a row, to notice replicas that respond in turn. */
  isComparedAcrossReplicas?: true;
  /** The inputs that a list supplied. */
  drawn?: Inputs;
  /** The first response; absent until the request is sent. */
  firstResult?: FetchResult;
  /** The response after redirects, if a step follows them. */
  finalResult?: FetchResult;
}

/** The last result of a request: after redirects, if a step follows them. */
export const resultOf = ({ firstResult, finalResult }: GraphNode): FetchResult | undefined =>
  finalResult ?? firstResult;

/**
 * Whether the response of a request was read for a step: with its folds, and after redirects if it follows them. A response
 * that an earlier step got is read for a later one in the next round only.
 */
export function isReadFor(node: GraphNode, { folds = {}, follow }: Step): boolean {
  const result = follow === false ? node.firstResult : resultOf(node);
  if (!result) return false;
  const isRedirect = isRedirected(node) && !node.finalResult;
  return !(isRedirect && follow !== false) && Object.values(folds).every(({ key }) => result.folds.has(key));
}

/** Whether the first response is a redirect. */
function isRedirected({ firstResult }: GraphNode): boolean {
  const status = firstResult?.exchanges[0]?.response?.status ?? 0;
  return status >= 300 && status < 400;
}

/** Notes what a step needs of a request. Returns the folds for which its response has to be read again. */
export function addStep(node: GraphNode, step: Step): Map<string, Fold<unknown>> {
  if (step.follow !== false) node.followsRedirects = true;
  if (!step.mayBeUnknown) node.isKnown = true;
  const addedFolds = new Map<string, Fold<unknown>>();
  for (const fold of Object.values(step.folds ?? {})) {
    if (node.firstResult && !node.folds.has(fold.key)) addedFolds.set(fold.key, fold);
    node.folds.set(fold.key, fold);
  }
  return addedFolds;
}

const foldKeys = new WeakMap<FoldMap, string>();

/** The names and keys of the folds of a step: steps of several rules have the same. */
function foldsOf({ folds }: Step): string {
  if (!folds) return '';
  const known = foldKeys.get(folds) ?? JSON.stringify(Object.entries(folds).map(([name, { key }]) => [name, key]));
  foldKeys.set(folds, known);
  return known;
}

/** A value that no server refuses before routing. */
const PLAIN_TEXT = /^[0-9A-Za-z]{1,40}$/;
/** A well-formed UPC for requests that only show whether the look-up is served. */
const PLACEHOLDER_UPC = '012345678905';
/** Failures of requests that were not sent. */
const UNSENT_KINDS: ReadonlySet<FailureKind> = new Set(['budget', 'unsendable', 'notShown']);
/** The first repetition number of the requests of repeated units. */
export const REPEATED = 1000;

export class RequestGraph {
  /** Inputs that samples of lists contain if the lists have them. */
  drawn: readonly Inputs[];
  /** What the bindings of the profile read in all responses so far. */
  readonly values: BindingValues;
  readonly #options: EngineOptions;
  readonly #log: ExchangeLog;
  readonly #breaker: CircuitBreaker;
  readonly #health: HealthCheck;
  readonly #nodes = new Map<string, GraphNode>();
  /** Those whose requests are documented and have all inputs, by operation. */
  readonly #complete = new Map<OperationKey, GraphNode[]>();
  /** The same nodes by operation, variant and inputs: steps of many rules request the same, and need not build it again. */
  readonly #nodesOfSteps = new Map<string, GraphNode>();
  /** By repetition number: the responses that contain all windows of a delta. */
  readonly #sharedResponses = new Map<number, Map<string, Exchange>>();
  /** The rows of the longest page of each operation. */
  readonly #longestPages = new Map<OperationKey, number>();
  readonly #pagedGroups = new Set<Group>();
  /** The tables of codes, by their names; those of repeated units are read again. */
  readonly #codes = new Map<string, Promise<CodeTables>>();
  /** The readings of a request's last result, by the folds of the steps. */
  readonly #readings = new WeakMap<
    GraphNode,
    { readonly result: FetchResult; readonly byFolds: Map<string, Reading> }
  >();
  /** The folds of steps that read the responses of all rules, by operation. */
  readonly #gathered = new Map<OperationKey, Map<string, Fold<unknown>>>();

  constructor(
    options: EngineOptions,
    log: ExchangeLog,
    breaker: CircuitBreaker,
    wait: (ms: number) => Promise<unknown>,
  ) {
    this.drawn = options.drawn ?? [];
    this.values = options.values ?? new BindingValues();
    this.#options = options;
    this.#log = log;
    this.#breaker = breaker;
    this.#health = new HealthCheck({
      source: options.source,
      ...(options.profile.data.limits && { limits: options.profile.data.limits }),
      wait,
      breaker,
      onCheck: (exchange, spec) => {
        if (exchange.failure && UNSENT_KINDS.has(exchange.failure.kind)) return;
        log.add(exchange, spec.operation, true);
      },
    });
  }

  /** All requests so far. */
  nodes(): Iterable<GraphNode> {
    return this.#nodes.values();
  }

  /** Runs the folds of a step over every documented request of its operation. To be called before any request. */
  gather({ operation, folds = {} }: Step): void {
    const ofOperation = this.#gathered.get(operation) ?? new Map<string, Fold<unknown>>();
    for (const fold of Object.values(folds)) ofOperation.set(fold.key, fold);
    this.#gathered.set(operation, ofOperation);
  }

  /** The node of a step with its inputs. A repeated unit has nodes of its own, so that its requests are sent again. */
  nodeOf(step: Step, inputs: Inputs, { isRepeated }: { readonly isRepeated: boolean }): GraphNode {
    const { base, profile } = this.#options;
    const { operation, variant = {} } = step;
    const repetition = (step.repetition ?? 0) + (isRepeated ? REPEATED : 0);
    const stepKey = JSON.stringify([operation, variant, repetition, inputs]);
    const known = this.#nodesOfSteps.get(stepKey);
    if (known) return known;
    const needsUpc = operation.includes('{upc}') && inputs.upc === undefined;
    const completeInputs = needsUpc ? { ...inputs, upc: PLACEHOLDER_UPC } : inputs;
    const request = buildRequest(base, operation, profile, completeInputs, variant);
    const spec: RequestSpec = { operation, inputs: completeInputs, variant, repetition, request };
    const body = request.body ? Buffer.from(request.body).toString('base64') : '';
    // The window is part of the key: one response may contain all windows, and is requested once (`#answeredOnce`) but read for each.
    const key = JSON.stringify([
      request.method,
      request.url,
      request.headers,
      body,
      request.anonymous ?? false,
      variant.credentials ?? null,
      repetition,
      completeInputs.window ?? null,
    ]);
    let node = this.#nodes.get(key);
    if (!node) {
      // A repetition has the same values again.
      const values = repetition === 0 ? [this.values.fold(operation)] : [];
      const folds = new Map([
        ...[...values, ...snapshotFolds(spec)].map((fold) => [fold.key, fold] as const),
        ...(isDocumented(spec) ? (this.#gathered.get(operation) ?? []) : []),
      ]);
      node = { spec, folds, followsRedirects: false };
      this.#nodes.set(key, node);
      if (isDocumented(spec) && isRequestComplete(profile, operation, (input) => completeInputs[input] !== undefined))
        this.#complete.set(operation, [...(this.#complete.get(operation) ?? []), node]);
    } else if (!isDeepStrictEqual(node.spec.inputs, completeInputs)) {
      // The requests are equal but their inputs differ (the request does not contain one): folds get their own inputs.
      node = {
        spec,
        folds: new Map(),
        followsRedirects: false,
        ...(node.firstResult && { firstResult: node.firstResult }),
        ...(node.finalResult && { finalResult: node.finalResult }),
      };
      if (node.firstResult) node.firstResult = { ...node.firstResult, folds: new Map() };
      return node;
    }
    this.#nodesOfSteps.set(stepKey, node);
    return node;
  }

  /** The nodes that a step reads: its own, or those of all rules. */
  nodesOf(step: Step, own: readonly GraphNode[] = []): readonly GraphNode[] {
    return step.fromAllRules ? this.#validNodes(step.operation, step.fromAllRules === 'withUnknown') : own;
  }

  /** Sends the request of a node, and follows redirects if a step needs that; or reads its response again for more folds. */
  async fetch(node: GraphNode, addedFolds: ReadonlyMap<string, Fold<unknown>>): Promise<void> {
    const codes = await this.#codesFor(node.spec);
    const known = resultOf(node);
    const missingFolds = [...addedFolds.values()].filter(({ key }) => !known?.folds.has(key));
    if (!node.firstResult) {
      node.firstResult = await this.#send(node, codes, { follow: false });
    } else if (missingFolds.length > 0) {
      const result = node.finalResult ?? node.firstResult;
      const read = await rereadRequest(node.spec, result, missingFolds, {
        profile: this.#options.profile,
        drawn: this.drawn,
        codes,
      });
      const merged = { ...result, folds: new Map([...result.folds, ...read]) };
      if (node.finalResult) node.finalResult = merged;
      else node.firstResult = merged;
    }
    if (node.followsRedirects && !node.finalResult && isRedirected(node))
      node.finalResult = await this.#send(node, codes, { follow: true });
  }

  async #send(node: GraphNode, codes: CodeTables, { follow }: { readonly follow: boolean }): Promise<FetchResult> {
    const { base, profile, onProgress, signal, fetch = fetchRequest } = this.#options;
    const { operation } = node.spec;
    await this.#checkHealth();
    const source = this.#health.sourceOf(node.spec);
    const whyNotSent = signal?.aborted
      ? `not sent: ${isDurationOver(signal) ? DURATION_OVER : 'the run was interrupted'}`
      : this.#breaker.whyBlocked(node.spec);
    const result = await fetch(withCodes(profile, node.spec, codes), node.folds.values(), {
      followsRedirects: follow,
      base,
      profile,
      drawn: this.drawn,
      longestPages: this.#longestPages,
      pagedGroups: this.#pagedGroups,
      codes,
      source:
        whyNotSent !== undefined
          ? unsentSource(whyNotSent)
          : holdsAllWindows(profile, operation)
            ? this.#answeredOnce(source, node.spec)
            : source,
      ...(node.isComparedAcrossReplicas && whyNotSent === undefined && { replicaSource: source }),
      mayRetry: async (exchange) => {
        if (!isOut(exchange) || operationOf(operation).safety !== 'read') return false;
        const isBack = await this.#checkHealth();
        if (this.#breaker.isOver || signal?.aborted) return false;
        if (isBack || !isRetriable(exchange, node.spec)) return isBack;
        // While operations are silent, retries would only double the time.
        return !isLate(exchange) || !this.#breaker.isSilentFor(node.spec);
      },
      onExchange: (exchange, _, retryOf) => {
        if (this.#log.idOf(exchange) !== undefined) return;
        const { failure } = exchange;
        const isSent = whyNotSent === undefined && !(failure && UNSENT_KINDS.has(failure.kind));
        this.#log.add(exchange, operation, isSent, { retryOf, inputs: node.drawn });
        if (!isSent) return;
        onProgress?.(this.#log.summaries.length, operation);
        this.#breaker.record(exchange, node.spec, retryOf !== undefined);
      },
    });
    if (node.spec.repetition === 0) this.values.once(operation, result.observation);
    return result;
  }

  /** Whether an outage was waited for. */
  async #checkHealth(): Promise<boolean> {
    return !this.#options.signal?.aborted && this.#health.check();
  }

  /** The tables for the codes of an operation; those that operations list are read once, and once more for repetitions. */
  async #codesFor(spec: RequestSpec): Promise<CodeTables> {
    const { profile } = this.#options;
    const needed = tablesNeeded(profile, spec);
    if (needed.length === 0) return inlineTables(profile);
    const isRepeated = spec.repetition >= REPEATED;
    const key = JSON.stringify([isRepeated, needed.map(({ name }) => name)]);
    const known = this.#codes.get(key) ?? this.#readTables(needed, isRepeated);
    this.#codes.set(key, known);
    return known;
  }

  async #readTables(needed: readonly TableRequest[], isRepeated: boolean): Promise<CodeTables> {
    const { profile } = this.#options;
    const tables = new Map(inlineTables(profile));
    for (const each of needed) {
      const { name, source, inputs } = each;
      const node = this.nodeOf({ operation: source.from, accepts: 'complete' }, inputs, { isRepeated });
      this.#breaker.announce(node.spec);
      node.followsRedirects = true;
      await this.fetch(node, new Map());
      tables.set(name, await readCodeTable(profile, each, [resultOf(node) as FetchResult]));
    }
    return tables;
  }

  #answeredOnce(source: Source, { repetition }: RequestSpec): Source {
    const sent = this.#sharedResponses.get(repetition) ?? new Map<string, Exchange>();
    this.#sharedResponses.set(repetition, sent);
    return answerOnce(source, sent);
  }

  /** What the judge of a rule sees of a step. A response gives the same reading each time. */
  readings(step: Step, own?: readonly GraphNode[]): Reading[] {
    const folds = foldsOf(step);
    return this.nodesOf(step, own).map((node) => {
      const result = (step.follow !== false ? resultOf(node) : node.firstResult) as FetchResult;
      let known = this.#readings.get(node);
      if (known?.result !== result) {
        known = { result, byFolds: new Map() };
        this.#readings.set(node, known);
      }
      let reading = known.byFolds.get(folds);
      if (!reading) {
        reading = this.#readingOf(node, result, step);
        known.byFolds.set(folds, reading);
      }
      return reading;
    });
  }

  #readingOf({ spec }: GraphNode, result: FetchResult, { folds = {} }: Step): Reading {
    const [first] = result.exchanges;
    const last = result.exchanges.at(-1);
    const acceptEncoding = firstHeader(first?.request.headers ?? [], 'accept-encoding');
    const failure = result.notShown ?? (first?.failure ?? last?.failure)?.message;
    const unavailable =
      result.notShown !== undefined || result.exchanges.some((each) => each.failure?.kind === 'notRecorded');
    return {
      exchange: first ? (this.#log.idOf(first) ?? '') : '',
      operation: spec.operation,
      inputs: spec.inputs,
      ...(spec.variant.without && { notSent: spec.variant.without }),
      ...(result.sentCodes && { sentCodes: result.sentCodes }),
      ...(acceptEncoding !== undefined && { acceptEncoding }),
      ...(first?.response && { head: first.response }),
      ...(failure !== undefined && { failure }),
      ...(unavailable && { unavailable: true as const }),
      ...(result.observation && { observation: result.observation }),
      ...(result.signature && { signature: result.signature }),
      ...(result.schema && { schema: result.schema }),
      folds: Object.fromEntries(Object.entries(folds).map(([each, fold]) => [each, result.folds.get(fold.key)])),
    };
  }

  /** The valid requests of an operation in this run, of any rule; also those with well-formed values that may be unknown. */
  #validNodes(operation: OperationKey, withUnknown: boolean): GraphNode[] {
    const isTried = ({ upc }: Inputs): boolean =>
      upc === undefined || isUpc(String(upc)) || (withUnknown && PLAIN_TEXT.test(String(upc)));
    return (this.#complete.get(operation) ?? []).filter(
      ({ firstResult, spec, isKnown }) => firstResult && (isKnown || withUnknown) && isTried(spec.inputs),
    );
  }
}

/** The responses of a run, in memory: a changed one is read again, the others keep their readings. */
import { type Group, type OperationKey, operationOf } from '../contract/index.ts';
import { bodyFrom, unsentExchange } from '../exchange/body.ts';
import type { Exchange, Source, WireRequest } from '../exchange/types.ts';
import type { CodeTables } from '../reading/code-table.ts';
import { BindingValues } from '../rule/binding-doubts.ts';
import type { Fold } from '../rule/index.ts';
import { fetchRequest, rereadRequest } from '../run/fetch-request.ts';
import { REPEATED } from '../run/request-graph.ts';
import type { FetchContext, FetchNode, FetchResult, RequestSpec } from '../run/request-spec.ts';

/** A request of the captured run with all of its pages, and what was read of them. */
export interface CapturedNode {
  readonly spec: RequestSpec;
  readonly result: FetchResult;
  /** The folds over its rows by their keys, and what they gave. */
  readonly folds: Map<string, Fold<unknown>>;
  readonly read: Map<string, unknown>;
  /** Every exchange that it took, as it was on the wire, those of repeated pages too, in their order. */
  readonly sent: readonly Exchange[];
  /** The same exchanges as they count: a refusal in a 2xx has the status with which HTTP says the same. */
  readonly logged: readonly Exchange[];
  readonly codes?: CodeTables;
}

/** What makes two requests the same for a service. */
const wireKeyOf = ({ method, url, headers, body, anonymous, invalidCredentials, authKey }: WireRequest): string =>
  JSON.stringify([
    method,
    url,
    headers,
    body ? Buffer.from(body).toString('base64') : '',
    anonymous ?? false,
    invalidCredentials ?? false,
    authKey ?? '',
  ]);

const nodeKeyOf = ({ operation, variant, repetition, inputs, request }: RequestSpec, isFollowed: boolean): string =>
  JSON.stringify([operation, variant, repetition, inputs, request && wireKeyOf(request), isFollowed]);

const bytesOf = async (exchange: Exchange): Promise<Exchange> => {
  const parts: Uint8Array[] = [];
  for await (const chunk of exchange.body.chunks()) parts.push(chunk);
  const kept = { ...exchange, body: bodyFrom(Buffer.concat(parts)) };
  IN_MEMORY.add(kept);
  return kept;
};

/** Exchanges whose bodies are in memory: another run that captures them keeps them as they are. */
const IN_MEMORY = new WeakSet<Exchange>();

/** The result of a node with further folds, which its response is read again for, once. */
async function withFolds(
  node: CapturedNode,
  folds: Iterable<Fold<unknown>>,
  context: FetchContext,
): Promise<FetchResult> {
  const missing = [...folds].filter(({ key }) => !node.folds.has(key));
  if (missing.length > 0) {
    const { profile, drawn, codes = new Map() } = context;
    const read = await rereadRequest(node.spec, node.result, missing, { profile, drawn, codes });
    for (const fold of missing) {
      node.folds.set(fold.key, fold);
      node.read.set(fold.key, read.get(fold.key));
    }
  }
  return { ...node.result, folds: node.read };
}

/** Changed responses, by the captured ones. */
export type ChangedExchanges = ReadonlyMap<Exchange, Exchange>;

/** The responses of one run. `fetch` captures them; `fetchChanged` returns them, some of them changed. */
export class CapturedRun {
  readonly nodes = new Map<string, CapturedNode>();
  /** What the bindings of the profile read. */
  readonly values = new BindingValues();
  /** All exchanges of a wire request, in their order. */
  readonly calls = new Map<string, Exchange[]>();
  readonly #keys = new Map<Exchange, string>();
  readonly #inMemory = new Map<Exchange, Promise<Exchange>>();
  #longestPages = new Map<OperationKey, number>();
  #pagedGroups = new Set<Group>();

  /** Fetches like a run, and keeps the responses. */
  readonly fetch: FetchNode = async (spec, folds, context) => {
    const all = [...folds];
    const [received, reported]: [Exchange[], Exchange[]] = [[], []];
    const { source, replicaSource } = context;
    const result = await fetchRequest(spec, all, {
      ...context,
      source: this.#noting(source, received),
      ...(replicaSource && { replicaSource: this.#noting(replicaSource, received) }),
      onExchange(exchange, ...more) {
        reported.push(exchange);
        context.onExchange(exchange, ...more);
      },
    });
    this.#longestPages = context.longestPages ?? this.#longestPages;
    this.#pagedGroups = context.pagedGroups ?? this.#pagedGroups;
    const kept = (exchanges: readonly Exchange[]) => Promise.all(exchanges.map((each) => this.#keep(each)));
    const [sent, logged, exchanges] = [await kept(received), await kept(reported), await kept(result.exchanges)];
    const { codes } = context;
    const node: CapturedNode = {
      spec,
      result: { ...result, exchanges },
      folds: new Map(all.map((fold) => [fold.key, fold])),
      read: new Map(result.folds),
      ...{ sent, logged },
      ...(codes && { codes }),
    };
    this.nodes.set(nodeKeyOf(spec, context.followsRedirects), node);
    // The log of the run knows the exchanges as they were received.
    return result;
  };

  /** A source that sends nothing: it answers each request with the captured responses in their order, the last one again. */
  asSource(): Source {
    const left = new Map([...this.calls].map(([key, calls]) => [key, [...calls]]));
    return {
      send: async (request, consume) => {
        const calls = left.get(wireKeyOf(request)) ?? [];
        const exchange = calls.length > 1 ? calls.shift() : calls[0];
        if (!exchange)
          return unsentExchange(request, { kind: 'notRecorded', message: 'no response to this request is recorded' });
        if (exchange.response) await consume?.(exchange.response, exchange.body.chunks());
        return exchange;
      },
      async close() {},
    };
  }

  /** Sends a request that the captured run did not need; undefined if it gets no response. */
  async #sendLive(live: Source, request: WireRequest): Promise<Exchange | undefined> {
    const exchange = await live.send(request, async () => undefined);
    if (!exchange.response || exchange.failure) return undefined;
    const kept = await bytesOf(exchange);
    this.#addCall(kept, wireKeyOf(request));
    return kept;
  }

  /** Notes the exchanges of a source, with the requests as they are before the client adds credentials. */
  #noting(source: Source, received: Exchange[]): Source {
    return {
      ...(source.hides && { hides: source.hides }),
      ...(source.renew && { renew: source.renew.bind(source) }),
      send: async (request, consume) => {
        const exchange = await source.send(request, consume);
        received.push(exchange);
        if (!this.#inMemory.has(exchange)) this.#addCall(await this.#keep(exchange), wireKeyOf(request));
        return exchange;
      },
      close: () => source.close(),
    };
  }

  /** The exchange with its body in memory, once for each. */
  #keep(exchange: Exchange): Promise<Exchange> {
    const kept =
      this.#inMemory.get(exchange) ?? (IN_MEMORY.has(exchange) ? Promise.resolve(exchange) : bytesOf(exchange));
    this.#inMemory.set(exchange, kept);
    return kept;
  }

  /** What makes the request of an exchange the same as another one. */
  keyOf(exchange: Exchange): string {
    return this.#keys.get(exchange) ?? wireKeyOf(exchange.request);
  }

  #addCall(exchange: Exchange, key: string): void {
    this.#keys.set(exchange, key);
    const calls = this.calls.get(key) ?? [];
    this.calls.set(key, calls);
    calls.push(exchange);
  }

  /**
   * A function that answers every request of a run from the captured responses.
   * @param onMissing called with each request that has no response
   * @param live sends requests that only read and were never sent; each once
   */
  fetchChanged(changed: ChangedExchanges, onMissing: (request: WireRequest) => void, live?: Source): FetchNode {
    return async (spec, folds, context) => {
      const known = this.#known(spec, context.followsRedirects);
      if (known && !known.sent.some((each) => changed.has(each))) {
        for (const each of known.logged) context.onExchange(each, spec.operation);
        return withFolds(known, folds, context);
      }
      const isRead = operationOf(spec.operation).safety === 'read';
      const source = this.#sourceOf(known?.sent ?? [], changed, onMissing, isRead ? live : undefined);
      const all = new Map([...(known?.folds.values() ?? []), ...folds].map((fold) => [fold.key, fold]));
      return fetchRequest(spec, all.values(), {
        ...context,
        longestPages: new Map(this.#longestPages),
        pagedGroups: new Set(this.#pagedGroups),
        source,
        ...(context.replicaSource && { replicaSource: source }),
      });
    };
  }

  /**
   * The captured request. The repetition of a failed check sends the requests of its first time again; where responses
   * proceed, as those of jobs do, they proceed again.
   */
  #known(spec: RequestSpec, isFollowed: boolean): CapturedNode | undefined {
    const known = this.nodes.get(nodeKeyOf(spec, isFollowed));
    if (known || spec.repetition < REPEATED || operationOf(spec.operation).group !== 'A') return known;
    return this.nodes.get(nodeKeyOf({ ...spec, repetition: spec.repetition % REPEATED }, isFollowed));
  }

  /** Sends the exchanges of a node in their order, then the last response to the same request again. */
  #sourceOf(
    sent: readonly Exchange[],
    changed: ChangedExchanges,
    onMissing: (request: WireRequest) => void,
    live: Source | undefined,
  ): Source {
    const own = Map.groupBy(sent, (each) => this.keyOf(each));
    return {
      send: async (request, consume) => {
        const key = wireKeyOf(request);
        const captured =
          own.get(key)?.shift() ?? this.calls.get(key)?.at(-1) ?? (live && (await this.#sendLive(live, request)));
        if (!captured) {
          onMissing(request);
          return unsentExchange(request, { kind: 'notRecorded', message: 'no response to this request is recorded' });
        }
        // Each use is an exchange of its own, so that it gets an id.
        const exchange = { ...(changed.get(captured) ?? captured) };
        if (exchange.response) await consume?.(exchange.response, exchange.body.chunks());
        return exchange;
      },
      async close() {},
    };
  }
}

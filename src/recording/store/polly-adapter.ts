/** Polly’s part in recording: an adapter that patches nothing, and a persister that hands entries on to a lane’s file. */
import { toHarEntry } from '../format/entry.ts';
import { PLACEHOLDER } from '../format/origin.ts';
import type { RecordedExchange } from '../format/recorded-exchange.ts';
import { canonicalTarget } from '../format/request-key.ts';
import type { Har, HarEntry } from '../format/schema.ts';
import { Adapter, FsPersister, Polly, type PollyConfig, type PollyRequest } from './polly.ts';

/** An exchange whose place in its sequence is not known yet. */
export type UnorderedExchange = Omit<RecordedExchange, 'order'>;

interface Arguments {
  /** Carries the exchange out (undici sends it); undefined: it is not to be recorded. */
  readonly send: () => Promise<UnorderedExchange | undefined>;
}

/** Where an exchange that was carried out stays until Polly makes an entry of it; by its arguments, for Polly wraps requests. */
const carriedOut = new WeakMap<object, UnorderedExchange>();

/** Requests come from our own server, never from patched modules, so any number of lanes record in one process. */
class GatewayAdapter extends Adapter {
  static override get id(): string {
    return 'mdwi-gateway';
  }

  override onConnect(): void {}
  override onDisconnect(): void {}

  override async onFetchResponse(request: PollyRequest) {
    const exchange = await (request.requestArguments as unknown as Arguments).send();
    if (exchange) carriedOut.set(request.requestArguments, exchange);
    else (request as PollyRequest & { abort(): void }).abort();
    // A stub: bodies of any size went past Polly, and the entry gets its true head before it is kept.
    return { statusCode: 200, headers: {}, body: '', encoding: undefined };
  }

  override async onRequestFailed(request: PollyRequest): Promise<void> {
    // Nobody waits for Polly’s promise here: rejected, it would end the process.
    request.promise.catch(() => undefined);
    await super.onRequestFailed(request);
  }
}

/** Takes each entry as Polly made it; the files are where stock persister-fs looks for them. */
type Keep = (recordingId: string, har: Har) => void;

class LanePersister extends FsPersister {
  static override get id(): string {
    return 'fs';
  }

  // The lane’s file knows what was there before; Polly’s own merging takes quadratic time.
  override async onFindRecording(): Promise<null> {
    return null;
  }

  override async onSaveRecording(recordingId: string, har: unknown): Promise<void> {
    (this.options as unknown as { keep: Keep }).keep(recordingId, har as Har);
  }
}

/** By what Polly tells requests apart: method, path, query and canonical body, never host, port or credentials. */
export const MATCH_BY = {
  method: true,
  headers: false,
  body: true,
  order: true,
  url: { protocol: false, username: false, password: false, hostname: false, port: false, pathname: true, query: true },
} as const satisfies PollyConfig['matchRequestsBy'];

/** What Polly’s URL parser dies of, escaped: a `%` that begins nothing. */
export function parseable(target: string): string {
  try {
    decodeURIComponent(target.replaceAll('+', ' '));
    return target;
  } catch {
    return target.replaceAll('%', '%25');
  }
}

/** Methods Polly has routes for; any other ends in an error of its own, so it goes under the name of one of these. */
const ROUTED = new Set(['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'MERGE', 'HEAD', 'OPTIONS']);

export interface ToRecord extends Arguments {
  readonly lane: string;
  readonly method: string;
  /** Path and query, protected. */
  readonly target: string;
  /** Headers that carry inputs, by lower-case name. */
  readonly inputs: Readonly<Record<string, string>>;
  /** From `canonicalBody`. */
  readonly body: string;
  /** Query parameters that are no part of the key. */
  readonly withoutQuery: readonly string[];
}

/**
 * Has Polly record one exchange. A fresh instance each: an instance never forgets a request, and counts them in linear
 * time. `persist` makes the entry; until then nothing is kept.
 */
export async function recordWithPolly(
  { lane, method, target, inputs, body, withoutQuery, send }: ToRecord,
  keep: Keep,
): Promise<{ persist(): Promise<void> }> {
  const polly = new Polly(lane, {
    mode: 'record',
    adapters: [GatewayAdapter],
    persister: LanePersister,
    persisterOptions: { keepUnusedRequests: true, disableSortingHarEntries: true, fs: { recordingsDir: '.', keep } },
    recordIfMissing: false,
    recordFailedRequests: true,
    logLevel: 'error',
    matchRequestsBy: { ...MATCH_BY, method: () => method, headers: Object.keys(inputs).length > 0 },
  } as PollyConfig);
  polly.server.any().on('beforePersist', (request: PollyRequest, entry: HarEntry) => {
    const exchange = carriedOut.get(request.requestArguments);
    if (exchange) Object.assign(entry, toHarEntry({ ...exchange, order: 0 }, entry._id));
  });
  const adapter = polly.adapters.get(GatewayAdapter.id) as GatewayAdapter;
  await adapter.handleRequest({
    url: `${PLACEHOLDER}${parseable(canonicalTarget(target, withoutQuery))}`,
    method: ROUTED.has(method) ? method : 'POST',
    headers: inputs,
    body,
    requestArguments: { send },
  } as unknown as Parameters<GatewayAdapter['handleRequest']>[0]);
  return { persist: () => polly.stop() };
}

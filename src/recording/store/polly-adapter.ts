/** Recording with Polly: an adapter that patches nothing, and a persister that passes entries to the file of a lane. */
import { toHarEntry } from '../format/entry.ts';
import { RECORDED_ORIGIN } from '../format/origin.ts';
import type { RecordedExchange } from '../format/recorded-exchange.ts';
import { canonicalTarget } from '../format/request-key.ts';
import type { Har, HarEntry } from '../format/schema.ts';
import { Adapter, FsPersister, Polly, type PollyConfig, type PollyRequest } from './polly.ts';

/** An exchange whose order is not known yet. */
export type UnorderedExchange = Omit<RecordedExchange, 'order'>;

interface Arguments {
  /** Performs the exchange (undici sends it); undefined if it must not be recorded. */
  readonly send: () => Promise<UnorderedExchange | undefined>;
}

/** Performed exchanges until Polly creates their entries; by their arguments, because Polly wraps requests. */
const performed = new WeakMap<object, UnorderedExchange>();

/** Requests come from the gateway, not from patched modules, so any number of lanes can be recorded in one process. */
class GatewayAdapter extends Adapter {
  static override get id(): string {
    return 'mdwi-gateway';
  }

  override onConnect(): void {}
  override onDisconnect(): void {}

  override async onFetchResponse(request: PollyRequest) {
    const exchange = await (request.requestArguments as unknown as Arguments).send();
    if (exchange) performed.set(request.requestArguments, exchange);
    else (request as PollyRequest & { abort(): void }).abort();
    // A stub: bodies do not pass through Polly, and `beforePersist` replaces the entry.
    return { statusCode: 200, headers: {}, body: '', encoding: undefined };
  }

  override async onRequestFailed(request: PollyRequest): Promise<void> {
    // Nothing awaits Polly’s promise here. An unhandled rejection would end the process.
    request.promise.catch(() => undefined);
    await super.onRequestFailed(request);
  }
}

/** Receives each entry. The files are where the stock persister-fs looks for them. */
type OnEntry = (recordingId: string, har: Har) => void;

class LanePersister extends FsPersister {
  static override get id(): string {
    return 'fs';
  }

  // LaneFile merges with the former entries; merging in Polly takes quadratic time.
  override async onFindRecording(): Promise<null> {
    return null;
  }

  override async onSaveRecording(recordingId: string, har: unknown): Promise<void> {
    (this.options as unknown as { onEntry: OnEntry }).onEntry(recordingId, har as Har);
  }
}

/** What Polly matches requests by: method, path, query and canonical body, never host, port or credentials. */
export const MATCH_BY = {
  method: true,
  headers: false,
  body: true,
  order: true,
  url: { protocol: false, username: false, password: false, hostname: false, port: false, pathname: true, query: true },
} as const satisfies PollyConfig['matchRequestsBy'];

/** Escapes a stray `%`, which makes Polly’s URL parser throw. */
export function parseable(target: string): string {
  try {
    decodeURIComponent(target.replaceAll('+', ' '));
    return target;
  } catch {
    return target.replaceAll('%', '%25');
  }
}

/** Methods that Polly has routes for. Any other method makes it throw, so it is passed as POST. */
const ROUTED = new Set(['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'MERGE', 'HEAD', 'OPTIONS']);

export interface RequestToRecord extends Arguments {
  readonly lane: string;
  readonly method: string;
  /** Path and query, protected. */
  readonly target: string;
  /** Headers that carry inputs, by lower-case name. */
  readonly inputs: Readonly<Record<string, string>>;
  /** From `canonicalBody`. */
  readonly body: string;
  /** Query parameters that are not part of the key. */
  readonly withoutQuery: readonly string[];
}

/**
 * Records one exchange with Polly. Each exchange uses a new instance, because an instance retains every request and counts
 * them in linear time. `persist` creates the entry; until then nothing is stored.
 */
export async function recordWithPolly(
  { lane, method, target, inputs, body, withoutQuery, send }: RequestToRecord,
  onEntry: OnEntry,
): Promise<{ persist(): Promise<void> }> {
  const polly = new Polly(lane, {
    mode: 'record',
    adapters: [GatewayAdapter],
    persister: LanePersister,
    persisterOptions: { keepUnusedRequests: true, disableSortingHarEntries: true, fs: { recordingsDir: '.', onEntry } },
    recordIfMissing: false,
    recordFailedRequests: true,
    logLevel: 'error',
    matchRequestsBy: { ...MATCH_BY, method: () => method, headers: Object.keys(inputs).length > 0 },
  } as PollyConfig);
  polly.server.any().on('beforePersist', (request: PollyRequest, entry: HarEntry) => {
    const exchange = performed.get(request.requestArguments);
    if (exchange) Object.assign(entry, toHarEntry({ ...exchange, order: 0 }, entry._id));
  });
  const adapter = polly.adapters.get(GatewayAdapter.id) as GatewayAdapter;
  await adapter.handleRequest({
    url: `${RECORDED_ORIGIN}${parseable(canonicalTarget(target, withoutQuery))}`,
    method: ROUTED.has(method) ? method : 'POST',
    headers: inputs,
    body,
    requestArguments: { send },
  } as unknown as Parameters<GatewayAdapter['handleRequest']>[0]);
  return { persist: () => polly.stop() };
}

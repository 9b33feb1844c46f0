/** Recording with Polly: an adapter that patches nothing, and a persister that returns entries for the file of a lane. */
import { decodePercent } from '../../exchange/url.ts';
import { targetOf, toHarEntry } from '../format/entry.ts';
import { RECORDED_ORIGIN } from '../format/origin.ts';
import type { RecordedExchange } from '../format/recorded-exchange.ts';
import { canonicalTarget, headerInputsOf, type Matching } from '../format/request-key.ts';
import type { Har, HarEntry } from '../format/schema.ts';
import { Adapter, FsPersister, Polly, type PollyConfig, type PollyRequest } from './polly.ts';

/** An exchange whose order is not known yet. */
export type UnorderedExchange = Omit<RecordedExchange, 'order'>;

/** Requests come from the gateway, not from patched modules, so any number of lanes can be recorded in one process. */
class GatewayAdapter extends Adapter {
  static override get id(): string {
    return 'mdwi-gateway';
  }

  override onConnect(): void {}
  override onDisconnect(): void {}

  /** A stub: bodies do not pass through Polly, and `beforePersist` replaces the entry. */
  override async onFetchResponse() {
    return { statusCode: 200, headers: {}, body: '', encoding: undefined };
  }
}

/** The id of a lane’s folder, and the log with the entry. */
interface PollyEntry {
  readonly id: string;
  readonly har: Har;
}

/** Returns each entry. The files are where the stock persister-fs looks for them. */
class LanePersister extends FsPersister {
  static override get id(): string {
    return 'fs';
  }

  // LaneFile merges with the former entries; merging in Polly takes quadratic time.
  override async onFindRecording(): Promise<null> {
    return null;
  }

  override async onSaveRecording(id: string, har: unknown): Promise<void> {
    (this.options as unknown as { onEntry: (entry: PollyEntry) => void }).onEntry({ id, har: har as Har });
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
const parseable = (target: string): string =>
  decodePercent(target, undefined) === undefined ? target.replaceAll('%', '%25') : target;

/** The parts of a recorded request that its key and Polly’s id depend on. */
function matchedPartsOf({ key, request }: Pick<UnorderedExchange, 'key' | 'request'>, matching: Matching) {
  const { method, url, headers } = request;
  return {
    url: `${RECORDED_ORIGIN}${parseable(canonicalTarget(targetOf({ url }), matching.withoutQuery))}`,
    method,
    headers: Object.fromEntries(headerInputsOf({ target: url, headers }, matching)),
    body: key
      .split('\n')
      .slice(1 + matching.headers.length)
      .join('\n'),
  };
}

/** The name of a lane’s folder. */
export async function laneFolder(lane: string): Promise<string> {
  const polly = new Polly(lane, { logLevel: 'silent' });
  const { recordingId } = polly as unknown as { recordingId: string };
  await polly.stop();
  return recordingId;
}

/** Methods that Polly has routes for. Any other method makes it throw, so it is passed as POST. */
const ROUTED = new Set(['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'MERGE', 'HEAD', 'OPTIONS']);

/**
 * Records one exchange with Polly. Each exchange uses a new instance, because an instance retains every request and counts
 * them in linear time.
 */
export async function recordWithPolly(
  lane: string,
  exchange: UnorderedExchange,
  matching: Matching,
): Promise<PollyEntry> {
  const { promise, resolve, reject } = Promise.withResolvers<PollyEntry>();
  const parts = matchedPartsOf(exchange, matching);
  const { method } = parts;
  const polly = new Polly(lane, {
    mode: 'record',
    adapters: [GatewayAdapter],
    persister: LanePersister,
    persisterOptions: {
      keepUnusedRequests: true,
      disableSortingHarEntries: true,
      fs: { recordingsDir: '.', onEntry: resolve },
    },
    recordIfMissing: false,
    recordFailedRequests: true,
    logLevel: 'error',
    matchRequestsBy: { ...MATCH_BY, method: () => method, headers: Object.keys(parts.headers).length > 0 },
  } as PollyConfig);
  polly.server.any().on('beforePersist', (_: PollyRequest, entry: HarEntry) => {
    Object.assign(entry, toHarEntry({ ...exchange, order: 0 }, entry._id));
  });
  const adapter = polly.adapters.get(GatewayAdapter.id) as GatewayAdapter;
  const request = { ...parts, method: ROUTED.has(method) ? method : 'POST', requestArguments: {} };
  await adapter.handleRequest(request as unknown as Parameters<GatewayAdapter['handleRequest']>[0]);
  await polly.stop();
  reject(new Error('Polly made no entry'));
  return promise;
}

/** Loads the traffic of a recording, request by request, for comparison with another recording. */
import { OPERATIONS, type OperationKey, operationOf, type SafetyClass } from '../../contract/index.ts';
import { firstHeader, type HeaderLines } from '../../exchange/headers.ts';
import { fromHarEntry, targetOf } from '../format/entry.ts';
import { operationFinder } from '../format/operation-finder.ts';
import type { RecordedExchange, StoredBody } from '../format/recorded-exchange.ts';
import { canonicalBody, type Matching, requestKey } from '../format/request-key.ts';
import type { Provenance } from '../format/schema.ts';
import { laneFilesIn, readWholeLane } from '../store/recording-files.ts';

/** One request and all responses to it, in order. */
export interface RecordedSequence {
  readonly lane: string;
  /** The key of the request without the base path. */
  readonly key: string;
  readonly method: string;
  /** Path and query after the base path. */
  readonly target: string;
  readonly operation?: OperationKey;
  readonly exchanges: readonly RecordedExchange[];
}

export interface RecordedTraffic {
  readonly name: string;
  readonly folder: string;
  readonly about: Provenance;
  readonly requests: readonly RecordedSequence[];
}

const withoutBase = (target: string, basePath: string): string =>
  target.startsWith(basePath) ? target.slice(basePath.length) : target;

/** A recorded key without the base path. */
const bareKey = (key: string, basePath: string): string => {
  const blank = key.indexOf(' ');
  return `${key.slice(0, blank + 1)}${withoutBase(key.slice(blank + 1), basePath)}`;
};

/**
 * The key of a changed request, to find it in the other recording.
 * @param target after the base path
 */
export function keyFor(
  { method, headers, target, body }: { method: string; headers: HeaderLines; target: string; body: string | undefined },
  matching: Matching,
): string {
  const canonical =
    body === undefined ? '' : canonicalBody(Buffer.from(body, 'utf8'), firstHeader(headers, 'content-type'));
  return requestKey({ method, target, headers, body: canonical }, matching);
}

/** The text of an inline body; undefined if there is none, or if it is in a side file. */
export const textOf = (body: StoredBody | undefined): string | undefined =>
  body && 'text' in body ? body.text : undefined;

/**
 * Reads all lanes of a recording that is already validated.
 * @param folder of the recording
 */
export function readRecordedTraffic(name: string, folder: string, about: Provenance): RecordedTraffic {
  const find = operationFinder(about.basePath);
  const requests = new Map<string, RecordedSequence & { readonly exchanges: RecordedExchange[] }>();
  for (const file of laneFilesIn(folder)) {
    const { log } = readWholeLane(folder, file);
    for (const entry of log.entries) {
      const exchange = fromHarEntry(entry);
      const lane = log._recordingName;
      const key = bareKey(exchange.key, about.basePath);
      const id = `${lane}\n${key}`;
      const known = requests.get(id);
      if (known) {
        known.exchanges.push(exchange);
        continue;
      }
      const { method } = exchange.request;
      const target = targetOf(exchange.request);
      const operation = exchange.operation ?? find(method, target);
      requests.set(id, {
        lane,
        key,
        method,
        target: withoutBase(target, about.basePath),
        ...(operation && { operation }),
        exchanges: [exchange],
      });
    }
  }
  for (const { exchanges } of requests.values()) exchanges.sort((a, b) => a.order - b.order);
  return { name, folder, about, requests: [...requests.values()] };
}

/** The name of a request in reports: its operation, otherwise method and path. */
export const nameOf = ({
  operation,
  method,
  target,
}: Pick<RecordedSequence, 'operation' | 'method' | 'target'>): string =>
  operation ?? `${method} ${target.split('?', 1)[0]}`;

/** Last path segments of operations that do more than read; misspelled paths may contain them. */
const UNSAFE_SEGMENTS = OPERATIONS.filter(({ safety }) => safety !== 'read').map(({ path, safety }) => ({
  segment: path.slice(path.lastIndexOf('/') + 1).toLowerCase(),
  safety,
}));

/**
 * The safety class of a request: that of its operation; for a request for no operation, that of an operation with a similar
 * path. Other GET requests, and POST requests near those of group B (section 4.2), read; any other request is unclear.
 */
export function classOfRequest({
  operation,
  method,
  target,
}: Pick<RecordedSequence, 'operation' | 'method' | 'target'>): SafetyClass {
  if (operation) return operationOf(operation).safety;
  const path = target.split('?', 1)[0]?.toLowerCase() ?? '';
  const harmful = UNSAFE_SEGMENTS.find(({ segment }) => path.includes(segment));
  if (harmful) return harmful.safety;
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return 'read';
  return method === 'POST' && path.includes('/data-access/') ? 'read' : 'unclear';
}

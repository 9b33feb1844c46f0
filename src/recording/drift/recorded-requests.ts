/** The traffic of a recording, request by request, for comparison with another recording. */
import { OPERATIONS, type OperationKey, operationOf, type SafetyClass } from '../../contract/index.ts';
import { operationFinder } from '../../exchange/operation-finder.ts';
import { targetOf } from '../format/entry.ts';
import type { RecordedExchange, StoredBody } from '../format/recorded-exchange.ts';
import type { Provenance } from '../format/schema.ts';
import type { Recording } from '../store/open-recording.ts';

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

/** The text of an inline body; undefined if there is none, or if it is in a side file. */
export const textOf = (body: StoredBody | undefined): string | undefined =>
  body && 'text' in body ? body.text : undefined;

/** The requests of all lanes of a recording. */
export function recordedTraffic({ name, folder, about, lanes }: Recording): RecordedTraffic {
  const { basePath } = about;
  const find = operationFinder(basePath);
  const requests = [...lanes].flatMap(([lane, byKey]) =>
    [...byKey].map(([key, exchanges]): RecordedSequence => {
      const [first] = exchanges as readonly [RecordedExchange];
      const { method } = first.request;
      const target = targetOf(first.request);
      const operation = first.operation ?? find(method, target);
      const path = key.indexOf(' ') + 1;
      return {
        lane,
        key: key.slice(0, path) + withoutBase(key.slice(path), basePath),
        method,
        target: withoutBase(target, basePath),
        ...(operation && { operation }),
        exchanges,
      };
    }),
  );
  return { name, folder, about, requests };
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

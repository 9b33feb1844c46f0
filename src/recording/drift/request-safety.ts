/** The safety class of a recorded request: decides whether it is sent again. */
import { OPERATIONS, operationOf, type SafetyClass } from '../../contract/index.ts';
import type { RecordedSequence } from './recorded-requests.ts';

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

/** Which requests are sent again after a transport fault. */
import { operationOf } from '../contract/index.ts';
import type { Exchange, FailureKind } from '../exchange/types.ts';
import { isDocumented, type RequestSpec } from './request-spec.ts';

/**
 * Faults that may be chance: of a network, a load balancer, a restart. A response that breaks HTTP (`protocol`) is none,
 * and a second handshake does not mend a certificate.
 */
const TRANSIENT_FAILURES: ReadonlySet<FailureKind> = new Set(['refused', 'dns', 'reset', 'timeout', 'truncated']);

/**
 * Whether a failed request is sent once more: it must not change anything on the service. That holds for operations of the
 * class `read`, whatever their method, and for variants of them that are sent with GET or HEAD.
 */
export function isRetriable({ failure, request }: Exchange, spec: RequestSpec): boolean {
  if (!failure || !TRANSIENT_FAILURES.has(failure.kind)) return false;
  if (operationOf(spec.operation).safety !== 'read') return false;
  return isDocumented(spec) || request.method === 'GET' || request.method === 'HEAD';
}

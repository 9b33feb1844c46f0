/** Finds when a service stopped responding in mid-run: consecutive requests without a response of the service itself. */

import { type OperationKey, operationOf } from '../contract/index.ts';
import { isRefusedStatus } from '../exchange/refused-status.ts';
import { type Exchange, type FailureKind, sentStatus } from '../exchange/types.ts';
import { isClientStop } from '../exchange/wire/failures.ts';
import { isDocumented, type RequestSpec } from './request-spec.ts';
import { symptomOf } from './symptom.ts';

/** A request that was sent, with its response or failure. */
export interface SentExchange {
  readonly id: string;
  readonly operation: OperationKey;
  readonly exchange: Exchange;
}

export interface Outage {
  /** The exchanges during the outage. */
  readonly ids: ReadonlySet<string>;
  /** Whether the service responded again. */
  readonly isOver: boolean;
  readonly sentence: string;
}

/** An outage has at least so many requests: a single one may fail for a reason of its own. */
const MIN_REQUESTS = 3;

const FAILURES: ReadonlySet<FailureKind> = new Set(['refused', 'dns', 'reset', 'timeout', 'truncated', 'tooSlow']);
const STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);

/** Whether an exchange shows no response of the service itself, as clients see it while it restarts. */
export function isOut({ request, response, redirects, failure }: Exchange): boolean {
  // A service that redirects responds.
  if (redirects.length > 0) return false;
  if (failure) return FAILURES.has(failure.kind);
  return !!response && STATUSES.has(sentStatus(response)) && !isMeant(request, response.status);
}

/** Whether the profile gives the status a meaning of its own. */
const isMeant = ({ statuses = {} }: Exchange['request'], status: number): boolean =>
  Object.values(statuses).some((each) => each?.includes(status));

const startOf = ({ exchange }: SentExchange): number => Date.parse(exchange.timing.startedAt);
const endOf = (sent: SentExchange): number => startOf(sent) + sent.exchange.timing.totalMs;

const isRefused = ({ request, response }: Exchange): boolean =>
  response !== undefined && isRefusedStatus(response.status, request.statuses);

/** What a service does, and what shows it; `ends`: the outage may be over in the run. */
const OUTAGES = [
  { does: 'stopped responding', isShown: isOut, ends: true },
  // Credentials may be accepted by some operations only.
  { does: 'started to refuse requests', isShown: isRefused, ends: false },
];

/**
 * The outages of a run. One operation, or one group, that never responds is none.
 * @param isStopped whether the run ended because of one
 */
export async function findOutages(exchanges: readonly SentExchange[], isStopped: boolean): Promise<Outage[]> {
  const outages: Outage[] = [];
  const sent = exchanges.filter(
    ({ exchange: { request, failure } }) => !request.mayBeDenied && !(failure && isClientStop(failure)),
  );
  for (const { does, isShown, ends } of OUTAGES) {
    const responding = new Set(sent.flatMap((each) => (isShown(each.exchange) ? [] : [each.operation])));
    for (let [begin, end] = [0, 0]; begin < sent.length; begin = ++end) {
      while (end < sent.length && isShown((sent[end] as SentExchange).exchange)) end++;
      const failed = sent.slice(begin, end);
      const isStop = isStopped && end === sent.length;
      const isLong = failed.length >= (isStop ? 2 : MIN_REQUESTS);
      if (begin > 0 && isLong && (isStop || ends) && failed.some(({ operation }) => responding.has(operation)))
        outages.push(await describe(does, failed, sent[end]));
    }
  }
  return outages;
}

async function describe(does: string, failed: readonly SentExchange[], next?: SentExchange): Promise<Outage> {
  const [first, last] = [failed[0] as SentExchange, failed.at(-1) as SentExchange];
  const symptoms = new Map<string, string>();
  for (const { exchange } of failed) {
    const { what = 'no response', toDo = '' } = (await symptomOf(exchange)) ?? {};
    symptoms.set(what.replace(/,$/, ''), toDo);
  }
  const [toDo = ''] = symptoms.values();
  const at = new Date(startOf(first)).toISOString().slice(11, 19);
  const seconds = Math.max(1, Math.round((endOf(next ?? last) - startOf(first)) / 1000));
  const end = `${next ? 'back' : 'not back'} after ${seconds} s`;
  return {
    ids: new Set(failed.map(({ id }) => id)),
    isOver: next !== undefined,
    sentence: `the service ${does} at request ${first.id}, ${at} UTC (${[...symptoms.keys()].join('; ')}), ${end}: ${symptoms.size === 1 && first.exchange.response ? toDo : 'the service’s log may say why'}`,
  };
}

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

/** Finds when a service stopped responding in mid-run: consecutive requests without a response of the service itself. */
import type { OperationKey } from '../contract/index.ts';
import { type Exchange, type FailureKind, sentStatus } from '../exchange/types.ts';
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

/** What clients see of a service that restarts, or of the server in front of it. */
const FAILURES: ReadonlySet<FailureKind> = new Set(['refused', 'dns', 'reset', 'timeout', 'truncated', 'tooSlow']);
const STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);

const isOut = ({ request, response, failure }: Exchange): boolean =>
  failure
    ? FAILURES.has(failure.kind)
    : !!response && STATUSES.has(sentStatus(response)) && !isMeant(request, response.status);

/** Whether the profile gives the status a meaning of its own. */
const isMeant = ({ statuses = {} }: Exchange['request'], status: number): boolean =>
  Object.values(statuses).some((each) => each?.includes(status));

const startOf = ({ exchange }: SentExchange): number => Date.parse(exchange.timing.startedAt);
const endOf = (sent: SentExchange): number => startOf(sent) + sent.exchange.timing.totalMs;

/**
 * The outages of a run. One operation, or one group, that does not respond while others do is none: an operation of the
 * outage must respond before, or all of them afterwards.
 */
export async function findOutages(sent: readonly SentExchange[]): Promise<Outage[]> {
  const outages: Outage[] = [];
  for (let begin = 0; begin < sent.length; begin++) {
    let end = begin;
    while (end < sent.length && isOut((sent[end] as SentExchange).exchange)) end++;
    const failed = sent.slice(begin, end);
    if (begin > 0 && failed.length >= MIN_REQUESTS && isWhole(failed, sent.slice(0, begin), sent.slice(end)))
      outages.push(await describe(failed, sent[end]));
    begin = end;
  }
  return outages;
}

function isWhole(
  failed: readonly SentExchange[],
  before: readonly SentExchange[],
  after: readonly SentExchange[],
): boolean {
  const operations = [...new Set(failed.map(({ operation }) => operation))];
  const responding = (parts: readonly SentExchange[]) =>
    new Set(parts.flatMap(({ operation, exchange }) => (isOut(exchange) ? [] : [operation])));
  const [atFirst, later] = [responding(before), responding(after)];
  if (after.length === 0) return operations.some((each) => atFirst.has(each));
  return operations.length > 1 && operations.every((each) => later.has(each) || atFirst.has(each));
}

async function describe(failed: readonly SentExchange[], next: SentExchange | undefined): Promise<Outage> {
  const [first, last] = [failed[0] as SentExchange, failed.at(-1) as SentExchange];
  const symptoms = new Set<string>();
  for (const { exchange } of failed) symptoms.add((await symptomOf(exchange))?.what.replace(/,$/, '') ?? '');
  const at = new Date(startOf(first)).toISOString().slice(11, 19);
  const seconds = Math.max(1, Math.round(((next ? endOf(next) : endOf(last)) - startOf(first)) / 1000));
  return {
    ids: new Set(failed.map(({ id }) => id)),
    isOver: next !== undefined,
    sentence: `the service stopped responding at request ${first.id}, ${at} UTC (${[...symptoms].join('; ')}), ${next ? `back after ${seconds} s` : `not back after ${seconds} s`}: the service’s log may say why`,
  };
}

/** What may differ between two recordings of an unchanged service. */
import type { RecordedExchange, RecordedResponse } from './types.ts';

/** Headers that differ from answer to answer and say nothing about the data. */
export const VOLATILE_HEADERS: readonly string[] = [
  'age',
  'cf-ray',
  'connection',
  'date',
  'expires',
  'keep-alive',
  'nel',
  'ratelimit',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'report-to',
  'request-id',
  'server-timing',
  'traceparent',
  'tracestate',
  'x-amz-cf-id',
  'x-amzn-requestid',
  'x-amzn-trace-id',
  'x-cache',
  'x-cache-hits',
  'x-correlation-id',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-request-id',
  'x-response-time',
  'x-runtime',
  'x-served-by',
  'x-timer',
  'x-trace-id',
];
const VOLATILE = new Set(VOLATILE_HEADERS);

const substance = ({ status, reason, headers, body, coding }: RecordedResponse): unknown => [
  status,
  reason,
  headers.map(([name, value]) => (VOLATILE.has(name.toLowerCase()) ? [name] : [name, value])),
  // A side file’s name is its hash.
  body && ('file' in body ? body.file : body.text),
  coding,
];

/**
 * Whether two exchanges of one key say the same: volatile headers aside, and whoever asked with whatever other headers.
 * Where they do, the former recording is kept, so that recording an unchanged service anew changes no byte.
 */
export function sayTheSame(former: RecordedExchange, now: RecordedExchange): boolean {
  const said = ({ key, response, failure }: RecordedExchange): string =>
    JSON.stringify([key, response && substance(response), failure?.kind]);
  return said(former) === said(now);
}

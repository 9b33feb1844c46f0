/** Groups the successful responses to requests that have no counterpart, so that their shapes can be compared. */
import type { RecordedResponse } from '../format/recorded-exchange.ts';
import type { PairedRequests } from './pair-requests.ts';
import { nameOf, type RecordedSequence, type RecordedTraffic } from './recorded-requests.ts';
import { requestPartsOf, sendableOf } from './request-parts.ts';

export interface Unmatched {
  readonly was: readonly RecordedResponse[];
  readonly is: readonly RecordedResponse[];
}

/** A form that is equal for requests that differ only in the values of their inputs. */
const formOf = (request: RecordedSequence, inputs: readonly string[]): string =>
  [
    nameOf(request),
    ...[...requestPartsOf(sendableOf(request), inputs).keys()].filter((part) => !part.startsWith('path ')),
  ].join('\n');

const successes = (requests: readonly RecordedSequence[]): RecordedResponse[] =>
  requests.flatMap(({ exchanges }) =>
    exchanges.flatMap(({ response, failure }) => (response && !failure && response.status < 300 ? [response] : [])),
  );

/** Successful responses to requests without a counterpart but with the same form on both sides, by request name. */
export function unmatchedOf(
  { onlyBefore, onlyNow }: PairedRequests,
  was: RecordedTraffic,
  is: RecordedTraffic,
): Map<string, Unmatched> {
  const lone = onlyBefore.map(({ request }) => request);
  const before = Map.groupBy(lone, (each) => formOf(each, was.about.matching.headers));
  const now = Map.groupBy(onlyNow, (each) => formOf(each, is.about.matching.headers));
  const rest = new Map<string, Unmatched>();
  for (const [form, requests] of before) {
    const others = now.get(form);
    if (!others) continue;
    const name = nameOf(requests[0] as RecordedSequence);
    const known = rest.get(name);
    rest.set(name, {
      was: [...(known?.was ?? []), ...successes(requests)],
      is: [...(known?.is ?? []), ...successes(others)],
    });
  }
  return rest;
}

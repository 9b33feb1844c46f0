/** Groups the successful responses to requests that have no counterpart, so that their shapes can be compared. */
import type { RecordedResponse } from '../format/recorded-exchange.ts';
import type { PairedRequests } from './pair-requests.ts';
import { nameOf, type RecordedSequence, type RecordedTraffic } from './recorded-requests.ts';
import { requestPartsOf, sendableOf } from './request-parts.ts';

export interface Unmatched {
  readonly recorded: readonly RecordedResponse[];
  readonly current: readonly RecordedResponse[];
}

/** A form that is equal for requests that differ only in the values of their inputs. */
const formOf = (request: RecordedSequence, inputs: readonly string[]): string =>
  [
    nameOf(request),
    ...[...requestPartsOf(sendableOf(request), inputs).keys()].filter((part) => !part.startsWith('path ')).sort(),
  ].join('\n');

const successes = (requests: readonly RecordedSequence[]): RecordedResponse[] =>
  requests.flatMap(({ exchanges }) =>
    exchanges.flatMap(({ response, failure }) => (response && !failure && response.status < 300 ? [response] : [])),
  );

/** Successful responses to requests without a counterpart but with the same form on both sides, by request name. */
export function unmatchedOf(
  { onlyBefore, onlyNow }: PairedRequests,
  recorded: RecordedTraffic,
  current: RecordedTraffic,
): Map<string, Unmatched> {
  const unpaired = onlyBefore.map(({ request }) => request);
  const before = Map.groupBy(unpaired, (each) => formOf(each, recorded.about.matching.headers));
  const now = Map.groupBy(onlyNow, (each) => formOf(each, current.about.matching.headers));
  const unmatched = new Map<string, Unmatched>();
  for (const [form, requests] of before) {
    const others = now.get(form);
    if (!others) continue;
    const name = nameOf(requests[0] as RecordedSequence);
    const known = unmatched.get(name);
    unmatched.set(name, {
      recorded: [...(known?.recorded ?? []), ...successes(requests)],
      current: [...(known?.current ?? []), ...successes(others)],
    });
  }
  return unmatched;
}

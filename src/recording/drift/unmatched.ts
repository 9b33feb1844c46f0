import type { RecordedResponse } from '../format/recorded-exchange.ts';
import type { PairedRequests } from './pair-requests.ts';
import { nameOf, type RecordedSequence, type RecordedTraffic } from './recorded-requests.ts';
import { requestPartsOf, sendableOf } from './request-parts.ts';

export interface Unmatched {
  readonly was: readonly RecordedResponse[];
  readonly is: readonly RecordedResponse[];
}

/** The same for requests alike but for what they ask with. */
const formOf = (asked: RecordedSequence, inputs: readonly string[]): string =>
  [
    nameOf(asked),
    ...[...requestPartsOf(sendableOf(asked), inputs).keys()].filter((part) => !part.startsWith('path ')),
  ].join('\n');

const successes = (asked: readonly RecordedSequence[]): RecordedResponse[] =>
  asked.flatMap(({ exchanges }) =>
    exchanges.flatMap(({ response, failure }) => (response && !failure && response.status < 300 ? [response] : [])),
  );

/** Successful answers to such requests, by what `nameOf` calls the request. */
export function unmatchedOf(
  { onlyBefore, onlyNow }: PairedRequests,
  was: RecordedTraffic,
  is: RecordedTraffic,
): Map<string, Unmatched> {
  const lone = onlyBefore.map(({ asked }) => asked);
  const before = Map.groupBy(lone, (each) => formOf(each, was.about.matching.headers));
  const now = Map.groupBy(onlyNow, (each) => formOf(each, is.about.matching.headers));
  const rest = new Map<string, Unmatched>();
  for (const [form, asked] of before) {
    const others = now.get(form);
    if (!others) continue;
    const name = nameOf(asked[0] as RecordedSequence);
    const known = rest.get(name);
    rest.set(name, {
      was: [...(known?.was ?? []), ...successes(asked)],
      is: [...(known?.is ?? []), ...successes(others)],
    });
  }
  return rest;
}

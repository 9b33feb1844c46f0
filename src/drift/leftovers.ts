/** Requests that only one side has, as far as the other has some of the same form: their answers have one shape. */
import type { RecordedResponse } from '../exchange/har/types.ts';
import type { Paired } from './pair.ts';
import { partsOf, sendableOf } from './request-parts.ts';
import { type Asked, nameOf, type Traffic } from './traffic.ts';

export interface Leftovers {
  readonly was: readonly RecordedResponse[];
  readonly is: readonly RecordedResponse[];
}

/** The same for requests alike but for what they ask with. */
const formOf = (asked: Asked, inputs: readonly string[]): string =>
  [nameOf(asked), ...[...partsOf(sendableOf(asked), inputs).keys()].filter((part) => !part.startsWith('path '))].join(
    '\n',
  );

const successes = (asked: readonly Asked[]): RecordedResponse[] =>
  asked.flatMap(({ exchanges }) =>
    exchanges.flatMap(({ response, failure }) => (response && !failure && response.status < 300 ? [response] : [])),
  );

/** Successful answers to such requests, by what `nameOf` calls the request. */
export function leftoversOf({ onlyBefore, onlyNow }: Paired, was: Traffic, is: Traffic): Map<string, Leftovers> {
  const lone = onlyBefore.map(({ asked }) => asked);
  const before = Map.groupBy(lone, (each) => formOf(each, was.about.matching.headers));
  const now = Map.groupBy(onlyNow, (each) => formOf(each, is.about.matching.headers));
  const rest = new Map<string, Leftovers>();
  for (const [form, asked] of before) {
    const others = now.get(form);
    if (!others) continue;
    const name = nameOf(asked[0] as Asked);
    const known = rest.get(name);
    rest.set(name, {
      was: [...(known?.was ?? []), ...successes(asked)],
      is: [...(known?.is ?? []), ...successes(others)],
    });
  }
  return rest;
}

/** Compares statuses and media types of paired responses. */

import { firstHeader, mediaTypeOf } from '../../exchange/headers.ts';
import type { RecordedExchange, RecordedResponse } from '../format/recorded-exchange.ts';
import { type DifferenceKind, type DifferenceWithoutOperation, differenceAt } from './classes.ts';

const isSuccess = (status: number): boolean => status >= 200 && status < 300;
/** Statuses for a product that does not exist. */
const NOT_FOUND = [204, 404, 410];
/** Temporary refusals, which do not depend on the request. */
const TEMPORARY = [408, 425, 429, 502, 503, 504];

/** The kind of difference between the statuses of two responses, if any. */
function statusKind(recorded: RecordedExchange, current: RecordedExchange): DifferenceKind | undefined {
  if (!recorded.response) return current.response ? 'answered' : undefined;
  if (!current.response || (current.failure && !recorded.failure)) return 'no answer';
  const [before, now] = [recorded.response.status, current.response.status];
  if (before === now) return recorded.failure && !current.failure ? 'answered' : undefined;
  if ((before >= 400 && isSuccess(now)) || TEMPORARY.includes(before)) return 'answered';
  return 'status';
}

/** The status, or how the connection failed. */
const outcomeOf = ({ response, failure }: RecordedExchange): string => {
  if (!response) return failure?.kind ?? 'no answer';
  return failure ? `${response.status}, ${failure.kind}` : String(response.status);
};

/** A difference between two responses: `was` and `is` are the same in all that are counted together. */
export type PairDifference = readonly [kind: DifferenceKind, was: string, is: string];

/** Counts equal differences. @param all the number of pairs @param pathOf the path of a difference */
export const countedDifferences = (
  found: readonly PairDifference[],
  all: number,
  pathOf: (difference: PairDifference) => string,
): DifferenceWithoutOperation[] =>
  [...Map.groupBy(found, (each) => each.join('\n')).values()].map((equal) => {
    const [kind, was, is] = equal[0] as PairDifference;
    return { ...differenceAt(kind, pathOf([kind, was, is]), `${equal.length} of ${all}`), was, is };
  });

/**
 * The differences between the statuses of an operation.
 * @param pairs all its pairs of responses
 * @param isLookup whether the operation reads one product by its id: a product may cease to exist
 */
export function compareStatuses(
  pairs: readonly (readonly [RecordedExchange, RecordedExchange])[],
  isLookup: boolean,
): DifferenceWithoutOperation[] {
  const statusOf = ({ response }: RecordedExchange): number => response?.status ?? 0;
  const stillFound = pairs.some(
    ([recorded, current]) => isSuccess(statusOf(recorded)) && isSuccess(statusOf(current)) && statusOf(current) !== 204,
  );
  const found = pairs.flatMap(([recorded, current]): PairDifference[] => {
    const kind = statusKind(recorded, current);
    if (!kind) return [];
    const [before, now] = [statusOf(recorded), statusOf(current)];
    const isMissing = isSuccess(before) ? NOT_FOUND.includes(now) : isSuccess(now) && NOT_FOUND.includes(before);
    return [[isLookup && stillFound && isMissing ? 'product gone' : kind, outcomeOf(recorded), outcomeOf(current)]];
  });
  return countedDifferences(found, pairs.length, ([, was]) => `status ${was}`);
}

/** The normalised charset; UTF-8 if none is declared. */
const charsetOf = ({ headers }: RecordedResponse): string => {
  const charset = (mediaTypeOf(headers).charset ?? 'utf-8').toLowerCase();
  return charset === 'utf8' || charset === 'us-ascii' ? 'utf-8' : charset;
};

const codingOf = ({ headers, coding }: RecordedResponse): string =>
  coding ?? firstHeader(headers, 'content-encoding') ?? 'identity';

/** The difference in Content-Type or Content-Encoding; undefined if the bodies can be compared. */
export function mediaKind(recorded: RecordedResponse, current: RecordedResponse): PairDifference | undefined {
  const [before, now] = [mediaTypeOf(recorded.headers).type, mediaTypeOf(current.headers).type];
  const hasBodies = recorded.body !== undefined && current.body !== undefined;
  if (hasBodies && before !== now) return ['media type', before || 'none', now || 'none'];
  if (!hasBodies) return undefined;
  if (charsetOf(recorded) !== charsetOf(current)) return ['charset', charsetOf(recorded), charsetOf(current)];
  return codingOf(recorded) === codingOf(current)
    ? undefined
    : ['content coding', codingOf(recorded), codingOf(current)];
}

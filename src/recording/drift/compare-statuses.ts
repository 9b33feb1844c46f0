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
export function statusKind(recorded: RecordedExchange, current: RecordedExchange): DifferenceKind | undefined {
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

/**
 * The differences between the statuses of an operation.
 * @param pairs all its pairs of responses
 * @param isLookup whether the operation reads one product by its id: a product may cease to exist
 */
export function compareStatuses(
  pairs: readonly (readonly [RecordedExchange, RecordedExchange])[],
  isLookup: boolean,
): DifferenceWithoutOperation[] {
  const changes = new Map<string, { kind: DifferenceKind; count: number; was: string; is: string }>();
  const stillFound = pairs.some(
    ([recorded, current]) =>
      isSuccess(recorded.response?.status ?? 0) &&
      isSuccess(current.response?.status ?? 0) &&
      current.response?.status !== 204,
  );
  for (const [recorded, current] of pairs) {
    const statusChange = statusKind(recorded, current);
    if (!statusChange) continue;
    const [before, now] = [recorded.response?.status ?? 0, current.response?.status ?? 0];
    const statuses = [before, now];
    const isGone =
      isLookup && stillFound && statuses.some(isSuccess) && NOT_FOUND.includes(isSuccess(before) ? now : before);
    const kind = isGone ? 'product gone' : statusChange;
    const [recordedOutcome, currentOutcome] = [outcomeOf(recorded), outcomeOf(current)];
    const known = changes.get(`${kind} ${recordedOutcome} ${currentOutcome}`);
    changes.set(`${kind} ${recordedOutcome} ${currentOutcome}`, {
      kind,
      count: (known?.count ?? 0) + 1,
      was: recordedOutcome,
      is: currentOutcome,
    });
  }
  return [...changes.values()].map(({ kind, count, was, is }) =>
    differenceAt(kind, `status ${was}`, `${count} of ${pairs.length}`, was, is),
  );
}

/** The normalised charset; UTF-8 if none is declared. */
const charsetOf = ({ headers }: RecordedResponse): string => {
  const charset = (mediaTypeOf(headers).charset ?? 'utf-8').toLowerCase();
  return charset === 'utf8' || charset === 'us-ascii' ? 'utf-8' : charset;
};

const codingOf = ({ headers, coding }: RecordedResponse): string =>
  coding ?? firstHeader(headers, 'content-encoding') ?? 'identity';

/** The difference in Content-Type or Content-Encoding; undefined if the bodies can be compared. */
export function mediaKind(
  recorded: RecordedResponse,
  current: RecordedResponse,
): [DifferenceKind, string, string] | undefined {
  const [before, now] = [mediaTypeOf(recorded.headers).type, mediaTypeOf(current.headers).type];
  const hasBodies = recorded.body !== undefined && current.body !== undefined;
  if (hasBodies && before !== now) return ['media type', before || 'none', now || 'none'];
  if (!hasBodies) return undefined;
  if (charsetOf(recorded) !== charsetOf(current)) return ['charset', charsetOf(recorded), charsetOf(current)];
  return codingOf(recorded) === codingOf(current)
    ? undefined
    : ['content coding', codingOf(recorded), codingOf(current)];
}

/** Compares statuses and media types of paired responses. */

import { firstHeader, mediaTypeOf } from '../../exchange/headers.ts';
import type { RecordedExchange, RecordedResponse } from '../format/recorded-exchange.ts';
import { type DifferenceKind, driftClassOf, type UnassignedDifference } from './classes.ts';

const isSuccess = (status: number): boolean => status >= 200 && status < 300;
/** Statuses for a product that does not exist. */
const NOT_FOUND = [204, 404, 410];
/** Temporary refusals, which do not depend on the request. */
const TEMPORARY = [408, 425, 429, 502, 503, 504];

/** The kind of difference between the statuses of two responses, if any. */
export function statusKind(was: RecordedExchange, is: RecordedExchange): DifferenceKind | undefined {
  if (!was.response) return is.response ? 'answered' : undefined;
  if (!is.response || (is.failure && !was.failure)) return 'no answer';
  const [before, now] = [was.response.status, is.response.status];
  if (before === now) return was.failure && !is.failure ? 'answered' : undefined;
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
 * @param compared all its pairs of responses
 * @param isLookup whether the operation reads one product by its id: a product may cease to exist
 */
export function compareStatuses(
  compared: readonly (readonly [RecordedExchange, RecordedExchange])[],
  isLookup: boolean,
): UnassignedDifference[] {
  const changes = new Map<string, { kind: DifferenceKind; count: number; was: string; is: string }>();
  const stillFound = compared.some(
    ([was, is]) =>
      isSuccess(was.response?.status ?? 0) && isSuccess(is.response?.status ?? 0) && is.response?.status !== 204,
  );
  for (const [was, is] of compared) {
    const plain = statusKind(was, is);
    if (!plain) continue;
    const [before, now] = [was.response?.status ?? 0, is.response?.status ?? 0];
    const other = [before, now];
    const isGone =
      isLookup && stillFound && other.some(isSuccess) && NOT_FOUND.includes(isSuccess(before) ? now : before);
    const kind = isGone ? 'product gone' : plain;
    const [wasText, isText] = [outcomeOf(was), outcomeOf(is)];
    const known = changes.get(`${kind} ${wasText} ${isText}`);
    changes.set(`${kind} ${wasText} ${isText}`, { kind, count: (known?.count ?? 0) + 1, was: wasText, is: isText });
  }
  return [...changes.values()].map(({ kind, count, was, is }) => ({
    class: driftClassOf(kind),
    kind,
    path: `status ${was}`,
    count: `${count} of ${compared.length}`,
    was,
    is,
  }));
}

/** The normalised charset; UTF-8 if none is declared. */
const charsetOf = ({ headers }: RecordedResponse): string => {
  const charset = (mediaTypeOf(headers).charset ?? 'utf-8').toLowerCase();
  return charset === 'utf8' || charset === 'us-ascii' ? 'utf-8' : charset;
};

const codingOf = ({ headers, coding }: RecordedResponse): string =>
  coding ?? firstHeader(headers, 'content-encoding') ?? 'identity';

/** The difference in Content-Type or Content-Encoding; undefined if the bodies can be compared. */
export function mediaKind(was: RecordedResponse, is: RecordedResponse): [DifferenceKind, string, string] | undefined {
  const [before, now] = [mediaTypeOf(was.headers).type, mediaTypeOf(is.headers).type];
  const hasBodies = was.body !== undefined && is.body !== undefined;
  if (hasBodies && before !== now) return ['media type', before || 'none', now || 'none'];
  if (!hasBodies) return undefined;
  if (charsetOf(was) !== charsetOf(is)) return ['charset', charsetOf(was), charsetOf(is)];
  return codingOf(was) === codingOf(is) ? undefined : ['content coding', codingOf(was), codingOf(is)];
}

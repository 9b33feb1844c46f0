/** Compares two recorded exchanges. Differences at volatile headers and masked places are ignored. */

import type { HeaderLines } from '../../exchange/headers.ts';
import { type LoadedResponse, loadResponse, type ReadBodyText } from '../format/loaded-response.ts';
import { headerPlace, pathValuesIn, sameExcept, withoutBoundary } from '../format/masks.ts';
import type { RecordedExchange } from '../format/recorded-exchange.ts';
import { BODY_DIGEST_HEADERS, isVolatileHeader } from '../format/volatile-headers.ts';

/** A cookie without its value, which is a secret, and without its expiry, which depends on the time. */
const comparableCookie = (value: string): string =>
  value.replace(/^([^=;]*)=[^;]*/, '$1').replace(/;\s*(?:expires|max-age)=[^;]*/gi, '');

function comparableHeaders(lines: HeaderLines, hasBody: boolean, isIgnored: (name: string) => boolean): string {
  const compared = lines.flatMap(([given, value]): [string, string][] => {
    const name = given.toLowerCase();
    if (isIgnored(name) || (hasBody && name === 'content-length')) return [];
    if (name === 'set-cookie') return [[name, comparableCookie(value)]];
    return [[name, name === 'content-type' ? withoutBoundary(value) : value]];
  });
  return JSON.stringify(compared.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

/**
 * How two exchanges differ. `masked`: only at masked places or in the formatting of JSON and XML. The caller then treats them
 * as equal if the profile reads the same values from both.
 */
export type ExchangeChange = 'same' | 'masked' | 'other';

export interface ComparisonContext {
  /** Volatile places in responses of this operation. */
  readonly masked: ReadonlySet<string>;
  /** Headers that the profile reads, in lower case: they count even if their name is that of a volatile header. */
  readonly readHeaders: ReadonlySet<string>;
  readonly readBodyText: ReadBodyText;
}

function compareResponses(
  former: LoadedResponse,
  current: LoadedResponse,
  { masked, readHeaders }: ComparisonContext,
): ExchangeChange {
  const isVolatile = (name: string): boolean => isVolatileHeader(name) && !readHeaders.has(name);
  const sameHead = (isIgnored: (name: string) => boolean): boolean => {
    const headOf = ({ status, reasonPhrase, headers, bodyId, coding }: LoadedResponse) =>
      JSON.stringify([status, reasonPhrase, comparableHeaders(headers, bodyId !== undefined, isIgnored), coding]);
    return headOf(former) === headOf(current);
  };
  const isMasked = (name: string): boolean => isVolatile(name) || masked.has(headerPlace(name));
  // A side file’s name is its hash.
  if (former.bodyId === current.bodyId) {
    if (sameHead(isVolatile)) return 'same';
    return sameHead(isMasked) ? 'masked' : 'other';
  }
  if (former.bodyId === undefined || current.bodyId === undefined) return 'other';
  if (!sameHead((name) => isMasked(name) || BODY_DIGEST_HEADERS.has(name))) return 'other';
  const [formerValues, currentValues] = [pathValuesIn(former), pathValuesIn(current)];
  return formerValues && currentValues && sameExcept(formerValues, currentValues, masked) ? 'masked' : 'other';
}

/**
 * Compares two exchanges with the same key, except request headers, volatile headers and masked places. If they
 * are equal, the former one stays in the recording, so that recording an unchanged service again changes no byte.
 */
export function compareExchanges(
  former: RecordedExchange,
  current: RecordedExchange,
  context: ComparisonContext,
): ExchangeChange {
  if (former.key !== current.key || former.failure?.kind !== current.failure?.kind) return 'other';
  if (!former.response || !current.response) return former.response === current.response ? 'same' : 'other';
  return compareResponses(
    loadResponse(former.response, context.readBodyText),
    loadResponse(current.response, context.readBodyText),
    context,
  );
}

/** Compares recorded exchanges: whether two are equal except at volatile places, and at which places they differ. */

import type { HeaderLines } from '../../exchange/headers.ts';
import { type LoadedResponse, loadResponse, type ReadBodyText, withText } from '../format/loaded-response.ts';
import {
  headerPlace,
  pathValuesIn,
  sameExcept,
  sameInOrder,
  valuePairsOf,
  withOtherValues,
  withoutBoundary,
} from '../format/masks.ts';
import type { RecordedExchange } from '../format/recorded-exchange.ts';
import type { PathValue } from '../format/value-paths.ts';
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

/** The path of the innermost list: `$.rows[*]` of `$.rows[*].meta.etag`. */
const listOf = (path: string): string | undefined => /^(.*\[\*\])/.exec(path)?.[1];

/**
 * The places at which two responses to one request differ, if they are otherwise equal. Rows without an unchanged,
 * distinguishing value may be in another order, so differences in such a list are not masks.
 */
function differingIn(first: readonly PathValue[], second: readonly PathValue[]): string[] {
  const allPaths = new Set(first.map(({ path }) => path));
  if (!sameInOrder(first, second, allPaths)) return [];
  const differing = new Set(first.flatMap(({ path, value }, at) => (value === second[at]?.value ? [] : [path])));
  const valuesAt = (values: readonly PathValue[], path: string) =>
    values.flatMap((each) => (each.path === path && each.start >= 0 ? [each.value] : []));
  return [...differing].filter((path) => {
    const values = valuesAt(first, path);
    if (values.length < 2) return true;
    if (values.toSorted().join('\n') === valuesAt(second, path).toSorted().join('\n')) return false;
    const list = listOf(path);
    if (list === undefined) return true;
    const identifyingPaths = [...allPaths].filter((each) => each.startsWith(list) && !differing.has(each));
    return identifyingPaths.some((each) => new Set(valuesAt(first, each)).size > 1);
  });
}

const valuesOf = (lines: HeaderLines, name: string): string =>
  lines.flatMap(([each, value]) => (each.toLowerCase() === name ? [withoutBoundary(value)] : [])).join('\n');

/**
 * The places at which two consecutive responses of an unchanged service to one request differ.
 * @param isVolatile whether a header is volatile by its name and needs no mask
 */
export function differingPlaces(
  first: LoadedResponse,
  second: LoadedResponse,
  isVolatile: (header: string) => boolean,
): readonly string[] {
  if (first.status !== second.status) return [];
  const names = [...first.headers, ...second.headers].map(([name]) => name.toLowerCase());
  const headers = [...new Set(names)].filter(
    (name) =>
      name !== 'content-length' &&
      !isVolatile(name) &&
      valuesOf(first.headers, name) !== valuesOf(second.headers, name),
  );
  const [firstValues, secondValues] = [pathValuesIn(first), pathValuesIn(second)];
  return [...headers.map(headerPlace), ...(firstValues && secondValues ? differingIn(firstValues, secondValues) : [])];
}

/** The first response with the value of the second one at this place. */
export function withPlaceOf(first: LoadedResponse, second: LoadedResponse, place: string): LoadedResponse {
  const isHere = ([name]: readonly [string, string]): boolean => headerPlace(name) === place;
  const headers = [...first.headers.filter((line) => !isHere(line)), ...second.headers.filter(isHere)];
  const pairs = valuePairsOf(first, second);
  const { text } = first;
  if (!pairs || text === undefined || second.text === undefined) return { ...first, headers, text };
  const here = pairs.filter(([{ path }]) => path === place);
  return withText({ ...first, headers }, withOtherValues(text, second.text, here));
}

/** The largest difference between a timestamp of the response time and now. */
const MAX_CLOCK_DIFFERENCE_MS = 15 * 60 * 1000;
const DATE_TIME = /^"?(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)"?$/;
const EPOCH = /^"?(\d{10}(?:\.\d+)?|\d{13})"?$/;

function timeOfValue(value: string): number | undefined {
  const [, text] = DATE_TIME.exec(value) ?? [];
  if (text !== undefined) return Date.parse(/\d$/.test(text) && !/[+-]\d\d:?\d\d$/.test(text) ? `${text}Z` : text);
  const [, number] = EPOCH.exec(value) ?? [];
  if (number === undefined) return undefined;
  return number.length === 13 && !number.includes('.') ? Number(number) : Number(number) * 1000;
}

/**
 * The places at which the later response holds its own time and the former one an earlier time. This also finds volatile
 * places in responses to requests that are sent only once, such as the start of a job.
 */
export function timestampPlaces(former: LoadedResponse, later: LoadedResponse, now: number): readonly string[] {
  const timestamps = (valuePairsOf(later, former) ?? []).filter(([{ path, value }, before]) => {
    if (before.path !== path || before.value === value) return false;
    const [formerTime, laterTime] = [timeOfValue(before.value), timeOfValue(value)];
    return (
      formerTime !== undefined &&
      laterTime !== undefined &&
      formerTime < laterTime &&
      Math.abs(now - laterTime) < MAX_CLOCK_DIFFERENCE_MS
    );
  });
  return [...new Set(timestamps.map(([{ path }]) => path))];
}

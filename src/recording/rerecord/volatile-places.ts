/** Finds the volatile places of responses: what differs between two responses to one request. */
import type { HeaderLines } from '../../exchange/headers.ts';
import { type LoadedResponse, withText } from '../format/loaded-response.ts';
import {
  headerPlace,
  pathValuesIn,
  sameInOrder,
  valuePairsOf,
  withOtherValues,
  withoutBoundary,
} from '../format/masks.ts';
import type { PathValue } from '../format/value-paths.ts';

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

/**
 * Masks: places in answers that differ although the service is the same, such as `$.meta.generatedAt`. They are learned
 * by asking twice, stand in the provenance, and decide whether an answer recorded anew says anything new.
 */
import type { OperationKey } from '../../contract/index.ts';
import type { HeaderLines } from '../../exchange/header-lines.ts';
import { mediaTypeOf } from '../../exchange/headers.ts';
import { type LoadedResponse, withText } from './loaded-response.ts';
import { ELEMENT, ELEMENT_END, ITEM, type PathValue, valuePathsOf } from './value-paths.ts';

/** Stands for all operations, and for requests that are meant for none of them. */
export const EVERY_OPERATION = '*';

/** Stands for requests that are meant for no operation, such as those of paths that cannot exist. */
export const NO_OPERATION = 'elsewhere';

export interface Mask {
  readonly operation: OperationKey | typeof EVERY_OPERATION | typeof NO_OPERATION;
  /** `$.meta.generatedAt`, `$.rows[*].etag`, `/./@at`, `word 3`, `$response.header.x-took`. */
  readonly where: string;
}

/** How a header is named as a place; profiles write it so, too. */
export const headerPlace = (name: string): string => `$response.header.${name.toLowerCase()}`;

/** The places masked in answers of an operation. */
export function placesFor(masks: readonly Mask[], operation: OperationKey | undefined): ReadonlySet<string> {
  const asked = [EVERY_OPERATION, operation ?? NO_OPERATION];
  return new Set(masks.flatMap((each) => (asked.includes(each.operation) ? [each.where] : [])));
}

const BOUNDARY = /(;\s*boundary\s*=\s*)(?:"([^"]+)"|([^;\s]+))/i;

/** A Content-Type without the boundary, which is drawn anew for every multipart answer. */
export const withoutBoundary = (value: string): string => value.replace(BOUNDARY, '$1-');

/** The values of an answer’s body, for comparison; undefined where it is no text that can be taken apart. */
export function pathValuesIn({ headers, text }: LoadedResponse): readonly PathValue[] | undefined {
  if (text === '' || text === undefined) return text === '' ? [] : undefined;
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const [, , quoted, bare] = BOUNDARY.exec(type) ?? [];
  const drawn = quoted ?? bare;
  // In letters of the same number, for places are counted in the text.
  const told = drawn === undefined ? text : text.replaceAll(`--${drawn}`, `--${'-'.repeat(drawn.length)}`);
  return valuePathsOf(told, mediaTypeOf(headers).type);
}

const isValue = ({ start }: PathValue): boolean => start >= 0;

/** Whether two bodies say the same in the same order but for these places. */
function sameInOrder(a: readonly PathValue[], b: readonly PathValue[], masked: ReadonlySet<string>): boolean {
  return (
    a.length === b.length &&
    a.every((leaf, at) => {
      const other = b[at] as PathValue;
      if (leaf.where !== other.where || isValue(leaf) !== isValue(other)) return false;
      return leaf.value === other.value || (isValue(leaf) && masked.has(leaf.where));
    })
  );
}

/** What a body says, whatever the order of rows, lines and elements, which means nothing. */
function withoutOrder(leaves: readonly PathValue[], masked: ReadonlySet<string>): string {
  const told = (each: PathValue): string =>
    JSON.stringify([each.where, isValue(each) && masked.has(each.where) ? null : each.value]);
  const stack: string[][] = [[]];
  const close = (): void => {
    const items = stack.pop() as string[];
    stack.at(-1)?.push(`(${items.sort().join(' ')})`);
  };
  const open: (string | undefined)[] = [];
  for (const leaf of leaves) {
    // Items of a list end where a value stands that is none of theirs.
    while (open.length > 0 && open.at(-1) !== undefined && !leaf.where.startsWith(open.at(-1) as string)) {
      open.pop();
      close();
    }
    if (isValue(leaf)) stack.at(-1)?.push(told(leaf));
    else if (leaf.value === ITEM) {
      if (open.at(-1) === leaf.where) close();
      else open.push(leaf.where);
      stack.push([leaf.where]);
    } else if (leaf.value === ELEMENT) {
      open.push(undefined);
      stack.push([leaf.where]);
    } else if (leaf.value === ELEMENT_END) {
      open.pop();
      close();
    } else stack.at(-1)?.push(told(leaf));
  }
  while (stack.length > 1) close();
  return [...(stack[0] as string[])].sort().join(' ');
}

/** Whether two bodies say the same but for these places, and the order of rows. */
export const sameBut = (a: readonly PathValue[], b: readonly PathValue[], masked: ReadonlySet<string>): boolean =>
  sameInOrder(a, b, masked) || (a.length === b.length && withoutOrder(a, masked) === withoutOrder(b, masked));

/** The part of a place up to its last list of many: `$.rows[*]` of `$.rows[*].meta.etag`. */
const listOf = (where: string): string | undefined => /^(.*\[\*\])/.exec(where)?.[1];

/**
 * The places at which two answers to one request differ, if they are the same but for those. A list in which nothing tells
 * the rows apart may have come in another order; what differs in it is no mask.
 */
function differingIn(a: readonly PathValue[], b: readonly PathValue[]): string[] {
  const everywhere = new Set(a.map(({ where }) => where));
  if (!sameInOrder(a, b, everywhere)) return [];
  const differing = new Set(a.flatMap(({ where, value }, at) => (value === b[at]?.value ? [] : [where])));
  const valuesAt = (leaves: readonly PathValue[], where: string) =>
    leaves.flatMap((each) => (each.where === where && each.start >= 0 ? [each.value] : []));
  return [...differing].filter((where) => {
    const values = valuesAt(a, where);
    if (values.length < 2) return true;
    if (values.toSorted().join('\n') === valuesAt(b, where).toSorted().join('\n')) return false;
    const list = listOf(where);
    if (list === undefined) return true;
    const anchors = [...everywhere].filter((each) => each.startsWith(list) && !differing.has(each));
    return anchors.some((each) => new Set(valuesAt(a, each)).size > 1);
  });
}

const valuesOf = (lines: HeaderLines, name: string): string =>
  lines.flatMap(([each, value]) => (each.toLowerCase() === name ? [withoutBoundary(value)] : [])).join('\n');

/**
 * Where two answers to one request differ, given one after the other by a service that did not change meanwhile.
 * @param isVolatile tells headers that need no mask
 */
export function differingPlaces(
  first: LoadedResponse,
  again: LoadedResponse,
  isVolatile: (header: string) => boolean,
): readonly string[] {
  if (first.status !== again.status) return [];
  const names = [...first.headers, ...again.headers].map(([name]) => name.toLowerCase());
  const headers = [...new Set(names)].filter(
    (name) =>
      name !== 'content-length' && !isVolatile(name) && valuesOf(first.headers, name) !== valuesOf(again.headers, name),
  );
  const [a, b] = [pathValuesIn(first), pathValuesIn(again)];
  return [...headers.map(headerPlace), ...(a && b ? differingIn(a, b) : [])];
}

/** The first answer as it would be had it said at this place what the other one said. */
export function withPlaceOf(first: LoadedResponse, again: LoadedResponse, where: string): LoadedResponse {
  const [a, b] = [pathValuesIn(first), pathValuesIn(again)];
  const isHere = ([name]: readonly [string, string]): boolean => headerPlace(name) === where;
  const headers = [...first.headers.filter((line) => !isHere(line)), ...again.headers.filter(isHere)];
  const { text } = first;
  const { text: other } = again;
  if (!a || !b || a.length !== b.length || text === undefined || other === undefined)
    return { ...first, headers, text };
  let [told, read] = ['', 0];
  const here = a.map((leaf, at) => ({ leaf, by: b[at] as PathValue })).filter(({ leaf }) => leaf.where === where);
  for (const { leaf, by } of here.toSorted((x, y) => x.leaf.start - y.leaf.start)) {
    if (leaf.start < 0) continue;
    told += text.slice(read, leaf.start) + other.slice(by.start, by.end);
    read = leaf.end;
  }
  return withText({ ...first, headers }, told + text.slice(read));
}

/** A time of the moment it was answered lies so close to now. */
const MOMENT_MS = 15 * 60 * 1000;
const DATE_TIME = /^"?(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)"?$/;
const EPOCH = /^"?(\d{10}(?:\.\d+)?|\d{13})"?$/;

function momentOf(value: string): number | undefined {
  const [, text] = DATE_TIME.exec(value) ?? [];
  if (text !== undefined) return Date.parse(/\d$/.test(text) && !/[+-]\d\d:?\d\d$/.test(text) ? `${text}Z` : text);
  const [, number] = EPOCH.exec(value) ?? [];
  if (number === undefined) return undefined;
  return number.length === 13 && !number.includes('.') ? Number(number) : Number(number) * 1000;
}

/**
 * The places at which a later answer tells the time it was given, and the former one an earlier time: what is asked
 * once only, such as the start of a job, may say so, too.
 */
export function clockPlaces(former: LoadedResponse, later: LoadedResponse, now: number): readonly string[] {
  const [a, b] = [pathValuesIn(former), pathValuesIn(later)];
  if (!a || !b || a.length !== b.length) return [];
  const clocks = b.filter(({ where, value, start }, at) => {
    const was = a[at] as PathValue;
    if (start < 0 || was.where !== where || was.value === value) return false;
    const [before, moment] = [momentOf(was.value), momentOf(value)];
    return before !== undefined && moment !== undefined && before < moment && Math.abs(now - moment) < MOMENT_MS;
  });
  return [...new Set(clocks.map(({ where }) => where))];
}

const inOrder = (a: Mask, b: Mask): number =>
  a.operation === b.operation ? (a.where < b.where ? -1 : 1) : a.operation < b.operation ? -1 : 1;

/**
 * All masks, each once and in order. What two operations have in common, and stands in no list, belongs to the envelope
 * of all answers: also of those that cannot be asked twice.
 */
export function joinMasks(...lists: readonly (readonly Mask[])[]): readonly Mask[] {
  const operations = new Map<string, Set<Mask['operation']>>();
  for (const { operation, where } of lists.flat())
    operations.set(where, (operations.get(where) ?? new Set()).add(operation));
  return [...operations]
    .flatMap(([where, of]): Mask[] => {
      const isCommon = of.has(EVERY_OPERATION) || (of.size > 1 && !where.includes('[*]'));
      return isCommon ? [{ operation: EVERY_OPERATION, where }] : [...of].map((operation) => ({ operation, where }));
    })
    .sort(inOrder);
}

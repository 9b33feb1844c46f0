/**
 * Masks: volatile places in responses, such as `$.meta.generatedAt`, which differ although the service is unchanged. They
 * are learned by sending requests twice, stored in the provenance, and ignored when a new response is compared.
 */
import type { OperationKey } from '../../contract/index.ts';
import { boundaryOf, firstHeader, mediaTypeOf } from '../../exchange/headers.ts';
import type { LoadedResponse } from './loaded-response.ts';
import { ELEMENT, ELEMENT_END, ITEM, type PathValue, valuePathsOf } from './value-paths.ts';

/** Matches all operations, and requests for no operation. */
export const EVERY_OPERATION = '*';

/** Matches requests for no operation, such as requests for paths that do not exist. */
export const NO_OPERATION = 'elsewhere';

export interface Mask {
  readonly operation: OperationKey | typeof EVERY_OPERATION | typeof NO_OPERATION;
  /** `$.meta.generatedAt`, `$.rows[*].etag`, `/./@at`, `word 3`, `$response.header.x-took`. */
  readonly where: string;
}

/** The path of a header, as profiles write it. */
export const headerPlace = (name: string): string => `$response.header.${name.toLowerCase()}`;

/** The masked places in responses of an operation. */
export function placesFor(masks: readonly Mask[], operation: OperationKey | undefined): ReadonlySet<string> {
  const applicable = [EVERY_OPERATION, operation ?? NO_OPERATION];
  return new Set(masks.flatMap((each) => (applicable.includes(each.operation) ? [each.where] : [])));
}

/** A Content-Type without the boundary, which is random in every multipart response. */
export const withoutBoundary = (value: string): string =>
  value.replace(/(;\s*boundary\s*=\s*)(?:"[^"]+"|[^;\s]+)/i, '$1-');

/** The values of a response’s body, for comparison; undefined if it cannot be parsed. */
export function pathValuesIn({ headers, text }: LoadedResponse): readonly PathValue[] | undefined {
  if (text === '' || text === undefined) return text === '' ? [] : undefined;
  const boundary = boundaryOf(firstHeader(headers, 'content-type'));
  // A replacement of the same length keeps the offsets valid.
  const normalised =
    boundary === undefined ? text : text.replaceAll(`--${boundary}`, `--${'-'.repeat(boundary.length)}`);
  return valuePathsOf(normalised, mediaTypeOf(headers).type);
}

const isValue = ({ start }: PathValue): boolean => start >= 0;

/** A value of one body and the one at the same position of the other. */
export type ValuePair = readonly [one: PathValue, other: PathValue];

/** The values of two bodies, without markers, one by one; undefined if they have another number of values or cannot be parsed. */
export function valuePairsOf(one: LoadedResponse, other: LoadedResponse): readonly ValuePair[] | undefined {
  const [values, others] = [pathValuesIn(one), pathValuesIn(other)];
  if (!values || values.length !== others?.length) return undefined;
  return values.flatMap((each, at): ValuePair[] => (isValue(each) ? [[each, others[at] as PathValue]] : []));
}

/** The text of the first body with the values of the second one in some pairs. */
export function withOtherValues(text: string, otherText: string, pairs: readonly ValuePair[]): string {
  let [changed, read] = ['', 0];
  for (const [one, other] of pairs.toSorted(([x], [y]) => x.start - y.start)) {
    changed += text.slice(read, one.start) + otherText.slice(other.start, other.end);
    read = one.end;
  }
  return changed + text.slice(read);
}

/** Whether two bodies have the same values in the same order, except at these places. */
export function sameInOrder(a: readonly PathValue[], b: readonly PathValue[], masked: ReadonlySet<string>): boolean {
  return (
    a.length === b.length &&
    a.every((item, at) => {
      const other = b[at] as PathValue;
      if (item.path !== other.path || isValue(item) !== isValue(other)) return false;
      return item.value === other.value || (isValue(item) && masked.has(item.path));
    })
  );
}

/** The values of a body in a canonical order: the order of rows, lines and elements has no meaning. */
function withoutOrder(values: readonly PathValue[], masked: ReadonlySet<string>): string {
  const format = (each: PathValue): string =>
    JSON.stringify([each.path, isValue(each) && masked.has(each.path) ? null : each.value]);
  const stack: string[][] = [[]];
  const close = (): void => {
    const items = stack.pop() as string[];
    stack.at(-1)?.push(`(${items.sort().join(' ')})`);
  };
  const open: (string | undefined)[] = [];
  for (const item of values) {
    // A list item ends at the first value outside of it.
    while (open.length > 0 && open.at(-1) !== undefined && !item.path.startsWith(open.at(-1) as string)) {
      open.pop();
      close();
    }
    if (isValue(item)) stack.at(-1)?.push(format(item));
    else if (item.value === ITEM) {
      if (open.at(-1) === item.path) close();
      else open.push(item.path);
      stack.push([item.path]);
    } else if (item.value === ELEMENT) {
      open.push(undefined);
      stack.push([item.path]);
    } else if (item.value === ELEMENT_END) {
      open.pop();
      close();
    } else stack.at(-1)?.push(format(item));
  }
  while (stack.length > 1) close();
  return [...(stack[0] as string[])].sort().join(' ');
}

/** Whether two bodies have the same values, except at these places and in the order of rows. */
export const sameExcept = (a: readonly PathValue[], b: readonly PathValue[], masked: ReadonlySet<string>): boolean =>
  sameInOrder(a, b, masked) || (a.length === b.length && withoutOrder(a, masked) === withoutOrder(b, masked));

const compareMasks = (a: Mask, b: Mask): number =>
  a.operation === b.operation ? (a.where < b.where ? -1 : 1) : a.operation < b.operation ? -1 : 1;

/**
 * All masks, without duplicates, sorted. A place that two operations share, and that is not in a list, is part of the common
 * envelope: it is masked for every operation, also for those whose requests cannot be sent twice.
 */
export function joinMasks(...lists: readonly (readonly Mask[])[]): readonly Mask[] {
  const operations = new Map<string, Set<Mask['operation']>>();
  for (const { operation, where } of lists.flat())
    operations.set(where, (operations.get(where) ?? new Set()).add(operation));
  return [...operations]
    .flatMap(([where, masked]): Mask[] => {
      const isCommon = masked.has(EVERY_OPERATION) || (masked.size > 1 && !where.includes('[*]'));
      return isCommon
        ? [{ operation: EVERY_OPERATION, where }]
        : [...masked].map((operation) => ({ operation, where }));
    })
    .sort(compareMasks);
}

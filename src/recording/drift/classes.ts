/** The kinds of differences between two recordings, and their severity for a client that works with the first. */
import { OPERATIONS } from '../../contract/index.ts';

/** Worst first. */
export const CLASSES = ['verdict changed', 'breaking shape', 'additive shape', 'data', 'volatile'] as const;
export type DriftClass = (typeof CLASSES)[number];

/** A class as a command line value, e.g. `breaking-shape`. */
export const flagOf = (drift: DriftClass): string => drift.replaceAll(' ', '-');

/** Every kind of difference, its class and its meaning. */
export const DIFFERENCE_KINDS = {
  verdict: {
    class: 'verdict changed',
    says: 'a gating check has another verdict, and not because data was not recorded',
  },

  status: { class: 'breaking shape', says: 'another status, except a success after a refusal' },
  'no answer': { class: 'breaking shape', says: 'the connection fails where it did not before' },
  'media type': { class: 'breaking shape', says: 'another media type in Content-Type' },
  charset: { class: 'breaking shape', says: 'another charset' },
  'byte-order mark': { class: 'breaking shape', says: 'a new byte-order mark' },
  'content coding': { class: 'breaking shape', says: 'another Content-Encoding in the response to the same request' },
  unreadable: { class: 'breaking shape', says: 'a body that no longer matches its media type' },
  'header gone': {
    class: 'breaking shape',
    says: 'a header that every response had is missing; transport headers excepted',
  },
  'body gone': { class: 'breaking shape', says: 'the body is missing' },
  gone: { class: 'breaking shape', says: 'a path that is missing' },
  'sometimes missing': { class: 'breaking shape', says: 'a path that was always present and is sometimes missing' },
  null: { class: 'breaking shape', says: 'null, or an empty text, where there was always a value' },
  type: { class: 'breaking shape', says: 'another type: text, number, boolean, object, list' },
  format: { class: 'breaking shape', says: 'texts in another format: dates, digits, numbers, URLs' },
  columns: { class: 'breaking shape', says: 'columns in another order, or a new column before the last one' },
  delimiter: { class: 'breaking shape', says: 'another CSV delimiter' },
  namespace: { class: 'breaking shape', says: 'another XML namespace' },
  repeated: { class: 'breaking shape', says: 'an XML element occurs several times where it always occurred once' },

  new: { class: 'additive shape', says: 'a new path, or a new last column' },
  'new header': { class: 'additive shape', says: 'a new header' },
  'new body': { class: 'additive shape', says: 'a new body' },
  answered: { class: 'additive shape', says: 'a response where there was a refusal or a failed connection' },

  'not decided': { class: 'data', says: 'a check that could not be decided because data was not recorded or sent' },
  advisory: { class: 'data', says: 'an advisory check has another verdict' },
  'product gone': { class: 'data', says: 'one of several products no longer exists' },
  value: { class: 'data', says: 'other values' },
  count: { class: 'data', says: 'another number of rows or items' },
  rarely: { class: 'data', says: 'something that the first recording is too small to show reliably' },
  combination: { class: 'data', says: 'the same values in other combinations' },

  passing: {
    class: 'volatile',
    says: 'values that differ in every response: times, ids of requests and jobs, cursors',
  },
  'passing header': { class: 'volatile', says: 'transport headers, and headers that differ in every response' },
  order: { class: 'volatile', says: 'the same content in another order or notation' },
} as const satisfies Record<string, { readonly class: DriftClass; readonly says: string }>;

export type DifferenceKind = keyof typeof DIFFERENCE_KINDS;

export const driftClassOf = (kind: DifferenceKind): DriftClass => DIFFERENCE_KINDS[kind].class;

/** 0 is worst. */
export const rankOf = (drift: DriftClass): number => CLASSES.indexOf(drift);

export interface DriftDifference {
  readonly class: DriftClass;
  readonly kind: DifferenceKind;
  /** An operation of the interface, or method and path of any other request. */
  readonly operation: string;
  /** Where: `$.rows[*].sales`, `/products/product/@upc`, `header Link`, `status`, or the id of a rule. */
  readonly path: string;
  /** How many of how many, e.g. `3 of 100`. */
  readonly count: string;
  /** An example from before and one from now. Short, because figures are licensed. */
  readonly was?: string;
  readonly is?: string;
}

/** A difference that is not yet assigned to an operation. */
export type DifferenceWithoutOperation = Omit<DriftDifference, 'operation'>;

const MAX_EXAMPLE_LENGTH = 40;

/** A shortened example for display. */
export const shorten = (text: string, maxLength = MAX_EXAMPLE_LENGTH): string => {
  const line = text.replace(/\s+/g, ' ');
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line;
};

/** A difference at a path. @param count how many of how many; `was` and `is` are shortened */
export const differenceAt = (
  kind: DifferenceKind,
  path: string,
  count: string,
  was?: string,
  is?: string,
): DifferenceWithoutOperation => ({
  class: driftClassOf(kind),
  kind,
  path,
  count,
  ...(was !== undefined && { was: shorten(was) }),
  ...(is !== undefined && { is: shorten(is) }),
});

const POSITIONS = new Map<string, number>(OPERATIONS.map(({ key }, at) => [key, at]));

/** Operations in the document’s order, other requests after them. */
const positionOf = (operation: string): number => POSITIONS.get(operation) ?? OPERATIONS.length;

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Keeps the worst difference of each operation and path; sorted by severity, then by operation and path. */
export function mergeDifferences(differences: readonly DriftDifference[]): DriftDifference[] {
  const worst = new Map<string, DriftDifference>();
  for (const each of differences) {
    const key = `${each.operation}\n${each.path}`;
    const known = worst.get(key);
    if (!known || rankOf(each.class) < rankOf(known.class)) worst.set(key, each);
  }
  return [...worst.values()].sort(
    (a, b) =>
      rankOf(a.class) - rankOf(b.class) ||
      positionOf(a.operation) - positionOf(b.operation) ||
      compareText(a.operation, b.operation) ||
      compareText(a.path, b.path),
  );
}

/** What two recordings may differ in, and how bad that is for a client that works against the first. */
import { OPERATIONS } from '../../contract/index.ts';

/** Worst first. */
export const CLASSES = ['verdict changed', 'breaking shape', 'additive shape', 'data', 'volatile'] as const;
export type DriftClass = (typeof CLASSES)[number];

/** A class as command lines spell it, e.g. `breaking-shape`. */
export const flagOf = (drift: DriftClass): string => drift.replaceAll(' ', '-');

/** Every kind of difference, its class, and what it means. The one table of both. */
export const DIFFERENCE_KINDS = {
  verdict: {
    class: 'verdict changed',
    says: 'a gating check is decided otherwise, and not for want of what was recorded',
  },

  status: { class: 'breaking shape', says: 'another status where it was answered, or another kind of refusal' },
  'no answer': { class: 'breaking shape', says: 'the connection fails where it did not' },
  'media type': { class: 'breaking shape', says: 'another type in Content-Type' },
  charset: { class: 'breaking shape', says: 'another charset' },
  'byte-order mark': { class: 'breaking shape', says: 'a byte-order mark where there was none' },
  'content coding': { class: 'breaking shape', says: 'another Content-Encoding than was answered to the same request' },
  unreadable: { class: 'breaking shape', says: 'a body that is not what its media type says, where it was' },
  'header gone': {
    class: 'breaking shape',
    says: 'a header that every answer had, and that is no matter of transport',
  },
  'body gone': { class: 'breaking shape', says: 'no body where there was one' },
  gone: { class: 'breaking shape', says: 'a path that is no longer there' },
  'sometimes missing': { class: 'breaking shape', says: 'a path that was always there and sometimes is not' },
  null: { class: 'breaking shape', says: 'null, or an empty text, where there never was' },
  type: { class: 'breaking shape', says: 'another type: text, number, true or false, object, list' },
  format: { class: 'breaking shape', says: 'texts written another way: dates, digits, numbers, addresses' },
  columns: { class: 'breaking shape', says: 'columns in another order, or a new one between them' },
  delimiter: { class: 'breaking shape', says: 'another mark between the cells of CSV' },
  namespace: { class: 'breaking shape', says: 'another XML namespace' },
  repeated: { class: 'breaking shape', says: 'an XML element several times where it stood once in many' },

  new: { class: 'additive shape', says: 'a path, or a last column, that was not there' },
  'new header': { class: 'additive shape', says: 'a header that was not there' },
  'new body': { class: 'additive shape', says: 'a body where there was none' },
  answered: { class: 'additive shape', says: 'an answer where there was a refusal' },

  'not decided': { class: 'data', says: 'a check that could not be decided for want of what was recorded or sent' },
  advisory: { class: 'data', says: 'an advisory check is decided otherwise' },
  'product gone': { class: 'data', says: 'one product of several is no longer known' },
  value: { class: 'data', says: 'other values' },
  count: { class: 'data', says: 'another number of rows or items' },
  rarely: { class: 'data', says: 'something that the first recording is too small to have shown' },
  combination: { class: 'data', says: 'the same values, otherwise combined' },

  passing: {
    class: 'volatile',
    says: 'values that differ from answer to answer: times, ids of requests and jobs, cursors',
  },
  'passing header': { class: 'volatile', says: 'headers of transport, or that differ from answer to answer' },
  order: { class: 'volatile', says: 'the same content in another order or spelling' },
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
  /** In how many of how many. */
  readonly count: string;
  /** An example of before, and of now. Short, for figures are licensed. */
  readonly was?: string;
  readonly is?: string;
}

/** A difference before it is known whose it is. */
export type UnassignedDifference = Omit<DriftDifference, 'operation'>;

const LONGEST = 40;

/** An example as it is shown. */
export const short = (text: string, longest = LONGEST): string => {
  const line = text.replace(/\s+/g, ' ');
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
};

const PLACES = new Map<string, number>(OPERATIONS.map(({ key }, at) => [key, at]));

/** Operations in the document’s order, any other request behind them. */
const placeOf = (operation: string): number => PLACES.get(operation) ?? OPERATIONS.length;

const inOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Differences of one operation and path made one, the worst of them; worst first, then by operation and path. */
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
      placeOf(a.operation) - placeOf(b.operation) ||
      inOrder(a.operation, b.operation) ||
      inOrder(a.path, b.path),
  );
}

/**
 * Write paths: selectors used in the other direction. A write path puts a value where its selector reads it, and creates the
 * objects and lists on the way.
 */

import type { OperationKey } from '../../../src/contract/index.ts';
import { EVERY } from '../../../src/profile/path-steps.ts';
import { type Where, type WriteStep, writePlaces } from '../../../src/profile/read-back/places.ts';
import { compileSelector, type SelectorSource } from '../../../src/profile/selector.ts';

export type { WriteStep } from '../../../src/profile/read-back/places.ts';

export interface WritePath {
  readonly scope: 'row' | 'response';
  readonly steps: readonly WriteStep[];
  /** Further places of a selector that finds several: `@['size', 'colour']`, `@.c[?@.n=='size' || @.n=='colour']`. */
  readonly others?: readonly (readonly WriteStep[])[];
}
export interface HeaderWritePath {
  readonly scope: 'header';
  readonly name: string;
}
/** A cell in a line of CSV that is no row. */
export interface LineWritePath {
  readonly scope: 'line';
  readonly name: string;
  readonly cell: number;
}

/** The write path of a selector, or the reason why it has none. */
export function writePathOf(source: SelectorSource): WritePath | HeaderWritePath | LineWritePath | string {
  if (typeof source === 'function') return 'a function cannot be inverted';
  const selector = compileSelector(source);
  const header = /^\$response\.header\.(.+)$/.exec(source)?.[1];
  if (header !== undefined) return { scope: 'header', name: header };
  const [, line, cell = '0'] = /^\$response\.line\['([^']+)'\](?:\[(\d+)\])?$/.exec(source) ?? [];
  if (line !== undefined) return { scope: 'line', name: line, cell: Number(cell) };
  if (selector.scope === 'header') return 'a status cannot contain a value';
  const [steps, ...others] = writePlaces(selector) ?? [];
  if (!steps) return 'it has a descendant segment, a slice, or a filter other than equality and existence (RFC 9535)';
  if (steps.some((step) => typeof step === 'number' && step < 0))
    return 'an index from the end of a list cannot be written';
  return { scope: selector.scope, steps, ...(others.length > 0 && { others }) };
}

/** In XML paths, an attribute or the text of an element. */
export const isXmlLeaf = (step: WriteStep | undefined): boolean =>
  typeof step === 'string' && /^(?:@.|#text$)/.test(step);

/** The steps in a media type: in XML every value is the text of an element or attribute. */
export const stepsIn = (media: string, steps: readonly WriteStep[]): readonly WriteStep[] =>
  media !== 'xml' || isXmlLeaf(steps.at(-1)) ? steps : [...steps, '#text'];

const isObject = (node: unknown): node is Record<string, unknown> =>
  typeof node === 'object' && node !== null && Object.getPrototypeOf(node) === Object.prototype;

/** The steps of a selector within the body; none for a selector that cannot be written or is outside of it. */
export function bodyStepsOf(source: SelectorSource): readonly WriteStep[] {
  const place = writePathOf(source);
  return typeof place === 'object' && 'steps' in place ? place.steps : [];
}

/** The node at a path, or undefined. */
export function existingNodeAt(node: unknown, steps: readonly WriteStep[]): unknown {
  let current = node;
  for (const step of steps) {
    if (typeof step === 'string')
      current = isObject(current) && Object.hasOwn(current, step) ? current[step] : undefined;
    else if (!Array.isArray(current)) return undefined;
    else if (typeof step === 'number') current = current[step];
    else current = step === EVERY ? current[0] : current.find((each) => matches(each, step));
  }
  return current;
}

const matches = (node: unknown, { where }: Where): boolean =>
  where.every(({ path, equals }) => existingNodeAt(node, path) === equals);

/**
 * Writes a value at a path and creates missing nodes; `undefined` removes the value. Changes the given node and returns
 * it, or returns a new node when there is none.
 *
 * @example put({ a: 1 }, ['b', 0, 'c'], 2) // { a: 1, b: [{ c: 2 }] }
 */
export function put(node: unknown, steps: readonly WriteStep[], value: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (typeof step === 'string') {
    const object = isObject(node) ? node : {};
    const child = put(Object.hasOwn(object, step) ? object[step] : undefined, rest, value);
    if (child === undefined) delete object[step];
    else if (step !== '__proto__') object[step] = child;
    // An assignment would set the prototype.
    else Object.defineProperty(object, step, { value: child, enumerable: true, configurable: true, writable: true });
    return object;
  }
  const list: unknown[] = Array.isArray(node) ? node : [];
  const index = typeof step === 'number' ? step : step === EVERY ? 0 : indexIn(list, step);
  while (list.length < index) list.push(null);
  list[index] = put(list[index], rest, value) ?? null;
  return list;
}

/** The index of the matching element. A missing element is appended. */
function indexIn(list: unknown[], step: Where): number {
  const found = list.findIndex((each) => matches(each, step));
  if (found >= 0) return found;
  let element: unknown = {};
  for (const { path, equals } of step.where) element = put(element, path, equals);
  return list.push(element) - 1;
}

/** A part of a profile that the simulator cannot write or read as declared. */
export interface Unwritable {
  /** Absent for a part of the whole profile. */
  readonly operation?: OperationKey;
  /** Within the operation, e.g. `response.fields.upc`, or within the profile, e.g. `auth`. */
  readonly key: string;
  readonly why: string;
}

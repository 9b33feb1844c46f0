/**
 * Places: selectors turned round. What says where a value is read says where it is written, as long as it leads to one
 * node: names, indexes, `[*]` for the elements of a list, and filters that ask for equality only.
 */
import { compileSelector, EVERY, type PathStep, type SelectorSource } from '../../../src/profile/selector.ts';

/** `@.period=='4W'`, or `!@.prior`: without anything to equal, nothing may stand there. */
interface Condition {
  readonly path: readonly string[];
  readonly equals: string | number | boolean | undefined;
}
/** The element of a list that fits all conditions; made where there is none. */
interface Where {
  readonly where: readonly Condition[];
}
export type PlaceStep = PathStep | Where;

export interface Place {
  readonly scope: 'row' | 'answer';
  readonly steps: readonly PlaceStep[];
}
export interface HeaderWritePath {
  readonly scope: 'header';
  readonly name: string;
}

const NAME = String.raw`[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*`;
const QUOTED = String.raw`'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"`;
const PATH = String.raw`@(?:\.${NAME}|\[(?:${QUOTED})\])+`;
const LITERAL = String.raw`${QUOTED}|-?\d+(?:\.\d+)?|true|false`;
const CONDITION = String.raw`!\s*${PATH}|${PATH}\s*==\s*(?:${LITERAL})`;
const STEP = new RegExp(
  [
    String.raw`\.(?<name>${NAME})`,
    String.raw`\[(?<quoted>${QUOTED})\]`,
    String.raw`\[(?<index>\d+)\]`,
    String.raw`(?<every>\.\*|\[\*\])`,
    String.raw`\[\?\s*(?<filter>(?:${CONDITION})(?:\s*&&\s*(?:${CONDITION}))*)\s*\]`,
  ].join('|'),
  'y',
);

/** What stands between quotes of a JSONPath, its escapes undone. */
function unquote(text: string): string {
  const inner = text.slice(1, -1);
  const plain = text.startsWith("'") ? inner.replaceAll("\\'", "'").replaceAll('"', '\\"') : inner;
  return JSON.parse(`"${plain}"`) as string;
}

function conditionOf(text: string): Condition {
  const [, path = '', literal] = new RegExp(String.raw`^!?\s*(${PATH})(?:\s*==\s*(${LITERAL}))?$`).exec(text) ?? [];
  const names = [...path.matchAll(new RegExp(String.raw`\.(${NAME})|\[(${QUOTED})\]`, 'g'))].map(
    ([, name, quoted]) => name ?? unquote(quoted as string),
  );
  if (literal === undefined) return { path: names, equals: undefined };
  return { path: names, equals: /^['"]/.test(literal) ? unquote(literal) : (JSON.parse(literal) as number | boolean) };
}

/** The steps of a path behind its `$` or `@`, or undefined where one of them leads to no certain place. */
function parseSteps(text: string): PlaceStep[] | undefined {
  const steps: PlaceStep[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < text.length) {
    const found = STEP.exec(text)?.groups;
    if (!found) return undefined;
    const { name, quoted, index, every, filter } = found;
    if (every !== undefined) steps.push(EVERY);
    else if (index !== undefined) steps.push(Number(index));
    else if (filter !== undefined)
      steps.push({ where: [...filter.matchAll(new RegExp(CONDITION, 'g'))].map(([each]) => conditionOf(each)) });
    else steps.push(name ?? unquote(quoted as string));
  }
  return steps;
}

/** Where a selector’s value is to be written, or in a few words why it cannot be told. */
export function writePathOf(source: SelectorSource): Place | HeaderWritePath | string {
  if (typeof source === 'function') return 'a function reads, and cannot be turned round';
  const selector = compileSelector(source);
  const header = /^\$response\.header\.(.+)$/.exec(source)?.[1];
  if (header !== undefined) return { scope: 'header', name: header };
  if (selector.scope === 'header') return 'a status is no place to write to';
  const steps = selector.steps ?? parseSteps(source.slice(1));
  if (!steps) return 'it has a descent, slice, union or filter that says more than what something equals';
  if (steps.some((step) => typeof step === 'number' && step < 0))
    return 'a place counted from the end of a list is none';
  return { scope: selector.scope, steps };
}

const isObject = (node: unknown): node is Record<string, unknown> =>
  typeof node === 'object' && node !== null && Object.getPrototypeOf(node) === Object.prototype;

/** The node at a place, or undefined. */
export function at(node: unknown, steps: readonly PlaceStep[]): unknown {
  let here = node;
  for (const step of steps) {
    if (typeof step === 'string') here = isObject(here) && Object.hasOwn(here, step) ? here[step] : undefined;
    else if (!Array.isArray(here)) return undefined;
    else if (typeof step === 'number') here = here[step];
    else here = step === EVERY ? here[0] : here.find((each) => fits(each, step));
  }
  return here;
}

const fits = (node: unknown, { where }: Where): boolean => where.every(({ path, equals }) => at(node, path) === equals);

/**
 * Writes a value at a place, making what leads there; `undefined` takes away what stands there. Changes the node it is
 * given and returns it, or another where there was none.
 *
 * @example put({ a: 1 }, ['b', 0, 'c'], 2) // { a: 1, b: [{ c: 2 }] }
 */
export function put(node: unknown, steps: readonly PlaceStep[], value: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (typeof step === 'string') {
    const object = isObject(node) ? node : {};
    const child = put(Object.hasOwn(object, step) ? object[step] : undefined, rest, value);
    // Assignment would take the name `__proto__` for something else.
    if (child === undefined) delete object[step];
    else Object.defineProperty(object, step, { value: child, enumerable: true, configurable: true, writable: true });
    return object;
  }
  const list: unknown[] = Array.isArray(node) ? node : [];
  const index = typeof step === 'number' ? step : step === EVERY ? 0 : placeIn(list, step);
  while (list.length < index) list.push(null);
  list[index] = put(list[index], rest, value) ?? null;
  return list;
}

/** The index of the element that fits, which is made at the end where none does. */
function placeIn(list: unknown[], step: Where): number {
  const found = list.findIndex((each) => fits(each, step));
  if (found >= 0) return found;
  let element: unknown = {};
  for (const { path, equals } of step.where) element = put(element, path, equals);
  return list.push(element) - 1;
}

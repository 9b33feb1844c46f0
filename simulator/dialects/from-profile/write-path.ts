/**
 * Write paths: selectors used in the other direction. A write path puts a value where its selector reads it, and creates the
 * objects and lists on the way.
 */
import { EVERY, type PathStep } from '../../../src/profile/path-steps.ts';
import { compileSelector, type SelectorSource } from '../../../src/profile/selector.ts';

/** `@.period=='4W'`, or `!@.prior`: when `equals` is undefined, the member must be absent. */
interface Condition {
  readonly path: readonly string[];
  readonly equals: string | number | boolean | undefined;
}
/** The element of a list that matches all conditions; it is created when it is missing. */
interface Where {
  readonly where: readonly Condition[];
}
export type WriteStep = PathStep | Where;

export interface WritePath {
  readonly scope: 'row' | 'response';
  readonly steps: readonly WriteStep[];
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

/** Unescapes a quoted name of a JSONPath. */
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

/** The steps of a path after its `$` or `@`; undefined when a step cannot be written. A wildcard (`[*]`, `.*`) is one step. */
function parseSteps(text: string): WriteStep[] | undefined {
  const steps: WriteStep[] = [];
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

/** The write path of a selector, or the reason why it has none. */
export function writePathOf(source: SelectorSource): WritePath | HeaderWritePath | string {
  if (typeof source === 'function') return 'a function cannot be inverted';
  const selector = compileSelector(source);
  const header = /^\$response\.header\.(.+)$/.exec(source)?.[1];
  if (header !== undefined) return { scope: 'header', name: header };
  if (selector.scope === 'header') return 'a status cannot contain a value';
  const steps = selector.steps ?? parseSteps(source.slice(1));
  if (!steps)
    return 'it has a descendant segment, a slice, several selectors in brackets, or a filter other than equality (RFC 9535)';
  if (steps.some((step) => typeof step === 'number' && step < 0))
    return 'an index from the end of a list cannot be written';
  return { scope: selector.scope, steps };
}

const isObject = (node: unknown): node is Record<string, unknown> =>
  typeof node === 'object' && node !== null && Object.getPrototypeOf(node) === Object.prototype;

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
    // Assignment to the name `__proto__` would set the prototype.
    if (child === undefined) delete object[step];
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

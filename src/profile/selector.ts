/**
 * Selectors: the location of a value in a response. The document shows no response shape (sections 4.1–4.4), so a profile
 * declares it with RFC 9535 JSONPath, an OpenAPI runtime expression, or a function.
 *
 * | form | finds |
 * |---|---|
 * | `@`, `@.a.b`, `@['Dollar Sales']` | within one row; `@` alone is the row itself |
 * | `$`, `$.meta.asOf`, `$.items[?@.on].id` | within the whole decoded response |
 * | `$response.body`, `$response.body#/meta/asOf` | the same, as an OpenAPI runtime expression (JSON Pointer) |
 * | `$response.header.Location` | every header line of that name, any case |
 * | `$response.status` | the status code |
 * | `$response.line['#AsOf'][0]` | the first cell after `#AsOf` in a CSV line that is no row |
 */
import { type JSONValue, jsonpath } from 'json-p3';
import { stepsOf } from './body-schema/pointer.ts';
import { childAt, EVERY, type PathStep, walk } from './path-steps.ts';
import { compilePattern } from './pattern/index.ts';

const { FunctionExpressionType, Match } = jsonpath.functions;

/** Checks I-Regexps (RFC 9485): configured to throw for any other text. */
const checker = new Match({ throwErrors: true, cacheSize: 0 });

function isPattern(text: string): boolean {
  try {
    checker.call('', text);
    return true;
  } catch {
    return false;
  }
}

/** A dot of an I-Regexp is any character but \n and \r. */
const toEcmaScript = (text: string): string =>
  text.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\./gs, (part) => (part === '.' ? '[^\\n\\r]' : part));

/** @param wrap converts the I-Regexp into the pattern of the function */
function functionOf(name: string, wrap: (pattern: string) => string): jsonpath.functions.FilterFunction {
  // A query usually has one pattern.
  let [last, isValid]: [string | undefined, boolean] = [undefined, false];
  const fits = (text: string, pattern: string): boolean => {
    if (pattern !== last) [last, isValid] = [pattern, isPattern(pattern)];
    return isValid && compilePattern(wrap(toEcmaScript(pattern)), { key: `${name}()` }).test(text);
  };
  return {
    argTypes: [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType],
    returnType: FunctionExpressionType.LogicalType,
    call: (text: unknown, pattern: unknown) =>
      typeof text === 'string' && typeof pattern === 'string' && fits(text, pattern),
  };
}

/** The functions by name. */
const PATTERN_FUNCTIONS = {
  match: functionOf('match', (pattern) => `^(?:${pattern})$`),
  search: functionOf('search', (pattern) => pattern),
};

/** The parts of a response besides its body that a selector can read. */
export interface StatusAndHeaders {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The cells of CSV lines that are no rows. */
  readonly lines?: readonly (readonly string[])[];
}

/**
 * A selector as code: receives the row (for a field of a list) or the whole decoded document, and returns what it found: a
 * list for its elements, `undefined` for nothing.
 */
export type SelectorFunction = (node: unknown, head: StatusAndHeaders) => unknown;

/** A selector as written in a profile. */
export type SelectorSource = string | SelectorFunction;

/** The library's default of 50 levels would refuse documents that the reader accepts (at most 512 levels). */
const paths = new jsonpath.JSONPathEnvironment({ maxRecursionDepth: 10_000 });

for (const [name, each] of Object.entries(PATTERN_FUNCTIONS)) paths.functionRegister.set(name, each);

export interface Selector {
  /** As the profile's author wrote it. */
  readonly source: string;
  /** What it is applied to: one row, the whole decoded document, or status and headers alone. */
  readonly scope: 'row' | 'response' | 'header';
  /** The path, when it consists of names, indexes and wildcards only; such paths are walked without the library. */
  readonly steps?: readonly PathStep[];
  /** The path, when it needs the library. */
  readonly query?: jsonpath.JSONPathQuery;
  /** Whether it finds at most one node (RFC 9535, section 2.3.5.1); always false for a function. */
  readonly singular: boolean;
  /** Names from the root to a list, for a path of names that may end in `[*]`; enables streaming of its elements. */
  readonly stream?: readonly string[];
  /** Whether the container of the nodes exists (the longest singular prefix of the path): distinguishes an empty list from an absent one. */
  containerExists(document: unknown, head: StatusAndHeaders): boolean;
  /** Every node found, in document order. Exceptions of a function pass through; a path throws only if nesting exceeds the limit. */
  select(node: unknown, head: StatusAndHeaders): readonly unknown[];
}

const FORMS =
  "write @… within a row, $… within the response (RFC 9535), $response.header.NAME, $response.body#/pointer, $response.status or $response.line['NAME'][0]";

/**
 * Compiles a selector.
 *
 * @param functionScope what a function is applied to; the text of any other selector determines it.
 * @throws Error with one sentence if the text is not a selector (see {@link checkSelector}).
 * @example compileSelector('@.gtin').select({ gtin: '012345678905' }, head) // ['012345678905']
 */
export function compileSelector(source: SelectorSource, functionScope: 'row' | 'response' = 'response'): Selector {
  if (typeof source === 'function') return functionSelector(source, functionScope);
  const selector = compiled.get(source) ?? compileText(source);
  compiled.set(source, selector);
  return selector;
}

/** The selectors so far: each response of an operation is read with the same few. */
const compiled = new Map<string, Selector>();

function compileText(source: string): Selector {
  if (source.startsWith('$response')) return runtimeExpression(source);
  if (source.startsWith('@')) return pathSelector(source, `$${source.slice(1)}`, 'row');
  if (source.startsWith('$')) return pathSelector(source, source, 'response');
  throw new Error(`"${source}" is not a selector: ${FORMS}`);
}

/** Describes in one sentence what is wrong with a selector's text; `undefined` if it is well-formed. */
export function checkSelector(text: string): string | undefined {
  try {
    compileSelector(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function functionSelector(run: SelectorFunction, scope: 'row' | 'response'): Selector {
  return {
    source: `function ${run.name || '(unnamed)'}`,
    scope,
    singular: false,
    containerExists: (document, head) => run(document, head) !== undefined,
    select(node, head) {
      const found = run(node, head);
      if (found === undefined) return [];
      return Array.isArray(found) ? found : [found];
    },
  };
}

function pathSelector(source: string, path: string, scope: 'row' | 'response'): Selector {
  let query: jsonpath.JSONPathQuery;
  try {
    query = paths.compile(path);
  } catch (error) {
    throw new Error(`"${source}" is not a JSONPath (RFC 9535): ${(error as Error).message}`);
  }
  const parts = query.segments.map(simpleStep);
  if (!parts.includes(undefined)) return stepsSelector(source, scope, parts as PathStep[]);
  const prefix = singularPrefix(parts);
  return {
    source,
    scope,
    query,
    singular: false,
    containerExists: (document) => isContainer(walk(document, prefix)[0]),
    // The lazy query: the eager one spreads lists into arguments and overflows the stack on long lists.
    select: (node) => Array.from(query.lazyQuery(node as JSONValue), (found) => found.value),
  };
}

function stepsSelector(source: string, scope: 'row' | 'response', steps: readonly PathStep[]): Selector {
  const prefix = singularPrefix(steps);
  const names = steps.at(-1) === EVERY ? steps.slice(0, -1) : steps;
  return {
    source,
    scope,
    steps,
    singular: prefix.length === steps.length,
    ...(names.every((step) => typeof step === 'string') && { stream: names }),
    containerExists: (document) => isContainer(walk(document, prefix)[0]),
    select: (node) => walk(node, steps),
  };
}

function singularPrefix(parts: readonly (PathStep | undefined)[]): readonly PathStep[] {
  const end = parts.findIndex((part) => part === undefined || part === EVERY);
  return (end < 0 ? parts : parts.slice(0, end)) as PathStep[];
}

/** Null is a common representation of the empty list. */
const isContainer = (node: unknown) => typeof node === 'object';

/** The segment as a step, or `undefined` when it needs the library: descent, filters, slices, unions. */
export function simpleStep(segment: jsonpath.JSONPathSegment): PathStep | undefined {
  const [selector, ...more] = segment.selectors;
  // Both kinds of segment have the same members; only the text form identifies a descent.
  if (more.length > 0 || segment.toString().startsWith('..')) return undefined;
  if (selector instanceof jsonpath.selectors.NameSelector) return selector.name;
  if (selector instanceof jsonpath.selectors.IndexSelector) return selector.index;
  return selector instanceof jsonpath.selectors.WildcardSelector ? EVERY : undefined;
}

function runtimeExpression(source: string): Selector {
  const [, kind, rest] = /^\$response\.(body|header|status|line)(.*)$/s.exec(source) ?? [];
  if (kind === 'status' && rest === '') return headSelector(source, true, (head) => [head.status]);
  if (kind === 'header' && /^\.[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(rest as string)) {
    const name = (rest as string).slice(1).toLowerCase();
    const isNamed = ([key]: readonly [string, string]) => key.toLowerCase() === name;
    return headSelector(source, false, (head) => head.headers.filter(isNamed).map(([, value]) => value));
  }
  if (kind === 'body' && rest === '') return pathSelector(source, '$', 'response');
  if (kind === 'body' && /^#(\/([^~]|~[01])*)?$/s.test(rest as string))
    return pointerSelector(source, (rest as string).slice(1));
  const [, first, cell] = (kind === 'line' && /^\['([^']+)'\](?:\[(\d{1,4})\])?$/.exec(rest as string)) || [];
  if (first !== undefined) return lineSelector(source, first, cell === undefined ? undefined : Number(cell));
  throw new Error(`"${source}" is not a runtime expression for a response: ${FORMS}`);
}

/** The cells after the first one, in CSV lines whose first cell is `name`; one of them if `cell` is its index. */
function lineSelector(source: string, name: string, cell: number | undefined): Selector {
  return headSelector(source, false, ({ lines = [] }) =>
    lines
      .filter(([first]) => first?.trim() === name)
      .flatMap(([, ...cells]) => (cell === undefined ? cells : cells.slice(cell, cell + 1))),
  );
}

function headSelector(
  source: string,
  singular: boolean,
  find: (head: StatusAndHeaders) => readonly unknown[],
): Selector {
  return { source, scope: 'header', singular, containerExists: () => true, select: (_, head) => find(head) };
}

function pointerSelector(source: string, pointer: string): Selector {
  const tokens = stepsOf(pointer);
  const isIndex = (token: string) => /^(0|[1-9][0-9]*)$/.test(token);
  // Without digits a pointer equals a path; with digits only the document distinguishes a member from an element.
  if (!tokens.some(isIndex)) return stepsSelector(source, 'response', tokens);
  const find = (document: unknown) =>
    tokens.reduce(
      (node, token) => childAt(node, Array.isArray(node) && isIndex(token) ? Number(token) : token),
      document,
    );
  return {
    source,
    scope: 'response',
    singular: true,
    containerExists: (document) => isContainer(find(document)),
    select(document) {
      const found = find(document);
      return found === undefined ? [] : [found];
    },
  };
}

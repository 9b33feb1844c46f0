/** Turns the nodes that a rows selector finds into rows, as `response.shape` of a profile declares. */
import { childAt, EVERY, type PathStep } from '../profile/path-steps.ts';
import type { RowShape } from '../profile/schema.ts';
import { compileSelector, type Selector, type StatusAndHeaders } from '../profile/selector.ts';
import { textOfElement } from './element-text.ts';
import { BodyError } from './problem.ts';
import { cubeRows } from './shape-cube.ts';
import { textRows } from './shape-text.ts';

type ColumnPlaces = Exclude<NonNullable<RowShape['zip']>, true>;
type Members = Readonly<Record<string, unknown>>;

/** An object with the members of a node; a node without members is the member `value`. */
const membersOf = (node: unknown): Members =>
  typeof node === 'object' && node !== null && !Array.isArray(node) ? (node as Members) : { value: node };

/** Adds members to a row; an assignment could set the prototype. */
export function withMembers(row: unknown, names: readonly string[], values: readonly unknown[]): Members {
  const entries = names.map((name, at) => [name, values.at(at - names.length)] as const);
  return Object.fromEntries([...Object.entries(membersOf(row)), ...entries.filter(([, value]) => value !== undefined)]);
}

/** The nodes of a path, each with the keys and the nodes of its wildcards, outermost first. */
function* descend(
  node: unknown,
  [step, ...rest]: readonly PathStep[],
  keys: readonly unknown[],
  parents: readonly unknown[],
): Generator<{ readonly node: unknown; readonly keys: readonly unknown[]; readonly parents: readonly unknown[] }> {
  if (step === undefined) yield { node, keys, parents: parents.at(-1) === node ? parents.slice(0, -1) : parents };
  else if (step !== EVERY) {
    const child = childAt(node, step);
    if (child !== undefined) yield* descend(child, rest, keys, parents);
  } else if (typeof node === 'object' && node !== null) {
    for (const [key, child] of Object.entries(node))
      yield* descend(child, rest, [...keys, Array.isArray(node) ? Number(key) : key], [...parents, child]);
  }
}

/** The elements of the only node if it is a list; otherwise the nodes. */
export const elementsOf = (nodes: readonly unknown[]): readonly unknown[] =>
  nodes.length === 1 && Array.isArray(nodes[0]) ? nodes[0] : nodes;

/** A node as a name or key. */
export const keyOf = (node: unknown): string => String(textOfElement(node) ?? node);

/** The columns of nodes that are columns, as one object of lists. */
function namedColumns(nodes: readonly unknown[], { name, cells }: ColumnPlaces, head: StatusAndHeaders): Members {
  const [nameAt, cellsAt] = [compileSelector(name, 'row'), compileSelector(cells, 'row')];
  return Object.fromEntries(
    nodes.map((node) => [keyOf(nameAt.select(node, head)[0]), elementsOf(cellsAt.select(node, head))]),
  );
}

function zipRows(node: unknown): Members[] {
  const columns = Object.entries(membersOf(node)).filter(([, cells]) => Array.isArray(cells)) as [string, unknown[]][];
  const length = columns[0]?.[1].length ?? 0;
  const other = columns.find(([, cells]) => cells.length !== length);
  if (other)
    throw new BodyError(
      'rowsNotFound',
      `the columns of the rows differ in length: ${columns[0]?.[0]} has ${length} cells, ${other[0]} ${other[1].length}`,
    );
  return Array.from({ length }, (_, at) => Object.fromEntries(columns.map(([name, cells]) => [name, cells[at]])));
}

/** A row of named cells. */
export function namedCells(names: readonly unknown[], cells: unknown): Members {
  if (!Array.isArray(cells) || cells.length > names.length) {
    const found = Array.isArray(cells) ? `${cells.length} cells` : 'no list of cells';
    throw new BodyError('rowsNotFound', `a row has ${found}, but there are ${names.length} column names`);
  }
  return Object.fromEntries(cells.map((cell, at) => [keyOf(names[at]), cell]));
}

/**
 * One row per value of `by`, in the order of their first nodes; a second node with the same key begins another row. Without
 * `by` all nodes are one row; values of one key are then a list.
 */
function pivotRows(
  rows: readonly unknown[],
  { by, key, value, as }: NonNullable<RowShape['pivot']>,
  head: StatusAndHeaders,
) {
  const select = (at: (typeof by)[number]) => {
    const selector = compileSelector(at, 'row');
    return (row: unknown): unknown => selector.select(row, head)[0];
  };
  const [identities, keyIn, valueIn] = [by.map(select), select(key), select(value)];
  const pivoted: { readonly row: unknown; readonly values: Map<string, unknown> }[] = [];
  const open = new Map<string, (typeof pivoted)[number][]>();
  for (const row of rows) {
    const identity = JSON.stringify(identities.map((read) => read(row) ?? null));
    const found = keyIn(row);
    const group = open.get(identity) ?? [];
    open.set(identity, group);
    const name = found === undefined || found === null ? undefined : keyOf(found);
    let target = group.find(({ values }) => name === undefined || by.length === 0 || !values.has(name));
    if (!target) {
      target = { row, values: new Map() };
      group.push(target);
      pivoted.push(target);
    }
    if (name === undefined) continue;
    const others = target.values.get(name);
    target.values.set(name, target.values.has(name) ? [others, valueIn(row)].flat() : valueIn(row));
  }
  return pivoted.map(({ row, values }) => withMembers(row, [as], [Object.fromEntries(values)]));
}

/** Returns a function that finds the node of a row in another part of the response. */
function joiner(declared: NonNullable<RowShape['join']>[string], document: unknown, head: StatusAndHeaders) {
  const nodes = compileSelector(declared.in).select(document, head);
  const where = declared.where === undefined ? undefined : compileSelector(declared.where, 'row');
  const equals = compileSelector(declared.equals, 'row');
  const byKey = new Map<string, unknown>(
    where
      ? elementsOf(nodes).flatMap((node) => where.select(node, head).map((key) => [keyOf(key), node] as const))
      : nodes.flatMap((node) => Object.entries(membersOf(node))),
  );
  return (row: unknown): unknown => {
    const [key] = equals.select(row, head);
    return key === undefined || key === null ? undefined : byKey.get(keyOf(key));
  };
}

/** The rows that nodes consist of, before `pivot` and `join`. */
function sourceRows(
  shape: RowShape,
  rows: Selector,
  document: unknown,
  head: StatusAndHeaders,
  maxBytes: number,
): readonly unknown[] {
  const { text, zip, columns, cube, keys = [], parents = [] } = shape;
  const select = (source: Parameters<typeof compileSelector>[0]) =>
    elementsOf(compileSelector(source).select(document, head));
  if (keys.length > 0 || parents.length > 0)
    return [...descend(document, rows.steps ?? [], [], [])].map((found) =>
      withMembers(
        withMembers(found.node, parents, found.parents.slice(-parents.length)),
        keys,
        found.keys.slice(-keys.length),
      ),
    );
  const nodes = rows.select(document, head);
  if (text) return nodes.flatMap((node) => textRows(text, textOfElement(node) ?? node, maxBytes));
  if (zip === true) return nodes.flatMap(zipRows);
  if (zip) return zipRows(namedColumns(elementsOf(nodes), zip, head));
  if (cube) {
    const axes = Object.entries(cube.axes).map(([name, at]) => ({
      name,
      found: compileSelector(at).select(document, head),
    }));
    return nodes.flatMap((node) => cubeRows(node, axes, cube));
  }
  // A path to a list without [*] means its elements; the only node of [*] is a row, even if it is a list.
  const all = rows.singular ? elementsOf(nodes) : nodes;
  if (columns === undefined) return all;
  const [names, cells] = columns === 'first' ? [elementsOf([all[0] ?? []]), all.slice(1)] : [select(columns), all];
  return cells.map((each) => namedCells(names, each));
}

/**
 * The rows of a decoded document.
 *
 * @param maxBytes the longest text within the response that is decoded
 * @throws BodyError if the nodes do not have the declared form
 * @example shapeRows({ keys: ['upc'] }, compileSelector('$.*'), { '012345678905': { size: '1 l' } }, head, 1e6)
 * // [{ size: '1 l', upc: '012345678905' }]
 */
export function shapeRows(
  shape: RowShape,
  rows: Selector,
  document: unknown,
  head: StatusAndHeaders,
  maxBytes: number,
): readonly unknown[] {
  let shaped = sourceRows(shape, rows, document, head, maxBytes);
  if (shape.pivot) shaped = pivotRows(shaped, shape.pivot, head);
  const joins = Object.entries(shape.join ?? {}).map(([name, each]) => [name, joiner(each, document, head)] as const);
  if (joins.length === 0) return shaped;
  return shaped.map((row) =>
    withMembers(
      row,
      joins.map(([name]) => name),
      joins.map(([, find]) => find(row)),
    ),
  );
}

/** Finds lists whose nodes become rows by a shape: cells with a list of columns, columns with their cells. */
import { isPlainObject, type PlainObject } from '../../profile/plain-object.ts';
import type { RowShape } from '../../profile/schema.ts';
import { compileSelector } from '../../profile/selector.ts';
import { BodyError } from '../../reading/problem.ts';
import { shapeRows } from '../../reading/shape-rows.ts';
import type { Answer } from '../ask.ts';
import { memberStep, type RowList, rowListsIn, scalarOf, singleNodesIn } from './places.ts';

const MAX_BYTES = 32 * 1024 * 1024;
/** Fewer pairs show nothing. */
const MIN_PAIRS = 3;

/** The rows of a list in an answer; none if the nodes do not have its shape. */
export function shapedRows(
  { selector, shape }: Pick<RowList, 'selector' | 'shape'>,
  { document, head }: Pick<Answer, 'document' | 'head'>,
): readonly unknown[] {
  if (!shape) return compileSelector(selector).select(document, head);
  try {
    return shapeRows(shape, compileSelector(selector), document, head, MAX_BYTES);
  } catch (error) {
    if (error instanceof BodyError) return [];
    throw error;
  }
}

/** The nodes of the rows of an answer, as a response binding has them; undefined if it has no list of rows. */
export const rowNodes = ({ rows, shape }: PlainObject, answer: Pick<Answer, 'document' | 'head'>) =>
  typeof rows === 'string' ? shapedRows({ selector: rows, shape: shape as RowShape | undefined }, answer) : undefined;

/** The lists of a document and those that shapes make of it. */
export function withShapes(lists: readonly RowList[], answer: Answer): RowList[] {
  const shaped = (list: Omit<RowList, 'nodes'>): RowList[] => {
    const nodes = shapedRows(list, answer);
    return nodes.length > 0 ? [{ ...list, nodes }] : [];
  };
  const tables = lists.filter(({ nodes }) => nodes.every(Array.isArray));
  const named = tables.flatMap((table) => {
    const width = Math.max(...table.nodes.map((each) => (each as unknown[]).length));
    return lists
      .filter((each) => each !== table && each.nodes.length === width)
      .flatMap((columns) =>
        columnNames(columns).flatMap((at) => shaped({ ...table, shape: { columns: at } as RowShape })),
      );
  });
  const usedAsNames = new Set(
    named.map(({ shape }) => String(shape?.columns).replace(/(?:\.[\w$]+|\['[^']+'\])$/, '')),
  );
  const zipped = singleNodesIn(answer.document)
    .filter(({ nodes: [node] }) => isPlainObject(node) && isZipped(node))
    .flatMap(({ selector, names }) => shaped({ selector, names, shape: { zip: true } as RowShape }));
  const cells = new Set(zipped.map(({ selector }) => selector));
  return [
    ...lists.filter(
      ({ selector }) => !usedAsNames.has(selector) && ![...cells].some((each) => selector.startsWith(each)),
    ),
    ...named,
    ...zipped,
  ];
}

/** The lists of an answer about one product whose nodes are pairs of a characteristic and its value: together they are a row. */
export const pivotedPairs = (answer: Answer): RowList[] =>
  rowListsIn(answer.document).flatMap(({ selector, names, nodes }) => {
    const [key, value] = pairOf(nodes) ?? [];
    const list = {
      selector,
      names,
      shape: { pivot: { by: [], key, value, as: 'characteristics' } } as unknown as RowShape,
    };
    return key === undefined ? [] : [{ ...list, nodes: shapedRows(list, answer) }];
  });

/** Where pairs have their key and their value; undefined if nodes are no pairs. */
function pairOf(nodes: readonly unknown[]): readonly string[] | undefined {
  const [first] = nodes;
  if (nodes.length < MIN_PAIRS || typeof first !== 'object' || first === null) return undefined;
  const members = Object.keys(first);
  const isPair = (node: unknown): boolean =>
    Object.keys(Object(node)).join('\n') === members.join('\n') &&
    Object.values(Object(node)).every((each) => scalarOf(each) !== undefined);
  if (members.length !== 2 || !nodes.every(isPair)) return undefined;
  const keys = new Set(nodes.map((node) => (node as PlainObject)[members[0] as string]));
  const areNames = keys.size === nodes.length && [...keys].every((each) => /^[A-Za-z]/.test(String(each)));
  const stepOf = (name: string) => (Array.isArray(first) ? `[${name}]` : memberStep(name));
  return areNames ? members.map((name) => `@${stepOf(name)}`) : undefined;
}

/** Where the names of columns are: the items of a list, or a member of each that differs. */
function columnNames({ selector, names, nodes }: RowList): string[] {
  if (!/col|field|header|name|variable|schema|dimension|measure|spalte/i.test(names.at(-1) ?? '')) return [];
  if (nodes.every((each) => typeof each === 'string')) return [selector];
  const [first] = nodes;
  if (!isPlainObject(first)) return [];
  return Object.keys(first)
    .filter(
      (name) =>
        new Set(nodes.map((each) => (isPlainObject(each) ? scalarOf(each[name]) : undefined))).size === nodes.length,
    )
    .filter((name) => typeof scalarOf(first[name]) === 'string')
    .sort((x, y) => Number(/name|label/i.test(y)) - Number(/name|label/i.test(x)))
    .slice(0, 1)
    .map((name) => `${selector}${memberStep(name)}`);
}

/** Whether an object has lists of single values of one length. */
function isZipped(node: Record<string, unknown>): boolean {
  const columns = Object.values(node).filter(Array.isArray);
  const [first] = columns;
  return (
    columns.length > 1 &&
    first !== undefined &&
    first.length > 1 &&
    columns.every((each) => each.length === first.length && each.every((cell) => scalarOf(cell) !== undefined))
  );
}

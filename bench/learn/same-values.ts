/** Whether two readings of a page agree in a field: the same neutral values at the same rows. */
import {
  ALL_CATEGORIES,
  FIELDS,
  type Field,
  type OperationKey,
  PERFORMANCE_METADATA,
} from '../../src/contract/index.ts';
import { type Cell, type Row, Unconverted } from '../../src/reading/types.ts';
import type { Page } from './world.ts';

const isMissing = (cell: unknown): boolean => cell === undefined || cell === null;

/** A value as a text, equal for equal neutral values. */
function textOf(cell: Cell): string {
  if (isMissing(cell)) return '';
  if (cell instanceof Unconverted) return `unconverted ${JSON.stringify(cell.raw)}`;
  if (typeof cell === 'number') return String(Number(cell.toFixed(6)));
  return typeof cell === 'string' ? cell : JSON.stringify(cell);
}

/** The scalars in a node, at any depth. */
const leavesOf = (node: unknown): string[] =>
  typeof node === 'object' && node !== null ? Object.values(node).flatMap(leavesOf) : [String(node)];

/** Whether two lists contain the same values: one may contain a value with its name, the other the value alone. */
function isSameList(one: Cell, other: Cell): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return textOf(one) === textOf(other);
  const contains = (outer: unknown, inner: unknown): boolean => {
    const leaves = new Set(leavesOf(outer));
    return leavesOf(inner).every((each) => leaves.has(each));
  };
  return one.length === other.length && one.every((node, at) => contains(node, other[at]) || contains(other[at], node));
}

const isSameCell = (field: Field, one: Cell, other: Cell): boolean =>
  FIELDS[field].kind === 'list' ? isSameList(one, other) : textOf(one) === textOf(other);

/** The different values of a field in a page that are not missing, wherever they are. */
const valueSet = (field: Field, { cells, values }: Pick<Page, 'cells' | 'values'>): Set<string> =>
  new Set(
    [...(values[field] ?? []), ...cells.map((row) => row[field])]
      .flatMap((cell) => (Array.isArray(cell) ? (cell as Cell[]) : [cell]))
      .map((cell) => textOf(cell as Cell))
      .filter((text) => text !== ''),
  );

const isInRows = (field: Field, rows: readonly Row[]): boolean => rows.some((row) => field in row);

/** The lists of names, in which a row may be a category with its sub-categories, or one pair of both. */
const NAME_LISTS: readonly OperationKey[] = [ALL_CATEGORIES, PERFORMANCE_METADATA];

/** A page of a list of names with one row per combination of names; other pages are as they are. */
export function withSingleValues(operation: OperationKey, page: Page): Page {
  if (!NAME_LISTS.includes(operation)) return page;
  const cells = page.cells.flatMap((row) =>
    Object.entries(row).reduce<Row[]>(
      (rows, [field, cell]) =>
        Array.isArray(cell) ? rows.flatMap((each) => cell.map((value) => ({ ...each, [field]: value }))) : rows,
      [row],
    ),
  );
  return { ...page, cells };
}

/** A page whose amounts of a field are a hundredth: their unit was not known. */
export function inDollars<P extends Pick<Page, 'cells'>>(field: Field, page: P): P {
  const inCents = (cell: Cell): Cell => (typeof cell === 'number' ? cell / 100 : cell);
  return { ...page, cells: page.cells.map((row) => (field in row ? { ...row, [field]: inCents(row[field]) } : row)) };
}

/** Whether two profiles read the same values of a field in a page. */
export function isSameField(
  field: Field,
  one: Pick<Page, 'cells' | 'values'>,
  other: Pick<Page, 'cells' | 'values'>,
): boolean {
  if (isInRows(field, one.cells) && isInRows(field, other.cells))
    return (
      one.cells.length === other.cells.length &&
      one.cells.every((row, at) => isSameCell(field, row[field], other.cells[at]?.[field]))
    );
  const [first, second] = [valueSet(field, one), valueSet(field, other)];
  if (!isInRows(field, one.cells) && !isInRows(field, other.cells))
    return isSubset(first, second) && isSubset(second, first);
  // One reads it once, the other in each row; without rows there is nothing to compare.
  const inRows = isInRows(field, one.cells) ? one : other;
  return inRows.cells.length === 0 || (isSubset(first, second) && isSubset(second, first));
}

const isSubset = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  [...one].every((each) => other.has(each));

/** A row as a text. @param without fields that may change between two equal requests */
export const rowText = (row: Row, without: readonly string[] = []): string =>
  JSON.stringify(
    Object.entries(row).flatMap(([field, cell]) => (without.includes(field) ? [] : [[field, textOf(cell as Cell)]])),
  );

/** Taking note of decoded values in a shape. */
import { hashOf, mixHash } from './hash.ts';
import { ANY_KEY, MOST_COLUMNS, MOST_NAMES, memberPath, type Shape, type TypeName } from './shape.ts';
import { formatOf } from './text-format.ts';

/** Nested deeper, values are taken as texts. */
const DEEPEST = 100;

/** Names by which the entries of a list of columns are known. */
const NAMING = ['name', 'id', 'key', 'field', 'title', 'label', 'header'];

const DATA_KEY =
  /^(?:\d{4,}|\d{4}-\d\d(?:-\d\d.*)?|\d{1,2}\/\d{1,2}\/\d{2,4}|\d{4}-?W\d\d|[0-9a-f]{8}-[0-9a-f]{4}-.*|(?=[^\d]*\d)[0-9a-f]{12,}|[A-Za-z]{0,12}[-_:#]?\d{4,})$/i;

/** Whether a key looks like an id, a code or a date. */
const isDataKey = (key: string): boolean => DATA_KEY.test(key);

/** How values are looked at. */
export interface InferOptions {
  /** CSV and XML: everything is a text, and an empty one is nothing. */
  readonly untyped: boolean;
  /** Told every value that stands in no list, and where. */
  readonly loose?: ((path: string, value: string) => void) | undefined;
  /** Ids that another side has in place of its own are taken for those. */
  readonly rename?: ((text: string) => string) | undefined;
}

function add(shape: Shape, type: TypeName, hash: number): number {
  shape.types.set(type, shape.count(type) + 1);
  shape.sum = (shape.sum + mixHash(hash, 1)) >>> 0;
  return hash;
}

function observeText(shape: Shape, text: string): number {
  if (text === '') shape.blanks++;
  else {
    const format = formatOf(text);
    shape.formats.set(format, (shape.formats.get(format) ?? 0) + 1);
  }
  const hash = hashOf(text);
  shape.sample.add(hash, () => (text.length > 200 ? text.slice(0, 200) : text));
  return add(shape, 'text', hash);
}

const isCell = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** What a list of columns calls them, if it may be one. */
function namesIn(list: readonly unknown[]): readonly string[] | undefined {
  if (list.length === 0 || list.length > MOST_COLUMNS) return undefined;
  if (list.every((each) => typeof each === 'string')) return list as string[];
  const naming = NAMING.find((name) =>
    list.every((each) => !isCell(each) && typeof (each as Record<string, unknown>)[name] === 'string'),
  );
  return naming === undefined ? undefined : list.map((each) => (each as Record<string, string>)[naming] as string);
}

/**
 * Notes a value and what it holds; returns its hash, which does not mind the order of members and items.
 * @param path of the value, where it stands in no list
 */
export function inferShape(shape: Shape, value: unknown, look: InferOptions, path?: string, depth = 0): number {
  shape.seen++;
  if (value === null || value === undefined || (look.untyped && value === '')) {
    shape.nulls++;
    shape.sum = (shape.sum + 3) >>> 0;
    return 3;
  }
  if (typeof value === 'object' && depth >= DEEPEST) return observeText(shape, JSON.stringify(value).slice(0, 1000));
  if (Array.isArray(value)) return observeList(shape, value, look, path, depth);
  if (typeof value === 'object') return observeObject(shape, value as Record<string, unknown>, look, path, depth);
  const text = String(value);
  if (path !== undefined) look.loose?.(path, text);
  if (typeof value === 'string') return observeText(shape, look.rename?.(value) ?? value);
  if (typeof value === 'number' && !Number.isInteger(value)) shape.decimals++;
  const told = look.rename?.(text) ?? text;
  const hash = hashOf(told, typeof value === 'number' ? 11 : 13);
  shape.sample.add(hash, () => told);
  return add(shape, typeof value === 'number' ? 'number' : 'boolean', hash);
}

function observeList(
  shape: Shape,
  list: readonly unknown[],
  look: InferOptions,
  path: string | undefined,
  depth: number,
) {
  shape.total += list.length;
  const items = shape.list();
  let hash = list.length;
  for (const item of list) {
    const isRow = Array.isArray(item) && item.length > 1 && item.length <= MOST_COLUMNS && item.every(isCell);
    hash =
      (hash +
        mixHash(isRow ? observeRow(items, item, look) : inferShape(items, item, look, undefined, depth + 1), 5)) >>>
      0;
  }
  if (path !== undefined) {
    const names = namesIn(list);
    if (names) shape.name(names);
  }
  return add(shape, 'list', hash);
}

/** A row of cells: what stands in which place is what counts. */
function observeRow(shape: Shape, cells: readonly unknown[], look: InferOptions): number {
  shape.seen++;
  shape.widths.set(cells.length, (shape.widths.get(cells.length) ?? 0) + 1);
  let hash = cells.length;
  cells.forEach((cell, at) => {
    const member = shape.member(`[${at}]`);
    member.having++;
    hash = (hash + mixHash(inferShape(member.shape, cell, look), at + 1)) >>> 0;
  });
  return add(shape, 'list', hash);
}

function observeObject(
  shape: Shape,
  object: Record<string, unknown>,
  look: InferOptions,
  path: string | undefined,
  depth: number,
): number {
  let hash = 7;
  const met = new Set<string>();
  for (const key of Object.keys(object)) {
    const isFolded = shape.members.has(ANY_KEY) && shape.members.size === 1;
    const name = isFolded || isDataKey(key) ? ANY_KEY : key;
    const member = shape.member(name);
    if (!met.has(name)) member.having++;
    met.add(name);
    const within = path === undefined || name === ANY_KEY ? undefined : `${path}${memberPath(key)}`;
    hash = (hash + mixHash(inferShape(member.shape, object[key], look, within, depth + 1), hashOf(key))) >>> 0;
  }
  const result = add(shape, 'object', hash);
  if (shape.members.size > MOST_NAMES) shape.fold();
  return result;
}

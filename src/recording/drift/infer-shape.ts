/** Adds decoded values to a shape. */
import type { XmlNode } from '../../reading/xml-tree.ts';
import { ANY_KEY, MAX_COLUMNS, MAX_NAMES, memberPath, type Shape, type TypeName } from './shape.ts';
import { formatOf } from './text-format.ts';

/** FNV-1a, 32 bits. */
export function hashOf(text: string, seed = 0x811c9dc5): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Mixes a hash with its context, so that sums of mixed hashes depend on which values belong together. */
function mixHash(hash: number, seed: number): number {
  let mixed = Math.imul(hash ^ seed, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** Deeper nested values are treated as texts. */
const MAX_DEPTH = 100;

/** Members that hold the name of a column in a list of columns. */
const COLUMN_NAME_MEMBERS = ['name', 'id', 'key', 'field', 'title', 'label', 'header'];

const DATA_KEY =
  /^(?:\d{4,}|\d{4}-\d\d(?:-\d\d.*)?|\d{1,2}\/\d{1,2}\/\d{2,4}|\d{4}-?W\d\d|[0-9a-f]{8}-[0-9a-f]{4}-.*|(?=[^\d]*\d)[0-9a-f]{12,}|[A-Za-z]{0,12}[-_:#]?\d{4,})$/i;

/** Whether a key looks like an id, a code or a date. */
const isDataKey = (key: string): boolean => DATA_KEY.test(key);

/** How values are interpreted. */
export interface InferOptions {
  /** CSV and XML: every value is a text, and an empty text is a missing value. */
  readonly untyped: boolean;
  /** Called with every value outside of lists, and its path. */
  readonly onScalar?: ((path: string, value: string) => void) | undefined;
  /** Replaces ids of this side by those of the other side. */
  readonly renameIds?: ((text: string) => string) | undefined;
}

function addType(shape: Shape, type: TypeName, hash: number): number {
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
  return addType(shape, 'text', hash);
}

const isCell = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** The column names, if the list may be a list of columns. */
function namesIn(list: readonly unknown[]): readonly string[] | undefined {
  if (list.length === 0 || list.length > MAX_COLUMNS) return undefined;
  if (list.every((each) => typeof each === 'string')) return list as string[];
  const nameMember = COLUMN_NAME_MEMBERS.find((name) =>
    list.every((each) => !isCell(each) && typeof (each as Record<string, unknown>)[name] === 'string'),
  );
  return nameMember === undefined
    ? undefined
    : list.map((each) => (each as Record<string, string>)[nameMember] as string);
}

/**
 * Adds a value and its contents; returns its hash, which does not depend on the order of members and items.
 * @param path of the value, if it is outside of lists
 */
export function inferShape(shape: Shape, value: unknown, options: InferOptions, path?: string, depth = 0): number {
  shape.occurrences++;
  if (value === null || value === undefined || (options.untyped && value === '')) {
    shape.nulls++;
    shape.sum = (shape.sum + 3) >>> 0;
    return 3;
  }
  if (typeof value === 'object' && depth >= MAX_DEPTH) return observeText(shape, JSON.stringify(value).slice(0, 1000));
  if (Array.isArray(value)) return observeList(shape, value, options, path, depth);
  if (typeof value === 'object') return observeObject(shape, value as Record<string, unknown>, options, path, depth);
  const text = String(value);
  if (path !== undefined) options.onScalar?.(path, text);
  if (typeof value === 'string') return observeText(shape, options.renameIds?.(value) ?? value);
  const renamed = options.renameIds?.(text) ?? text;
  const hash = hashOf(renamed, typeof value === 'number' ? 11 : 13);
  shape.sample.add(hash, () => renamed);
  return addType(shape, typeof value === 'number' ? 'number' : 'boolean', hash);
}

function observeList(
  shape: Shape,
  list: readonly unknown[],
  options: InferOptions,
  path: string | undefined,
  depth: number,
) {
  shape.ensureItems();
  let hash = list.length;
  for (const item of list) hash = (hash + mixHash(observeItem(shape, item, options, depth), 5)) >>> 0;
  const names = path === undefined ? undefined : namesIn(list);
  if (names) shape.setColumnNames(names);
  return addType(shape, 'list', hash);
}

/** Adds one more item to a list; returns its hash. */
function observeItem(shape: Shape, item: unknown, options: InferOptions, depth: number): number {
  shape.total++;
  const items = shape.ensureItems();
  const isRow = Array.isArray(item) && item.length > 1 && item.length <= MAX_COLUMNS && item.every(isCell);
  return isRow ? observeRow(items, item, options) : inferShape(items, item, options, undefined, depth + 1);
}

/** Adds one more item to a list that is read item by item. */
export function addItem(list: Shape, item: unknown, options: InferOptions): void {
  list.sum = (list.sum + observeItem(list, item, options, 0)) >>> 0;
}

/** A row of cells: their positions count. */
function observeRow(shape: Shape, cells: readonly unknown[], options: InferOptions): number {
  shape.occurrences++;
  shape.widths.set(cells.length, (shape.widths.get(cells.length) ?? 0) + 1);
  let hash = cells.length;
  cells.forEach((cell, at) => {
    const member = shape.member(`[${at}]`);
    member.presentCount++;
    hash = (hash + mixHash(inferShape(member.shape, cell, options), at + 1)) >>> 0;
  });
  return addType(shape, 'list', hash);
}

function observeObject(
  shape: Shape,
  object: Record<string, unknown>,
  options: InferOptions,
  path: string | undefined,
  depth: number,
): number {
  let hash = 7;
  const seenNames = new Set<string>();
  for (const key of Object.keys(object)) {
    const isFolded = shape.members.has(ANY_KEY) && shape.members.size === 1;
    const name = isFolded || isDataKey(key) ? ANY_KEY : key;
    const member = shape.member(name);
    if (!seenNames.has(name)) member.presentCount++;
    seenNames.add(name);
    const memberAt = path === undefined || name === ANY_KEY ? undefined : `${path}${memberPath(key)}`;
    hash = (hash + mixHash(inferShape(member.shape, object[key], options, memberAt, depth + 1), hashOf(key))) >>> 0;
  }
  const result = addType(shape, 'object', hash);
  if (shape.members.size > MAX_NAMES) shape.mergeMembers();
  return result;
}

/** Adds an element; returns its hash. @param path of the element if it is outside of lists, e.g. `/products` */
export function inferXmlShape(shape: Shape, node: XmlNode, options: InferOptions, path?: string): number {
  shape.occurrences++;
  shape.types.set('object', shape.count('object') + 1);
  let hash = 17;
  for (const [name, rawValue] of Object.entries(node)) {
    // White space around a text is not content.
    const value = name === '#text' && typeof rawValue === 'string' ? rawValue.trim() : rawValue;
    const childPath = path === undefined ? undefined : name === '#text' ? path : `${path}/${name}`;
    if (typeof value === 'string') {
      // An element without text is the same as one with an empty text.
      if (name === '#text' && value === '') continue;
      const member = shape.member(name);
      member.presentCount++;
      hash = (hash + mixHash(inferShape(member.shape, value, options, childPath), hashOf(name))) >>> 0;
      continue;
    }
    const member = shape.member(name);
    member.presentCount++;
    if (value.length > 1) member.repeated++;
    for (const each of value) {
      const child = inferXmlShape(member.shape, each, options, value.length > 1 ? undefined : childPath);
      hash = (hash + mixHash(child, hashOf(name))) >>> 0;
    }
  }
  shape.sum = (shape.sum + mixHash(hash, 1)) >>> 0;
  return hash;
}

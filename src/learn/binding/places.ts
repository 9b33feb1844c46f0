/** Finds the places of a document: lists that may be the rows of an operation, and the values in a row or beside the rows. */
import type { Field, Group } from '../../contract/index.ts';
import { member, textLiteral } from '../../profile/openapi/described-values.ts';
import { isPlainObject, type PlainObject } from '../../profile/plain-object.ts';
import type { RowShape } from '../../profile/schema.ts';
import type { CodeTable } from '../../reading/code-table.ts';
import { textOfElement } from '../../reading/element-text.ts';

/** A list of codes with the values of a field. */
export interface LearnedTable {
  readonly name: string;
  readonly field: Field;
  readonly group: Group;
  /** As an author writes it in `codes`. */
  readonly source: PlainObject;
  readonly table: CodeTable;
}

/** A place whose values may be those of a field. */
export interface Place {
  readonly selector: string;
  /** Member names from the row, or from the response, down to the value. */
  readonly names: readonly string[];
  /** One cell for each row: a scalar, null, or undefined where a row has none; of a list its items. */
  readonly cells: readonly unknown[];
  /** Whether a cell is the list of several nodes. */
  readonly isList: boolean;
  /** The pattern of the part of the text that is the value. */
  readonly match?: string;
  /** The selectors of further parts of the value. */
  readonly append?: readonly string[];
  /** The table of the codes that the cells mean. */
  readonly code?: LearnedTable;
}

/** Nodes that may be the rows of an operation. */
export interface RowList {
  readonly selector: string;
  readonly names: readonly string[];
  readonly nodes: readonly unknown[];
  /** How the nodes become rows, where they are not rows as they are. */
  readonly shape?: RowShape | undefined;
  /** Whether it is one of the lists in a map, whose keys are data: the rows are in all of them. */
  readonly isPartOfMap?: boolean;
}

const MAX_LEVELS = 5;
const MAX_ROWS = 2000;
const MAX_KEYS = 40;

/** @example memberStep('Dollar Sales') // "['Dollar Sales']" */
export const memberStep = (name: string): string => member('', name);

const isElement = (node: unknown): boolean => textOfElement(node) !== undefined;
/** Whether a node is an XML element with attributes, which has values beside its text. */
const hasAttributes = (node: unknown): boolean =>
  isPlainObject(node) && Object.keys(node).some((name) => name.startsWith('@'));
/** A single value: a scalar, or an XML element with a text. */
export const scalarOf = (node: unknown): string | number | boolean | null | undefined => {
  const value = isElement(node) ? textOfElement(node) : node;
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
    ? (value as string | number | boolean | null)
    : undefined;
};

/** A part of the rows: the first ones, since a spread alone may miss what each fifth row has, and some of all others. */
export function sampled<T>(nodes: readonly T[], max = MAX_ROWS): readonly T[] {
  if (nodes.length <= max) return nodes;
  const first = max >> 1;
  const step = (nodes.length - first) / (max - first);
  return Array.from({ length: max }, (_, at) => nodes[at < first ? at : Math.floor(first + (at - first) * step)] as T);
}

/**
 * Lists below objects and lists, and maps with many members of one form, outermost first.
 * @param isValue whether a text is a value that other operations list: as a key of a map it is data
 */
export function rowListsIn(document: unknown, isValue: (text: string) => boolean = () => false): RowList[] {
  const lists: RowList[] = [];
  const visit = (
    nodes: readonly unknown[],
    selector: string,
    names: readonly string[],
    level: number,
    isPartOfMap = false,
  ): void => {
    if (level > MAX_LEVELS || nodes.length === 0) return;
    const arrays = nodes.filter(Array.isArray);
    if (arrays.length > 0) {
      const items = arrays.flat();
      if (items.length > 0) {
        lists.push({ selector: `${selector}[*]`, names, nodes: items, ...(isPartOfMap && { isPartOfMap }) });
        const isSingle = arrays.every((each) => each.length <= 1);
        // A list of cells is a row, and its items are no rows.
        if (!items.every(Array.isArray)) visit(items, `${selector}${isSingle ? '[0]' : '[*]'}`, names, level);
        else if (items.length === 1) visit(items, `${selector}[0]`, names, level + 1);
      }
      return;
    }
    const objects = nodes.filter(isPlainObject);
    const members = [...new Set(sampled(objects, 50).flatMap((each) => Object.keys(each)))];
    const isMap = objects.length === 1 && members.length >= 4 && areAlike(Object.values(objects[0] ?? {}));
    if (isMap) {
      const nodes = Object.values(objects[0] ?? {});
      lists.push({ selector: `${selector}.*`, names, nodes, shape: { keys: [MAP_KEY] } });
      return;
    }
    const ofLists = objects.length === 1 ? mapOfLists(objects[0] as PlainObject, isValue) : undefined;
    if (ofLists)
      lists.push({ selector: `${selector}.*[*]`, names, nodes: ofLists, shape: { keys: [MAP_KEY, POSITION] } });
    for (const name of members)
      if (!name.startsWith('#') && !name.startsWith('@'))
        visit(
          objects.flatMap((each) => (each[name] === undefined ? [] : [each[name]])),
          `${selector}${memberStep(name)}`,
          [...names, name],
          level + 1,
          ofLists !== undefined,
        );
  };
  visit([document], '$', [], 0);
  return lists;
}

/** The names under which rows get the key of the map that contains them, and their position in its list. */
export const MAP_KEY = 'mapKey';
export const POSITION = 'position';
/** Fewer lists of one form may have names of their own, such as `new` and `changed`. */
const MIN_LISTS = 4;

/** The rows of a map of lists whose keys are data: many keys, keys that are no names, or values that are listed elsewhere. */
function mapOfLists(map: PlainObject, isValue: (text: string) => boolean): unknown[] | undefined {
  const [keys, lists] = [Object.keys(map), Object.values(map)];
  if (!lists.every(Array.isArray)) return undefined;
  const rows = lists.flat();
  const filled = lists.filter((each) => each.length > 0);
  const isData = keys.length >= MIN_LISTS || keys.some((key) => !/^[A-Za-z_][\w-]*$/.test(key) || isValue(key));
  return filled.length > 1 && isData && areAlike(rows, 0.5) ? rows : undefined;
}

/** Whether nodes are objects that have this share of the members of the first one. */
const areAlike = (nodes: readonly unknown[], share = 1): boolean => {
  const [first] = nodes;
  if (!isPlainObject(first)) return false;
  const members = Object.keys(first);
  const shared = (node: PlainObject) => members.filter((name) => Object.hasOwn(node, name)).length;
  return members.length > 0 && nodes.every((each) => isPlainObject(each) && shared(each) >= members.length * share);
};

/** The response itself and the objects in it that are in no list of several nodes, outermost first. */
export function singleNodesIn(document: unknown): RowList[] {
  const found: RowList[] = [];
  const visit = (node: unknown, selector: string, names: readonly string[]): void => {
    if (names.length > MAX_LEVELS) return;
    if (Array.isArray(node)) {
      if (node.length === 1) visit(node[0], `${selector}[0]`, names);
      return;
    }
    if (!isPlainObject(node) || (isElement(node) && !hasAttributes(node))) return;
    found.push({ selector: selector.endsWith('[0]') ? `${selector.slice(0, -3)}[*]` : selector, names, nodes: [node] });
    for (const [name, child] of Object.entries(node))
      if (!/^[@#]/.test(name) && !isElement(child)) visit(child, `${selector}${memberStep(name)}`, [...names, name]);
  };
  const isBare =
    Array.isArray(document) && document.length > 0 && document.every((each) => scalarOf(each) !== undefined);
  if (isBare || typeof document === 'string' || typeof document === 'number')
    return [{ selector: '$', names: [], nodes: [document] }];
  visit(document, '$', []);
  return found;
}

/** The places in rows; `start` is `@` for rows, or the selector of a node of the response. */
export function placesIn(nodes: readonly unknown[], start: string): Place[] {
  const places: Place[] = [];
  const add = (selector: string, names: readonly string[], cells: readonly unknown[], isList = false): void => {
    places.push({ selector, names, cells, isList });
  };
  const visit = (cells: readonly unknown[], selector: string, names: readonly string[]): void => {
    const present = cells.filter((each) => each !== undefined && each !== null);
    if (present.length === 0 || names.length > MAX_LEVELS) return;
    if (present.every((each) => scalarOf(each) !== undefined)) {
      const texts = cells.map((each) => (each === undefined ? undefined : scalarOf(each)));
      const isEmpty = texts.every((each) => !String(each ?? '').trim()) && present.every(hasAttributes);
      if (!isEmpty) add(selector, names, texts);
      const attributes = sampled(present.filter(isPlainObject), 50).flatMap((each) => Object.keys(each));
      for (const name of new Set(attributes.filter((each) => each.startsWith('@'))))
        visit(
          cells.map((each) => (isPlainObject(each) ? each[name] : undefined)),
          `${selector}${memberStep(name)}`,
          [...names, name],
        );
      return;
    }
    if (present.every(Array.isArray)) {
      visitLists(cells as readonly (readonly unknown[] | undefined)[], selector, names);
      return;
    }
    const objects = present.filter(isPlainObject);
    const members = [...new Set(sampled(objects, 50).flatMap((each) => Object.keys(each)))];
    for (const name of members)
      visit(
        cells.map((each) => (isPlainObject(each) ? each[name] : undefined)),
        `${selector}${memberStep(name)}`,
        name === '#text' ? names : [...names, name],
      );
    if (members.length > 1 && selector !== start) add(selector, names, cells, true);
  };
  const visitLists = (
    cells: readonly (readonly unknown[] | null | undefined)[],
    selector: string,
    names: readonly string[],
  ): void => {
    const lengths = cells.flatMap((each) => (each ? [each.length] : []));
    const longest = Math.max(...lengths);
    const isTuple = selector === start || (new Set(lengths).size === 1 && longest > 1 && isRagged(cells));
    if (isTuple) {
      if (cells.every((each) => each?.every((item) => scalarOf(item) !== undefined))) add(selector, names, cells, true);
      for (let at = 0; at < Math.min(longest, MAX_KEYS); at++)
        visit(
          cells.map((each) => each?.[at]),
          `${selector}[${at}]`,
          // A position is no name, but no value has the name of its list.
          [...names, ''],
        );
      return;
    }
    if (longest <= 1) {
      visit(
        cells.map((each) => each?.[0]),
        `${selector}[0]`,
        names,
      );
      if (longest === 1) return;
    }
    add(`${selector}[*]`, names, cells, true);
    const items = cells.flatMap((each) => each ?? []).filter(isPlainObject);
    if (items.length === 0) return;
    const members = [...new Set(sampled(items, 50).flatMap((each) => Object.keys(each)))];
    for (const name of members)
      add(
        `${selector}[*]${memberStep(name)}`,
        [...names, name],
        cells.map((each) => each?.flatMap((item) => (isPlainObject(item) && name in item ? [item[name]] : []))),
        true,
      );
    for (const key of members) visitPairs(cells, items, key, members, selector, names);
  };
  /** The values of a list of pairs such as `{ period: '4W', value: 1 }`, one place for each key. */
  const visitPairs = (
    cells: readonly (readonly unknown[] | null | undefined)[],
    items: readonly Record<string, unknown>[],
    key: string,
    members: readonly string[],
    selector: string,
    names: readonly string[],
  ): void => {
    const found = [...new Set(items.map((item) => scalarOf(Array.isArray(item[key]) ? item[key][0] : item[key])))];
    const isKey = found.length > 1 && found.length <= MAX_KEYS && found.length * 3 <= items.length;
    // One of the pairs may have another key.
    const keys = found.filter((each) => each !== undefined);
    if (!isKey || keys.some((each) => typeof each !== 'string' || each === '')) return;
    const isXml = items.some((item) => Array.isArray(item[key]));
    for (const value of keys as string[])
      for (const name of members.filter((each) => each !== key))
        visit(
          cells.map((each) => {
            const item = each?.find((one) => isPlainObject(one) && scalarOf(firstOf(one[key])) === value);
            return isPlainObject(item) ? item[name] : undefined;
          }),
          `${selector}[?@${memberStep(key)}${isXml ? "[0]['#text']" : ''}==${textLiteral(value)}]${memberStep(name)}`,
          [...names, value, name],
        );
  };
  visit(nodes, start, []);
  return [...places, ...places.flatMap(lastSegment), ...places.flatMap(withoutUnit), ...joinedDigits(places)];
}

/** The last segment of a path. */
export const LAST_SEGMENT = '/([^/?]+)(?:[?].*)?$';

/** The last segments of addresses, one of which may be an id. */
function lastSegment(place: Place): Place[] {
  const texts = place.cells.filter((each) => each !== undefined && each !== null);
  const isPath =
    texts.length > 0 && texts.every((each) => typeof each === 'string' && /^(https?:\/)?\/.*\/./.test(each));
  if (place.isList || !isPath) return [];
  const segment = new RegExp(LAST_SEGMENT);
  const cells = place.cells.map((each) => segment.exec(String(each ?? ''))?.[1]);
  return [{ ...place, names: [...place.names, ''], cells, match: LAST_SEGMENT }];
}

const UNIT = '^(.*?) ?(?:%|USD|US[$]|[$])$';

const FIGURE = /^[+-]?\d[\d.\s]*(,\d+)?\s?(%|USD|US[$]|[$])$/;

/** Figures with a decimal comma before a unit: what reads them has no unit. */
function withoutUnit(place: Place): Place[] {
  const texts = place.cells.flatMap((each) => (typeof each === 'string' && each !== '' ? [each] : []));
  const figures = texts.filter((each) => FIGURE.test(each));
  if (place.isList || !figures.some((each) => each.includes(',')) || figures.length < texts.length * 0.95) return [];
  const unit = new RegExp(UNIT);
  return [{ ...place, cells: place.cells.map((each) => unit.exec(String(each ?? ''))?.[1]), match: UNIT }];
}

const MAX_PARTS = 4;

/** UPCs whose digits are in several members of one object. */
function joinedDigits(places: readonly Place[]): Place[] {
  const digits = places.filter(
    ({ cells, isList, selector }) =>
      !isList && selector.includes('.') && cells.every((each) => /^\d{1,11}$/.test(String(each))),
  );
  const groups = Map.groupBy(digits, ({ selector }) => selector.slice(0, selector.lastIndexOf('.')));
  return [...groups.values()].flatMap(([first, ...others]): Place[] => {
    if (!first || others.length === 0 || others.length >= MAX_PARTS) return [];
    const cells = first.cells.map((each, at) => `${each}${others.map((other) => other.cells[at]).join('')}`);
    if (!cells.every((each) => /^\d{12}$/.test(each))) return [];
    return [
      { ...first, names: [...first.names.slice(0, -1), ''], cells, append: others.map(({ selector }) => selector) },
    ];
  });
}

const firstOf = (node: unknown): unknown => (Array.isArray(node) ? node[0] : node);

/** Whether the positions of lists hold values of different types. */
const isRagged = (cells: readonly (readonly unknown[] | null | undefined)[]): boolean => {
  const typesAt = (at: number) => new Set(cells.flatMap((each) => (each ? [typeof each[at]] : [])));
  const [first] = cells.filter((each) => each);
  const types = (first ?? []).map((_, at) => [...typesAt(at)].join());
  return new Set(types).size > 1;
};

/** The single values of a document that are in no list of several nodes. */
export function valuesBeside(document: unknown): Place[] {
  return singleNodesIn(document)
    .slice(0, 40)
    .flatMap(({ selector, names, nodes: [node] }) =>
      isPlainObject(node)
        ? Object.entries(node).flatMap(([name, child]): Place[] => {
            const [isSingle, value] = Array.isArray(child) ? [child.length === 1, child[0]] : [true, child];
            const scalar = isSingle ? scalarOf(value) : undefined;
            if (scalar === undefined || scalar === null) return [];
            const at = `${selector.replace(/\[\*\]$/, '[0]')}${name === '#text' ? '' : memberStep(name)}${Array.isArray(child) ? '[0]' : ''}`;
            return [{ selector: at, names: [...names, name], cells: [scalar], isList: false }];
          })
        : [],
    );
}

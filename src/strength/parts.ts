/** The parts of a body with their positions: what can be replaced, removed or repeated without writing the rest anew. */
import { type JsonNode, readJson, readJsonLines } from '../json-nodes.ts';
import type { CsvForm } from '../reading/reader-types.ts';
import { readXmlNodes, type XmlElement } from '../xml-nodes.ts';

/** How a body is written. */
export type Notation = 'json' | 'ndjson' | 'xml' | 'csv' | 'text';

/** A value, or what contains values: an object, an element, a record. */
export interface Part {
  /** Of a member, the offset of its name. */
  readonly start: number;
  readonly end: number;
  /** Of a value, where the value itself begins: after the name of a member. */
  readonly valueStart: number;
  readonly isValue: boolean;
  readonly parent: Part | undefined;
  readonly children: readonly Part[];
}
type OpenPart = Part & { readonly children: OpenPart[] };

const partOf = (
  parent: Part | undefined,
  start: number,
  end: number,
  isValue: boolean,
  valueStart = start,
): OpenPart => ({ start, end, valueStart, isValue, parent, children: [] });

const BLANK_OR_COMMA = /[\s,]*/y;

/** Where a JSON value with its name begins, after the value before it. */
function afterBlanks(text: string, from: number): number {
  BLANK_OR_COMMA.lastIndex = from;
  BLANK_OR_COMMA.test(text);
  return BLANK_OR_COMMA.lastIndex;
}

function jsonPart(text: string, node: JsonNode, parent: Part | undefined, from: number): OpenPart {
  const start = node.name === undefined ? node.start : afterBlanks(text, from);
  const part = partOf(parent, start, node.end, !'{['.includes(node.letter), node.start);
  let at = node.start + 1;
  for (const child of node.children) {
    part.children.push(jsonPart(text, child, part, at));
    at = child.end;
  }
  return part;
}

function xmlPart(element: XmlElement, parent: Part | undefined, length: number): OpenPart {
  const part = partOf(parent, element.start, element.end < 0 ? length : element.end, false);
  for (const { start, end } of element.attributes) part.children.push(partOf(part, start, end, true));
  for (const child of element.children)
    part.children.push('name' in child ? xmlPart(child, part, length) : partOf(part, child.start, child.end, true));
  return part;
}

/** The records of a CSV text; a quoted cell is a value with its quotes. */
function csvPart(text: string, delimiter: string): OpenPart {
  const root = partOf(undefined, 0, text.length, false);
  const cell = new RegExp(`"(?:[^"]|"")*"|[^${delimiter}\r\n]*`, 'y');
  for (let at = 0; at < text.length; ) {
    const cells: [number, number][] = [];
    for (const start = at; ; at++) {
      cell.lastIndex = at;
      cell.test(text);
      cells.push([at, cell.lastIndex]);
      at = cell.lastIndex;
      if (text[at] === delimiter) continue;
      // Text after a closing quote: no CSV that is read.
      if (at < text.length && text[at] !== '\r' && text[at] !== '\n') throw new SyntaxError('it is not CSV');
      at += text.startsWith('\r\n', at) ? 2 : at < text.length ? 1 : 0;
      const record = partOf(root, start, at, false);
      for (const [from, to] of cells) record.children.push(partOf(record, from, to, true));
      root.children.push(record);
      break;
    }
  }
  return root;
}

/** The lines of JSON texts. */
function linesPart(text: string): OpenPart {
  const root = partOf(undefined, 0, text.length, false);
  for (const node of readJsonLines(text)) {
    const feed = text.indexOf('\n', node.end);
    const line = partOf(root, node.start, feed < 0 ? text.length : feed + 1, false);
    line.children.push(jsonPart(text, node, line, node.start));
    root.children.push(line);
  }
  return root;
}

/**
 * The tree of the parts of a body.
 * @throws SyntaxError, RangeError if it is not of the notation
 */
export function readParts(text: string, notation: Notation, csv?: CsvForm): Part {
  switch (notation) {
    case 'json':
      return jsonPart(text, readJson(text), undefined, 0);
    case 'ndjson':
      return linesPart(text);
    case 'xml':
      return xmlPart(readXmlNodes(text), undefined, text.length);
    case 'csv':
      return csvPart(text, csv?.delimiter ?? ',');
    case 'text':
      return partOf(undefined, 0, text.length, true);
  }
}

/** All values in a tree, in their order. */
export function valuesIn(part: Part): Part[] {
  return part.isValue ? [part] : part.children.flatMap(valuesIn);
}

/** A replacement of a range of a text. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits that do not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let changed = text;
  for (const edit of [...edits].sort((x, y) => y.start - x.start))
    changed = changed.slice(0, edit.start) + edit.text + changed.slice(edit.end);
  return changed;
}

/** The edits that remove parts; in JSON with the commas between them and what stays. */
export function removal(parts: readonly Part[], notation: Notation): Edit[] {
  if (notation !== 'json' && notation !== 'ndjson') return parts.map(({ start, end }) => ({ start, end, text: '' }));
  const byParent = Map.groupBy(parts, ({ parent }) => parent);
  return [...byParent].flatMap(([parent, removed]) => {
    const siblings = parent?.children ?? [];
    const isLines = notation === 'ndjson' && parent?.parent === undefined;
    if (isLines) return removed.map(({ start, end }) => ({ start, end, text: '' }));
    const stay = siblings.filter((each) => !removed.includes(each));
    const [first, last] = [siblings[0], siblings.at(-1)];
    if (!first || !last) return [];
    if (stay.length === 0) return [{ start: first.start, end: last.end, text: '' }];
    return removed.map((each) => {
      const at = siblings.indexOf(each);
      const next = siblings[at + 1];
      const isAfterAll = stay.every((other) => siblings.indexOf(other) < at);
      const before = siblings[at - 1];
      return isAfterAll && before
        ? { start: before.end, end: each.end, text: '' }
        : { start: each.start, end: next?.start ?? each.end, text: '' };
    });
  });
}

/** The edit that inserts a text, such as that of another part, after a part. */
export function insertion(after: Part, inserted: string, notation: Notation, text: string): Edit {
  const isList = (notation === 'json' || notation === 'ndjson') && after.parent?.parent !== undefined;
  const comma = notation === 'json' || isList ? ',' : '';
  const feed = (notation === 'csv' || notation === 'ndjson') && !isList && !text.slice(0, after.end).endsWith('\n');
  return { start: after.end, end: after.end, text: `${comma}${feed ? '\n' : ''}${inserted}` };
}

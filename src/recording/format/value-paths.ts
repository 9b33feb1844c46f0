/**
 * The values of a text with their paths, so that two responses can be compared regardless of white space and of the order
 * of members. The items of a list share one path.
 */
import { type JsonNode, readJson, readJsonLines } from '../../json-nodes.ts';
import { readXmlNodes, type XmlElement } from '../../xml-nodes.ts';

export interface PathValue {
  /** `$.rows[*].etag` (columns of CSV, too), `/./Item/@id`, `word 3`. */
  readonly path: string;
  /** The value in normalised form. */
  readonly value: string;
  /** The offsets in the text; -1 for markers, such as the length of a list or the begin of an element. */
  readonly start: number;
  readonly end: number;
}

/** Markers in place of a value: the begin of a list item, the begin and the end of an element. */
export const ITEM = '-';
export const ELEMENT = '<>';
export const ELEMENT_END = '</>';

/** A marker at a path. */
const marker = (path: string, value: string): PathValue => ({ path, value, start: -1, end: -1 });

const NAME = /^[A-Za-z_][\w-]*$/;

/** The path of a member below a path, e.g. `$.rows`. */
const pathOfMember = (path: string, name: string): string =>
  NAME.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;

/** Longer texts without a known structure are compared by their bytes. */
const MAX_WORDS_LENGTH = 64 * 1024;
const DELIMITERS = [',', ';', '\t', '|'];

const byName = (a: { readonly name?: string | undefined }, b: { readonly name?: string | undefined }): number =>
  (a.name ?? '') < (b.name ?? '') ? -1 : a.name === b.name ? 0 : 1;

function addJson(text: string, { letter, children, start, end }: JsonNode, path: string, values: PathValue[]): void {
  if (letter === '[') {
    values.push(marker(path, `[${children.length}]`));
    addItems(text, children, path, values);
  } else if (letter === '{') {
    if (children.length === 0) values.push(marker(path, '{}'));
    for (const member of children.toSorted(byName))
      addJson(text, member, pathOfMember(path, member.name ?? ''), values);
  } else {
    const raw = text.slice(start, end);
    values.push({ path, value: raw.includes('\\') ? JSON.stringify(JSON.parse(raw)) : raw, start, end });
  }
}

function addItems(text: string, items: readonly JsonNode[], path: string, values: PathValue[]): void {
  for (const item of items) {
    values.push(marker(`${path}[*]`, ITEM));
    addJson(text, item, `${path}[*]`, values);
  }
}

function addXml(text: string, { attributes, children }: XmlElement, path: string, values: PathValue[]): void {
  for (const { name, start, end } of attributes.toSorted(byName))
    values.push({ path: `${path}/@${name}`, value: text.slice(start, end), start, end });
  // The name of the root element differs between operations, its content does not.
  const isDocument = path === '';
  for (const child of children) {
    if ('name' in child) {
      const childPath = `${path}/${isDocument ? '.' : child.name}`;
      values.push(marker(childPath, ELEMENT), ...(isDocument ? [marker(childPath, child.name)] : []));
      addXml(text, child, childPath, values);
      values.push(marker(childPath, ELEMENT_END));
      continue;
    }
    const words = text.slice(child.start, child.end);
    const value = child.isCdata ? words : words.trim();
    const start = child.start + words.indexOf(value);
    if (value !== '' || child.isCdata)
      values.push({ path: isDocument ? '/.' : path, value, start, end: start + value.length });
  }
}

function addCsv(text: string, values: PathValue[]): void {
  const [first = ''] = text.split(/\r?\n/, 1);
  const [delimiter = ','] = [...DELIMITERS].sort((a, b) => first.split(b).length - first.split(a).length);
  const CELL = new RegExp(`("(?:[^"]|"")*"|[^${delimiter === '|' ? '\\|' : delimiter}\\r\\n]*)(\\r?\\n|.|$)`, 'y');
  const names: string[] = [];
  let column = 0;
  let isHead = true;
  while (CELL.lastIndex < text.length) {
    const start = CELL.lastIndex;
    const [all, cell = '', separator = ''] = CELL.exec(text) ?? [];
    if (all === undefined) throw new SyntaxError('it is not CSV');
    if (isHead) names.push(cell);
    if (column === 0) values.push(marker('$[*]', ITEM));
    values.push({
      path: pathOfMember('$[*]', names[column] ?? `${column}`),
      value: cell,
      start,
      end: start + cell.length,
    });
    column++;
    if (separator === delimiter) continue;
    column = 0;
    isHead = false;
  }
}

function addWords(text: string, values: PathValue[]): void {
  if (text.length > MAX_WORDS_LENGTH) throw new SyntaxError('it is too long');
  for (const { 0: value, index: start } of text.matchAll(/\S+/g))
    values.push({ path: `word ${values.length + 1}`, value, start, end: start + value.length });
}

function addValues(text: string, type: string, values: PathValue[]): void {
  if (/json-?lines|jsonl|ndjson|json-seq/.test(type)) addItems(text, readJsonLines(text), '$', values);
  else if (/[/+]json$/.test(type) || /^\s*[[{]/.test(text)) addJson(text, readJson(text), '$', values);
  else if (/[/+]xml$/.test(type)) addXml(text, readXmlNodes(text), '', values);
  else if (/csv|tab-separated/.test(type)) addCsv(text, values);
  else addWords(text, values);
}

/**
 * Every value of a text with its path, in the order of the text, members and attributes sorted by name; undefined if the
 * text does not match its media type.
 * @param type the media type in lower case, without parameters
 * @example valuePathsOf('{"rows":[{"id":1}]}', 'application/json') // … { path: '$.rows[*].id', value: '1', start: 15, end: 16 }
 */
export function valuePathsOf(text: string, type: string): readonly PathValue[] | undefined {
  const values: PathValue[] = [];
  try {
    addValues(text, type, values);
    return values;
  } catch (error) {
    // RangeError: the text is nested too deep or repeats too often for the engine.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

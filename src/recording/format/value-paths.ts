/**
 * The values of a text with their paths, so that two responses can be compared regardless of white space and of the order
 * of members. The items of a list share one path.
 */
import { jsonLinesValues, jsonValues } from './json-values.ts';
import { ITEM, marker, type PathValue, pathOfMember, SyntaxMismatch } from './path-value.ts';
import { xmlValues } from './xml-values.ts';

/** Longer texts without a known structure are compared by their bytes. */
const MAX_WORDS_LENGTH = 64 * 1024;
const DELIMITERS = [',', ';', '\t', '|'];

function csvValues(text: string): PathValue[] {
  const [first = ''] = text.split(/\r?\n/, 1);
  const [delimiter = ','] = [...DELIMITERS].sort((a, b) => first.split(b).length - first.split(a).length);
  const CELL = new RegExp(`("(?:[^"]|"")*"|[^${delimiter === '|' ? '\\|' : delimiter}\\r\\n]*)(\\r?\\n|.|$)`, 'y');
  const values: PathValue[] = [];
  const names: string[] = [];
  let column = 0;
  let isHead = true;
  while (CELL.lastIndex < text.length) {
    const start = CELL.lastIndex;
    const [all, cell = '', separator = ''] = CELL.exec(text) ?? [];
    if (all === undefined) throw new SyntaxMismatch();
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
  return values;
}

function wordValues(text: string): PathValue[] {
  if (text.length > MAX_WORDS_LENGTH) throw new SyntaxMismatch();
  return [...text.matchAll(/\S+/g)].map(({ 0: value, index }, at) => ({
    path: `word ${at + 1}`,
    value,
    start: index,
    end: index + value.length,
  }));
}

function readerOf(type: string, text: string): (text: string) => PathValue[] {
  if (/json-?lines|jsonl|ndjson|json-seq/.test(type)) return jsonLinesValues;
  if (/[/+]json$/.test(type) || /^\s*[[{]/.test(text)) return jsonValues;
  if (/[/+]xml$/.test(type)) return xmlValues;
  if (/csv|tab-separated/.test(type)) return csvValues;
  return wordValues;
}

/**
 * Every value of a text with its path, in the order of the text, members and attributes sorted by name; undefined if the
 * text does not match its media type.
 * @param type the media type in lower case, without parameters
 * @example valuePathsOf('{"rows":[{"id":1}]}', 'application/json') // … { path: '$.rows[*].id', value: '1', start: 15, end: 16 }
 */
export function valuePathsOf(text: string, type: string): readonly PathValue[] | undefined {
  try {
    return readerOf(type, text)(text);
  } catch (error) {
    // RangeError: the text is nested too deep or repeats too often for the engine.
    if (error instanceof SyntaxMismatch || error instanceof RangeError) return undefined;
    throw error;
  }
}

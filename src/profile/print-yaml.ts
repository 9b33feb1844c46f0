/** Prints the YAML document of a profile on few lines, with notes at its keys. */
import { type Document, isCollection, isMap, isPair, type Node, type Pair, Scalar } from 'yaml';
import {
  type Collection,
  filledLines,
  flowPieces,
  isSpecial,
  keyText,
  leafText,
  PRINT_OPTIONS,
  YAML_WIDTH,
} from './yaml-flow.ts';

/** A comment about a key. */
export interface KeyNote {
  readonly path: readonly PropertyKey[];
  /** One printable line. */
  readonly text: string;
  /** Whether it is a line of its own. */
  readonly isAlone?: boolean;
}

export interface PrintOptions {
  /** Notes of keys that are printed on one line together are one comment. */
  readonly notes?: readonly KeyNote[];
  /** The most lines of comments for notes, which are shortened to fit. Default: no limit. */
  readonly maxNoteLines?: number;
}

/** The most lines of a collection in flow style: near the top of the profile, and below. */
const MAX_LINES = { high: 2, deep: 8 };
/** The length of the path of a request or response. */
const DEEP = 3;
/** The lines of a note at one key: the most that leave all notes within the limit. */
const LINES_OF_NOTES = [Number.POSITIVE_INFINITY, 3, 2, 1];

/** A key whose value is on a line of its own, or several. */
interface Unit {
  readonly path: readonly unknown[];
  /** The node before which a comment is. */
  readonly start: Node;
  /** The node behind which a comment can be, on the same line. */
  readonly end?: Node;
  /** Whether keys of the value are units, too. */
  readonly isBlock: boolean;
  /** The length of its first line. */
  readonly width: number;
}

class Printer {
  readonly units: Unit[] = [];
  readonly #document: Document;
  /** The pieces of the values in flow style; the library prints a mark with the index in place of each. */
  readonly #values: (readonly string[])[] = [];
  readonly #mark: string;

  /** @param document is changed */
  constructor(document: Document) {
    const text = document.toString(PRINT_OPTIONS);
    let mark = 'FLOW_';
    while (text.includes(mark)) mark += '_';
    this.#mark = mark;
    this.#document = document;
    if (isMap(document.contents)) this.#prepare(document.contents, 0, []);
  }

  /** Whether a collection is printed in flow style after a head. */
  #isFlow(node: Collection, head: string, path: readonly unknown[]): boolean {
    if (node.items.length === 0) return true;
    if (isSpecial(node)) return false;
    if (node.range) return node.flow === true;
    const isDeep = path.length >= DEEP;
    // The keys of operations need no quotes in block style.
    if (!isDeep && isMap(node) && node.items.some(({ key }) => /\s/.test(keyText(key)))) return false;
    const lines = filledLines(head, flowPieces(node), 0);
    return (
      lines.length <= (isDeep ? MAX_LINES.deep : MAX_LINES.high) && lines.every((each) => each.length <= YAML_WIDTH)
    );
  }

  #prepare(node: Collection, indent: number, above: readonly unknown[]): void {
    for (const [at, item] of (node.items as (Pair | Node)[]).entries()) {
      const [key, value] = isPair(item) ? [item.key as Node, item.value as Node | null] : [item, item];
      const path = [...above, isPair(item) ? keyText(key) : at];
      const head = `${' '.repeat(indent)}${isPair(item) ? `${leafText(key)}: ` : '- '}`;
      if (isCollection(value) && !this.#isFlow(value as Collection, head, path)) {
        const isOfAuthor = value.flow === true && value.range;
        if (!isOfAuthor) value.flow = false;
        this.units.push({ path, start: key, isBlock: !isOfAuthor, width: 0 });
        if (!isOfAuthor) this.#prepare(value as Collection, indent + 2, path);
        continue;
      }
      const pieces = isCollection(value) ? flowPieces(value) : [leafText(value)];
      const end = isCollection(value) ? this.#markOf(value as Collection, pieces) : value;
      if (isPair(item)) item.value = end;
      else node.items[at] = end as never;
      const lines = filledLines(head, pieces, 0);
      this.units.push({
        path,
        start: isPair(item) ? key : (end as Node),
        ...(lines.length === 1 && end && { end }),
        isBlock: false,
        width: (lines[0] as string).length,
      });
    }
  }

  #markOf({ comment, commentBefore, spaceBefore }: Collection, pieces: readonly string[]): Scalar {
    const marked = { comment, commentBefore, ...(spaceBefore && { spaceBefore }) };
    return Object.assign(new Scalar(`${this.#mark}${this.#values.push(pieces) - 1}`), marked);
  }

  print(): string {
    const marked = new RegExp(`^(.*?)${this.#mark}(\\d+)(.*)$`);
    return this.#document
      .toString(PRINT_OPTIONS)
      .split('\n')
      .map((line) => {
        const [, head = '', at, comment = ''] = marked.exec(line) ?? [];
        if (at === undefined) return line;
        const indent = (/^[ -]*/.exec(head) as RegExpExecArray)[0].length;
        return filledLines(head, this.#values[Number(at)] as readonly string[], indent + 2).join('\n') + comment;
      })
      .join('\n');
  }
}

const startsWith = (path: readonly unknown[], start: readonly unknown[]): boolean =>
  start.length <= path.length && start.every((step, at) => String(step) === String(path[at]));

/**
 * Wraps a comment to the width; each line begins with the space after the `#`.
 * @param indent of its lines
 */
export function commentLines(text: string, indent = 0): string[] {
  const lines: string[] = [''];
  for (const word of text.replace(/\s+/g, ' ').trim().split(' ')) {
    const last = lines.at(-1) as string;
    // Two more columns are the # and the space.
    if (last !== '' && last.length + word.length + 3 > YAML_WIDTH - indent) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.map((line) => ` ${line}`);
}

/**
 * The last key of a path; of an item of a list with its index.
 * @example nameOfKey(['response', 'counts', 0]) // 'counts[0]'
 */
export function nameOfKey(path: readonly PropertyKey[]): string {
  const at = path.findLastIndex((step) => !/^\d+$/.test(String(step)));
  const indexes = path.slice(at + 1).map((index) => `[${String(index)}]`);
  return `${String(path[at])}${indexes.join('')}`;
}

/**
 * Joins notes about keys of one value. @param depth the length of the path of the value
 * @example joinNotes([{ path: ['a', 'x'], text: '3 of 3' }, { path: ['a', 'y'], text: '3 of 3' }], 1) // 'x, y: 3 of 3'
 */
export function joinNotes(notes: readonly KeyNote[], depth: number): string {
  const groups = Map.groupBy(notes, ({ text }) => text);
  return [...groups]
    .map(([text, members]) => {
      const names = members.flatMap(({ path }) => (path.length > depth ? [nameOfKey(path)] : []));
      return names.length === 0 ? text : `${names.join(', ')}: ${text}`;
    })
    .join('; ');
}

/**
 * Prints a document. A collection that is not parsed is in flow style if it needs few lines, else in block style; a parsed one
 * keeps its style. The document is not changed.
 */
export function printYaml(
  document: Document,
  { notes = [], maxNoteLines = Number.POSITIVE_INFINITY }: PrintOptions = {},
): string {
  const printer = new Printer(document.clone() as Document);
  const comments = printer.units.flatMap(({ path, start, end, isBlock, width }) => {
    const own = notes.filter((note) => startsWith(note.path, path) && (!isBlock || note.path.length === path.length));
    const text = joinNotes(
      own.filter(({ isAlone }) => !isAlone),
      path.length,
    );
    const fits = text !== '' && end && end.comment == null && width + text.length + 3 <= YAML_WIDTH;
    if (fits) end.comment = ` ${text}`;
    const lines = text === '' || fits ? [] : commentLines(text, (path.length - 1) * 2);
    const alone = own.flatMap((note) => (note.isAlone ? [` ${note.text}`] : []));
    return lines.length + alone.length === 0 ? [] : [{ start, lines, alone }];
  });
  const lengthWith = (each: number): number =>
    comments.reduce((sum, { lines, alone }) => sum + alone.length + Math.min(lines.length, each), 0);
  const most = LINES_OF_NOTES.find((each) => lengthWith(each) <= maxNoteLines) ?? 0;
  for (const { start, lines, alone } of comments) {
    const kept = lines.slice(0, most);
    if (kept.length > 0 && kept.length < lines.length) kept.push(`${kept.pop()} …`);
    start.commentBefore = [start.commentBefore, ...kept, ...alone].filter((each) => each != null).join('\n') || null;
  }
  return printer.print();
}

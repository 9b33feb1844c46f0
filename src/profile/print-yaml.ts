/** Prints the YAML document of a profile on few lines, with notes at its keys. */
import {
  Alias,
  Document,
  isCollection,
  isMap,
  isPair,
  isScalar,
  type Node,
  type Pair,
  Scalar,
  stringify,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';

export const YAML_WIDTH = 120;

type Collection = YAMLMap | YAMLSeq;

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

/** A part of a collection in flow style that is printed on one line if it is not longer. */
const LONGEST_UNBROKEN = 60;
/** The most lines of a collection in flow style: near the top of the profile, and below. */
const MAX_LINES = { high: 2, deep: 8 };
/** The length of the path of a request or response. */
const DEEP = 3;
/** Equal parts of this length are written once. */
const SHORTEST_SHARED = 80;

/** The lines of a note at one key: the most that leave all notes within the limit. */
const LINES_OF_NOTES = [Number.POSITIVE_INFINITY, 3, 2, 1];

const OPTIONS = { lineWidth: 0, verifyAliasOrder: false } as const;

/** A scalar or alias as it is written in a collection in flow style. */
const leafText = (node: unknown): string =>
  stringify([node], { ...OPTIONS, collectionStyle: 'flow', flowCollectionPadding: false, blockQuote: false })
    .trimEnd()
    .slice(1, -1);

/** The pieces of a node in flow style: a line may end after each. */
function piecesOf(node: unknown): string[] {
  if (!isCollection(node)) return [leafText(node)];
  const [open, close] = isMap(node) ? ['{ ', ' }'] : ['[', ']'];
  const anchor = node.anchor === undefined ? '' : `&${node.anchor} `;
  const items = (node.items as unknown[]).map((item) => {
    if (!isPair(item)) return piecesOf(item);
    const [first, ...rest] = piecesOf(item.value);
    return [`${leafText(item.key)}: ${first}`, ...rest];
  });
  if (items.length === 0) return [`${anchor}${open.trim()}${close.trim()}`];
  const pieces = items.flatMap((item, at) =>
    at === items.length - 1 ? item : [...item.slice(0, -1), `${item.at(-1)},`],
  );
  pieces[0] = `${anchor}${open}${pieces[0]}`;
  pieces.push(`${pieces.pop()}${close}`);
  const text = pieces.join(' ');
  return text.length <= LONGEST_UNBROKEN ? [text] : pieces;
}

/**
 * Formats a value in flow style, in one line.
 * @example flowText({ at: '$.x', as: 'usd' }) // '{ at: $.x, as: usd }'
 */
export const flowText = (value: unknown): string =>
  piecesOf(new Document(value, { aliasDuplicateObjects: false }).contents).join(' ');

/** Fills lines with pieces. @param indent of the second line and the following */
function filledLines(head: string, pieces: readonly string[], indent: number): string[] {
  const lines = [head];
  for (const [at, piece] of pieces.entries()) {
    const last = lines.at(-1) as string;
    const longer = at === 0 ? `${last}${piece}` : `${last} ${piece}`;
    if (at === 0 || longer.length <= YAML_WIDTH) lines[lines.length - 1] = longer;
    else lines.push(`${' '.repeat(indent)}${piece}`);
  }
  return lines;
}

/** Whether a collection has what only the library prints: comments, tags. */
function isSpecial(node: Collection): boolean {
  let found = false;
  visit(node as Node, {
    Node(_, each) {
      const isInner = each !== (node as Node);
      if (isInner && (each.comment || each.commentBefore)) found = true;
      if (isScalar(each) && (/\n/.test(String(each.value)) || each.tag !== undefined)) found = true;
      return found ? visit.BREAK : undefined;
    },
  });
  return found;
}

const keyText = (key: unknown): string => String(isScalar(key) ? key.value : key);

/** A key whose value is on a line of its own, or several. */
interface Unit {
  readonly path: readonly unknown[];
  /** The node before which a comment is. */
  readonly start: Node;
  /** The node behind which a comment can be, on the same line. */
  readonly end?: Node;
  /** Whether keys of the value are units, too. */
  readonly isBlock: boolean;
  /** The length of the line. */
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
    const text = document.toString(OPTIONS);
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
    const lines = filledLines(head, piecesOf(node), 0);
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
      const pieces = isCollection(value) ? piecesOf(value) : [leafText(value)];
      const end = isCollection(value) ? this.#markOf(value as Collection, pieces) : value;
      if (isPair(item)) item.value = end;
      else node.items[at] = end as never;
      const lines = filledLines(head, pieces, 0);
      this.units.push({
        path,
        start: isPair(item) ? key : (end as Node),
        ...(lines.length === 1 && end && { end }),
        isBlock: false,
        width: head.length + (pieces[0] as string).length,
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
      .toString(OPTIONS)
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
 * Joins notes about keys of one value. @param depth the length of the path of the value
 * @example joinNotes([{ path: ['a', 'x'], text: '3 of 3' }, { path: ['a', 'y'], text: '3 of 3' }], 1) // 'x, y: 3 of 3'
 */
export function joinNotes(notes: readonly KeyNote[], depth: number): string {
  const groups = Map.groupBy(notes, ({ text }) => text);
  return [...groups]
    .map(([text, members]) => {
      const names = members.flatMap(({ path }) => (path.length > depth ? [String(path.at(-1))] : []));
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

/**
 * Writes equal parts of a document once, by anchors and aliases. Parsed parts stay.
 * @example shareEqualParts(new Document({ a: { b: part }, c: { b: part } })) // a: { b: &b … }, c: { b: *b }
 */
export function shareEqualParts(document: Document): Document {
  const firsts = new Map<string, { readonly node: Collection; readonly name: string }>();
  const taken = new Set<string>();
  visit(document, { Collection: (_, { anchor }) => void (anchor !== undefined && taken.add(anchor)) });
  const freeName = (name: string): string => {
    let free = name;
    for (let number = 2; taken.has(free); number++) free = `${name}${number}`;
    taken.add(free);
    return free;
  };
  const share = (node: unknown): void => {
    if (!isMap(node)) return;
    for (const item of node.items) {
      const { value } = item;
      if (!isCollection(value)) continue;
      const text = value.range || isSpecial(value as Collection) ? '' : piecesOf(value).join(' ');
      const first = firsts.get(text);
      if (!first || text.length < SHORTEST_SHARED) {
        firsts.set(text, { node: value as Collection, name: /(\w+)\W*$/.exec(keyText(item.key))?.[1] ?? 'part' });
        share(value);
        continue;
      }
      first.node.anchor ??= freeName(first.name);
      item.value = new Alias(first.node.anchor);
    }
  };
  share(document.contents);
  return document;
}

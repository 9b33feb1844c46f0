/** Collections of YAML in flow style, which need few lines. */
import {
  Alias,
  Document,
  isCollection,
  isMap,
  isPair,
  isScalar,
  type Node,
  Pair,
  Scalar,
  stringify,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';

export const YAML_WIDTH = 120;

export type Collection = YAMLMap | YAMLSeq;

/** A part of a collection in flow style that is printed on one line if it is not longer. */
const LONGEST_UNBROKEN = 75;
/** Equal parts of this length are written once. */
const SHORTEST_SHARED = 35;
/** A map with all members of an earlier one of this length inherits them. */
const SHORTEST_INHERITED = 60;

export const PRINT_OPTIONS = { lineWidth: 0, verifyAliasOrder: false, merge: true } as const;

/** A scalar or alias as it is written in a collection in flow style. */
export const leafText = (node: unknown): string =>
  stringify([node], { ...PRINT_OPTIONS, collectionStyle: 'flow', flowCollectionPadding: false, blockQuote: false })
    .trimEnd()
    .slice(1, -1);

/** The pieces of a node in flow style: a line may end after each. */
export function flowPieces(node: unknown): string[] {
  if (!isCollection(node)) return [leafText(node)];
  const [open, close] = isMap(node) ? ['{ ', ' }'] : ['[', ']'];
  const anchor = node.anchor === undefined ? '' : `&${node.anchor} `;
  const items = (node.items as unknown[]).map((item) => {
    if (!isPair(item)) return flowPieces(item);
    const [first, ...rest] = flowPieces(item.value);
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
  flowPieces(new Document(value, { aliasDuplicateObjects: false }).contents).join(' ');

/** Fills lines with pieces. @param indent of the second line and the following */
export function filledLines(head: string, pieces: readonly string[], indent: number): string[] {
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
export function isSpecial(node: Collection): boolean {
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

export const keyText = (key: unknown): string => String(isScalar(key) ? key.value : key);

const textsOf = (map: YAMLMap): Map<string, string> =>
  new Map(map.items.map(({ key, value }) => [keyText(key), flowPieces(value).join(' ')]));

/**
 * Writes equal parts of a document once, by anchors and aliases, and the members of a map within another one by a merge key.
 * Parsed parts stay.
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
  const maps: { readonly map: YAMLMap; readonly texts: ReadonlyMap<string, string>; readonly name: string }[] = [];
  const inherit = (map: YAMLMap, name: string, length: number): void => {
    const texts = textsOf(map);
    const [base] = maps
      .filter((each) => each.texts.size < texts.size && [...each.texts].every(([key, text]) => texts.get(key) === text))
      .sort((x, y) => y.texts.size - x.texts.size);
    if (length >= SHORTEST_INHERITED) maps.push({ map, texts, name });
    if (!base) return;
    base.map.anchor ??= freeName(base.name);
    const own = map.items.filter(({ key }) => !base.texts.has(keyText(key)));
    map.items = [new Pair(new Scalar('<<'), new Alias(base.map.anchor)), ...own] as typeof map.items;
  };
  const share = (node: unknown): void => {
    if (!isMap(node)) return;
    for (const item of node.items) {
      const { value } = item;
      if (!isCollection(value)) continue;
      const text = value.range || isSpecial(value as Collection) ? '' : flowPieces(value).join(' ');
      const first = firsts.get(text);
      if (!first || text.length < SHORTEST_SHARED) {
        const name = /(\w+)\W*$/.exec(keyText(item.key))?.[1] ?? 'part';
        firsts.set(text, { node: value as Collection, name });
        if (isMap(value) && text !== '') inherit(value as YAMLMap, name, text.length);
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

/** Parses XML into the tree that selectors read, with the positions of its texts and attributes. */
import { ValueSpans, ValueSpansError } from './value-spans.ts';

type Node = Record<string, unknown>;

const TOKEN =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!DOCTYPE[^>[]*(?:\[[\s\S]*?\])?\s*>|<!\[CDATA\[([\s\S]*?)\]\]>|<\/([^\s>]+)\s*>|<([^\s/>!?]+)((?:\s+[^\s=>]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|[^<]+/y;
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const unescaped = (text: string): string =>
  text.replace(/&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(\w+));/g, (each, hex, decimal, name) => {
    if (name) return ENTITIES[name] ?? each;
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : each;
  });

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

interface OpenElement {
  readonly node: Node;
  readonly name: string;
  text: string;
  /** The position of its text, where that is in one piece. */
  span: { start: number; end: number } | undefined;
  pieces: number;
}

/**
 * Child elements are lists, attributes `@name`, text `#text`, without prefixes: `<a x="1"><b>2</b></a>` is
 * `{ a: [{ '@x': '1', b: [{ '#text': '2' }] }] }`.
 * @throws ValueSpansError
 */
export function xmlValueSpans(text: string): ValueSpans {
  const spans = new ValueSpans();
  const root: OpenElement = { node: {}, name: '', text: '', span: undefined, pieces: 0 };
  const openElements: OpenElement[] = [root];
  const close = (): void => {
    const element = openElements.pop() as OpenElement;
    const hasChildren = Object.values(element.node).some(Array.isArray);
    if (hasChildren && element.text.trim() === '') return;
    element.node['#text'] = element.text;
    if (element.span && element.pieces === 1) spans.put(element.node, '#text', element.span);
  };
  const addText = (value: string, start: number, end: number): void => {
    const element = openElements.at(-1) as OpenElement;
    element.text += value;
    element.pieces++;
    element.span = { start, end };
  };
  TOKEN.lastIndex = 0;
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    const match = TOKEN.exec(text);
    if (!match) throw new ValueSpansError(`it is not XML at character ${at}`);
    const [token, cdata, closed, opened, attributes = '', selfClosed] = match;
    if (cdata !== undefined) addText(cdata, at + '<![CDATA['.length, at + token.length - ']]>'.length);
    else if (closed !== undefined) {
      if (openElements.length === 1 || openElements.at(-1)?.name !== closed)
        throw new ValueSpansError(`it closes an XML element that is not open, at character ${at}`);
      close();
    } else if (opened !== undefined) {
      const node: Node = {};
      const { node: parent } = openElements.at(-1) as OpenElement;
      const name = localName(opened);
      const siblings = Object.hasOwn(parent, name) ? (parent[name] as Node[]) : [];
      siblings.push(node);
      parent[name] = siblings;
      const from = at + 1 + opened.length;
      for (const each of attributes.matchAll(ATTRIBUTE)) {
        const [pair, attribute = '', double, single] = each;
        if (attribute === 'xmlns' || attribute.startsWith('xmlns:')) continue;
        const value = double ?? single ?? '';
        const key = `@${localName(attribute)}`;
        const end = from + each.index + pair.length - 1;
        node[key] = unescaped(value);
        spans.put(node, key, { start: end - value.length, end });
      }
      openElements.push({ node, name: opened, text: '', span: undefined, pieces: 0 });
      if (selfClosed) close();
    } else if (!token.startsWith('<') && openElements.length > 1) addText(unescaped(token), at, at + token.length);
  }
  if (openElements.length > 1) throw new ValueSpansError(`it ends within the XML element ${openElements.at(-1)?.name}`);
  spans.tree = root.node;
  return spans;
}

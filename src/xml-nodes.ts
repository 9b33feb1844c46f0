/** Reads XML into a tree of positions. `src/reading/xml-tree.ts` reads streams, and without positions. */

/** The value of an attribute, without its quotes. */
export interface XmlAttribute {
  /** With its prefix. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** A text between two tags or comments, or a CDATA section. */
export interface XmlText {
  readonly start: number;
  readonly end: number;
  readonly isCdata: boolean;
}

export interface XmlElement {
  /** With its prefix; empty: the document. */
  readonly name: string;
  readonly attributes: readonly XmlAttribute[];
  readonly children: readonly (XmlElement | XmlText)[];
  /** Where its first tag begins, and where its last one ends; -1: the text ends before. */
  readonly start: number;
  readonly end: number;
}
type OpenElement = XmlElement & { readonly children: (XmlElement | XmlText)[]; end: number };

/** As in other readers, so that recursive code does not overflow its stack. */
const MAX_LEVELS = 512;
const TOKEN =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!DOCTYPE[^>[]*(?:\[[\s\S]*?\])?\s*>|<!\[CDATA\[([\s\S]*?)\]\]>|<\/([^\s>]+)\s*>|<([^\s/>!?]+)((?:\s+[^\s=>]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|[^<]+/y;
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** The attributes of a tag, whose text begins at `from`. */
const attributesIn = (attributes: string, from: number): XmlAttribute[] =>
  [...attributes.matchAll(ATTRIBUTE)].map(({ 0: pair, 1: name = '', 2: double, 3: single, index }) => {
    const end = from + index + pair.length - 1;
    return { name, start: end - (double ?? single ?? '').length, end };
  });

/**
 * The document of an XML text: an element without a name, whose children are the root element and the texts beside it.
 * Entities stay as they are written.
 * @throws SyntaxError if it is no XML, RangeError if it is nested too deep
 */
export function readXmlNodes(text: string): XmlElement {
  const open = [newDocument()];
  readInto(text, open);
  if (open.length > 1) throw new SyntaxError(`it ends within the XML element ${open.at(-1)?.name}`);
  return open[0] as XmlElement;
}

/** The document of the beginning of an XML text, as far as it can be read. */
export function readXmlBeginning(text: string): XmlElement {
  const document = newDocument();
  try {
    readInto(text, [document]);
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
  }
  return document;
}

const newDocument = (): OpenElement => ({ name: '', attributes: [], children: [], start: 0, end: -1 });

/** Reads a text into the open elements, outermost first. */
function readInto(text: string, open: OpenElement[]): void {
  TOKEN.lastIndex = 0;
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    const match = TOKEN.exec(text);
    if (!match) throw new SyntaxError(`it is not XML at character ${at}`);
    const [token, cdata, closed, name, attributes = '', isEmpty] = match;
    const { children } = open.at(-1) as OpenElement;
    if (cdata !== undefined) children.push({ start: at + 9, end: at + token.length - 3, isCdata: true });
    else if (closed !== undefined) {
      const element = open.length === 1 ? undefined : open.pop();
      if (element?.name !== closed)
        throw new SyntaxError(`it closes an XML element that is not open, at character ${at}`);
      element.end = at + token.length;
    } else if (name !== undefined) {
      const element: OpenElement = {
        name,
        attributes: attributesIn(attributes, at + 1 + name.length),
        children: [],
        start: at,
        end: isEmpty ? at + token.length : -1,
      };
      children.push(element);
      if (!isEmpty && open.push(element) > MAX_LEVELS)
        throw new RangeError(`it is nested deeper than ${MAX_LEVELS} levels`);
    } else if (!token.startsWith('<')) children.push({ start: at, end: at + token.length, isCdata: false });
  }
}

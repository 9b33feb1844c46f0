/** Writing XML: elements, escapes, and documents in one of two encodings. */
import type { Reply } from '../types.ts';

/** A piece of XML, escaped already. */
export type Markup = string;
type Attributes = Readonly<Record<string, string | undefined>>;

/** What XML 1.0 cannot hold, not even as a reference. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not come through.
const FORBIDDEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const reference = (char: string): string => `&#x${(char.codePointAt(0) ?? 0).toString(16).toUpperCase()};`;

/**
 * Text between tags. Beyond Latin-1, and in the part of it where encodings quarrel, characters are references, so that
 * the text fits any encoding a document may have.
 */
export const text = (value: string): Markup =>
  value
    .toWellFormed()
    .replace(FORBIDDEN, '\ufffd')
    .replace(/[&<>]/g, (char) => ENTITIES[char] as string)
    .replace(/[\r\x80-\x9f\u{100}-\u{10ffff}]/gu, reference);

/** In an attribute line breaks and tabs would be read as blanks, and all that is not ASCII is a reference. */
const quoted = (value: string): Markup =>
  `"${text(value)
    .replace(/"/g, '&quot;')
    .replace(/[\n\t\xa0-\xff]/gu, (char) => `&#${char.codePointAt(0)};`)}"`;

/** The same text as a CDATA section, where it can be one: no reference means anything in it. */
export const cdata = (value: string): Markup =>
  /^[\t\n\x20-\x7e\xa0-\xff]*$/.test(value) && !value.includes(']]>') ? `<![CDATA[${value}]]>` : text(value);

/** The tag as it opens: attributes that are undefined are left out; every second one stands on a line of its own. */
export const openTag = (name: string, attributes: Attributes = {}): Markup =>
  Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .reduce(
      (tag, [key, value], at) => `${tag}${at % 2 === 1 ? '\n\t' : ' '}${key}=${quoted(value as string)}`,
      `<${name}`,
    );

/** `<name a="…">…</name>`, or `<name a="…"/>` around nothing. */
export function element(name: string, attributes: Attributes, ...children: readonly Markup[]): Markup {
  const inner = children.join('');
  return inner === '' ? `${openTag(name, attributes)} />` : `${openTag(name, attributes)}>${inner}</${name}\n>`;
}

const ENCODINGS = {
  /** Declared in the document alone: nothing in the header says it. */
  latin1: {
    type: 'text/xml',
    head: "<?xml version='1.0' encoding='ISO-8859-1' standalone='yes'?>\n",
    encode: (chunk: string) => Buffer.from(chunk, 'latin1'),
  },
  utf8: {
    type: 'application/xml; charset=utf-8',
    head: '<?xml version="1.0"?>\n',
    encode: (chunk: string) => Buffer.from(chunk, 'utf8'),
  },
  marked: {
    type: 'application/vnd.example.measurement+xml',
    head: '\ufeff<?xml version="1.0" encoding="utf-8"?>\n',
    encode: (chunk: string) => Buffer.from(chunk, 'utf8'),
  },
} as const;
export type Encoding = keyof typeof ENCODINGS;

/**
 * A document around its pieces, which are sent as they are made. Behind the declaration stand a processing instruction
 * and a comment, which mean nothing to a reader.
 */
export function document(encoding: Encoding, pieces: Iterable<Markup>, status = 200): Reply {
  const { type, head, encode } = ENCODINGS[encoding];
  function* chunks() {
    yield encode(`${head}<?example-cache ttl="0"?>\n<!-- <p:Product code="not this one"/> -->\n`);
    for (const piece of pieces) yield encode(piece);
  }
  return { status, headers: { 'content-type': type }, body: { [Symbol.iterator]: chunks } };
}

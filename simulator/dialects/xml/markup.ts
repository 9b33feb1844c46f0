/** Writes XML: elements, escapes, and documents in one of two encodings. */
import { latin1, utf8 } from '../../../src/bytes.ts';
import type { DialectResponse } from '../types.ts';

/** A piece of escaped XML. */
export type Markup = string;
type Attributes = Readonly<Record<string, string | undefined>>;

/** Characters that XML 1.0 cannot contain, not even as references. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed.
const FORBIDDEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const reference = (char: string): string => `&#x${(char.codePointAt(0) ?? 0).toString(16).toUpperCase()};`;

/**
 * Escapes text content. Characters outside Latin-1, and those that differ between Latin-1 and windows-1252, become
 * references, so that the text is valid in every encoding.
 */
export const text = (value: string): Markup =>
  value
    .toWellFormed()
    .replace(FORBIDDEN, '\ufffd')
    .replace(/[&<>]/g, (char) => ENTITIES[char] as string)
    .replace(/[\r\x80-\x9f\u{100}-\u{10ffff}]/gu, reference);

/** Quotes an attribute value. Line breaks and tabs, which parsers normalise, and non-ASCII characters become references. */
const quoted = (value: string): Markup =>
  `"${text(value)
    .replace(/"/g, '&quot;')
    .replace(/[\n\t\xa0-\xff]/gu, (char) => `&#${char.codePointAt(0)};`)}"`;

/** Writes text as a CDATA section if possible; a CDATA section cannot contain references. */
export const cdata = (value: string): Markup =>
  /^[\t\n\x20-\x7e\xa0-\xff]*$/.test(value) && !value.includes(']]>') ? `<![CDATA[${value}]]>` : text(value);

/** An open tag without its `>`. Undefined attributes are omitted; every second attribute is on a new line. */
export const openTag = (name: string, attributes: Attributes = {}): Markup =>
  Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .reduce(
      (tag, [key, value], at) => `${tag}${at % 2 === 1 ? '\n\t' : ' '}${key}=${quoted(value as string)}`,
      `<${name}`,
    );

/** `<name a="…">…</name>`, or `<name a="…"/>` without children. */
export function element(name: string, attributes: Attributes, ...children: readonly Markup[]): Markup {
  const inner = children.join('');
  return inner === '' ? `${openTag(name, attributes)} />` : `${openTag(name, attributes)}>${inner}</${name}\n>`;
}

const ENCODINGS = {
  /** Only the document declares the encoding, not the header. */
  latin1: {
    type: 'text/xml',
    head: "<?xml version='1.0' encoding='ISO-8859-1' standalone='yes'?>\n",
    encode: latin1,
  },
  utf8: {
    type: 'application/xml; charset=utf-8',
    head: '<?xml version="1.0"?>\n',
    encode: utf8,
  },
  marked: {
    type: 'application/vnd.example.measurement+xml',
    head: '\ufeff<?xml version="1.0" encoding="utf-8"?>\n',
    encode: utf8,
  },
} as const;
export type Encoding = keyof typeof ENCODINGS;

/**
 * A document that streams its pieces. A processing instruction and a comment without meaning follow the declaration.
 */
export function document(encoding: Encoding, pieces: Iterable<Markup>, status = 200): DialectResponse {
  const { type, head, encode } = ENCODINGS[encoding];
  function* chunks() {
    yield encode(`${head}<?example-cache ttl="0"?>\n<!-- <p:Product code="not this one"/> -->\n`);
    for (const piece of pieces) yield encode(piece);
  }
  return { status, headers: { 'content-type': type }, body: { [Symbol.iterator]: chunks } };
}

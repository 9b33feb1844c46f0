/** Writes XML: elements and escapes. */

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

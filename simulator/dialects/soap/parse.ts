/** Parses the small XML documents of POST requests: elements that contain text, in a root element or deeper. */

const NAME = String.raw`[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?`;
const ATTRIBUTE = String.raw`\s+${NAME}\s*=\s*(?:"[^"<]*"|'[^'<]*')`;
const TOKEN = new RegExp(
  [
    '<!--(?:(?!--)[^])*-->',
    String.raw`<\?(?:(?!\?>)[^])*\?>`,
    String.raw`<!\[CDATA\[(?<cdata>(?:(?!\]\]>)[^])*)\]\]>`,
    String.raw`<\/(?<close>${NAME})\s*>`,
    String.raw`<(?<open>${NAME})(?:${ATTRIBUTE})*\s*(?<empty>\/?)>`,
    '(?<text>[^<]+)',
  ].join('|'),
  'y',
);

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Resolves the references of a text; undefined when one is invalid. */
function resolveReferences(raw: string): string | undefined {
  let valid = true;
  const plain = raw.replace(/&(?:#x([0-9A-Fa-f]{1,6})|#([0-9]{1,7})|(\w+))?;?/g, (whole, hex, decimal, name) => {
    const code = hex === undefined ? Number(decimal ?? Number.NaN) : Number.parseInt(hex, 16);
    const known = name === undefined ? code <= 0x10ffff : Object.hasOwn(ENTITIES, name);
    valid &&= known && whole.endsWith(';');
    if (!known) return '';
    return name === undefined ? String.fromCodePoint(code) : (ENTITIES[name] as string);
  });
  return valid ? plain : undefined;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/**
 * The trimmed texts of the elements at a depth, by local name; undefined when the document is not well-formed.
 *
 * @param depth the number of elements around them; by default only the root element
 * @example parseFlat('<q:Ask xmlns:q="urn:q"><q:Id>7</q:Id></q:Ask>') // Map { 'Id' => '7' }
 */
export function parseFlat(source: string, depth = 1): ReadonlyMap<string, string> | undefined {
  const texts = new Map<string, string>();
  const openNames: string[] = [];
  let roots = 0;
  let content = '';
  const close = (name: string): void => {
    if (openNames.length === depth) texts.set(localName(name), content.trim());
    content = '';
  };
  TOKEN.lastIndex = 0;
  for (let at = 0; at < source.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const groups = TOKEN.exec(source)?.groups;
    // A token without groups is a comment or an instruction; without a token the text is not XML.
    if (TOKEN.lastIndex === 0) return undefined;
    if (!groups) continue;
    const { open: startName, close: endName, empty, cdata, text = '' } = groups;
    if (startName !== undefined) {
      if (openNames.length === 0 && ++roots > 1) return undefined;
      content = '';
      if (empty) close(startName);
      else openNames.push(startName);
    } else if (endName !== undefined) {
      if (openNames.pop() !== endName) return undefined;
      close(endName);
    } else {
      const plain = cdata ?? resolveReferences(text);
      if (plain === undefined || (openNames.length === 0 && text.trim() !== '')) return undefined;
      content += plain;
    }
  }
  return openNames.length === 0 && roots === 1 ? texts : undefined;
}

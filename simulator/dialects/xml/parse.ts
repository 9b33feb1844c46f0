/** Parses the small XML documents of POST requests: a root element with elements that contain text. */

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
function resolved(raw: string): string | undefined {
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
 * The trimmed texts of the elements in the root element, by local name; undefined when the document is not well-formed.
 *
 * @example parseFlat('<q:Ask xmlns:q="urn:q"><q:Id>7</q:Id></q:Ask>') // Map { 'Id' => '7' }
 */
export function parseFlat(source: string): ReadonlyMap<string, string> | undefined {
  const found = new Map<string, string>();
  const open: string[] = [];
  let roots = 0;
  let content = '';
  const close = (name: string): void => {
    if (open.length === 1) found.set(localName(name), content.trim());
    content = '';
  };
  TOKEN.lastIndex = 0;
  for (let at = 0; at < source.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const groups = TOKEN.exec(source)?.groups;
    // A token without groups is a comment or an instruction; without a token the text is not XML.
    if (TOKEN.lastIndex === 0) return undefined;
    if (!groups) continue;
    const { open: begun, close: ended, empty, cdata, text = '' } = groups;
    if (begun !== undefined) {
      if (open.length === 0 && ++roots > 1) return undefined;
      content = '';
      if (empty) close(begun);
      else open.push(begun);
    } else if (ended !== undefined) {
      if (open.pop() !== ended) return undefined;
      close(ended);
    } else {
      const plain = cdata ?? resolved(text);
      if (plain === undefined || (open.length === 0 && text.trim() !== '')) return undefined;
      content += plain;
    }
  }
  return open.length === 0 && roots === 1 ? found : undefined;
}

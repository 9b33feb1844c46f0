/** Reading the small XML documents that are posted: an element around elements that hold text. */

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

/** The text with its references resolved, or undefined when one of them means nothing. */
function resolved(raw: string): string | undefined {
  let sound = true;
  const plain = raw.replace(/&(?:#x([0-9A-Fa-f]{1,6})|#([0-9]{1,7})|(\w+))?;?/g, (whole, hex, decimal, name) => {
    const code = hex === undefined ? Number(decimal ?? Number.NaN) : Number.parseInt(hex, 16);
    const known = name === undefined ? code <= 0x10ffff : Object.hasOwn(ENTITIES, name);
    sound &&= known && whole.endsWith(';');
    if (!known) return '';
    return name === undefined ? String.fromCodePoint(code) : (ENTITIES[name] as string);
  });
  return sound ? plain : undefined;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/**
 * The texts of the elements within the root, by name without prefix, blanks around them taken off; undefined when the
 * text is no well-formed document.
 *
 * @example parseFlat('<q:Ask xmlns:q="urn:q"><q:Id>7</q:Id></q:Ask>') // Map { 'Id' => '7' }
 */
export function parseFlat(source: string): ReadonlyMap<string, string> | undefined {
  const found = new Map<string, string>();
  const open: string[] = [];
  let roots = 0;
  let held = '';
  const close = (name: string): void => {
    if (open.length === 1) found.set(localName(name), held.trim());
    held = '';
  };
  TOKEN.lastIndex = 0;
  for (let at = 0; at < source.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const groups = TOKEN.exec(source)?.groups;
    // A token without groups is a comment or an instruction; none at all is no XML.
    if (TOKEN.lastIndex === 0) return undefined;
    if (!groups) continue;
    const { open: begun, close: ended, empty, cdata, text = '' } = groups;
    if (begun !== undefined) {
      if (open.length === 0 && ++roots > 1) return undefined;
      held = '';
      if (empty) close(begun);
      else open.push(begun);
    } else if (ended !== undefined) {
      if (open.pop() !== ended) return undefined;
      close(ended);
    } else {
      const plain = cdata ?? resolved(text);
      if (plain === undefined || (open.length === 0 && text.trim() !== '')) return undefined;
      held += plain;
    }
  }
  return open.length === 0 && roots === 1 ? found : undefined;
}

/**
 * Searches written files a second time: it decodes with regular expressions and keeps no positions. It imports nothing of the
 * first search, so that a mistake in one is not in the other.
 */

/** A text with one character for each byte. */
type ByteString = string;

const toBytes = (text: string): ByteString => Buffer.from(text).toString('latin1');
const fromCode = (digits: string, base = 16): ByteString => {
  const code = Number.parseInt(digits, base);
  return code <= 0x10ffff ? toBytes(String.fromCodePoint(code)) : '';
};
const fromByte = (digits: string, base = 16): ByteString => String.fromCharCode(Number.parseInt(digits, base) & 0xff);
const fromUnits = (escapes: string): ByteString =>
  toBytes(escapes.replace(/\\u(.{4})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))));

const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' };
const NAMES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

type Groups = readonly (string | undefined)[];
type Escapes = readonly [pattern: RegExp, decode: (groups: Groups) => ByteString];

/** `\xNN` and octal digits are bytes, as in C; as code points, as in JavaScript, they are letters in Latin-1. */
const BACKSLASH: Escapes = [
  /((?:\\u[\da-fA-F]{4})+)|\\(?:(?:U([\da-fA-F]{8})|[ux]\{([\da-fA-F]{1,8})\})|x([\da-fA-F]{2})|([0-3][0-7]{2}|[0-7]{1,2})|\r?\n|(.))/gs,
  ([, units, eight, braced, two, octal, other = '']) => {
    if (units) return fromUnits(units);
    if (eight ?? braced) return fromCode((eight ?? braced) as string);
    return two ? fromByte(two) : octal ? fromByte(octal, 8) : (CONTROLS[other] ?? other);
  },
];

/** How each encoding of text escapes characters. */
const ESCAPES: readonly Escapes[] = [
  BACKSLASH,
  [/%(?:u([\da-f]{4})|([\da-f]{2}))/gi, ([, four, two = '']) => (four ? fromCode(four) : fromByte(two))],
  [/\+|%([\da-f]{2})/gi, ([, two]) => (two ? fromByte(two) : ' ')],
  [
    /&(?:#(\d+);?|#x([\da-f]+);?|(amp|lt|gt|quot|apos);)/gi,
    ([, decimal, hex = '', name]) =>
      name ? (NAMES[name.toLowerCase()] as string) : decimal ? fromCode(decimal, 10) : fromCode(hex),
  ],
  [/=(?:([\da-f]{2})|[ \t]*\r?\n)/gi, ([, two]) => (two ? fromByte(two) : '')],
  [/""/g, () => '"'],
  [/'\\''/g, () => "'"],
];

/** Decodes the escapes in a text. Of the text between them, `reach` characters next to each are kept. */
function decodeEscapes(text: ByteString, [pattern, decode]: Escapes, reach: number): ByteString {
  const parts: string[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index - end <= 2 * reach) parts.push(text.slice(end, match.index));
    else parts.push(text.slice(end, end + reach), '\n', text.slice(match.index - reach, match.index));
    parts.push(decode(match));
    end = match.index + match[0].length;
  }
  return parts.length === 0 ? '' : parts.join('') + text.slice(end, end + reach);
}

/** Decodes all base64 and hex in a text. The first digit of a run may belong to the word before it. */
function decodeDigits(text: ByteString): ByteString {
  const base64 = text.replace(/(?<=[\w+/-])\r?\n[ \t]*(?=[\w+/-])/g, '').match(/[\w+/-]{8,}/g) ?? [];
  const hex = text.match(/[\da-f][\da-fx:, \t\r\n-]{10,}[\da-f]/gi) ?? [];
  const pairs = hex.map((each) => each.replace(/0x|[^\da-f]/gi, ''));
  const decode = (runs: readonly string[], encoding: 'base64' | 'hex') => (from: number) =>
    runs.map((each) => Buffer.from(each.slice(from), encoding).toString('latin1')).join('\n');
  return [...[0, 1, 2, 3].map(decode(base64, 'base64')), ...[0, 1].map(decode(pairs, 'hex'))].join('\n');
}

/** A text in UTF-8, also read as Latin-1, in Latin-1, UTF-16 and UTF-32. */
function spellingsOf(text: string): ByteString[] {
  const units = Buffer.from(text, 'utf16le');
  const codes = Buffer.from(Uint32Array.from([...text], (each) => each.codePointAt(0) as number).buffer);
  const wide = [units, Buffer.from(units).swap16(), codes, Buffer.from(codes).swap32()];
  const narrow = /[^\0-\xff]/.test(text) ? [] : [text];
  return [toBytes(text), toBytes(toBytes(text)), ...narrow, ...wide.map((each) => each.toString('latin1'))];
}

const quoted = (text: ByteString): string =>
  text.replace(/\W/g, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);

/** How many nested encodings are decoded; in JSON, which encodes the texts in it, one more. */
const DEPTH = 2;

/**
 * Returns a function that finds secrets in the bytes of a file.
 * @example secondSearch([{ value: 's3cret' }])(Buffer.from('czNjcmV0'), { isJson: false }) // [{ value: 's3cret' }]
 */
export function secondSearch<T extends { readonly value: string }>(secrets: readonly T[]) {
  const secretOf = new Map(
    secrets.flatMap((secret) => spellingsOf(secret.value).map((each) => [each, secret] as const)),
  );
  const spellings = [...secretOf.keys()];
  const alternatives = spellings.map((each) => (/^\d+$/.test(each) ? `(?<!\\d)${each}(?!\\d)` : quoted(each)));
  const pattern = new RegExp(alternatives.join('|'), 'g');
  const reach = 8 * Math.max(...secrets.map(({ value }) => value.length));
  // Digits that are no base64 or hex decode to other bytes. Fewer letters occur by chance.
  const ofText = new RegExp(`[\\t\\r\\n -~${quoted([...new Set(spellings.join(''))].join(''))}]{6,}`, 'g');
  const decodings = (text: ByteString): ByteString[] => [
    ...ESCAPES.map((each) => decodeEscapes(text, each, reach)),
    (decodeDigits(text).match(ofText) ?? []).join('\n'),
  ];
  return (bytes: Buffer, { isJson }: { readonly isJson: boolean }): T[] => {
    if (secrets.length === 0) return [];
    const text = bytes.toString('latin1');
    const texts = new Set(isJson ? [text, decodeEscapes(text, BACKSLASH, reach)] : [text]);
    let level = [...texts];
    for (let depth = 0; depth < DEPTH; depth++) {
      level = [...new Set(level.flatMap(decodings))].filter((each) => !texts.has(each));
      for (const each of level) texts.add(each);
    }
    const matches = [...texts].flatMap((each) => [...each.matchAll(pattern)]);
    return [...new Set(matches.map(([spelling]) => secretOf.get(spelling) as T))];
  };
}

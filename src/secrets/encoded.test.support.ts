/**
 * Secrets in the encodings of real encoders, and of partial ones that escape any choice of characters, also nested. The
 * decoders here share no code with the search for secrets.
 */
import fc from 'fast-check';
import { Protection } from './hide-in-exchange.ts';
import { redactor } from './redact.ts';

type Random = () => number;

/** Returns a generator of numbers from 0 to 1 that depend on the seed only. */
function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Codec {
  readonly name: string;
  readonly encode: (text: string, random: Random) => string;
  readonly decode: (text: string) => string;
}

const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
const hexOf = (code: number, digits: number, random: Random): string =>
  [...code.toString(16).padStart(digits, '0')].map((each) => (random() < 0.5 ? each.toUpperCase() : each)).join('');
const percentOf = (text: string, random: Random): string =>
  [...Buffer.from(text)].map((byte) => `%${hexOf(byte, 2, random)}`).join('');

/** Escapes the characters that require it, and some, none or all of the others. */
const partly =
  (must: RegExp, escapeCharacter: (each: string, random: Random) => string) =>
  (text: string, random: Random): string => {
    const share = pick(random, [0, 0.1, 0.5, 1]);
    return text.replace(/./gsu, (each) => (must.test(each) || random() < share ? escapeCharacter(each, random) : each));
  };

const SHORT: Record<string, string> = { '"': '\\"', '\\': '\\\\', '/': '\\/', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const unicodeOf = (each: string, random: Random): string =>
  each in SHORT && random() < 0.5
    ? (SHORT[each] as string)
    : each.replace(/./gs, (unit) => `\\u${hexOf(unit.charCodeAt(0), 4, random)}`);

const codeOf = (each: string): number => each.codePointAt(0) as number;
/** Bytes as three octal digits, as in C. */
const octal = (each: string): string =>
  [...Buffer.from(each)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');

const NAMED: Record<string, string> = {
  ...{
    '&': 'amp',
    '<': 'lt',
    '>': 'gt',
    '"': 'quot',
    "'": 'apos',
    '/': 'sol',
    '+': 'plus',
    '=': 'equals',
    '%': 'percnt',
  },
  ...{ ü: 'uuml', é: 'eacute', ß: 'szlig', '@': 'commat', ':': 'colon', '(': 'lpar', '\\': 'bsol', '\n': 'NewLine' },
};
function entityOf(each: string, random: Random): string {
  const code = each.codePointAt(0) as number;
  const zeros = '0'.repeat(Math.floor(random() * 8));
  const kinds = [`&#${zeros}${code};`, `&#x${zeros}${hexOf(code, 1, random)};`, `&#X${hexOf(code, 2, random)};`];
  return pick(random, each in NAMED ? [...kinds, `&${NAMED[each]};`] : kinds);
}

function wrapped(text: string, random: Random): string {
  const columns = pick(random, [0, 0, 64, 76, 1 + Math.floor(random() * 40)]);
  const between = pick(random, ['\n', '\r\n', '\n  ']);
  return columns === 0 ? text : (text.match(new RegExp(`.{1,${columns}}`, 'g')) ?? []).join(between);
}

function quotedPrintable(text: string, random: Random): string {
  const escaped = partly(/[^ -<>-~]/su, (each) =>
    [...Buffer.from(each)].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  )(text, random);
  const columns = pick(random, [75, 5 + Math.floor(random() * 70)]);
  const units = escaped.match(/=..|./gsu) ?? [];
  let [line, out] = [0, ''];
  for (const unit of units) {
    if (line + unit.length > columns) {
      out += pick(random, ['=\r\n', '=\n', '= \r\n']);
      line = 0;
    }
    out += unit;
    line += unit.length;
  }
  return out;
}

const latin1 = (text: string): string => Buffer.from(text, 'latin1').toString('utf8');
const bytesOf = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
const unescapeBytes = (text: string, pattern: RegExp, base = 16): string =>
  latin1(
    bytesOf(text).replace(pattern, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, base) & 255)),
  );

const JSON_SHORT: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
const fromCode = (hex: string): string => String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10ffff));
const unJson = (text: string): string =>
  text.replace(
    /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|U([0-9a-fA-F]{8})|[ux]\{([0-9a-fA-F]{1,8})\}|(.))/gs,
    (_, four, two, eight, braced, one) => {
      if (four ?? two) return String.fromCharCode(Number.parseInt(four ?? two, 16));
      return (eight ?? braced) ? fromCode(eight ?? braced) : (JSON_SHORT[one] ?? one);
    },
  );
const unOctal = (text: string): string => unescapeBytes(text, /\\([0-3][0-7]{2}|[0-7]{1,2})/g, 8);
const unPercent = (text: string): string => unescapeBytes(text, /%([0-9a-f]{2})/gi);
const unHtml = (text: string): string =>
  text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name) return Object.entries(NAMED).find(([, each]) => each === name)?.[0] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code < 0x110000 ? String.fromCodePoint(code) : whole;
  });
const unQuoted = (text: string): string => unescapeBytes(text.replace(/=[ \t]*\r?\n/g, ''), /=([0-9a-f]{2})/gi);

const codesOf = (text: string): Uint32Array => Uint32Array.from([...text], (each) => codeOf(each));
const fromCodes = (bytes: Buffer): string =>
  Array.from({ length: bytes.length >> 2 }, (_, at) => {
    const code = bytes.readUInt32LE(at * 4);
    return code <= 0x10ffff ? String.fromCodePoint(code) : '?';
  }).join('');
const swapped = (bytes: Buffer, size: 2 | 4): Buffer => {
  const whole = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % size)));
  return size === 2 ? whole.swap16() : whole.swap32();
};

/** Character sets of encoded bytes. */
const CHARSETS: Record<string, readonly [encode: (text: string) => Buffer, decode: (bytes: Buffer) => string]> = {
  'UTF-8': [(text) => Buffer.from(text), (bytes) => bytes.toString()],
  'UTF-16': [
    (text) => Buffer.from(text, 'utf16le'),
    (bytes) => new TextDecoder('utf-16le', { ignoreBOM: true }).decode(bytes),
  ],
  'UTF-16BE': [
    (text) => Buffer.from(text, 'utf16le').swap16(),
    (bytes) => new TextDecoder('utf-16be', { ignoreBOM: true }).decode(bytes),
  ],
  'UTF-32': [(text) => Buffer.from(codesOf(text).buffer), fromCodes],
  'UTF-32BE': [(text) => Buffer.from(codesOf(text).buffer).swap32(), (bytes) => fromCodes(swapped(bytes, 4))],
};

const BETWEEN_HEX: Record<string, string> = {
  ...{ hex: '', 'hex with colons': ':', 'hex with blanks': ' ', 'hex with hyphens': '-' },
  ...{ 'hex with 0x': ' 0x', 'hex with 0x and commas': ', 0x' },
};
const unHex = (text: string): Buffer => Buffer.from(text.replace(/0x/gi, '').replace(/[^0-9a-f]/gi, ''), 'hex');

function hexDigits(bytes: Buffer, between: string, random: Random): string {
  const isUpper = random() < 0.5;
  const pairs = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'));
  const text = pairs.map((pair) => (isUpper ? pair.toUpperCase() : pair)).join(between);
  return between === '' ? wrapped(text, random) : between.includes('0x') ? `0x${text}` : text;
}

/** Base64 and hex of each character set. */
const DIGITS: readonly Codec[] = Object.entries(CHARSETS).flatMap(([charset, [encode, decode]]): Codec[] => {
  const of = charset === 'UTF-8' ? '' : ` of ${charset}`;
  return [
    ...(['base64', 'base64url'] as const).map((digits) => ({
      name: `${digits}${of}`,
      encode: (text: string, random: Random) => wrapped(encode(text).toString(digits), random),
      decode: (text: string) => decode(Buffer.from(text.replace(/\s/g, ''), 'base64')),
    })),
    ...Object.entries(BETWEEN_HEX).map(([name, between]) => ({
      name: `${name}${of}`,
      encode: (text: string, random: Random) => hexDigits(encode(text), between, random),
      decode: (text: string) => decode(unHex(text)),
    })),
  ];
});

/** Encodings that escape some characters. */
const ESCAPES: readonly Codec[] = [
  { name: 'JSON.stringify', encode: (text) => JSON.stringify(text).slice(1, -1), decode: unJson },
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what JSON must escape.
  { name: 'JSON', encode: partly(/["\\\x00-\x1f]/, unicodeOf), decode: unJson },
  {
    name: 'JavaScript',
    encode: partly(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: what JavaScript must escape.
      /["'\\\x00-\x1f]/,
      (each, random) =>
        each.charCodeAt(0) < 256 ? `\\x${hexOf(each.charCodeAt(0), 2, random)}` : unicodeOf(each, random),
    ),
    decode: unJson,
  },
  { name: 'octal', encode: partly(/[\\\P{ASCII}]/su, octal), decode: unOctal },
  {
    name: 'U and 8 digits',
    encode: partly(/[\\"]/, (each, random) => `\\U${hexOf(codeOf(each), 8, random)}`),
    decode: unJson,
  },
  {
    name: 'braces',
    encode: partly(/[\\"]/, (each, random) => `\\${pick(random, ['u', 'x'])}{${hexOf(codeOf(each), 1, random)}}`),
    decode: unJson,
  },
  { name: 'encodeURIComponent', encode: (text) => encodeURIComponent(text), decode: unPercent },
  { name: 'encodeURI', encode: (text) => encodeURI(text), decode: unPercent },
  { name: 'percent', encode: partly(/%/, percentOf), decode: unPercent },
  {
    name: 'URLSearchParams',
    encode: (text) => new URLSearchParams({ s: text }).toString().slice(2),
    decode: (text) => unPercent(text.replaceAll('+', ' ')),
  },
  {
    name: 'form',
    encode: partly(/[%+ ]/, (each, random) => (each === ' ' ? '+' : percentOf(each, random))),
    decode: (text) => unPercent(text.replaceAll('+', ' ')),
  },
  { name: 'HTML', encode: partly(/[&<>"]/, entityOf), decode: unHtml },
  { name: 'quoted-printable', encode: quotedPrintable, decode: unQuoted },
];

const everyCharset = (runs: readonly Buffer[]): string[] =>
  runs.length === 0
    ? []
    : Object.values(CHARSETS).flatMap(([, decode]) =>
        [0, 1, 2, 3].map((from) => runs.map((each) => decode(each.subarray(from))).join('\n')),
      );

/** Decodes every run of base64 digits, from each of four offsets, in each character set. */
function everyBase64(text: string): string[] {
  const runs = text.replace(/(?<=[\w+/-])\r?\n[ \t]*(?=[\w+/-])/g, '').match(/[\w+/-]{6,}/g) ?? [];
  return [0, 1, 2, 3].flatMap((from) => everyCharset(runs.map((each) => Buffer.from(each.slice(from), 'base64'))));
}

/** Decodes every run of pairs of hex digits, from both offsets, in each character set. */
function everyHex(text: string): string[] {
  const runs = text.match(/(?:[0-9a-f]|(?<=[0-9a-f])[:, \r\n-]{0,3}(?:0x)?(?=[0-9a-f]{2})){8,}/gi) ?? [];
  return [0, 1].flatMap((from) => everyCharset(runs.map((each) => unHex(each.replace(/0x/gi, '').slice(from)))));
}

const DECODERS: readonly ((text: string) => readonly string[])[] = [
  ...[unJson, unOctal, unPercent, (text: string) => unPercent(text.replaceAll('+', ' ')), unHtml, unQuoted].map(
    (decode) => (text: string) => [decode(text)],
  ),
  everyBase64,
  everyHex,
];

/** A text, and the results of decoding it once and twice. */
function decodings(text: string): Set<string> {
  const decodeAll = (each: string): string[] => DECODERS.flatMap((decode) => decode(each));
  const once = new Set(decodeAll(text));
  return new Set([text, ...once, ...[...once].flatMap(decodeAll)]);
}

/** Whether a text shows a secret to a reader with the decoders of this file. */
export const shows = (text: string, value: string): boolean =>
  [...decodings(text)].some((each) => each.includes(value));

/** A secret in a response. */
export interface EncodedCase {
  readonly secret: string;
  /** The names of the encodings, the inner one first. */
  readonly names: readonly string[];
  /** Parts with the secret and other ones, separated. */
  readonly text: string;
  readonly parts: readonly { readonly text: string; readonly hasSecret: boolean }[];
  readonly separator: string;
  /** The text before and after the secret, before it is encoded. */
  readonly context: readonly [before: string, after: string];
  /** Decodes a part as a client does. */
  readonly decode: (text: string) => string;
}

const BEFORE = ['', 'a', 'ab', 'abc', ' ', '{"k":"', '<p>', 'key: ', 'x@', '100 ', '\n', 'é', 'Basic ', '("'];
const AFTER = ['', ' b', '"}', '</p>', '\n', '; c', '!', '")', ' é'];
const LETTERS = [...'abcdefghijklmnopqrstuvwyzABCDEFGHIJKLMNOPQRSTUVWYZ0123456789'];
const SIGNS = [...'/+&\'"<>=%\\-_.:;#!$@*()[]{}~^|, ü€é😀'];
const SEPARATORS = ['","k":"', '\t|\t', '</a><a>', ';\r\n\r\n', '&k='];
/** A separator that no encoder writes. */
const RARE_SEPARATOR = '\u00a6\u0001\u00a6';
const OTHER_TEXTS = ['', 'some readable text', 'café 12 oz', '{"upc":"012345678905"}'];

const secret = fc
  .array(fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...LETTERS) }, fc.constantFrom(...SIGNS)), {
    minLength: 6,
    maxLength: 40,
  })
  .map((letters) => letters.join(''))
  .filter((each) => each === each.trim() && !/^[\d.,' +$€%-]*$/.test(each) && isSearched(each));

const isSearched = (value: string): boolean =>
  Object.keys(protectionOf(value).registry.searchExclusions()).length === 0 && Buffer.byteLength(value) >= 6;

/** A protection that hides one declared secret. */
export const protectionOf = (value: string): Protection =>
  new Protection({ declared: [{ name: 'secret', value, isCredential: true }] });

const codec = fc.oneof(fc.constantFrom(...ESCAPES), fc.constantFrom(...DIGITS));
/** Escapes in UTF-16 and UTF-32 are not decoded. */
const outer = fc.oneof(
  fc.constantFrom(...ESCAPES),
  fc.constantFrom(...DIGITS.filter(({ name }) => !name.includes('UTF'))),
);

/** Secrets in one encoding, or in two nested ones, also repeated, between other encoded texts. */
export const encodedCase: fc.Arbitrary<EncodedCase> = fc
  .record({
    secret,
    chain: fc.oneof(fc.tuple(codec), fc.tuple(codec, outer)),
    inner: fc.tuple(fc.constantFrom(...BEFORE), fc.constantFrom(...AFTER)),
    others: fc.array(fc.tuple(codec, fc.constantFrom(...OTHER_TEXTS)), { maxLength: 3 }),
    repetitions: fc.integer({ min: 1, max: 3 }),
    isSameSpelling: fc.boolean(),
    wanted: fc.constantFrom(...SEPARATORS),
    seed: fc.nat(),
  })
  .map(({ secret: value, chain, inner, others, repetitions, isSameSpelling, wanted, seed }) => {
    const random = randomOf(seed);
    const [before, after] = inner;
    const encoded = (): string => chain.reduce((each, { encode }) => encode(each, random), `${before}${value}${after}`);
    const first = encoded();
    const withSecret = [first, ...Array.from({ length: repetitions - 1 }, () => (isSameSpelling ? first : encoded()))];
    const parts = withSecret.map((text) => ({ text, hasSecret: true }));
    for (const [at, [{ encode }, text]] of others.entries()) {
      const other = { text: encode(text, random), hasSecret: false };
      parts.splice(at % (parts.length + 1), 0, other);
    }
    // A quote at either end of a secret may be a delimiter; `=` and two digits are quoted-printable.
    const isAmbiguous =
      /^"|"$/.test(value) ||
      (wanted.endsWith('=') && chain.some(({ name }) => name === 'quoted-printable')) ||
      parts.some(({ text }) => text.includes(wanted));
    const separator = isAmbiguous ? RARE_SEPARATOR : wanted;
    return {
      secret: value,
      names: chain.map(({ name }) => name),
      text: parts.map(({ text }) => text).join(separator),
      parts,
      separator,
      context: inner,
      decode: (given: string) => chain.reduceRight((each, { decode }) => decode(each), given),
    };
  });

/** Hides a secret in a text; throws if the secret is still readable, or if any other part of the text changed. */
export function checkHiding({ secret: value, names, text, parts, separator, context, decode }: EncodedCase): void {
  const fail = (why: string): never => {
    throw new Error(`${why}: ${JSON.stringify({ value, names, text, hidden })}`);
  };
  const protection = protectionOf(value);
  const hidden = protection.text(text, { side: 'response' });
  const hiddenParts = hidden.split(separator);
  if (hiddenParts.length !== parts.length) fail('a separator is lost');
  const redacted = redactor([value])(text);
  const [before, after] = context;
  // Base64 keeps the digits that contain bits of the surrounding text, and so some bits of the first and the last letter.
  // A character that begins an escape, at the end of a secret, may begin one; a quote at either end may be a delimiter.
  const isWhole = !names.some((each) => each.startsWith('base64')) && !/[%\\&=]$/.test(value);
  const isQuoted = /^"|"$/.test(value);
  for (const [at, part] of parts.entries()) {
    const hiddenPart = hiddenParts[at] as string;
    if (!part.hasSecret && hiddenPart !== part.text) fail('another part changed');
    if (!part.hasSecret) continue;
    if (!decode(part.text).includes(value)) fail('the encoders are broken');
    const read = decode(hiddenPart);
    if (read.includes(value)) fail('the secret is readable');
    if (isWhole && !isQuoted && !/^mdwiSecretx*$/.test(read.slice(before.length, read.length - after.length)))
      fail('the replacement is not a placeholder');
    if (!isQuoted && !(read.startsWith(before) && read.endsWith(after))) fail('the surrounding text is lost');
  }
  if (shows(hidden, value)) fail('the secret is readable');
  if (protection.text(hidden, { side: 'response' }) !== hidden) fail('hiding is not idempotent');
  if (redacted.split(separator).some((each) => decode(each).includes(value)) || shows(redacted, value))
    fail('a report shows it');
}

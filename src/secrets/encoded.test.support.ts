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
const unescapeBytes = (text: string, pattern: RegExp): string =>
  latin1(bytesOf(text).replace(pattern, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))));

const JSON_SHORT: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
const unJson = (text: string): string =>
  text.replace(/\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|(.))/gis, (_, four, two, one) =>
    four || two ? String.fromCharCode(Number.parseInt(four ?? two, 16)) : (JSON_SHORT[one] ?? one),
  );
const unPercent = (text: string): string => unescapeBytes(text, /%([0-9a-f]{2})/gi);
const unHtml = (text: string): string =>
  text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name) return Object.entries(NAMED).find(([, each]) => each === name)?.[0] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code < 0x110000 ? String.fromCodePoint(code) : whole;
  });
const unQuoted = (text: string): string => unescapeBytes(text.replace(/=[ \t]*\r?\n/g, ''), /=([0-9a-f]{2})/gi);
const unBase64 = (text: string): string => Buffer.from(text.replace(/\s/g, ''), 'base64').toString('utf8');

/** The encodings of secrets. */
export const CODECS: readonly Codec[] = [
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
  {
    name: 'base64',
    encode: (text, random) => wrapped(Buffer.from(text).toString('base64'), random),
    decode: unBase64,
  },
  {
    name: 'base64url',
    encode: (text, random) => wrapped(Buffer.from(text).toString('base64url'), random),
    decode: unBase64,
  },
];

/** Decodes every run of base64 digits, from each of four offsets. */
function everyBase64(text: string): string[] {
  const runs = text.replace(/(?<=[\w+/-])\r?\n[ \t]*(?=[\w+/-])/g, '').match(/[\w+/-]{6,}/g) ?? [];
  return [0, 1, 2, 3].map((from) => runs.map((each) => Buffer.from(each.slice(from), 'base64').toString()).join('\n'));
}

const DECODERS: readonly ((text: string) => readonly string[])[] = [
  ...[unJson, unPercent, (text: string) => unPercent(text.replaceAll('+', ' ')), unHtml, unQuoted].map(
    (decode) => (text: string) => [decode(text)],
  ),
  everyBase64,
];

/** A text, and the results of decoding it once and twice. */
export function decodings(text: string): string[] {
  const once = DECODERS.flatMap((each) => each(text));
  return [text, ...once, ...once.flatMap((each) => DECODERS.flatMap((again) => again(each)))];
}

/** A secret in a response. */
export interface EncodedCase {
  readonly secret: string;
  /** The names of the encodings, the inner one first. */
  readonly names: readonly string[];
  readonly text: string;
  /** The text before and after the secret, before it is encoded. */
  readonly context: readonly [before: string, after: string];
  /** Decodes the text as a client does. */
  readonly decode: (text: string) => string;
}

const BEFORE = ['', 'a', 'ab', 'abc', ' ', '{"k":"', '<p>', 'key: ', 'x@', '100 ', '\n', 'é', 'Basic ', '("'];
const AFTER = ['', ' b', '"}', '</p>', '\n', '; c', '!', '")', ' é'];
const LETTERS = [...'abcdefghijklmnopqrstuvwyzABCDEFGHIJKLMNOPQRSTUVWYZ0123456789'];
const SIGNS = [...'/+&\'"<>=%\\-_.:;#!$@*()[]{}~^|, ü€é😀'];

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

/** Secrets in one encoding, or in two nested ones. */
export const encodedCase: fc.Arbitrary<EncodedCase> = fc
  .record({
    secret,
    chain: fc.array(fc.constantFrom(...CODECS), { minLength: 1, maxLength: 2 }),
    inner: fc.tuple(fc.constantFrom(...BEFORE), fc.constantFrom(...AFTER)),
    seed: fc.nat(),
  })
  .map(({ secret: value, chain, inner, seed }) => {
    const random = randomOf(seed);
    const [before, after] = inner;
    const text = chain.reduce((each, { encode }) => encode(each, random), `${before}${value}${after}`);
    return {
      secret: value,
      names: chain.map(({ name }) => name),
      text,
      context: inner,
      decode: (given) => chain.reduceRight((each, { decode }) => decode(each), given),
    };
  });

/** Hides a secret in a text; throws if the secret is still readable, or if any other part of the text changed. */
export function checkHiding({ secret: value, names, text, context, decode }: EncodedCase): void {
  const fail = (why: string): never => {
    throw new Error(`${why}: ${JSON.stringify({ value, names, text, hidden })}`);
  };
  const protection = protectionOf(value);
  const hidden = protection.text(text, { side: 'response' });
  if (!decode(text).includes(value)) fail('the encoders are broken');
  if (decodings(hidden).some((each) => each.includes(value))) fail('the secret is readable');
  const [before, after] = context;
  const read = decode(hidden);
  // Base64 keeps the digits that contain bits of the surrounding text, and so some bits of the first and the last letter.
  // A character that begins an escape, at the end of a secret, may begin one; a quote at either end may be a delimiter.
  const isWhole = !names.some((each) => each.startsWith('base64')) && !/[%\\&=]$/.test(value);
  const isQuoted = /^"|"$/.test(value);
  if (isWhole && !isQuoted && !/^mdwiSecretx*$/.test(read.slice(before.length, read.length - after.length)))
    fail('the replacement is not a placeholder');
  if (!isQuoted && !(read.startsWith(before) && read.endsWith(after))) fail('the surrounding text is lost');
  if (protection.text(hidden, { side: 'response' }) !== hidden) fail('hiding is not idempotent');
  if (decodings(redactor([value])(text)).some((each) => each.includes(value))) fail('a report shows it');
}

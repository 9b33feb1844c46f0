/**
 * The forms a secret takes on its way into a file: as it is, in a URL, a form, JSON, XML, base64, hex, a common hash.
 * Each form is one function, applied to the secret to find it and to its placeholder to write that in the same form.
 */
import { createHash } from 'node:crypto';

/** Shorter values would blank out ordinary text (a user name `a`, a tenant `42`) and are not secrets worth the name. */
export const SHORTEST = 4;
/** Fewer letters of base64 stand in any picture by chance. */
const SHORTEST_INSIDE_BASE64 = 6;

type Spell = (text: string) => string;

const inJson: Spell = (text) => JSON.stringify(text).slice(1, -1);
const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');
const unicodeEscapes =
  (which: RegExp, upper: boolean): Spell =>
  (text) =>
    inJson(text)
      .replaceAll('\\"', '"')
      .replace(which, (each) => {
        const digits = hex(each.charCodeAt(0), 4);
        return `\\u${upper ? digits.toUpperCase() : digits}`;
      });
// biome-ignore lint/suspicious/noControlCharactersInRegex: all that is not ASCII.
const NOT_ASCII = /[^\x00-\x7f]/g;
const jsonAscii: Spell = (text) => inJson(text).replace(NOT_ASCII, (each) => `\\u${hex(each.charCodeAt(0), 4)}`);
// biome-ignore lint/suspicious/noControlCharactersInRegex: all that is not ASCII, and what .NET escapes besides.
const DOTNET = /[^\x00-\x7f]|["&'<>+`]/g;

/** Every letter escaped, as no library does and anybody may. */
const jsonEvery =
  (upper: boolean): Spell =>
  (text) =>
    Array.from({ length: text.length }, (_, at) => hex(text.charCodeAt(at), 4))
      .map((digits) => `\\u${upper ? digits.toUpperCase() : digits}`)
      .join('');

const lowerHex: Spell = (text) => text.replace(/%[0-9A-F]{2}/g, (each) => each.toLowerCase());
const percentEvery: Spell = (text) =>
  [...Buffer.from(text, 'utf8')].map((byte) => `%${hex(byte, 2).toUpperCase()}`).join('');
/** A lone surrogate has no encoding; it goes out as the replacement character. */
const percent: Spell = (text) => encodeURIComponent(text.toWellFormed());
const percentStrict: Spell = (text) =>
  percent(text).replace(/[!'()*]/g, (each) => `%${hex(each.charCodeAt(0), 2).toUpperCase()}`);
const form: Spell = (text) => new URLSearchParams({ s: text }).toString().slice(2);
const xml =
  (quote: string, apostrophe: string): Spell =>
  (text) =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', quote)
      .replaceAll("'", apostrophe);
const xmlAscii =
  (spell: (code: number) => string): Spell =>
  (text) =>
    xml('&quot;', '&apos;')(text).replace(/[\u{80}-\u{10ffff}]/gu, (each) => spell(each.codePointAt(0) as number));

/** Forms that are text, and may stand in JSON once more: a recording holds JSON bodies as strings of JSON. */
const TEXTS: readonly Spell[] = [
  (text) => text,
  percent,
  (text) => lowerHex(percent(text)),
  percentStrict,
  (text) => lowerHex(percentStrict(text)),
  (text) => encodeURI(text.toWellFormed()),
  form,
  (text) => lowerHex(form(text)),
  percentEvery,
  (text) => lowerHex(percentEvery(text)),
  (text) => percent(percent(text)),
  inJson,
  (text) => inJson(text).replaceAll('/', '\\/'),
  // Python, and PHP, which escapes slashes besides.
  (text) => jsonAscii(text),
  (text) => jsonAscii(text).replaceAll('/', '\\/'),
  (text) => inJson(text).replace(NOT_ASCII, (each) => `\\u${hex(each.charCodeAt(0), 4).toUpperCase()}`),
  // Go, Ruby on Rails and .NET escape what HTML would read.
  (text) => inJson(text).replace(/[<>&]/g, (each) => `\\u${hex(each.charCodeAt(0), 4)}`),
  unicodeEscapes(DOTNET, true),
  unicodeEscapes(DOTNET, false),
  jsonEvery(false),
  jsonEvery(true),
  xml('"', "'"),
  xml('&quot;', "'"),
  xml('&quot;', '&apos;'),
  xml('&quot;', '&#39;'),
  xml('&#34;', '&#39;'),
  xmlAscii((code) => `&#${code};`),
  xmlAscii((code) => `&#x${code.toString(16)};`),
  xmlAscii((code) => `&#x${code.toString(16).toUpperCase()};`),
  // A cell of CSV.
  (text) => text.replaceAll('"', '""'),
  // A word of a shell, as reports print commands.
  (text) => text.replaceAll("'", `'\\''`),
  // UTF-8 that was read as Latin-1, as header lines are.
  (text) => Buffer.from(text, 'utf8').toString('latin1'),
];

const HASHES = ['md5', 'sha1', 'sha256', 'sha512'] as const;

/** `pad` makes a placeholder as long as the secret, modulo 3, so that base64 around it stays in step. */
type Encode = (text: string, pad: (text: string) => string) => Buffer;

const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');
const urlSafe = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_');
const unpadded = (text: string): string => text.replace(/=+$/, '');

/** The digits of base64 that hold bits of the text alone when so many bytes (modulo 3) stand before it. */
const insideBase64 =
  (offset: number): Spell =>
  (text) => {
    const bytes = Buffer.from(text, 'utf8');
    const whole = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return whole.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  };
const wholeBase64: Spell = (text) => unpadded(Buffer.from(text, 'utf8').toString('base64'));

const BASE64: readonly Spell[] = [wholeBase64, ...[0, 1, 2].map(insideBase64)];

const digest = (hash: string, text: string) => createHash(hash).update(text, 'utf8').digest();

interface Form {
  readonly name: string;
  readonly encode: Encode;
  readonly shortest: number;
}

const FORMS: readonly Form[] = [
  ...TEXTS.flatMap((spell, at): Form[] => [
    { name: at === 0 ? 'raw' : 'escaped', encode: (text) => Buffer.from(spell(text), 'utf8'), shortest: SHORTEST },
    { name: 'escaped', encode: (text) => Buffer.from(inJson(spell(text)), 'utf8'), shortest: SHORTEST },
  ]),
  { name: 'Latin-1', encode: (text) => ascii(text), shortest: SHORTEST },
  { name: 'UTF-16', encode: (text) => Buffer.from(text, 'utf16le'), shortest: SHORTEST },
  { name: 'UTF-16', encode: (text) => Buffer.from(text, 'utf16le').swap16(), shortest: SHORTEST },
  ...BASE64.flatMap((spell): Form[] => [
    { name: 'base64', encode: (text, pad) => ascii(spell(pad(text))), shortest: SHORTEST_INSIDE_BASE64 },
    { name: 'base64', encode: (text, pad) => ascii(urlSafe(spell(pad(text)))), shortest: SHORTEST_INSIDE_BASE64 },
  ]),
  { name: 'hex', encode: (text) => ascii(Buffer.from(text).toString('hex')), shortest: SHORTEST },
  { name: 'hex', encode: (text) => ascii(Buffer.from(text).toString('hex').toUpperCase()), shortest: SHORTEST },
  ...HASHES.flatMap((hash): Form[] => [
    { name: hash, encode: (text) => ascii(digest(hash, text).toString('hex')), shortest: SHORTEST },
    { name: hash, encode: (text) => ascii(digest(hash, text).toString('hex').toUpperCase()), shortest: SHORTEST },
    { name: hash, encode: (text) => ascii(unpadded(digest(hash, text).toString('base64'))), shortest: SHORTEST },
    { name: hash, encode: (text) => ascii(digest(hash, text).toString('base64url')), shortest: SHORTEST },
  ]),
];

/** A secret in one form, and its placeholder in the same. */
export interface SpelledForm {
  /** E.g. `raw`, `base64`, `sha256`; several escapings share the name `escaped`. */
  readonly form: string;
  readonly bytes: Buffer;
  readonly placeholder: Buffer;
}

/**
 * Every form of a secret, each once, the raw one first. A value shorter than 4 characters has none.
 * @example formsOf('s3cret', 'mdwiPassword').map((each) => each.form) // ['raw', 'escaped', …, 'base64', 'hex', 'md5', …]
 */
export function formsOf(secret: string, placeholder: string): SpelledForm[] {
  if (secret.length < SHORTEST) return [];
  const rest = Buffer.byteLength(secret, 'utf8') % 3;
  const inStep = (text: string): string => {
    if (text === secret) return text;
    const lacking = (rest - (Buffer.byteLength(text, 'utf8') % 3) + 3) % 3;
    return text + 'x'.repeat(lacking);
  };
  const found = new Map<string, SpelledForm>();
  for (const { name, encode, shortest } of FORMS) {
    const bytes = encode(secret, inStep);
    const key = bytes.toString('latin1');
    if (bytes.length < shortest || found.has(key)) continue;
    found.set(key, { form: name, bytes, placeholder: encode(placeholder, inStep) });
  }
  return [...found.values()];
}

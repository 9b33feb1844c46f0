/**
 * The forms a secret takes in bytes: as it is in several character sets, in base64, hex, a common hash. What escapes make
 * of it is not listed here, for they are undone before it is sought (`search.ts`). Each form is one function, applied to
 * the secret to find it and to its placeholder to write that in the same form.
 */
import { createHash } from 'node:crypto';

/** Shorter values would blank out ordinary text (a user name `a`, a tenant `42`) and are not secrets worth the name. */
export const SHORTEST = 4;
/** Fewer letters of base64 stand in any picture by chance. */
const SHORTEST_INSIDE_BASE64 = 6;

type Spell = (text: string) => string;

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
  { name: 'raw', encode: (text) => Buffer.from(text, 'utf8'), shortest: SHORTEST },
  // UTF-8 that was read as Latin-1, as header lines are.
  { name: 'escaped', encode: (text) => Buffer.from(Buffer.from(text, 'utf8').toString('latin1')), shortest: SHORTEST },
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
export interface EncodedForm {
  /** E.g. `raw`, `base64`, `sha256`. */
  readonly form: string;
  readonly bytes: Buffer;
  /** The placeholder, padded so many times: with one letter, in base64 with three. */
  spell(padding?: number): Buffer;
}

/**
 * Every form of a secret, each once, the raw one first. A value shorter than 4 characters has none.
 * @example formsOf('s3cret', 'mdwiPassword').map((each) => each.form) // ['raw', 'UTF-16', …, 'base64', 'hex', 'md5', …]
 */
export function formsOf(secret: string, placeholder: string): EncodedForm[] {
  if (secret.length < SHORTEST) return [];
  const rest = Buffer.byteLength(secret, 'utf8') % 3;
  const found = new Map<string, EncodedForm>();
  for (const { name, encode, shortest } of FORMS) {
    const bytes = encode(secret, (text) => text);
    const key = bytes.toString('latin1');
    if (bytes.length < shortest || found.has(key)) continue;
    const spell = (padding = 0): Buffer => {
      const inStep = (text: string): string =>
        text + 'x'.repeat(((rest - (Buffer.byteLength(text, 'utf8') % 3) + 3) % 3) + 3 * padding);
      const padded = name === 'base64' ? placeholder : placeholder + 'x'.repeat(padding);
      return encode(padded, inStep);
    };
    found.set(key, { form: name, bytes, spell });
  }
  return [...found.values()];
}

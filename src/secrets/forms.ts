/**
 * The forms of a secret in bytes: in several character sets, in base64, hex, and common hashes. Escapes are not listed:
 * `search.ts` decodes them first. Each form is one function, applied to the secret to find it and to its placeholder to
 * write it in the same form.
 */
import { createHash } from 'node:crypto';

/** Shorter values (a user name `a`, a tenant `42`) occur in ordinary text, and are too short for a secret. */
export const SHORTEST = 4;
/** Fewer digits of base64 occur in any image by chance. */
const SHORTEST_INSIDE_BASE64 = 6;

type Base64Encoder = (text: string) => string;

const HASHES = ['md5', 'sha1', 'sha256', 'sha512'] as const;

/** `pad` gives a placeholder the length of the secret modulo 3, so that the base64 around it stays aligned. */
type Encode = (text: string, pad: (text: string) => string) => Buffer;

const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');
const urlSafe = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_');
const unpadded = (text: string): string => text.replace(/=+$/, '');

/** The digits of base64 that contain bits of the text only, after so many other bytes (modulo 3). */
const insideBase64 =
  (offset: number): Base64Encoder =>
  (text) => {
    const bytes = Buffer.from(text, 'utf8');
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  };
const completeBase64: Base64Encoder = (text) => unpadded(Buffer.from(text, 'utf8').toString('base64'));

const BASE64: readonly Base64Encoder[] = [completeBase64, ...[0, 1, 2].map(insideBase64)];

const digest = (hash: string, text: string) => createHash(hash).update(text, 'utf8').digest();

interface Form {
  readonly name: string;
  readonly encode: Encode;
  readonly shortest: number;
}

const FORMS: readonly Form[] = [
  { name: 'raw', encode: (text) => Buffer.from(text, 'utf8'), shortest: SHORTEST },
  // UTF-8 decoded as Latin-1, as in header lines.
  { name: 'escaped', encode: (text) => Buffer.from(Buffer.from(text, 'utf8').toString('latin1')), shortest: SHORTEST },
  { name: 'Latin-1', encode: (text) => ascii(text), shortest: SHORTEST },
  { name: 'UTF-16', encode: (text) => Buffer.from(text, 'utf16le'), shortest: SHORTEST },
  { name: 'UTF-16', encode: (text) => Buffer.from(text, 'utf16le').swap16(), shortest: SHORTEST },
  ...BASE64.flatMap((encodePlaceholder): Form[] => [
    { name: 'base64', encode: (text, pad) => ascii(encodePlaceholder(pad(text))), shortest: SHORTEST_INSIDE_BASE64 },
    {
      name: 'base64',
      encode: (text, pad) => ascii(urlSafe(encodePlaceholder(pad(text)))),
      shortest: SHORTEST_INSIDE_BASE64,
    },
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
  /** The placeholder in this form, padded so many times: with one letter, in base64 with three. */
  encodePlaceholder(padding?: number): Buffer;
}

/**
 * Every distinct form of a secret, the raw one first. A value shorter than 4 characters has none.
 * @example formsOf('s3cret', 'mdwiPassword').map((each) => each.form) // ['raw', 'UTF-16', …, 'base64', 'hex', 'md5', …]
 */
export function formsOf(secret: string, placeholder: string): EncodedForm[] {
  if (secret.length < SHORTEST) return [];
  const lengthRemainder = Buffer.byteLength(secret, 'utf8') % 3;
  const found = new Map<string, EncodedForm>();
  for (const { name, encode, shortest } of FORMS) {
    const bytes = encode(secret, (text) => text);
    const key = bytes.toString('latin1');
    if (bytes.length < shortest || found.has(key)) continue;
    const encodePlaceholder = (padding = 0): Buffer => {
      const aligned = (text: string): string =>
        text + 'x'.repeat(((lengthRemainder - (Buffer.byteLength(text, 'utf8') % 3) + 3) % 3) + 3 * padding);
      const padded = name === 'base64' ? placeholder : placeholder + 'x'.repeat(padding);
      return encode(padded, aligned);
    };
    found.set(key, { form: name, bytes, encodePlaceholder });
  }
  return [...found.values()];
}

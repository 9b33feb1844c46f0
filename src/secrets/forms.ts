/**
 * The forms of a secret in bytes: in several character sets, and common hashes. Escapes, base64 and hex are not listed:
 * `search.ts` decodes them first. Each form is one function, applied to the secret to find it and to its placeholder to
 * write it in the same form.
 */
import { createHash } from 'node:crypto';
import type { MatchForm } from './match.ts';
import type { Bounds, MultiSearch } from './multi-search.ts';

/** Shorter values (a user name `a`, a tenant `42`) occur in ordinary text, and are too short for a secret. */
export const SHORTEST = 4;

const HASHES = ['md5', 'sha1', 'sha256', 'sha512'] as const;

const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');
const unpadded = (text: string): string => text.replace(/=+$/, '');

function utf32(text: string): Buffer {
  const codes = [...text].map((each) => each.codePointAt(0) as number);
  const bytes = Buffer.alloc(codes.length * 4);
  for (const [at, code] of codes.entries()) bytes.writeUInt32LE(code, at * 4);
  return bytes;
}

const digest = (hash: string, text: string) => createHash(hash).update(text, 'utf8').digest();

interface Form {
  readonly name: string;
  readonly encode: (text: string) => Buffer;
}

const FORMS: readonly Form[] = [
  { name: 'raw', encode: (text) => Buffer.from(text, 'utf8') },
  // UTF-8 decoded as Latin-1, as in header lines.
  { name: 'escaped', encode: (text) => Buffer.from(Buffer.from(text, 'utf8').toString('latin1')) },
  { name: 'Latin-1', encode: ascii },
  { name: 'UTF-16', encode: (text) => Buffer.from(text, 'utf16le') },
  { name: 'UTF-16', encode: (text) => Buffer.from(text, 'utf16le').swap16() },
  { name: 'UTF-32', encode: utf32 },
  { name: 'UTF-32', encode: (text) => utf32(text).swap32() },
  ...HASHES.flatMap((hash): Form[] => [
    { name: hash, encode: (text) => ascii(digest(hash, text).toString('hex')) },
    { name: hash, encode: (text) => ascii(digest(hash, text).toString('hex').toUpperCase()) },
    { name: hash, encode: (text) => ascii(unpadded(digest(hash, text).toString('base64'))) },
    { name: hash, encode: (text) => ascii(digest(hash, text).toString('base64url')) },
  ]),
];

/** A secret in one form, e.g. `raw`, `UTF-16`, `sha256`, and its placeholder in the same. */
interface EncodedForm extends Omit<MatchForm, 'secret'> {
  readonly bytes: Buffer;
}

/**
 * Every distinct form of a secret, the raw one first. A value shorter than 4 characters has none.
 * @example formsOf('s3cret', 'mdwiPassword').map((each) => each.form) // ['raw', 'UTF-16', …, 'md5', …]
 */
export function formsOf(secret: string, placeholder: string): EncodedForm[] {
  if (secret.length < SHORTEST) return [];
  const found = new Map<string, EncodedForm>();
  for (const { name, encode } of FORMS) {
    const bytes = encode(secret);
    const key = bytes.toString('latin1');
    const encodePlaceholder = (padding = 0): Buffer => encode(placeholder + 'x'.repeat(padding));
    if (!found.has(key)) found.set(key, { form: name, bytes, encodePlaceholder });
  }
  return [...found.values()];
}

/**
 * Adds every form of a secret to needles.
 * @param bounds of the raw form
 */
export function addForms<T>(
  needles: readonly MultiSearch<MatchForm<T>>[],
  secret: T,
  { value, placeholder }: { readonly value: string; readonly placeholder: string },
  bounds: Bounds = 'none',
): void {
  for (const { bytes, ...form } of formsOf(value, placeholder))
    for (const each of needles) each.add(bytes, { secret, ...form }, form.form === 'raw' ? bounds : 'none');
}

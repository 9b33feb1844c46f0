/** Values of an input that no list of the service contains, in the form of one that a list contains (the format of ids: not shown, section 2). */
import type { InputValue } from '../profile/template.ts';
import { seededHash } from './seeded-hash.ts';
import { unissuedIdLike } from './unissued-id.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const BASE64 = /^[A-Za-z0-9+/_-]{8,}={0,2}$/;
const PRINTABLE = /^[\x20-\x7e]+$/;
/** With fewer digits, a service may have issued most numbers of the length. */
const MIN_DIGITS = 5;
/** With fewer letters and digits, it may have issued most ids of the length. */
const MIN_CHARACTERS = 5;
const RANDOM_LETTERS = 9;
const digitOf = (hash: number): string => String(hash % 10);
const letterOf = (hash: number, isUpper: boolean, letters = 26): string =>
  String.fromCharCode((isUpper ? 65 : 97) + (hash % letters));

/** The text with other digits and, unless there are many digits, other letters; undefined if it has too few of both. */
function ofSameLength(text: string, seed: number): string | undefined {
  const isNumbered = (text.match(/\d/g)?.length ?? 0) >= MIN_DIGITS;
  // Other letters would make another path of an id that is one.
  const isShort = (text.match(/[A-Za-z0-9]/g)?.length ?? 0) < MIN_CHARACTERS;
  if (!isNumbered && (isShort || text.includes('/'))) return undefined;
  const letters = /[g-z]/i.test(text) ? 26 : 6;
  // The characters of an escaped one belong together.
  const characters = text.match(/%[0-9a-f]{2}|./gis) ?? [];
  return characters
    .map((each, at) => {
      const hash = seededHash(`${at} ${text}`, seed);
      if (/^\d$/.test(each))
        return each !== '0' && characters[at - 1] === undefined ? String(1 + (hash % 9)) : digitOf(hash);
      return !isNumbered && /^[A-Za-z]$/.test(each) ? letterOf(hash, /[A-Z]/.test(each), letters) : each;
    })
    .join('');
}

/** The text with longer numbers or, without numbers, letters alone. */
const ofOtherLength = (text: string, seed: number): string =>
  unissuedIdLike(text, seed) ??
  Array.from({ length: RANDOM_LETTERS }, (_, at) =>
    letterOf(seededHash(`${at} ${text}`, seed), text !== text.toLowerCase()),
  ).join('');

/** The text in base64, if it is one of printable characters in it. */
function decoded(text: string): { readonly inner: string; readonly write: (inner: string) => string } | undefined {
  if (!BASE64.test(text)) return undefined;
  const encoding = /[-_]/.test(text) ? 'base64url' : 'base64';
  const inner = Buffer.from(text, encoding).toString('latin1');
  const write = (each: string): string => Buffer.from(each, 'latin1').toString(encoding);
  return PRINTABLE.test(inner) && write(inner) === text ? { inner, write } : undefined;
}

/** A text like the id. `other`: of another length. */
function like(id: string, seed: number, form: 'same' | 'other'): string | undefined {
  if (UUID.test(id)) return form === 'same' ? unissuedIdLike(id, seed) : undefined;
  const encoded = decoded(id);
  if (encoded) {
    const inner = like(encoded.inner, seed, form);
    return inner === undefined ? undefined : encoded.write(inner);
  }
  return form === 'same' ? ofSameLength(id, seed) : ofOtherLength(id, seed);
}

/**
 * Returns values like an id that the service hardly issued: first one of the same length and alphabet, if there are enough
 * of them, then one of another length, with longer numbers. A number stays a number.
 *
 * @param seed another seed gives other values
 * @example unlistedIdsLike(1001, 1) // [948205117]
 * @example unlistedIdsLike('DIM-00017', 1) // ['DIM-83920', 'DIM-948205117']
 */
export const unlistedIdsLike = (id: InputValue, seed: number): readonly InputValue[] =>
  (['same', 'other'] as const).flatMap((form): InputValue[] => {
    const other = like(String(id), seed, form);
    return other === undefined || other === String(id) ? [] : [typeof id === 'number' ? Number(other) : other];
  });

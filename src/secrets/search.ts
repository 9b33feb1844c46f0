/**
 * Searches bytes for secrets in decoded views: a view contains the secret whatever characters an encoder escaped, and
 * each position of a view maps to an interval of the original. Nested encodings are decoded two levels deep.
 */
import { digitTexts, matchesInTexts } from './decoded-digits.ts';
import { DecodedText, holdsEscape } from './decoded-text.ts';
import { JSON_ENCODING, TEXT_ENCODINGS, type TextEncoding, WRAPPED_DIGITS } from './encodings.ts';
import type { Match, MatchForm } from './match.ts';
import type { MultiSearch } from './multi-search.ts';

/** How many nested encodings are decoded, in addition to base64 or hex within them. */
const DEPTH = 2;
/** How many bytes encodings make of one, in the longest common case: each character as `\uNNNN`, escaped twice. */
const EXPANSION = 32;
const MAX_ENCODED_LENGTH = 256 * 1024;

/** The maximum length of an encoded needle, in bytes; only encodings of very long ones exceed it. */
export const maxEncodedLength = (needles: MultiSearch<unknown>): number =>
  Math.min(EXPANSION * needles.longest, Math.max(MAX_ENCODED_LENGTH, needles.longest)) + 1;

/** How many bytes before a position are context for a match there. */
export const CONTEXT_BYTES = 8;
/** Longer runs of backslashes are not escapes of doubly encoded text. */
const MAX_BACKSLASHES = 64;
const BACKSLASH = 0x5c;

/** Where the context of a position begins: never within a run of backslashes, of which every second is escaped. */
export function contextStart(bytes: Buffer, position: number): number {
  let at = Math.max(0, position - CONTEXT_BYTES);
  while (at > 0 && position - at < MAX_BACKSLASHES && bytes[at - 1] === BACKSLASH) at--;
  return at;
}

/** Matches in bytes without decoding. */
const plainMatches = <T>(bytes: Buffer, needles: MultiSearch<MatchForm<T>>, isBounded = true): Match<T>[] =>
  needles.all(bytes, isBounded).map(({ start, end, value }) => ({ ...value, start, end, breaks: [] }));

/** Secrets in decoded text, without those that are found without decoding. */
function matchesWithin<T>(
  decoded: DecodedText,
  encoding: TextEncoding,
  needles: MultiSearch<MatchForm<T>>,
  { depth, isDecoded }: Nested,
): Match<T>[] {
  // A character next to a secret may be escaped as well; one of two quotes may be the delimiter of the quoted text.
  const margin = encoding.mayQuote && isDecoded ? -1 : 1;
  const matches = allMatches(decoded.bytes, needles, { depth: depth - 1, isDecoded: true });
  return decoded.mapToOriginal(matches.filter(({ start, end }) => decoded.holdsEscape(start - margin, end + margin)));
}

interface Nested {
  /** How many nested encodings are still decoded, in addition to digits; -1: none. */
  readonly depth: number;
  /** The bytes were decoded from another encoding. */
  readonly isDecoded?: boolean;
  /** The bytes were decoded from base64 or hex: a declared secret is hidden there also within a word, since data is hardly encoded so. */
  readonly isOfDigits?: boolean;
}

/** Encoded secrets in bytes. The matches may overlap. */
function encodedMatches<T>(
  bytes: Buffer,
  needles: MultiSearch<MatchForm<T>>,
  nested: Nested = { depth: DEPTH },
): Match<T>[] {
  if (needles.size === 0 || nested.depth < 0) return [];
  const inner: Nested = { depth: nested.depth - 1, isDecoded: true, isOfDigits: true };
  const unwrapped = DecodedText.of(bytes, WRAPPED_DIGITS, needles);
  const digits = unwrapped?.bytes ?? bytes;
  const matches = matchesInTexts(digits, digitTexts(digits, needles), (text) => allMatches(text, needles, inner));
  if (unwrapped) {
    // The last word of a line and the first word of the next do not form a secret.
    const hashes = plainMatches(unwrapped.bytes, needles).filter(({ form }) => form !== 'raw');
    const wrapped = hashes.filter(({ start, end }) => unwrapped.holdsEscape(start, end));
    matches.splice(0, matches.length, ...unwrapped.mapToOriginal([...wrapped, ...matches]));
  }
  if (nested.depth === 0) return matches;
  // Padding of base64 at the end of a line is a soft line break of quoted-printable, too: the next line is not part of it.
  const places = new Map(matches.map((each) => [each.start, each]));
  for (const encoding of TEXT_ENCODINGS) {
    const decoded = DecodedText.of(bytes, encoding, needles);
    for (const each of decoded ? matchesWithin(decoded, encoding, needles, nested) : []) {
      const same = places.get(each.start);
      if (same?.secret !== each.secret || same.form !== each.form) matches.push(each);
    }
  }
  return matches;
}

/** Secrets in bytes, encoded or not. The matches may overlap. */
export const allMatches = <T>(bytes: Buffer, needles: MultiSearch<MatchForm<T>>, nested?: Nested): Match<T>[] => [
  ...plainMatches(bytes, needles, !nested?.isOfDigits),
  ...encodedMatches(bytes, needles, nested),
];

/** Whether bytes contain an encoding that may hide a secret; fast where they contain none. */
export const mayHide = (bytes: Buffer, needles: MultiSearch<unknown>): boolean =>
  needles.size > 0 &&
  ([...TEXT_ENCODINGS, WRAPPED_DIGITS].some((each) => holdsEscape(bytes, each, needles)) ||
    digitTexts(bytes, needles).length > 0);

/**
 * `allMatches` for a JSON file, which contains bodies as strings and so encodes them once more.
 * @example matchesInJson(Buffer.from('{"text":"…"}'), needles)
 */
export function matchesInJson<T>(bytes: Buffer, needles: MultiSearch<MatchForm<T>>): Match<T>[] {
  const decoded = DecodedText.of(bytes, JSON_ENCODING, needles);
  return decoded ? decoded.mapToOriginal(allMatches(decoded.bytes, needles)) : [];
}

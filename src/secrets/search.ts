/**
 * Searches bytes for secrets in decoded views: a view contains the secret whatever characters an encoder escaped, and
 * each position of a view maps to an interval of the original. Nested encodings are decoded two levels deep.
 */
import { decodedBase64, holdsBase64 } from './decoded-base64.ts';
import { DecodedText, holdsEscape } from './decoded-text.ts';
import { JSON_ENCODING, TEXT_ENCODINGS, type TextEncoding, WRAPPED_DIGITS } from './encodings.ts';
import type { Match, MatchForm } from './match.ts';
import type { MultiSearch } from './multi-search.ts';

/** How many nested encodings are decoded. */
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
const plainMatches = <T>(bytes: Buffer, needles: MultiSearch<MatchForm<T>>): Match<T>[] =>
  needles.all(bytes).map(({ start, end, value }) => ({ ...value, start, end, breaks: [] }));

interface Nested {
  /** How many nested encodings are still decoded. */
  readonly depth: number;
  /** The bytes were decoded from another encoding. */
  readonly isDecoded?: boolean;
  /** The bytes were decoded from base64: a secret without an escape was already found by its digits. */
  readonly isBase64?: boolean;
}

/** Secrets in decoded text, without those that are found without decoding. */
function matchesWithin<T>(
  decoded: DecodedText,
  encoding: TextEncoding,
  needles: MultiSearch<MatchForm<T>>,
  nested: Nested,
) {
  // A character next to a secret may be escaped as well; one of two quotes may be the delimiter of the quoted text.
  const margin = encoding.mayQuote && nested.isDecoded ? -1 : nested.isBase64 ? 0 : 1;
  const matches = allMatches(decoded.bytes, needles, { depth: nested.depth - 1, isDecoded: true });
  return decoded.mapToOriginal(matches.filter(({ start, end }) => decoded.holdsEscape(start - margin, end + margin)));
}

/** Encoded secrets in bytes. The matches may overlap. */
export function encodedMatches<T>(
  bytes: Buffer,
  needles: MultiSearch<MatchForm<T>>,
  nested: Nested = { depth: DEPTH },
): Match<T>[] {
  if (needles.size === 0) return [];
  const matches: Match<T>[] = [];
  const unwrapped = DecodedText.of(bytes, WRAPPED_DIGITS, needles);
  if (unwrapped) {
    // The last word of a line and the first word of the next do not form a secret.
    const digits = plainMatches(unwrapped.bytes, needles).filter(({ form }) => form !== 'raw');
    matches.push(...unwrapped.mapToOriginal(digits.filter(({ start, end }) => unwrapped.holdsEscape(start, end))));
  }
  if (nested.depth === 0) return matches;
  for (const encoding of TEXT_ENCODINGS) {
    const decoded = DecodedText.of(bytes, encoding, needles);
    if (decoded) matches.push(...matchesWithin(decoded, encoding, needles, nested));
  }
  // Secrets encoded in base64 only are found by their digits.
  if (nested.depth === 1) return matches;
  for (const decoded of decodedBase64(unwrapped?.bytes ?? bytes, needles)) {
    const found = decoded.matchesWithin((text) => [
      ...plainMatches(text, needles).filter(({ form }) => form !== 'raw'),
      ...encodedMatches(text, needles, { depth: nested.depth - 1, isDecoded: true, isBase64: true }),
    ]);
    const mapped = decoded.mapToOriginal(found);
    matches.push(...(unwrapped ? unwrapped.mapToOriginal(mapped) : mapped));
  }
  return matches;
}

/** Secrets in bytes, encoded or not. The matches may overlap. */
export const allMatches = <T>(bytes: Buffer, needles: MultiSearch<MatchForm<T>>, nested?: Nested): Match<T>[] => [
  ...plainMatches(bytes, needles),
  ...encodedMatches(bytes, needles, nested),
];

/** Whether bytes contain an encoding that may hide a secret; fast where they contain none. */
export const mayHide = (bytes: Buffer, needles: MultiSearch<unknown>): boolean =>
  needles.size > 0 &&
  ([...TEXT_ENCODINGS, WRAPPED_DIGITS].some((each) => holdsEscape(bytes, each, needles)) ||
    holdsBase64(bytes, needles));

/**
 * `allMatches` for a JSON file, which contains bodies as strings and so encodes them once more.
 * @example matchesInJson(Buffer.from('{"text":"…"}'), needles)
 */
export function matchesInJson<T>(bytes: Buffer, needles: MultiSearch<MatchForm<T>>): Match<T>[] {
  const decoded = DecodedText.of(bytes, JSON_ENCODING, needles);
  return decoded ? decoded.mapToOriginal(allMatches(decoded.bytes, needles)) : [];
}

/**
 * Searching bytes for secrets in decoded views of them: whatever characters an encoder escaped, the view shows the secret,
 * and each place of a view is an interval of the original. Encodings are undone one within another, two deep.
 */
import { decodedBase64, holdsBase64 } from './decoded-base64.ts';
import { DecodedText, holdsEscape } from './decoded-text.ts';
import { JSON_ENCODING, TEXT_ENCODINGS, type TextEncoding, WRAPPED_DIGITS } from './encodings.ts';
import type { Match, MatchPlace } from './match.ts';
import type { MultiSearch } from './multi-search.ts';

/** So many encodings within one another are undone. */
const DEPTH = 2;
/** How many bytes encodings make of one, in the longest common case: each character as `\uNNNN`, twice. */
const EXPANSION = 32;
const LONGEST_REACH = 256 * 1024;

/** How many bytes an encoded needle takes at most; encodings make more of very long ones only. */
export const reachOf = (needles: MultiSearch<unknown>): number =>
  Math.min(EXPANSION * needles.longest, Math.max(LONGEST_REACH, needles.longest)) + 1;

/** Bytes before a place that say something of what stands there. */
export const BACK = 8;
/** Longer rows of backslashes are no escapes of what is encoded twice. */
const MOST_BACK = 64;
const BACKSLASH = 0x5c;

/** Where bytes are read from to go on at a place: never within a row of backslashes, of which every second is escaped. */
export function lookBackFrom(bytes: Buffer, place: number): number {
  let at = Math.max(0, place - BACK);
  while (at > 0 && place - at < MOST_BACK && bytes[at - 1] === BACKSLASH) at--;
  return at;
}

/** What is found in bytes as they are. */
const plainMatches = <T>(bytes: Buffer, needles: MultiSearch<MatchPlace<T>>): Match<T>[] =>
  needles.all(bytes).map(({ start, end, value }) => ({ ...value, start, end, breaks: [] }));

interface Nested {
  /** So many encodings within one another are undone. */
  readonly depth: number;
  /** The bytes are what an encoding holds. */
  readonly isDecoded?: boolean;
  /** They are what base64 holds: a secret was found by its digits unless an escape is part of it. */
  readonly isBase64?: boolean;
}

/** Secrets in what one encoding of text holds, without those that are found without undoing it. */
function matchesWithin<T>(
  decoded: DecodedText,
  encoding: TextEncoding,
  needles: MultiSearch<MatchPlace<T>>,
  nested: Nested,
) {
  // What may not stand beside a secret may be an escape there; one of two quotes may as well be that of what is quoted.
  const margin = encoding.mayQuote && nested.isDecoded ? -1 : nested.isBase64 ? 0 : 1;
  const matches = allMatches(decoded.bytes, needles, { depth: nested.depth - 1, isDecoded: true });
  return decoded.lift(matches.filter(({ start, end }) => decoded.holdsEscape(start - margin, end + margin)));
}

/** Secrets that stand in bytes encoded. Their places may overlap. */
export function encodedMatches<T>(
  bytes: Buffer,
  needles: MultiSearch<MatchPlace<T>>,
  nested: Nested = { depth: DEPTH },
): Match<T>[] {
  if (needles.size === 0) return [];
  const matches: Match<T>[] = [];
  const unwrapped = DecodedText.of(bytes, WRAPPED_DIGITS, needles);
  if (unwrapped) {
    // A word that ends one line and one that begins the next are no secret.
    const digits = plainMatches(unwrapped.bytes, needles).filter(({ form }) => form !== 'raw');
    matches.push(...unwrapped.lift(digits.filter(({ start, end }) => unwrapped.holdsEscape(start, end))));
  }
  if (nested.depth === 0) return matches;
  for (const encoding of TEXT_ENCODINGS) {
    const decoded = DecodedText.of(bytes, encoding, needles);
    if (decoded) matches.push(...matchesWithin(decoded, encoding, needles, nested));
  }
  // What base64 alone holds is found by its digits.
  if (nested.depth === 1) return matches;
  for (const decoded of decodedBase64(unwrapped?.bytes ?? bytes, needles)) {
    const within = plainMatches(decoded.bytes, needles).filter(({ form }) => form !== 'raw');
    const escaped = encodedMatches(decoded.bytes, needles, {
      depth: nested.depth - 1,
      isDecoded: true,
      isBase64: true,
    });
    const lifted = decoded.lift([...within, ...escaped]);
    matches.push(...(unwrapped ? unwrapped.lift(lifted) : lifted));
  }
  return matches;
}

/** Secrets that stand in bytes, as they are or encoded. Their places may overlap. */
export const allMatches = <T>(bytes: Buffer, needles: MultiSearch<MatchPlace<T>>, nested?: Nested): Match<T>[] => [
  ...plainMatches(bytes, needles),
  ...encodedMatches(bytes, needles, nested),
];

/** Whether anything in bytes is encoded so that it may hide a secret; quick where nothing is. */
export const mayHide = (bytes: Buffer, needles: MultiSearch<unknown>): boolean =>
  needles.size > 0 &&
  ([...TEXT_ENCODINGS, WRAPPED_DIGITS].some((each) => holdsEscape(bytes, each, needles)) ||
    holdsBase64(bytes, needles));

/**
 * The same in a file of JSON, which holds bodies as strings: those are encoded once more by it.
 * @example matchesInJson(Buffer.from('{"text":"…"}'), needles)
 */
export function matchesInJson<T>(bytes: Buffer, needles: MultiSearch<MatchPlace<T>>): Match<T>[] {
  const decoded = DecodedText.of(bytes, JSON_ENCODING, needles);
  return decoded ? decoded.lift(allMatches(decoded.bytes, needles)) : [];
}

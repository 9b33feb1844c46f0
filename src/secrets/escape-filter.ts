/**
 * Decides which escapes require decoding. Long lists contain escapes in every row, and the characters around most of them
 * show that they are not part of a secret.
 */
import { mayWrapText } from './decoded-base64.ts';
import { beginsEscape, byteSet, type EscapeSequence, IS_BASE64, IS_ESCAPE_BYTE, TEXT_ENCODINGS } from './encodings.ts';
import { HEX_TEXT, IS_HEX_TEXT } from './hex.ts';
import type { MultiSearch } from './multi-search.ts';

/** The length of a long escape, and the number of bytes of a needle that are compared together. */
const LONGEST_ESCAPE = 24;
const GRAM = 4;

const [LF, CR, BLANK, TAB] = [0x0a, 0x0d, 0x20, 0x09];
const [AMPERSAND, PLUS, HASH, SEMICOLON, QUOTE, APOSTROPHE] = [...'&+#;"\''].map((each) => each.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
  number,
  number,
];

const isBreak = (byte: number | undefined): boolean => byte === LF || byte === CR;
const isBlank = (byte: number | undefined): boolean => byte === BLANK || byte === TAB;
const isWord = (byte: number | undefined): boolean => byte !== undefined && /\w/.test(String.fromCharCode(byte));

/** By the first byte; of a byte with several encodings, the last one, which reads the most. */
const DECODERS = new Map(
  TEXT_ENCODINGS.filter(({ introducers, requiredByte }) => introducers.length === 1 && requiredByte === undefined).map(
    ({ introducers: [first = 0], decodeEscape }) => [first, decodeEscape],
  ),
);
const decodedEscape: EscapeSequence = { end: 0, code: 0, isByte: false };

/** The end of an escape of any encoding that begins here; 0: none begins here. */
function endOfEscape(bytes: Buffer, at: number, needles: MultiSearch<unknown>): number {
  const byte = bytes[at] as number;
  if (byte === PLUS) return needles.holds(BLANK) ? at + 1 : 0;
  if (byte === QUOTE) return bytes[at + 1] === QUOTE && needles.holds(QUOTE) ? at + 2 : 0;
  return DECODERS.get(byte)?.(bytes, at, decodedEscape) ? decodedEscape.end : 0;
}

/** Whether a byte would begin an escape together with the bytes that follow. */
function wouldBegin(code: number, bytes: Buffer, end: number): boolean {
  if (code === PLUS) return true;
  if (code !== AMPERSAND) return beginsEscape(code, bytes[end] ?? 0);
  return /^(?:#|\w+[;&%\\=])/.test(bytes.toString('latin1', end, end + LONGEST_ESCAPE));
}

/** Matches the beginning of an escape that may continue with an escaped character. */
const UNFINISHED =
  /(?:\\(?:u\{?[0-9a-f]*|x[0-9a-f]?)?|%(?:u[0-9a-f]{0,3}|[0-9a-f]?)|&(?:#x?[0-9a-f]*|\w*)|=[0-9a-f]?)$/i;
const isUnfinished = (bytes: Buffer, at: number): boolean =>
  UNFINISHED.test(bytes.toString('latin1', Math.max(0, at - LONGEST_ESCAPE), at));

const INTRODUCES = byteSet('\\%&=+"');

/** Whether other escapes are so near that the adjacent characters are encoded, too. */
function isNearOtherEscapes(bytes: Buffer, at: number, end: number, needles: MultiSearch<unknown>): boolean {
  const last = Math.min(bytes.length, end + GRAM);
  for (let place = end; place < last; place++) {
    if (isBreak(bytes[place])) return true;
    if (INTRODUCES[bytes[place] as number] === 1 && endOfEscape(bytes, place, needles) > 0) return true;
  }
  const first = Math.max(0, at - LONGEST_ESCAPE);
  for (let place = at - 1; place >= first; place--) {
    if (place >= at - GRAM && isBreak(bytes[place])) return true;
    if (INTRODUCES[bytes[place] as number] === 1 && endOfEscape(bytes, place, needles) > at - GRAM) return true;
  }
  return false;
}

/** Whether the decoded character is part of another escape that was escaped itself. */
function isPartOfEscape(code: number, bytes: Buffer, at: number, end: number): boolean {
  if (code === SEMICOLON) return true;
  if (code === QUOTE || code === APOSTROPHE) return bytes[at - 1] === code || bytes[end] === code;
  if (code === HASH) return bytes[at - 1] === AMPERSAND;
  if (isBreak(code)) return /=[ \t]*$/.test(bytes.toString('latin1', Math.max(0, at - GRAM), at));
  return INTRODUCES[code] === 1 && wouldBegin(code, bytes, end);
}

/** Whether a needle contains the bytes before `at`, then `code` if it is not negative, then the bytes from `after` on. */
function isInNeedle(bytes: Buffer, at: number, after: number, code: number, needles: MultiSearch<unknown>): boolean {
  const [a, b, c] = [bytes[at - 3] ?? 0, bytes[at - 2] ?? 0, bytes[at - 1] ?? 0];
  const [x, y, z] = [bytes[after] ?? 0, bytes[after + 1] ?? 0, bytes[after + 2] ?? 0];
  if (code < 0) return needles.holdsGram(a, b, c, x) || needles.holdsGram(b, c, x, y) || needles.holdsGram(c, x, y, z);
  return (
    needles.holdsGram(a, b, c, code) ||
    needles.holdsGram(b, c, code, x) ||
    needles.holdsGram(c, code, x, y) ||
    needles.holdsGram(code, x, y, z)
  );
}

const IS_ESCAPED_HEX = byteSet(`${HEX_TEXT}\\uU{}%&#;=+`);

/** Whether an escape is within enough digits of hex, or escapes of them. */
function isInHex(bytes: Buffer, at: number, end: number, needles: MultiSearch<unknown>): boolean {
  const isDigit = (place: number): boolean => IS_ESCAPED_HEX[bytes[place] ?? 0] === 1;
  if (!isDigit(at - 1) || !isDigit(end)) return false;
  let [from, until] = [at, end];
  while (until - from < 2 * needles.shortest && isDigit(from - 1)) from--;
  while (until - from < 2 * needles.shortest && isDigit(until)) until++;
  return until - from >= 2 * needles.shortest;
}

/** Whether an escape may be part of a secret that is encoded once or twice, or may hide the character before one. */
export function requiresDecoding(
  bytes: Buffer,
  at: number,
  sequence: EscapeSequence,
  needles: MultiSearch<unknown>,
): boolean {
  const { end, code, isByte } = sequence;
  if (isWord(bytes[end - 1]) && isInNeedle(bytes, end + 1, end + 1, bytes[end] ?? 0, needles)) return true;
  if (code >= 0x80 && !isByte) {
    const lead = code < 0x800 ? 0xc0 | (code >> 6) : code < 0x10000 ? 0xe0 | (code >> 12) : 0xf0 | (code >> 18);
    return needles.holds(lead) || (code < 0x100 && needles.holds(code));
  }
  // A soft line break may occur anywhere.
  if (code < 0 && !isBreak(bytes[at])) return true;
  // Blanks next to a line break are part of the line wrapping.
  const isPlus = bytes[at] === PLUS;
  if (isPlus && [at + 1, at - 3, at - 1].some((place) => isEscapedBreak(bytes, place))) return true;
  if (isWord(code) && isUnfinished(bytes, at)) return true;
  if (IS_HEX_TEXT[code] === 1 && isInHex(bytes, at, end, needles)) return true;
  if (code >= 0 && !needles.holds(code) && IS_ESCAPE_BYTE[code] !== 1) return false;
  if (isNearOtherEscapes(bytes, at, end, needles) || isPartOfEscape(code, bytes, at, end)) return true;
  if (code >= 0 && !isBreak(code)) return isInNeedle(bytes, at, end, code, needles);
  // A line break within wrapped digits.
  let after = end;
  while (isBlank(bytes[after])) after++;
  return (
    isInNeedle(bytes, at, after, -1, needles) ||
    (code >= 0 && isInNeedle(bytes, at, end, code, needles)) ||
    (IS_BASE64[bytes[at - 1] ?? 0] === 1 &&
      IS_BASE64[bytes[after] ?? 0] === 1 &&
      mayWrapText(bytes, at, after, needles))
  );
}

const isEscapedBreak = (bytes: Buffer, at: number): boolean =>
  /^(?:\r|\n|%0[AD])/i.test(bytes.toString('latin1', Math.max(0, at), at + 3));

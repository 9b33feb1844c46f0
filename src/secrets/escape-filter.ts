/**
 * Which escapes are reason enough to undo an encoding. Long lists hold escapes in every row, and hardly one of them can be
 * part of a secret: the characters around it say so.
 */
import { mayWrapText } from './decoded-base64.ts';
import { beginsEscape, type EscapeSequence, IS_BASE64, IS_OF_ESCAPES, TEXT_ENCODINGS } from './encodings.ts';
import type { MultiSearch } from './multi-search.ts';

/** Bytes of a long escape, and those of a needle that are looked at together. */
const LONGEST_ESCAPE = 24;
const GRAM = 4;

const [LF, CR, BLANK, TAB] = [0x0a, 0x0d, 0x20, 0x09];
const [BACKSLASH, PERCENT, AMPERSAND, EQUALS, PLUS, HASH, SEMICOLON, QUOTE, APOSTROPHE] = [...'\\%&=+#;"\''].map(
  (each) => each.charCodeAt(0),
) as [number, number, number, number, number, number, number, number, number];

const isBreak = (byte: number | undefined): boolean => byte === LF || byte === CR;
const isBlank = (byte: number | undefined): boolean => byte === BLANK || byte === TAB;
const isWord = (byte: number | undefined): boolean => byte !== undefined && /\w/.test(String.fromCharCode(byte));

const UNDO = new Map(
  TEXT_ENCODINGS.filter(({ introducers }) => introducers.length === 1).map(({ introducers: [first = ''], undo }) => [
    first.charCodeAt(0),
    undo,
  ]),
);
const escaped: EscapeSequence = { end: 0, code: 0, isByte: false };

/** The end of the escape of any encoding that begins here; 0 where none does. */
function endOfEscape(bytes: Buffer, at: number, needles: MultiSearch<unknown>): number {
  const byte = bytes[at] as number;
  if (byte === PLUS) return needles.holds(BLANK) ? at + 1 : 0;
  if (byte === QUOTE) return bytes[at + 1] === QUOTE && needles.holds(QUOTE) ? at + 2 : 0;
  return UNDO.get(byte)?.(bytes, at, escaped) ? escaped.end : 0;
}

/** Whether a byte that is written here would begin an escape with those that follow. */
function wouldBegin(code: number, bytes: Buffer, end: number): boolean {
  if (code === PLUS) return true;
  if (code !== AMPERSAND) return beginsEscape(code, bytes[end] ?? 0);
  return /^(?:#|\w+[;&%\\=])/.test(bytes.toString('latin1', end, end + LONGEST_ESCAPE));
}

/** What may be the beginning of an escape that goes on with one that was escaped. */
const UNFINISHED =
  /(?:\\(?:u\{?[0-9a-f]*|x[0-9a-f]?)?|%(?:u[0-9a-f]{0,3}|[0-9a-f]?)|&(?:#x?[0-9a-f]*|\w*)|=[0-9a-f]?)$/i;
const isUnfinished = (bytes: Buffer, at: number): boolean =>
  UNFINISHED.test(bytes.toString('latin1', Math.max(0, at - LONGEST_ESCAPE), at));

const INTRODUCES = new Uint8Array(256);
for (const each of [BACKSLASH, PERCENT, AMPERSAND, EQUALS, PLUS, QUOTE]) INTRODUCES[each] = 1;

/** Whether other escapes stand so near that what is beside this one is not what it looks like. */
function isCrowded(bytes: Buffer, at: number, end: number, needles: MultiSearch<unknown>): boolean {
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

/** Whether what an escape stands for is part of another one that was escaped. */
function isOfEscape(code: number, bytes: Buffer, at: number, end: number): boolean {
  if (code === SEMICOLON) return true;
  if (code === QUOTE || code === APOSTROPHE) return bytes[at - 1] === code || bytes[end] === code;
  if (code === HASH) return bytes[at - 1] === AMPERSAND;
  if (isBreak(code)) return /=[ \t]*$/.test(bytes.toString('latin1', Math.max(0, at - GRAM), at));
  return INTRODUCES[code] === 1 && wouldBegin(code, bytes, end);
}

/** Whether the bytes from `behind` on follow those before `at`, and `code` between them if there is one, in a needle. */
function isInNeedle(bytes: Buffer, at: number, behind: number, code: number, needles: MultiSearch<unknown>): boolean {
  const [a, b, c] = [bytes[at - 3] ?? 0, bytes[at - 2] ?? 0, bytes[at - 1] ?? 0];
  const [x, y, z] = [bytes[behind] ?? 0, bytes[behind + 1] ?? 0, bytes[behind + 2] ?? 0];
  if (code < 0) return needles.holdsGram(a, b, c, x) || needles.holdsGram(b, c, x, y) || needles.holdsGram(c, x, y, z);
  return (
    needles.holdsGram(a, b, c, code) ||
    needles.holdsGram(b, c, code, x) ||
    needles.holdsGram(c, code, x, y) ||
    needles.holdsGram(code, x, y, z)
  );
}

/** Whether an escape may be part of a secret that was encoded once or twice, or hide what stands before one. */
export function isWorthUndoing(
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
  // A soft line break may stand amid anything.
  if (code < 0 && !isBreak(bytes[at])) return true;
  // Blanks beside a line break are part of what wraps lines.
  const isPlus = bytes[at] === PLUS;
  if (isPlus && [at + 1, at - 3, at - 1].some((place) => isEscapedBreak(bytes, place))) return true;
  if (isWord(code) && isUnfinished(bytes, at)) return true;
  if (code >= 0 && !needles.holds(code) && IS_OF_ESCAPES[code] !== 1) return false;
  if (isCrowded(bytes, at, end, needles) || isOfEscape(code, bytes, at, end)) return true;
  if (code >= 0 && !isBreak(code)) return isInNeedle(bytes, at, end, code, needles);
  // A line break within digits, which wraps them.
  let behind = end;
  while (isBlank(bytes[behind])) behind++;
  return (
    isInNeedle(bytes, at, behind, -1, needles) ||
    (code >= 0 && isInNeedle(bytes, at, end, code, needles)) ||
    (IS_BASE64[bytes[at - 1] ?? 0] === 1 &&
      IS_BASE64[bytes[behind] ?? 0] === 1 &&
      mayWrapText(bytes, at, behind, needles))
  );
}

const isEscapedBreak = (bytes: Buffer, at: number): boolean =>
  /^(?:\r|\n|%0[AD])/i.test(bytes.toString('latin1', Math.max(0, at), at + 3));

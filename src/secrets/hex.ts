/** Hex: pairs of digits that decode to text, also separated ones such as `6b 33`, `6B:33` and `0x6b, 0x33`. */
import { DecodedDigits, type DigitEncoding, type Interval, runsOf } from './decoded-digits.ts';
import { byteSet, HEX_DIGITS } from './encodings.ts';
import type { MultiSearch } from './multi-search.ts';

/** Digits, and bytes that may separate them. */
const IS_HEX_TEXT = byteSet('0123456789abcdefABCDEFxX:,- \t\r\n');
/** Commas separate bytes with `0x` only: most data contains numbers with commas between them. */
const WITHOUT_COMMAS = IS_HEX_TEXT.with(','.charCodeAt(0), 0);

const isBreak = (byte: number | undefined): boolean => byte === 0x0a || byte === 0x0d;
const isBlank = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09;
/** Whether `0x` begins here. */
const isPrefix = (bytes: Buffer, at: number): boolean =>
  bytes[at] === 0x30 && (bytes[at + 1] === 0x78 || bytes[at + 1] === 0x58);

/** Whether `0x` or `0X` occurs: the second character is rare in texts, the first one in numbers is not. */
const holdsPrefix = (bytes: Buffer): boolean =>
  [0x78, 0x58].some((byte) => {
    let at = bytes.indexOf(byte, 1);
    while (at > 0 && bytes[at - 1] !== 0x30) at = bytes.indexOf(byte, at + 1);
    return at > 0;
  });

/** Whether a line begins here, after its indentation. */
function isAfterBreak(bytes: Buffer, start: number): boolean {
  let at = start;
  while (isBlank(bytes[at - 1])) at--;
  return isBreak(bytes[at - 1]);
}

interface HexText {
  /** Its first digit. */
  readonly start: number;
  readonly length: number;
}

/** Whether a digit forms a byte of text with the digit before it or the next one; separators may be between bytes. */
function mayBeText(bytes: Buffer, at: number, textBytes: Uint8Array): boolean {
  const digit = HEX_DIGITS[bytes[at] as number] as number;
  if (digit < 0) return true;
  const low = HEX_DIGITS[bytes[at + 1] ?? 0] as number;
  if (low >= 0 ? textBytes[digit * 16 + low] === 1 : isBreak(bytes[at + 1]) || isPrefix(bytes, at)) return true;
  const high = HEX_DIGITS[bytes[at - 1] ?? 0] as number;
  return high >= 0 ? textBytes[high * 16 + digit] === 1 : isAfterBreak(bytes, at);
}

/** Adds the texts in an interval that are as long as a needle. Adjacent digits pair in two ways. */
function addTexts(
  texts: HexText[],
  bytes: Buffer,
  { start, end }: Interval,
  { shortest, textBytes }: MultiSearch<unknown>,
): void {
  // The digit before this one, its place, and whether only a line break and its indentation follow it.
  let before = -1;
  let placeBefore = 0;
  let isWrapped = false;
  // Of the texts that end at the digit before this one, and at the one before that: their beginnings and lengths.
  let from = 0;
  let length = 0;
  let otherFrom = 0;
  let otherLength = 0;
  let checked = start;
  for (let at = start; at < end; at++) {
    if (at >= checked && length === 0 && otherLength === 0) {
      // The digits before one that cannot be part of a text are too few for one.
      checked = at + 2 * shortest - 1;
      if (checked > end) return;
      let other = checked - 1;
      while (other >= at && mayBeText(bytes, other, textBytes)) other--;
      if (other >= at) {
        before = -1;
        checked = other + 1;
        at = other;
        continue;
      }
    }
    const byte = bytes[at] as number;
    const digit = HEX_DIGITS[byte] as number;
    if (digit < 0) {
      isWrapped = isBreak(byte) || (isWrapped && isBlank(byte));
      if (!isWrapped) before = -1;
      continue;
    }
    if (isPrefix(bytes, at)) {
      before = -1;
      at++;
      continue;
    }
    const isText = before >= 0 && textBytes[before * 16 + digit] === 1;
    if (!isText && otherLength >= shortest) texts.push({ start: otherFrom, length: otherLength });
    const nextFrom = otherLength > 0 ? otherFrom : placeBefore;
    const nextLength = isText ? otherLength + 1 : 0;
    otherFrom = from;
    otherLength = length;
    from = nextFrom;
    length = nextLength;
    before = digit;
    placeBefore = at;
    isWrapped = false;
  }
  if (otherLength >= shortest) texts.push({ start: otherFrom, length: otherLength });
  if (length >= shortest) texts.push({ start: from, length });
}

/** The place of the next digit. */
function digitFrom(bytes: Buffer, start: number): number {
  let at = start;
  while ((HEX_DIGITS[bytes[at] as number] as number) < 0 || isPrefix(bytes, at)) at++;
  return at;
}

/** Calls `visit` with the places of each pair of digits. */
function eachPair(bytes: Buffer, { start, length }: HexText, visit: (at: number, high: number, low: number) => void) {
  for (let [at, place] = [0, start]; at < length; at++) {
    const high = digitFrom(bytes, place);
    const low = digitFrom(bytes, high + 1);
    visit(at, high, low);
    place = low + 1;
  }
}

const HEX: DigitEncoding<HexText> = {
  name: 'hex',
  groupSize: 1,
  decode: (original, text, into, begin) =>
    eachPair(original, text, (at, high, low) => {
      into[begin + at] =
        (HEX_DIGITS[original[high] as number] as number) * 16 + (HEX_DIGITS[original[low] as number] as number);
    }),
  locate(original, text) {
    const [starts, ends] = [new Uint32Array(text.length), new Uint32Array(text.length)];
    eachPair(original, text, (at, high, low) => {
      starts[at] = high;
      ends[at] = low + 1;
    });
    return (from, until) => ({ start: starts[from] as number, end: ends[until - 1] as number });
  },
  // The case and the separators stay.
  encode: (text, replaced) => {
    const separators = replaced.split(/[0-9a-f]\s*[0-9a-f]/i).slice(1, -1);
    const digits = /[A-F]/.test(replaced) ? text.toString('hex').toUpperCase() : text.toString('hex');
    return (digits.match(/../g) ?? [])
      .map((pair, at) => (at === 0 ? pair : `${separators[at - 1] ?? separators[0] ?? ''}${pair}`))
      .join('');
  },
};

/** Decodes the digits that may contain a needle. */
export function decodedHex(bytes: Buffer, needles: MultiSearch<unknown>): DecodedDigits<HexText>[] {
  const texts: HexText[] = [];
  const isHexText = holdsPrefix(bytes) ? IS_HEX_TEXT : WITHOUT_COMMAS;
  for (const each of runsOf(bytes, 2 * needles.shortest, isHexText)) addTexts(texts, bytes, each, needles);
  return texts.length === 0 ? [] : [new DecodedDigits(bytes, HEX, texts)];
}

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

interface HexText {
  /** Its first digit. */
  readonly start: number;
  readonly length: number;
}

/**
 * Adds the texts in an interval that are as long as a needle. Adjacent digits pair in two ways. @param skipped how many digits
 * after a separator are left out: 0 or 1
 */
function addTexts(
  texts: HexText[],
  bytes: Buffer,
  { start, end }: Interval,
  { shortest, textBytes }: MultiSearch<unknown>,
  skipped: number,
): void {
  // The first digit of a pair, or -1; its place; whether only a line break and its indentation follow it.
  let [high, place, isWrapped] = [-1, 0, false];
  let [from, length, toSkip] = [0, 0, skipped];
  const endText = (): void => {
    if (length >= shortest) texts.push({ start: from, length });
    length = 0;
  };
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    const digit = HEX_DIGITS[byte] as number;
    const isStart = digit >= 0 && isPrefix(bytes, at);
    if (digit < 0 || isStart) {
      isWrapped = isBreak(byte) || (isWrapped && isBlank(byte));
      if (isStart) at++;
      if (isWrapped) continue;
      // A digit without a second one ends the text.
      if (high >= 0) endText();
      [high, toSkip] = [-1, skipped];
    } else if (toSkip > 0) {
      toSkip--;
      endText();
    } else if (high < 0) [high, place, isWrapped] = [digit, at, false];
    else {
      if (textBytes[high * 16 + digit] !== 1) endText();
      else if (length++ === 0) from = place;
      [high, isWrapped] = [-1, false];
    }
  }
  endText();
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
  for (const each of runsOf(bytes, 2 * needles.shortest, isHexText))
    for (const skipped of [0, 1]) addTexts(texts, bytes, each, needles, skipped);
  return texts.length === 0 ? [] : [new DecodedDigits(bytes, HEX, texts)];
}

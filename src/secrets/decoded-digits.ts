/**
 * Decodes base64 and hex: every run of digits, in each way to group them, because its start is unknown. A secret may be
 * encoded once more in the decoded bytes.
 */
import { BASE64_DIGITS, byteSet, HEX_DIGITS, IS_BASE64 } from './encodings.ts';
import { type Match, replacementFor, withoutOverlaps } from './match.ts';
import type { MultiSearch } from './multi-search.ts';

/** How bytes are written in digits. */
interface DigitEncoding {
  readonly name: 'base64' | 'hex';
  /** The bits of one digit. */
  readonly bits: number;
  /** How many bytes are encoded together. */
  readonly groupSize: number;
  /** By byte, the value of a digit. */
  readonly values: Int8Array;
  /** Encodes a replacement in the manner of the digits that it replaces. */
  readonly encode: (text: Buffer, replaced: string) => string;
}

const BASE64_VALUES = new Int8Array(256);
for (const [value, digit] of [...BASE64_DIGITS].entries()) BASE64_VALUES[digit.charCodeAt(0)] = value;
BASE64_VALUES['-'.charCodeAt(0)] = 62;
BASE64_VALUES['_'.charCodeAt(0)] = 63;

/** The ways to group the digits of base64. */
const PHASES = [0, 1, 2, 3];

const BASE64: DigitEncoding = {
  name: 'base64',
  bits: 6,
  groupSize: 3,
  values: BASE64_VALUES,
  encode: (text, replaced) => text.toString(/[-_]/.test(replaced) ? 'base64url' : 'base64').replace(/=+$/, ''),
};

const HEX: DigitEncoding = {
  name: 'hex',
  bits: 4,
  groupSize: 1,
  values: HEX_DIGITS,
  // The case and the separators stay.
  encode: (text, replaced) => {
    const separators = replaced.split(/[0-9a-f]\s*[0-9a-f]/i).slice(1, -1);
    const digits = /[A-F]/.test(replaced) ? text.toString('hex').toUpperCase() : text.toString('hex');
    return (digits.match(/../g) ?? [])
      .map((pair, at) => (at === 0 ? pair : `${separators[at - 1] ?? separators[0] ?? ''}${pair}`))
      .join('');
  },
};

/** Digits in one piece, from `start` to `end`. */
interface Run {
  readonly digits: Buffer;
  readonly start: number;
  readonly end: number;
  /** The place of each digit in the original; absent: its position. */
  readonly places?: Uint32Array;
}

/** Visits runs of at least so many of these bytes. Bytes before another byte are skipped if they are too few for a run. */
function eachRun(bytes: Buffer, minLength: number, isDigit: Uint8Array, visit: (start: number, end: number) => void) {
  let start = 0;
  while (start + minLength <= bytes.length) {
    let end = start + minLength;
    let other = end - 1;
    while (other >= start && isDigit[bytes[other] as number] === 1) other--;
    if (other >= start) {
      start = other + 1;
      continue;
    }
    while (end < bytes.length && isDigit[bytes[end] as number] === 1) end++;
    visit(start, end);
    start = end + 1;
  }
}

/** Fewer digits of base64 occur anywhere by chance. */
const FEWEST_BASE64_DIGITS = 6;
/** The number of base64 digits that contain bits of so many bytes only, wherever they begin. */
const base64DigitsOf = (bytes: number): number => Math.max(FEWEST_BASE64_DIGITS, Math.floor((bytes * 8) / 6) - 1);

/** Digits of hex, and bytes that may separate them. */
const IS_HEX_TEXT = byteSet('0123456789abcdefABCDEFxX:,- \t\r\n');
/** Commas separate bytes with `0x` only: most data contains numbers with commas between them. */
const WITHOUT_COMMAS = IS_HEX_TEXT.with(','.charCodeAt(0), 0);

const isBreak = (byte: number): boolean => byte === 0x0a || byte === 0x0d;
const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x09;
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

/**
 * Visits the pairs of digits of hex, also separated ones such as `6b 33`, `6B:33` and `0x6b, 0x33`. Adjacent digits pair in
 * two ways; a pair may contain a line break and its indentation.
 */
function eachHexRun(bytes: Buffer, shortest: number, visit: (run: Run) => void): void {
  eachRun(bytes, 2 * shortest, holdsPrefix(bytes) ? IS_HEX_TEXT : WITHOUT_COMMAS, (start, end) => {
    const digits = Buffer.allocUnsafe(end - start);
    const places = new Uint32Array(end - start);
    // The number of digits; the first after one without a second, and the first after a separator.
    let [count, paired, adjacent, isWrapped] = [0, 0, 0, false];
    for (let at = start; at <= end; at++) {
      const byte = at === end ? 0 : (bytes[at] as number);
      const isStart = byte === 0x30 && isPrefix(bytes, at);
      if ((HEX_DIGITS[byte] as number) >= 0 && !isStart) {
        digits[count] = byte;
        places[count++] = at;
        isWrapped = false;
        continue;
      }
      isWrapped = isBreak(byte) || (isWrapped && isBlank(byte));
      if (isStart) at++;
      if (isWrapped) continue;
      if (count - adjacent > 2 * shortest) visit({ digits, start: adjacent + 1, end: count, places });
      const isOdd = (count - paired) % 2 === 1;
      if ((isOdd || at >= end) && count - paired >= 2 * shortest) visit({ digits, start: paired, end: count, places });
      adjacent = count;
      if (isOdd) paired = count;
    }
  });
}

/** The decoded byte at a position of a run. */
function byteAt({ digits, start }: Run, { values, bits }: DigitEncoding, place: number): number {
  const at = start + Math.floor((8 * place) / bits);
  const both = ((values[digits[at] as number] as number) << bits) | (values[digits[at + 1] as number] as number);
  return (both >> (2 * bits - 8 - ((8 * place) % bits))) & 255;
}

/** A text in digits: some decoded bytes of a run, which begin and end with a group. */
interface DigitText {
  readonly encoding: DigitEncoding;
  readonly run: Run;
  readonly from: number;
  readonly length: number;
}

/** Adds the texts of a run that are long enough for a needle. */
function addTexts(texts: DigitText[], run: Run, encoding: DigitEncoding, needles: MultiSearch<unknown>): void {
  const { shortest: needed, textBytes } = needles;
  const { bits, groupSize } = encoding;
  const length = Math.floor(((run.end - run.start) * bits) / 8);
  let done = 0;
  for (let place = needed - 1; place < length; place += needed) {
    if (place < done || textBytes[byteAt(run, encoding, place)] !== 1) continue;
    let [from, until] = [place, place + 1];
    while (from > done && textBytes[byteAt(run, encoding, from - 1)] === 1) from--;
    while (until < length && textBytes[byteAt(run, encoding, until)] === 1) until++;
    done = until;
    if (until - from < needed) continue;
    from -= from % groupSize;
    texts.push({ encoding, run, from, length: Math.min(length, Math.ceil(until / groupSize) * groupSize) - from });
  }
}

/** The texts in base64 and hex that may contain a needle. */
export function digitTexts(bytes: Buffer, needles: MultiSearch<unknown>): DigitText[] {
  const texts: DigitText[] = [];
  eachRun(bytes, base64DigitsOf(needles.shortest + 1), IS_BASE64, (start, end) => {
    for (const phase of PHASES) addTexts(texts, { digits: bytes, start: start + phase, end }, BASE64, needles);
  });
  eachHexRun(bytes, needles.shortest, (run) => addTexts(texts, run, HEX, needles));
  return texts;
}

/** The digits in `original` of the secrets that a search finds in some texts. */
export function matchesInTexts<S>(
  original: Buffer,
  texts: readonly DigitText[],
  search: (bytes: Buffer) => Match<S>[],
): Match<S>[] {
  // Searching all texts together, with a byte between them, is fast.
  const bytes = Buffer.alloc(texts.reduce((sum, { length }) => sum + length + 1, 0));
  let at = 0;
  for (const { run, encoding, from, length } of texts) {
    for (let place = 0; place < length; place++) bytes[at + place] = byteAt(run, encoding, from + place);
    at += length + 1;
  }
  const matches = search(bytes).sort((a, b) => a.start - b.start);
  let [end, next, matchedUntil] = [-1, 0, 0];
  return texts.flatMap((text) => {
    const start = end + 1;
    end = start + text.length;
    for (let match = matches[next]; match && match.start < end; match = matches[++next])
      matchedUntil = Math.max(matchedUntil, match.end);
    if (matchedUntil <= start) return [];
    // A match that begins in the text before covers matches in this one.
    const alone = bytes.subarray(start, end);
    return mapToOriginal(original, text, alone, search(alone));
  });
}

/** Maps the matches in a text. Those that share a group of digits become one. */
function mapToOriginal<S>(
  original: Buffer,
  { encoding, run, from: textStart, length }: DigitText,
  bytes: Buffer,
  matches: readonly Match<S>[],
): Match<S>[] {
  const { bits, groupSize } = encoding;
  const digitAt = (place: number): number => run.places?.[place] ?? place;
  const groupStart = (place: number): number => place - (place % groupSize);
  const groupEnd = (place: number): number => Math.min(length, groupStart(place + groupSize - 1));
  const groups: Match<S>[][] = [];
  for (const match of withoutOverlaps(matches)) {
    const before = groups.at(-1);
    if (before && match.start < groupEnd((before.at(-1) as Match).end)) before.push(match);
    else groups.push([match]);
  }
  return groups.map((group) => {
    const [first, last] = [group[0] as Match<S>, group.at(-1) as Match<S>];
    const [from, until] = [groupStart(first.start), groupEnd(last.end)];
    const start = digitAt(run.start + ((textStart + from) * 8) / bits);
    const end = digitAt(run.start + Math.ceil(((textStart + until) * 8) / bits) - 1) + 1;
    const replaced = original.toString('latin1', start, end);
    const encodePlaceholder = (padding = 0): Buffer => {
      const parts: Buffer[] = [];
      let at = from;
      for (const match of group) {
        parts.push(bytes.subarray(at, match.start), aligned(match, bytes, groupSize, match === first ? padding : 0));
        at = match.end;
      }
      parts.push(bytes.subarray(at, until));
      return Buffer.from(encoding.encode(Buffer.concat(parts), replaced), 'latin1');
    };
    return { start, end, secret: first.secret, form: encoding.name, breaks: [], encodePlaceholder };
  });
}

/** How much padding is tried. Line breaks stay, so that lengths do not grow evenly. */
const MAX_PADDING = 8;

/** A replacement that keeps the following bytes in their groups of digits. @param padding how many fitting lengths to skip */
function aligned(match: Match, bytes: Buffer, groupSize: number, padding: number): Buffer {
  const length = match.end - match.start;
  let found = replacementFor(match, bytes, groupSize === 1 ? padding : 0);
  for (let [more, fitting] = [0, -1]; groupSize > 1 && more <= groupSize * padding + MAX_PADDING; more++) {
    const text = replacementFor(match, bytes, more);
    if ((text.length - length) % groupSize !== 0) continue;
    found = text;
    if (++fitting === padding) break;
  }
  return found;
}

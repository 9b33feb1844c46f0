/**
 * The table of encodings of text within text: how each escape begins, and what it decodes to. Encoders differ in the
 * characters they escape, so escapes are decoded one by one and the text between them stays.
 */
import { ENTITY_CODES, LONGEST_ENTITY } from './entities.ts';

/** A decoded escape. One object is reused, because bodies contain many escapes. */
export interface EscapeSequence {
  /** The position after its last byte. */
  end: number;
  /** A code point, or a byte; -1: it decodes to nothing. */
  code: number;
  isByte: boolean;
}

export interface TextEncoding {
  readonly name: string;
  /** The first byte of an escape. */
  readonly introducers: readonly number[];
  /** A byte that a secret has to contain; otherwise the encoding does not change it. */
  readonly requiredByte?: number;
  /** Fills `into` and returns true where an escape begins. */
  readonly decodeEscape: (bytes: Buffer, at: number, sequence: EscapeSequence) => boolean;
  /** Bytes of which some have to occur; otherwise other encodings decode all escapes. */
  readonly requiredTexts?: readonly string[];
  /** An apparent escape may be a quote next to the delimiter of the quoted text. */
  readonly mayQuote?: true;
  /** A placeholder should have the length of the secret, so that lines keep their lengths. */
  readonly keepsLength?: true;
}

const [LF, CR, BLANK, TAB] = [0x0a, 0x0d, 0x20, 0x09];
const MAX_CODE = 0x10ffff;

/** By byte, 1 for each of these characters. */
export function byteSet(characters: string): Uint8Array {
  const set = new Uint8Array(256);
  for (const each of characters) set[each.charCodeAt(0)] = 1;
  return set;
}

/** The value of a hex digit; -1: it is not one. */
export const HEX_DIGITS: Int8Array = new Int8Array(256).fill(-1);
for (const digit of '0123456789abcdefABCDEF') HEX_DIGITS[digit.charCodeAt(0)] = Number.parseInt(digit, 16);

/** The digits of base64 by their value. */
export const BASE64_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Whether a byte is a digit of base64 or base64url. */
export const IS_BASE64: Uint8Array = byteSet(`${BASE64_DIGITS}-_`);

/** Fills in an escape that ends here and decodes to a code point; -1: to nothing. */
function fill(sequence: EscapeSequence, end: number, code: number, isByte = false): boolean {
  sequence.end = end;
  sequence.code = code;
  sequence.isByte = isByte;
  return code <= MAX_CODE;
}

interface Digits {
  readonly base: 8 | 10 | 16;
  readonly least: number;
  readonly most: number;
  readonly isByte?: boolean;
}

/** Fills in the code that digits state. */
function readDigits(
  bytes: Buffer,
  at: number,
  sequence: EscapeSequence,
  { base, least, most, isByte }: Digits,
): boolean {
  let [end, code] = [at, 0];
  for (; end < at + most && end < bytes.length; end++) {
    const digit = HEX_DIGITS[bytes[end] as number] as number;
    // Octal digits state a byte.
    if (digit < 0 || digit >= base || (base === 8 && code >= 0o40)) break;
    code = Math.min(code * base + digit, MAX_CODE + 1);
  }
  return end - at >= least && fill(sequence, end, code, isByte);
}

const OCTAL: Digits = { base: 8, least: 1, most: 3 };
const ANY_DECIMAL: Digits = { base: 10, least: 1, most: Number.POSITIVE_INFINITY };
const ANY_HEX: Digits = { ...ANY_DECIMAL, base: 16 };
const [HEX_2, HEX_4, HEX_8] = [2, 4, 8].map((count): Digits => ({ base: 16, least: count, most: count })) as [
  Digits,
  Digits,
  Digits,
];
const HEX_BYTE: Digits = { ...HEX_2, isByte: true };

/** The position after the line break that begins here; 0: none begins here. */
function afterBreak(bytes: Buffer, at: number): number {
  if (bytes[at] === LF) return at + 1;
  return bytes[at] === CR && bytes[at + 1] === LF ? at + 2 : 0;
}

const isBlank = (byte: number | undefined): boolean => byte === BLANK || byte === TAB;

/** A line break that is part of the encoding. */
function skipBreak(bytes: Buffer, at: number, sequence: EscapeSequence): boolean {
  const after = afterBreak(bytes, at);
  return after > 0 && fill(sequence, after, -1);
}

/**
 * The decoded character of a backslash escape; -1: there is no such escape. `=` is not escaped like this: it begins an
 * escape of quoted-printable, after a backslash with another meaning.
 */
const SHORT = new Int16Array(256).fill(-1);
for (let code = 0x21; code < 0x7f; code++) if (!/[A-Za-z0-9=]/.test(String.fromCharCode(code))) SHORT[code] = code;
for (const [letter, character] of Object.entries({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }))
  SHORT[letter.charCodeAt(0)] = character.charCodeAt(0);

/** Four hex digits after `\u`, or two such escapes of one code point. */
function decodeUnits(bytes: Buffer, at: number, sequence: EscapeSequence): boolean {
  if (!readDigits(bytes, at, sequence, HEX_4)) return false;
  const { code, end } = sequence;
  if (code < 0xd800 || code >= 0xdc00 || bytes[end] !== 0x5c || bytes[end + 1] !== 0x75) return true;
  const isPair = readDigits(bytes, end + 2, sequence, HEX_4) && sequence.code >= 0xdc00 && sequence.code < 0xe000;
  if (!isPair) return fill(sequence, end, code);
  return fill(sequence, sequence.end, 0x10000 + ((code - 0xd800) << 10) + (sequence.code - 0xdc00));
}

/** JSON, JavaScript, C, Python. @param isByte whether `\xNN` is a byte, as in C and Python, instead of a code point */
function decodeBackslash(bytes: Buffer, at: number, sequence: EscapeSequence, isByte: boolean): boolean {
  const letter = bytes[at + 1] ?? 0;
  if (letter >= 0x30 && letter < 0x38) return readDigits(bytes, at + 1, sequence, { ...OCTAL, isByte });
  if (letter === 0x55) return readDigits(bytes, at + 2, sequence, HEX_8);
  if ((letter === 0x75 || letter === 0x78) && bytes[at + 2] === 0x7b)
    return readDigits(bytes, at + 3, sequence, ANY_HEX) && bytes[sequence.end++] === 0x7d;
  if (letter === 0x75) return decodeUnits(bytes, at + 2, sequence);
  if (letter === 0x78) return readDigits(bytes, at + 2, sequence, isByte ? HEX_BYTE : HEX_2);
  if (skipBreak(bytes, at + 1, sequence)) return true;
  const code = SHORT[letter] as number;
  return code >= 0 && fill(sequence, at + 2, code);
}

const decodePercentEscape: TextEncoding['decodeEscape'] = (bytes, at, sequence) =>
  bytes[at + 1] === 0x75 ? readDigits(bytes, at + 2, sequence, HEX_4) : readDigits(bytes, at + 1, sequence, HEX_BYTE);

/** A character reference; a numeric one may lack its semicolon. */
function decodeReference(bytes: Buffer, at: number, sequence: EscapeSequence): boolean {
  if (bytes[at + 1] !== 0x23) {
    const end = bytes.subarray(at + 1, at + 2 + LONGEST_ENTITY).indexOf(0x3b);
    const code = end > 0 ? ENTITY_CODES.get(bytes.toString('latin1', at + 1, at + 1 + end)) : undefined;
    return code !== undefined && fill(sequence, at + 2 + end, code);
  }
  const isHex = bytes[at + 2] === 0x78 || bytes[at + 2] === 0x58;
  if (!readDigits(bytes, at + (isHex ? 3 : 2), sequence, isHex ? ANY_HEX : ANY_DECIMAL)) return false;
  if (bytes[sequence.end] === 0x3b) sequence.end++;
  return true;
}

function decodeQuotedPrintable(bytes: Buffer, at: number, sequence: EscapeSequence): boolean {
  if (readDigits(bytes, at + 1, sequence, HEX_BYTE)) return true;
  let end = at + 1;
  while (isBlank(bytes[end])) end++;
  return skipBreak(bytes, end, sequence);
}

/** A line break between digits, and the indentation of the next line. */
function decodeWrapping(bytes: Buffer, at: number, sequence: EscapeSequence): boolean {
  let end = afterBreak(bytes, at);
  if (end === 0 || IS_BASE64[bytes[at - 1] ?? 0] === 0) return false;
  while (isBlank(bytes[end])) end++;
  return IS_BASE64[bytes[end] ?? 0] === 1 && fill(sequence, end, -1);
}

/** Whether bytes begin with this text at a position. */
const isAt = (bytes: Buffer, at: number, text: string): boolean =>
  bytes.toString('latin1', at, at + text.length) === text;

const [BACKSLASH, PERCENT, PLUS, AMPERSAND, EQUALS, QUOTE, APOSTROPHE] = [...'\\%+&="\''].map((each) =>
  each.charCodeAt(0),
) as [number, number, number, number, number, number, number];

export const JSON_ENCODING: TextEncoding = {
  name: 'JSON',
  introducers: [BACKSLASH],
  decodeEscape: (bytes, at, sequence) => decodeBackslash(bytes, at, sequence, false),
};

/** The encodings of text, each decoded separately. */
export const TEXT_ENCODINGS: readonly TextEncoding[] = [
  JSON_ENCODING,
  {
    name: 'escaped bytes',
    introducers: [BACKSLASH],
    decodeEscape: (bytes, at, sequence) => decodeBackslash(bytes, at, sequence, true),
    requiredTexts: ['\\x', '\\2', '\\3'],
  },
  { name: 'percent', introducers: [PERCENT], decodeEscape: decodePercentEscape },
  {
    name: 'form',
    introducers: [PERCENT, PLUS],
    decodeEscape: (bytes, at, sequence) =>
      bytes[at] === PERCENT ? decodePercentEscape(bytes, at, sequence) : fill(sequence, at + 1, BLANK),
    requiredTexts: ['+'],
  },
  { name: 'HTML', introducers: [AMPERSAND], decodeEscape: decodeReference },
  { name: 'quoted-printable', introducers: [EQUALS], decodeEscape: decodeQuotedPrintable },
  {
    name: 'CSV',
    introducers: [QUOTE],
    requiredByte: QUOTE,
    mayQuote: true,
    decodeEscape: (bytes, at, sequence) => bytes[at + 1] === QUOTE && fill(sequence, at + 2, QUOTE),
  },
  {
    name: 'shell',
    introducers: [APOSTROPHE],
    requiredByte: APOSTROPHE,
    decodeEscape: (bytes, at, sequence) => isAt(bytes, at, "'\\''") && fill(sequence, at + 4, APOSTROPHE),
  },
];

/** Digits in lines: base64 and hex in mail, PEM and XML. */
export const WRAPPED_DIGITS: TextEncoding = {
  name: 'wrapped',
  introducers: [LF, CR],
  decodeEscape: decodeWrapping,
  keepsLength: true,
};

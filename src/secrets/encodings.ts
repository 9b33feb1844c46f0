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
  /** The first bytes of an escape. */
  readonly introducers: readonly string[];
  /** A byte that a secret has to contain; otherwise the encoding does not change it. */
  readonly requiredByte?: number;
  /** Fills `into` and returns true where an escape begins. */
  readonly decodeEscape: (bytes: Buffer, at: number, sequence: EscapeSequence) => boolean;
  /** Bytes of which some have to occur; otherwise other encodings decode all escapes. */
  readonly requiredTexts?: readonly string[];
  /** A fast test: false means that the bytes contain no escape. */
  readonly mayContain?: (bytes: Buffer) => boolean;
  /** The escapes that require decoding; absent: all. */
  readonly isRelevant?: (sequence: EscapeSequence) => boolean;
  /** An apparent escape may be a quote next to the delimiter of the quoted text. */
  readonly mayQuote?: true;
  /** A placeholder should have the length of the secret, so that lines keep their lengths. */
  readonly keepsLength?: true;
}

const [LF, CR, BLANK, TAB] = [0x0a, 0x0d, 0x20, 0x09];
/** The value of a hex digit; -1: it is not one. */
export const HEX_DIGITS: Int8Array = new Int8Array(256).fill(-1);
for (const digit of '0123456789abcdefABCDEF') HEX_DIGITS[digit.charCodeAt(0)] = Number.parseInt(digit, 16);

/** Whether a byte is a digit of base64 or base64url. */
export const IS_BASE64: Uint8Array = new Uint8Array(256);
for (const digit of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_')
  IS_BASE64[digit.charCodeAt(0)] = 1;

/** The value of so many hex digits; -1 where there are fewer. */
function hexAt(bytes: Buffer, at: number, digits: number): number {
  let code = 0;
  for (let next = at; next < at + digits; next++) {
    const digit = next < bytes.length ? (HEX_DIGITS[bytes[next] as number] as number) : -1;
    if (digit < 0) return -1;
    code = code * 16 + digit;
  }
  return code;
}

function fill(sequence: EscapeSequence, end: number, code: number, isByte = false): boolean {
  if (code < 0 || code > 0x10ffff) return false;
  sequence.end = end;
  sequence.code = code;
  sequence.isByte = isByte;
  return true;
}

function skip(sequence: EscapeSequence, end: number): boolean {
  sequence.end = end;
  sequence.code = -1;
  sequence.isByte = false;
  return true;
}

/** The position after the line break that begins here; 0: none begins here. */
function afterBreak(bytes: Buffer, at: number): number {
  if (bytes[at] === LF) return at + 1;
  return bytes[at] === CR && bytes[at + 1] === LF ? at + 2 : 0;
}

const isOctal = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte < 0x38;
const isHigh = (code: number): boolean => code >= 0xd800 && code < 0xdc00;
const isLow = (code: number): boolean => code >= 0xdc00 && code < 0xe000;

/**
 * The decoded character of a backslash escape; -1: there is no such escape. `=` is not escaped like this: it begins an
 * escape of quoted-printable, after a backslash with another meaning.
 */
const SHORT = new Int16Array(128).fill(-1);
for (let code = 0x21; code < 0x7f; code++) if (!/[A-Za-z0-9=]/.test(String.fromCharCode(code))) SHORT[code] = code;
for (const [letter, character] of Object.entries({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }))
  SHORT[letter.charCodeAt(0)] = character.charCodeAt(0);

/** Any number of hex digits between braces. */
function decodeBraced(bytes: Buffer, at: number, sequence: EscapeSequence): boolean {
  let [end, code] = [at, 0];
  for (; end < bytes.length && (HEX_DIGITS[bytes[end] as number] as number) >= 0 && code <= 0x10ffff; end++)
    code = code * 16 + (HEX_DIGITS[bytes[end] as number] as number);
  return end > at && bytes[end] === 0x7d && fill(sequence, end + 1, code);
}

/** Up to three octal digits of a byte. */
function decodeOctal(bytes: Buffer, at: number, sequence: EscapeSequence, asBytes: boolean): boolean {
  let [end, code] = [at, 0];
  for (; end < at + 3 && isOctal(bytes[end]) && code < 0o40; end++)
    code = code * 8 + (HEX_DIGITS[bytes[end] as number] as number);
  return fill(sequence, end, code, asBytes);
}

/** JSON, JavaScript, C, Python. @param asBytes whether `\xNN` is a byte, as in C and Python, instead of a code point */
function decodeBackslash(bytes: Buffer, at: number, sequence: EscapeSequence, asBytes: boolean): boolean {
  const letter = bytes[at + 1];
  if (letter === undefined) return false;
  if (isOctal(letter)) return decodeOctal(bytes, at + 1, sequence, asBytes);
  if (letter === 0x55) return fill(sequence, at + 10, hexAt(bytes, at + 2, 8));
  if ((letter === 0x75 || letter === 0x78) && bytes[at + 2] === 0x7b) return decodeBraced(bytes, at + 3, sequence);
  if (letter === 0x75) {
    const code = hexAt(bytes, at + 2, 4);
    if (isHigh(code) && bytes[at + 6] === 0x5c && bytes[at + 7] === 0x75) {
      const low = hexAt(bytes, at + 8, 4);
      if (isLow(low)) return fill(sequence, at + 12, 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00));
    }
    return fill(sequence, at + 6, code);
  }
  if (letter === 0x78) return fill(sequence, at + 4, hexAt(bytes, at + 2, 2), asBytes);
  const after = afterBreak(bytes, at + 1);
  if (after > 0) return skip(sequence, after);
  return letter < 0x80 && fill(sequence, at + 2, SHORT[letter] as number);
}

function decodePercentEscape(bytes: Buffer, at: number, sequence: EscapeSequence): boolean {
  if (bytes[at + 1] === 0x75) return fill(sequence, at + 6, hexAt(bytes, at + 2, 4));
  return fill(sequence, at + 3, hexAt(bytes, at + 1, 2), true);
}

/** A character reference; a numeric one may lack its semicolon. */
function decodeReference(bytes: Buffer, at: number, sequence: EscapeSequence): boolean {
  if (bytes[at + 1] !== 0x23) {
    const end = bytes.subarray(at + 1, at + 2 + LONGEST_ENTITY).indexOf(0x3b);
    const code = end > 0 ? ENTITY_CODES.get(bytes.toString('latin1', at + 1, at + 1 + end)) : undefined;
    return code !== undefined && fill(sequence, at + 2 + end, code);
  }
  const isHex = bytes[at + 2] === 0x78 || bytes[at + 2] === 0x58;
  const [from, base] = isHex ? [at + 3, 16] : [at + 2, 10];
  let [end, code] = [from, 0];
  for (; end < bytes.length; end++) {
    const digit = HEX_DIGITS[bytes[end] as number] as number;
    if (digit < 0 || digit >= base) break;
    code = Math.min(code * base + digit, 0x110000);
  }
  return end > from && fill(sequence, bytes[end] === 0x3b ? end + 1 : end, code);
}

function decodeQuotedPrintable(bytes: Buffer, at: number, sequence: EscapeSequence): boolean {
  const code = hexAt(bytes, at + 1, 2);
  if (code >= 0) return fill(sequence, at + 3, code, true);
  let end = at + 1;
  while (bytes[end] === BLANK || bytes[end] === TAB) end++;
  const after = afterBreak(bytes, end);
  return after > 0 && skip(sequence, after);
}

/** A line break between digits, and the indentation of the next line. */
function decodeWrapping(bytes: Buffer, at: number, sequence: EscapeSequence): boolean {
  let end = afterBreak(bytes, at);
  if (end === 0 || IS_BASE64[bytes[at - 1] ?? 0] === 0) return false;
  while (bytes[end] === BLANK || bytes[end] === TAB) end++;
  return IS_BASE64[bytes[end] ?? 0] === 1 && skip(sequence, end);
}

const PERCENT = 0x25;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;

export const JSON_ENCODING: TextEncoding = {
  name: 'JSON',
  introducers: ['\\'],
  decodeEscape: (bytes, at, sequence) => decodeBackslash(bytes, at, sequence, false),
};

/** The encodings of text, each decoded separately. */
export const TEXT_ENCODINGS: readonly TextEncoding[] = [
  JSON_ENCODING,
  {
    name: 'escaped bytes',
    introducers: ['\\'],
    decodeEscape: (bytes, at, sequence) => decodeBackslash(bytes, at, sequence, true),
    requiredTexts: ['\\x', '\\2', '\\3'],
    isRelevant: ({ code, isByte }) => isByte && code >= 0x80,
  },
  { name: 'percent', introducers: ['%'], decodeEscape: decodePercentEscape },
  {
    name: 'form',
    introducers: ['%', '+'],
    decodeEscape: (bytes, at, sequence) =>
      bytes[at] === PERCENT ? decodePercentEscape(bytes, at, sequence) : fill(sequence, at + 1, BLANK),
    requiredTexts: ['+'],
    isRelevant: ({ isByte }) => !isByte,
  },
  { name: 'HTML', introducers: ['&'], decodeEscape: decodeReference },
  { name: 'quoted-printable', introducers: ['='], decodeEscape: decodeQuotedPrintable },
  {
    name: 'CSV',
    introducers: ['""'],
    requiredByte: QUOTE,
    mayQuote: true,
    decodeEscape: (_, at, sequence) => fill(sequence, at + 2, QUOTE),
  },
  {
    name: 'shell',
    introducers: ["'\\''"],
    requiredByte: APOSTROPHE,
    decodeEscape: (_, at, sequence) => fill(sequence, at + 4, APOSTROPHE),
  },
];

/** Whether a line ends in a digit of base64. */
function holdsDigitsAtBreak(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1))
    if (IS_BASE64[bytes[bytes[at - 1] === CR ? at - 2 : at - 1] ?? 0] === 1) return true;
  return false;
}

/** Digits in lines: base64 and hex in mail, PEM and XML. */
export const WRAPPED_DIGITS: TextEncoding = {
  name: 'wrapped',
  introducers: ['\n', '\r\n'],
  decodeEscape: decodeWrapping,
  mayContain: holdsDigitsAtBreak,
  keepsLength: true,
};

/** Bytes that begin an escape, or are a part of one that another encoder may escape again. */
export const IS_ESCAPE_BYTE: Uint8Array = new Uint8Array(256);
for (const each of '\\%&#;=+\r\n') IS_ESCAPE_BYTE[each.charCodeAt(0)] = 1;

/** Whether two bytes may begin an escape. */
export function beginsEscape(first: number, second: number): boolean {
  const letter = String.fromCharCode(second);
  if (first === 0x5c) return /[uUx0-7]/.test(letter) || (SHORT[second] ?? -1) >= 0 || second === LF || second === CR;
  if (first === 0x25) return letter === 'u' || (HEX_DIGITS[second] as number) >= 0;
  if (first === 0x26) return /[#A-Za-z]/.test(letter);
  return first === 0x3d && ((HEX_DIGITS[second] as number) >= 0 || [LF, CR, BLANK, TAB].includes(second));
}

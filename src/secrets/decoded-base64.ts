/**
 * Decodes base64: every run of its digits, in each of the four ways to group them, because its start is unknown. A secret
 * may be encoded once more in the decoded bytes.
 */
import { DecodedDigits, type DigitEncoding, type Interval, runsOf } from './decoded-digits.ts';
import { BASE64_DIGITS, IS_BASE64 } from './encodings.ts';
import type { MultiSearch } from './multi-search.ts';

const VALUES = new Uint8Array(256);
for (const [value, digit] of [...BASE64_DIGITS].entries()) VALUES[digit.charCodeAt(0)] = value;
VALUES['-'.charCodeAt(0)] = 62;
VALUES['_'.charCodeAt(0)] = 63;

const PHASES = [0, 1, 2, 3];
/** Fewer digits of base64 occur anywhere by chance. */
const FEWEST_DIGITS = 6;

/** The number of base64 digits that contain bits of so many bytes only, wherever they begin. */
const digitsOf = (bytes: number): number => Math.max(FEWEST_DIGITS, Math.floor((bytes * 8) / 6) - 1);

/** The decoded byte at a position of the digits from `first` on. */
function byteAt(bytes: Buffer, first: number, place: number): number {
  const rest = place % 3;
  const at = first + ((place - rest) / 3) * 4 + rest;
  const [left, right] = [VALUES[bytes[at] as number] as number, VALUES[bytes[at + 1] as number] as number];
  if (rest === 0) return (left << 2) | (right >> 4);
  return rest === 1 ? ((left & 15) << 4) | (right >> 2) : ((left & 3) << 6) | right;
}

/** Calls `visit` for every decoded text of a run that is long enough for a needle, extended to groups of digits. */
function eachText(
  bytes: Buffer,
  { start, end }: Interval,
  needles: MultiSearch<unknown>,
  visit: (from: number, until: number) => void,
): void {
  const { shortest: needed, textBytes } = needles;
  const length = Math.floor(((end - start) * 3) / 4);
  let done = 0;
  for (let place = needed - 1; place < length; place += needed) {
    if (place < done || textBytes[byteAt(bytes, start, place)] !== 1) continue;
    let [from, until] = [place, place + 1];
    while (from > done && textBytes[byteAt(bytes, start, from - 1)] === 1) from--;
    while (until < length && textBytes[byteAt(bytes, start, until)] === 1) until++;
    done = until;
    if (until - from >= needed) visit(from - (from % 3), Math.min(length, Math.ceil(until / 3) * 3));
  }
}

interface Base64Text {
  readonly length: number;
  /** Its first digit. */
  readonly digit: number;
}

const BASE64: DigitEncoding<Base64Text> = {
  name: 'base64',
  groupSize: 3,
  decode: (original, { digit, length }, into, at) => {
    for (let place = 0; place < length; place++) into[at + place] = byteAt(original, digit, place);
  },
  locate:
    (_, { digit }) =>
    (from, until) => ({
      start: digit + (from / 3) * 4,
      end: digit + Math.ceil((until * 4) / 3),
    }),
  encode: (text, replaced) => text.toString(/[-_]/.test(replaced) ? 'base64url' : 'base64').replace(/=+$/, ''),
};

/** Decodes the runs that may contain a needle, once for each way to group the digits. */
export function decodedBase64(bytes: Buffer, needles: MultiSearch<unknown>): DecodedDigits<Base64Text>[] {
  const runs = runsOf(bytes, digitsOf(needles.shortest + 1), IS_BASE64);
  return PHASES.flatMap((phase) => {
    const texts: Base64Text[] = [];
    for (const { start, end } of runs) {
      eachText(bytes, { start: start + phase, end }, needles, (from, until) => {
        texts.push({ digit: start + phase + (from / 3) * 4, length: until - from });
      });
    }
    return texts.length === 0 ? [] : [new DecodedDigits(bytes, BASE64, texts)];
  });
}

/**
 * Base64 decoded: every run of its digits, in each of the four ways to group them, for nobody tells where it begins. A
 * secret that was encoded as it is shows in the digits; what is decoded here may hold it escaped, or encoded once more.
 */
import { beginsEscape, IS_BASE64 } from './encodings.ts';
import { type Match, replacementFor, withoutOverlaps } from './match.ts';
import type { Needles } from './needles.ts';

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Uint8Array(256);
for (const [value, digit] of [...DIGITS].entries()) VALUES[digit.charCodeAt(0)] = value;
VALUES['-'.charCodeAt(0)] = 62;
VALUES['_'.charCodeAt(0)] = 63;

/** By two bytes, whether they may begin an escape. */
const BEGINS_ESCAPE = new Uint8Array(1 << 16);
for (const first of [0x5c, 0x25, 0x26, 0x3d])
  for (let second = 0; second < 256; second++)
    BEGINS_ESCAPE[(first << 8) | second] = beginsEscape(first, second) ? 1 : 0;
// UTF-16.
for (let first = 0x20; first < 0x7f; first++) BEGINS_ESCAPE[first << 8] = 1;

const [BLANK, TAB, PLUS, QUOTE, LF, CR] = [0x20, 0x09, 0x2b, 0x22, 0x0a, 0x0d];
const PHASES = [0, 1, 2, 3];
/** Fewer digits of base64 stand anywhere by chance. */
const FEWEST_DIGITS = 6;

/** How many digits of base64 hold nothing but bits of so many bytes, wherever they begin. */
const digitsOf = (bytes: number): number => Math.max(FEWEST_DIGITS, Math.floor((bytes * 8) / 6) - 1);

/** Decoded bytes of runs, one behind the other, and where they come from. */
export class DecodedBase64 {
  readonly bytes: Buffer;
  readonly #original: Buffer;
  /** By run: where it begins and ends here, and its first digit in the original. */
  readonly #at: readonly number[];
  readonly #end: readonly number[];
  readonly #digit: readonly number[];

  constructor(original: Buffer, bytes: Buffer, runs: Readonly<Record<'at' | 'end' | 'digit', readonly number[]>>) {
    this.#original = original;
    this.bytes = bytes;
    this.#at = runs.at;
    this.#end = runs.end;
    this.#digit = runs.digit;
  }

  #runOf(place: number): number {
    let [low, high] = [0, this.#at.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#at[middle] as number) <= place) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** Matches here as matches of the digits; those that share a group of four digits become one. */
  lift<T>(matches: readonly Match<T>[]): Match<T>[] {
    const lifted: Match<T>[] = [];
    let together: Match<T>[] = [];
    let [run, end] = [-1, 0];
    const flush = (): void => {
      const [first] = together;
      if (first) lifted.push(this.#together(run, first, together));
      together = [];
    };
    for (const match of withoutOverlaps(matches)) {
      const own = this.#runOf(match.start);
      if (match.end > (this.#end[own] as number)) continue;
      if (own !== run || match.start >= end) flush();
      run = own;
      together.push(match);
      const begin = this.#at[own] as number;
      end = begin + Math.ceil((match.end - begin) / 3) * 3;
    }
    flush();
    return lifted;
  }

  #together<T>(run: number, first: Match<T>, matches: readonly Match<T>[]): Match<T> {
    const [begin, finish, digit] = [this.#at[run], this.#end[run], this.#digit[run]] as [number, number, number];
    const from = begin + Math.floor((first.start - begin) / 3) * 3;
    const last = matches.at(-1) as Match<T>;
    const until = Math.min(finish, begin + Math.ceil((last.end - begin) / 3) * 3);
    const start = digit + ((from - begin) / 3) * 4;
    const end = digit + Math.ceil(((until - begin) * 4) / 3);
    const isForUrls = /[-_]/.test(this.#original.toString('latin1', start, end));
    const spell = (padding = 0): Buffer => {
      const pieces: Buffer[] = [];
      let at = from;
      for (const match of matches) {
        pieces.push(this.bytes.subarray(at, match.start), this.#inStep(match, match === first ? padding : 0));
        at = match.end;
      }
      pieces.push(this.bytes.subarray(at, until));
      const digits = Buffer.concat(pieces).toString(isForUrls ? 'base64url' : 'base64');
      return Buffer.from(digits.replace(/=+$/, ''), 'latin1');
    };
    return { start, end, secret: first.secret, form: first.form, breaks: [], spell };
  }

  /** A replacement that leaves what follows in its group of digits. @param padding how many lengths that do are passed over */
  #inStep(match: Match, padding: number): Buffer {
    const length = match.end - match.start;
    let found = replacementFor(match, this.bytes);
    for (let [more, fitting] = [0, -1]; more <= 3 * padding + 2; more++) {
      const text = replacementFor(match, this.bytes, more);
      if ((text.length - length) % 3 !== 0) continue;
      found = text;
      if (++fitting === padding) break;
    }
    return found;
  }
}

interface Run {
  readonly start: number;
  readonly end: number;
}

/** Runs of at least so many digits: each holds a byte of those that are looked at. */
function runsOf(bytes: Buffer, least: number): Run[] {
  const runs: Run[] = [];
  let done = 0;
  for (let at = least - 1; at < bytes.length; at += least) {
    if (at < done || IS_BASE64[bytes[at] as number] === 0) continue;
    let [start, end] = [at, at + 1];
    while (start > done && IS_BASE64[bytes[start - 1] as number] === 1) start--;
    while (end < bytes.length && IS_BASE64[bytes[end] as number] === 1) end++;
    if (end - start >= least) runs.push({ start, end });
    done = end;
  }
  return runs;
}

/** Decodes a run into `out` from `to` on. @returns the end, negative where nothing decoded is worth a look */
type Decode = (run: Run, out: Buffer, to: number) => number;

function decoderFor(bytes: Buffer, needles: Needles<unknown>): Decode {
  const streakOf = digitsOf(needles.shortest);
  const [blank, quote] = [needles.holds(BLANK), needles.holds(QUOTE)];
  return ({ start, end }, out, to) => {
    let [written, streak, before] = [to, 0, 0];
    let isWorth = false;
    const put = (byte: number): void => {
      out[written++] = byte;
      if (isWorth) return;
      const isDigit = IS_BASE64[byte] === 1;
      streak = isDigit ? streak + 1 : byte === LF || byte === CR || byte === BLANK || byte === TAB ? streak : 0;
      isWorth =
        streak >= streakOf ||
        BEGINS_ESCAPE[(before << 8) | byte] === 1 ||
        (blank && byte === PLUS) ||
        (quote && byte === QUOTE);
      before = byte;
    };
    let at = start;
    for (; at + 4 <= end; at += 4) {
      const bits =
        ((VALUES[bytes[at] as number] as number) << 18) |
        ((VALUES[bytes[at + 1] as number] as number) << 12) |
        ((VALUES[bytes[at + 2] as number] as number) << 6) |
        (VALUES[bytes[at + 3] as number] as number);
      put(bits >> 16);
      put((bits >> 8) & 255);
      put(bits & 255);
    }
    const value = (place: number): number => VALUES[bytes[place] as number] as number;
    if (end - at >= 2) put(((value(at) << 2) | (value(at + 1) >> 4)) & 255);
    if (end - at === 3) put(((value(at + 1) << 4) | (value(at + 2) >> 2)) & 255);
    return isWorth ? written : -1;
  };
}

/** Decodes what may hide a needle: a piece each of the ways to group digits. */
export function decodedBase64(bytes: Buffer, needles: Needles<unknown>): DecodedBase64[] {
  const runs = runsOf(bytes, digitsOf(needles.shortest + 1));
  if (runs.length === 0) return [];
  const digits = runs.reduce((sum, { start, end }) => sum + end - start, 0);
  const decode = decoderFor(bytes, needles);
  return PHASES.flatMap((phase) => {
    // A byte between two runs, which is part of neither.
    const out = Buffer.alloc(digits + runs.length);
    const pieces: Record<'at' | 'end' | 'digit', number[]> = { at: [], end: [], digit: [] };
    let to = 0;
    for (const { start, end } of runs) {
      const written = decode({ start: start + phase, end }, out, to);
      if (written < 0) continue;
      pieces.at.push(to);
      pieces.end.push(written);
      pieces.digit.push(start + phase);
      out[written] = 0;
      to = written + 1;
    }
    return to === 0 ? [] : [new DecodedBase64(bytes, out.subarray(0, to), pieces)];
  });
}

/** Whether anything is encoded in base64 that may hide a needle. */
export const holdsBase64 = (bytes: Buffer, needles: Needles<unknown>): boolean =>
  decodedBase64(bytes, needles).length > 0;

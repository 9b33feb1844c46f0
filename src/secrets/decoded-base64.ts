/**
 * Decodes base64: every run of its digits, in each of the four ways to group them, because its start is unknown. A secret
 * that is encoded directly is found by its digits; the decoded bytes may contain it escaped, or encoded once more.
 */
import { IS_BASE64 } from './encodings.ts';
import { type Match, replacementFor, withoutOverlaps } from './match.ts';
import type { MultiSearch } from './multi-search.ts';

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Uint8Array(256);
for (const [value, digit] of [...DIGITS].entries()) VALUES[digit.charCodeAt(0)] = value;
VALUES['-'.charCodeAt(0)] = 62;
VALUES['_'.charCodeAt(0)] = 63;

const PHASES = [0, 1, 2, 3];
/** Fewer digits of base64 occur anywhere by chance. */
const FEWEST_DIGITS = 6;

/** The number of base64 digits that contain bits of so many bytes only, wherever they begin. */
const digitsOf = (bytes: number): number => Math.max(FEWEST_DIGITS, Math.floor((bytes * 8) / 6) - 1);

/** The concatenated decoded bytes of runs, and their positions in the original. */
export class DecodedBase64 {
  readonly bytes: Buffer;
  readonly #original: Buffer;
  /** By run: its start and end here, and its first digit in the original. */
  readonly #starts: readonly number[];
  readonly #ends: readonly number[];
  readonly #firstDigits: readonly number[];

  constructor(original: Buffer, bytes: Buffer, runs: Readonly<Record<'at' | 'end' | 'digit', readonly number[]>>) {
    this.#original = original;
    this.bytes = bytes;
    this.#starts = runs.at;
    this.#ends = runs.end;
    this.#firstDigits = runs.digit;
  }

  #runOf(place: number): number {
    let [low, high] = [0, this.#starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] as number) <= place) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /**
   * Matches in the decoded runs. The runs are searched together, which is fast; where a match crosses from one to the next,
   * it may cover another match, and each run is searched alone.
   */
  matchesWithin<T>(find: (bytes: Buffer) => Match<T>[]): Match<T>[] {
    const matches = find(this.bytes);
    if (matches.every(({ start, end }) => end <= (this.#ends[this.#runOf(start)] as number))) return matches;
    return this.#starts.flatMap((from, run) => {
      const shift = <Interval extends { readonly start: number; readonly end: number }>(each: Interval): Interval => ({
        ...each,
        start: each.start + from,
        end: each.end + from,
      });
      return find(this.bytes.subarray(from, this.#ends[run])).map((match) => ({
        ...shift(match),
        breaks: match.breaks.map(shift),
      }));
    });
  }

  /** Maps matches here to matches of the digits; those that share a group of four digits become one. */
  mapToOriginal<T>(matches: readonly Match<T>[]): Match<T>[] {
    const lifted: Match<T>[] = [];
    let group: Match<T>[] = [];
    let [run, end] = [-1, 0];
    const flush = (): void => {
      const [first] = group;
      if (first) lifted.push(this.#merge(run, first, group));
      group = [];
    };
    for (const match of withoutOverlaps(matches)) {
      const matchRun = this.#runOf(match.start);
      if (matchRun !== run || match.start >= end) flush();
      run = matchRun;
      group.push(match);
      const begin = this.#starts[matchRun] as number;
      end = begin + Math.ceil((match.end - begin) / 3) * 3;
    }
    flush();
    return lifted;
  }

  #merge<T>(run: number, first: Match<T>, matches: readonly Match<T>[]): Match<T> {
    const [begin, finish, digit] = [this.#starts[run], this.#ends[run], this.#firstDigits[run]] as [
      number,
      number,
      number,
    ];
    const from = begin + Math.floor((first.start - begin) / 3) * 3;
    const last = matches.at(-1) as Match<T>;
    const until = Math.min(finish, begin + Math.ceil((last.end - begin) / 3) * 3);
    const start = digit + ((from - begin) / 3) * 4;
    const end = digit + Math.ceil(((until - begin) * 4) / 3);
    const isForUrls = /[-_]/.test(this.#original.toString('latin1', start, end));
    const encodePlaceholder = (padding = 0): Buffer => {
      const pieces: Buffer[] = [];
      let at = from;
      for (const match of matches) {
        pieces.push(this.bytes.subarray(at, match.start), this.#aligned(match, match === first ? padding : 0));
        at = match.end;
      }
      pieces.push(this.bytes.subarray(at, until));
      const digits = Buffer.concat(pieces).toString(isForUrls ? 'base64url' : 'base64');
      return Buffer.from(digits.replace(/=+$/, ''), 'latin1');
    };
    return { start, end, secret: first.secret, form: 'base64', breaks: [], encodePlaceholder };
  }

  /** A replacement that keeps the following bytes in their groups of digits. @param padding how many fitting lengths to skip */
  #aligned(match: Match, padding: number): Buffer {
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

/** Runs of at least so many digits. Bytes before a byte that is not a digit are skipped if they are too few for a run. */
function runsOf(bytes: Buffer, minLength: number): Run[] {
  const runs: Run[] = [];
  let start = 0;
  while (start + minLength <= bytes.length) {
    let end = start + minLength;
    let other = end - 1;
    while (other >= start && IS_BASE64[bytes[other] as number] === 1) other--;
    if (other >= start) {
      start = other + 1;
      continue;
    }
    while (end < bytes.length && IS_BASE64[bytes[end] as number] === 1) end++;
    runs.push({ start, end });
    start = end + 1;
  }
  return runs;
}

/** The decoded byte at a position of the digits from `first` on. */
function byteAt(bytes: Buffer, first: number, place: number): number {
  const rest = place % 3;
  const at = first + ((place - rest) / 3) * 4 + rest;
  const [left, right] = [VALUES[bytes[at] as number] as number, VALUES[bytes[at + 1] as number] as number];
  if (rest === 0) return (left << 2) | (right >> 4);
  return rest === 1 ? ((left & 15) << 4) | (right >> 2) : ((left & 3) << 6) | right;
}

const [TAB, LF, CR] = [0x09, 0x0a, 0x0d];
const PRINTABLE = new Uint8Array(256).fill(1, 0x20, 0x7f);
for (const each of [TAB, LF, CR]) PRINTABLE[each] = 1;

/** Whether a byte may be part of an encoded secret. */
const isText = (byte: number, needles: MultiSearch<unknown>): boolean => PRINTABLE[byte] === 1 || needles.holds(byte);

/** Calls `visit` for every decoded text of a run that is long enough for a needle, extended to groups of digits. */
function eachText(
  bytes: Buffer,
  { start, end }: Run,
  needles: MultiSearch<unknown>,
  visit: (from: number, until: number) => void,
): void {
  const needed = needles.shortest;
  const length = Math.floor(((end - start) * 3) / 4);
  let done = 0;
  for (let place = needed - 1; place < length; place += needed) {
    if (place < done || !isText(byteAt(bytes, start, place), needles)) continue;
    let [from, until] = [place, place + 1];
    while (from > done && isText(byteAt(bytes, start, from - 1), needles)) from--;
    while (until < length && isText(byteAt(bytes, start, until), needles)) until++;
    done = until;
    if (until - from >= needed) visit(from - (from % 3), Math.min(length, Math.ceil(until / 3) * 3));
  }
}

/** Decodes the runs that may contain a needle, once for each way to group the digits. */
export function decodedBase64(bytes: Buffer, needles: MultiSearch<unknown>): DecodedBase64[] {
  const runs = runsOf(bytes, digitsOf(needles.shortest + 1));
  if (runs.length === 0) return [];
  return PHASES.flatMap((phase) => {
    const pieces: Record<'at' | 'end' | 'digit', number[]> = { at: [], end: [], digit: [] };
    const decoded: Buffer[] = [];
    let to = 0;
    for (const { start, end } of runs) {
      const first = start + phase;
      eachText(bytes, { start: first, end }, needles, (from, until) => {
        const digit = first + (from / 3) * 4;
        const digits = bytes.toString('latin1', digit, digit + Math.ceil(((until - from) * 4) / 3));
        // A byte separates the pieces.
        decoded.push(Buffer.from(digits, 'base64'), Buffer.alloc(1));
        pieces.at.push(to);
        pieces.end.push(to + until - from);
        pieces.digit.push(digit);
        to += until - from + 1;
      });
    }
    return to === 0 ? [] : [new DecodedBase64(bytes, Buffer.concat(decoded), pieces)];
  });
}

/** Whether bytes contain base64 that may hide a needle. */
export function holdsBase64(bytes: Buffer, needles: MultiSearch<unknown>): boolean {
  return runsOf(bytes, digitsOf(needles.shortest + 1)).some(({ start, end }) =>
    PHASES.some((phase) => {
      let holds = false;
      eachText(bytes, { start: start + phase, end }, needles, () => {
        holds = true;
      });
      return holds;
    }),
  );
}

/**
 * Whether a line break between digits may wrap base64 of text: enough digits on one side of it decode to text, or a line
 * is too short to decide.
 */
export function mayWrapText(bytes: Buffer, at: number, after: number, needles: MultiSearch<unknown>): boolean {
  const digits = Math.floor(digitsOf(needles.shortest + 1) / 2);
  let [start, end] = [at, after];
  while (at - start < digits && IS_BASE64[bytes[start - 1] ?? 0] === 1) start--;
  while (end - after < digits && IS_BASE64[bytes[end] ?? 0] === 1) end++;
  if ((at - start < digits && isBreak(bytes[start - 1])) || (end - after < digits && isBreak(bytes[end]))) return true;
  const isTextRun = (from: number, until: number): boolean =>
    until - from === digits &&
    PHASES.some((phase) => {
      const length = Math.floor(((digits - phase) * 3) / 4);
      for (let place = 0; place < length; place++)
        if (!isText(byteAt(bytes, from + phase, place), needles)) return false;
      return true;
    });
  return isTextRun(start, at) || isTextRun(after, end);
}

const isBreak = (byte: number | undefined): boolean => byte === LF || byte === CR;

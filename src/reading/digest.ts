/** A fingerprint of what an answer says, whatever the order it says it in: two answers that agree have the same one. */
import { type Cell, type Observation, type Row, Unconverted } from './types.ts';

const LANE = 0x1_0000_0000;

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);

/** The bits that stand for a field's name, worked out once: each row of a list has the same fields. */
const seeds = new Map<string, number>();

function seedOf(field: string): number {
  let seed = seeds.get(field);
  if (seed === undefined) {
    seed = 0x811c9dc5;
    for (let at = 0; at < field.length; at++) seed = Math.imul(seed ^ field.charCodeAt(at), 0x01000193);
    seeds.set(field, seed);
  }
  return seed;
}

/** Adds up 64 bits per row, so that order does not matter and no row is remembered. */
export class RowSum {
  #low = 0;
  #high = 0;
  #rowLow = 0;
  #rowHigh = 0;

  add(row: Row): void {
    this.#rowLow = 0x811c9dc5;
    this.#rowHigh = 0x9747b28c;
    for (const field in row) {
      const cell = row[field as keyof Row];
      this.#mixWord(seedOf(field));
      // What kind of cell it is tells a text from what is spelled like it.
      if (typeof cell === 'string') this.#mixText(1, cell);
      else if (typeof cell === 'number') this.#mixNumber(cell);
      else this.#mixText(3, spellCell(cell));
    }
    this.#low = (this.#low + (this.#rowLow >>> 0)) % LANE;
    this.#high = (this.#high + (this.#rowHigh >>> 0)) % LANE;
  }

  #mixWord(word: number): void {
    this.#rowLow = Math.imul(this.#rowLow ^ word, 0x01000193);
    const high = Math.imul(this.#rowHigh ^ word, 0x5bd1e995);
    this.#rowHigh = high ^ (high >>> 15);
  }

  #mixText(kind: number, text: string): void {
    this.#mixWord(kind);
    // Locals, because this loop sees most characters of a bulk list.
    let low = this.#rowLow;
    let high = this.#rowHigh;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      low = Math.imul(low ^ code, 0x01000193);
      high = Math.imul(high ^ code, 0x5bd1e995);
      high ^= high >>> 15;
    }
    this.#rowLow = low;
    this.#rowHigh = high;
    // Closes the piece, so that its end cannot pass for the beginning of the next.
    this.#mixWord(~text.length);
  }

  /** By its bits, as spelling out a fraction costs more than parsing it did. */
  #mixNumber(value: number): void {
    this.#mixWord(2);
    // Adding zero makes zero of minus zero.
    double[0] = value + 0;
    for (let at = 0; at < 2; at++) {
      const word = words[at] as number;
      this.#mixWord(word);
      this.#mixWord(word >>> 16);
    }
  }

  get text(): string {
    return [this.#high, this.#low].map((lane) => lane.toString(16).padStart(8, '0')).join('');
  }
}

/**
 * The digest of an observation: the sum over its rows, and one over its distinct values; a value repeated on every page
 * is still one value, so the size of pages does not matter.
 */
export function digestOf(rows: RowSum, values: Observation['values']): string {
  const sum = new RowSum();
  const distinct = new Set(
    Object.entries(values).flatMap(([field, cells]) => cells.map((cell) => `${field}=${spellCell(cell)}`)),
  );
  for (const text of distinct) sum.add({ name: text });
  return `${rows.text}-${sum.text}`;
}

/** The digest of a list out of the digests of its pages and the values of all of them. */
export function joinDigests(digests: readonly string[], values: Observation['values']): string {
  const lane = (from: number) =>
    digests.reduce((sum, digest) => (sum + Number.parseInt(digest.slice(from, from + 8), 16)) % LANE, 0);
  const rows = [lane(0), lane(8)].map((each) => each.toString(16).padStart(8, '0')).join('');
  return `${rows}-${digestOf(new RowSum(), values).split('-')[1]}`;
}

function spellCell(cell: Cell): string {
  if (typeof cell === 'string') return JSON.stringify(cell);
  if (typeof cell !== 'object' || cell === null) return String(cell);
  if (cell instanceof Unconverted) return `?${canonical(cell.raw)}`;
  return `[${(cell as readonly unknown[]).map(canonical).sort().join()}]`;
}

/** JSON with members in alphabetical order. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical((value as Record<string, unknown>)[name])}`).join()}}`;
}

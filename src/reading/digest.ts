/** An order-independent digest of a response's content: equal content has equal digests. */
import { type Cell, type Observation, type Row, Unconverted } from './types.ts';

const WORD_RANGE = 0x1_0000_0000;
/** Kinds of cells: a text differs from another value of the same format. */
const [TEXT, NUMBER, FORMATTED] = [1, 2, 3];

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);

/** The hash of a field's name, computed once: each row of a list has the same fields. */
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

/** Adds up 64 bits per row, so that order does not matter and no row is stored. */
export class RowDigest {
  #low = 0;
  #high = 0;

  add(row: Row): void {
    // Local variables in one loop, because it processes most characters of a bulk list.
    let low = 0x811c9dc5;
    let high = 0x9747b28c;
    for (const field in row) {
      // The parent repeats the request: equal items of two nodes have equal digests.
      if (field === 'parent') continue;
      const cell = row[field as keyof Row];
      let length = 0;
      let text = '';
      let kind = NUMBER;
      if (typeof cell === 'number') {
        // Adding zero converts minus zero to zero. The bits are hashed, because formatting a fraction is slower than parsing it.
        double[0] = cell + 0;
        length = 4;
      } else {
        kind = typeof cell === 'string' ? TEXT : FORMATTED;
        text = typeof cell === 'string' ? cell : formatCell(cell);
        length = text.length;
      }
      // A cell is preceded by its field, kind and length; two characters are hashed at a time.
      let word = seedOf(field) + length * 4 + kind;
      for (let at = 0; ; at += 2) {
        low = Math.imul(low ^ word, 0x01000193);
        low ^= low >>> 15;
        high = Math.imul(high ^ word, 0x5bd1e995);
        high ^= high >>> 15;
        if (at >= length) break;
        if (kind === NUMBER) word = words[at >>> 1] as number;
        else word = text.charCodeAt(at) | (at + 1 < length ? text.charCodeAt(at + 1) << 16 : 0);
      }
    }
    this.#low = (this.#low + (low >>> 0)) % WORD_RANGE;
    this.#high = (this.#high + (high >>> 0)) % WORD_RANGE;
  }

  get text(): string {
    return [this.#high, this.#low].map((sumWord) => sumWord.toString(16).padStart(8, '0')).join('');
  }
}

/**
 * The digest of an observation: the sum over its rows, and one over its distinct values; a value repeated on every page
 * is still one value, so the size of pages does not matter.
 */
export function digestOf(rows: RowDigest, values: Observation['values']): string {
  const sum = new RowDigest();
  const distinct = new Set(
    Object.entries(values).flatMap(([field, cells]) => cells.map((cell) => `${field}=${formatCell(cell)}`)),
  );
  for (const text of distinct) sum.add({ name: text });
  return `${rows.text}-${sum.text}`;
}

/** Combines the digests of the pages of a list with the values of all of them. */
export function joinDigests(digests: readonly string[], values: Observation['values']): string {
  const sumWord = (from: number) =>
    digests.reduce((sum, digest) => (sum + Number.parseInt(digest.slice(from, from + 8), 16)) % WORD_RANGE, 0);
  const rows = [sumWord(0), sumWord(8)].map((each) => each.toString(16).padStart(8, '0')).join('');
  return `${rows}-${digestOf(new RowDigest(), values).split('-')[1]}`;
}

/** A cell as text; equal for equal values, whatever the order of members and of a list. */
export function formatCell(cell: Cell): string {
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

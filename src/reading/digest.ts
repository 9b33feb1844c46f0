/** A fingerprint of what an answer says, whatever the order it says it in: two answers that agree have the same one. */
import { type Cell, type Observation, type Row, Unconverted } from './types.ts';

const LANE = 0x1_0000_0000;

/** Adds up 64 bits per row, so that order does not matter and no row is remembered. */
export class RowSum {
  #low = 0;
  #high = 0;

  add(row: Row): void {
    let low = 0x811c9dc5;
    let high = 0x9747b28c;
    const text = spell(row);
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      low = Math.imul(low ^ code, 0x01000193);
      high = Math.imul(high ^ (code + at), 0x5bd1e995);
      high ^= high >>> 15;
    }
    this.#low = (this.#low + (low >>> 0)) % LANE;
    this.#high = (this.#high + (high >>> 0)) % LANE;
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
    Object.entries(values).flatMap(([field, cells]) => cells.map((cell) => spell({ [field]: cell }))),
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

function spell(row: Row): string {
  let text = '';
  for (const field in row) text += `${field}=${spellCell(row[field as keyof Row])};`;
  return text;
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

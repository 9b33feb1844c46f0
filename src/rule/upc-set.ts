/** Exact sets of UPCs, and the folds over the UPCs of a list. */
import type { Field } from '../contract/index.ts';
import { fold } from './fold.ts';

/** An exact set of UPCs: 12 digits fit a double, so a million of them cost 8 MB and a sort. */
export class UpcSet {
  #values = new Float64Array(64);
  #size = 0;
  #sorted = true;
  #duplicates: number[] = [];
  /** Rows without a readable UPC: a missing UPC may be among them. */
  unread = 0;

  /** Adds a UPC of 12 digits. */
  add(upc: string): void {
    if (this.#size === this.#values.length) {
      // `transfer` frees the old buffer at once instead of at the next garbage collection.
      this.#values = new Float64Array(this.#values.buffer.transfer(this.#values.byteLength * 2));
    }
    const value = numberOf(upc);
    // Many lists are sorted by UPC and need no sorting.
    if (this.#size > 0 && value <= (this.#values[this.#size - 1] as number)) this.#sorted = false;
    this.#values[this.#size++] = value;
  }

  #sort(): Float64Array {
    if (!this.#sorted) {
      const sorted = this.#values.subarray(0, this.#size).sort();
      let length = 0;
      for (let i = 0; i < sorted.length; i++) {
        const value = sorted[i] as number;
        if (length > 0 && sorted[length - 1] === value) this.#duplicates.push(value);
        else sorted[length++] = value;
      }
      this.#size = length;
      this.#sorted = true;
    }
    return this.#values.subarray(0, this.#size);
  }

  /** The different UPCs as numbers in ascending order; `asUpc` makes texts of them. */
  get numbers(): Float64Array {
    return this.#sort();
  }

  /** Number of different UPCs. */
  get size(): number {
    return this.#sort().length;
  }

  /** UPCs that were added more than once, one item for each repetition. */
  get duplicates(): string[] {
    this.#sort();
    return this.#duplicates.map(asUpc);
  }

  has(upc: string): boolean {
    const values = this.#sort();
    const wanted = numberOf(upc);
    let low = 0;
    let high = values.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((values[middle] as number) < wanted) low = middle + 1;
      else high = middle;
    }
    return values[low] === wanted;
  }

  /** The UPCs of this set that `other` lacks: their number and the first `show` of them. */
  missingFrom(other: UpcSet, show = 5): { count: number; first: string[] } {
    const mine = this.#sort();
    const theirs = other.#sort();
    const first: string[] = [];
    let count = 0;
    let at = 0;
    for (const value of mine) {
      while (at < theirs.length && (theirs[at] as number) < value) at++;
      if (theirs[at] === value) continue;
      count++;
      if (first.length < show) first.push(asUpc(value));
    }
    return { count, first };
  }
}

let lastUpc = '';
let lastNumber = 0;

/** `Number` for a UPC at a fraction of its cost; cached because each row of a bulk list goes into several sets in turn. */
function numberOf(upc: string): number {
  if (upc === lastUpc) return lastNumber;
  let value = 0;
  for (let at = 0; at < upc.length; at++) value = value * 10 + upc.charCodeAt(at) - 48;
  lastUpc = upc;
  lastNumber = value;
  return value;
}

/** A UPC of its number. */
export const asUpc = (value: number): string => String(value).padStart(12, '0');

/** The UPCs of a list. Values that are no UPC are counted in `unread`. */
export const upcs = fold(
  'upcs',
  () => new UpcSet(),
  (keys, { upc }) => {
    if (typeof upc === 'string') keys.add(upc);
    else keys.unread++;
  },
);

/** The UPCs of a list, grouped by a text field. */
export const upcsBy = (field: Field) =>
  fold<Map<string, UpcSet>, ReadonlyMap<string, UpcSet>>(
    `upcsBy:${field}`,
    () => new Map(),
    (groups, { upc, [field]: group }) => {
      if (typeof upc !== 'string' || typeof group !== 'string') return;
      if (!groups.has(group)) groups.set(group, new UpcSet());
      groups.get(group)?.add(upc);
    },
  );

/** The UPCs of the rows without a text in a field, which `upcsBy` omits. */
export const upcsWithout = (field: Field) =>
  fold(
    `upcsWithout:${field}`,
    () => new UpcSet(),
    (keys, { upc, [field]: cell }) => {
      if (typeof upc === 'string' && typeof cell !== 'string') keys.add(upc);
    },
  );

/** An exact set of UPCs: 12 digits fit a double, so a million of them cost 8 MB and a sort. */
export class KeySet {
  #values = new Float64Array(64);
  #size = 0;
  #sorted = true;
  #duplicates: number[] = [];
  /** Rows that carried no readable UPC: what is missing may be among them. */
  unread = 0;

  /** Adds a UPC of 12 digits. */
  add(upc: string): void {
    if (this.#size === this.#values.length) {
      // Transferred, so that what it outgrows is free at once and not when garbage is next collected.
      this.#values = new Float64Array(this.#values.buffer.transfer(this.#values.byteLength * 2));
    }
    const value = numberOf(upc);
    // Many lists come in the order of their UPCs, and need no sorting.
    if (this.#size > 0 && value <= (this.#values[this.#size - 1] as number)) this.#sorted = false;
    this.#values[this.#size++] = value;
  }

  #settle(): Float64Array {
    if (!this.#sorted) {
      const sorted = this.#values.subarray(0, this.#size).sort();
      let kept = 0;
      for (let i = 0; i < sorted.length; i++) {
        const value = sorted[i] as number;
        if (kept > 0 && sorted[kept - 1] === value) this.#duplicates.push(value);
        else sorted[kept++] = value;
      }
      this.#size = kept;
      this.#sorted = true;
    }
    return this.#values.subarray(0, this.#size);
  }

  /** How many different UPCs it holds. */
  get size(): number {
    return this.#settle().length;
  }

  /** UPCs that were added more than once, each listed once per extra time. */
  get duplicates(): string[] {
    this.#settle();
    return this.#duplicates.map(asUpc);
  }

  has(upc: string): boolean {
    const values = this.#settle();
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

  /** The UPCs of this set that `other` lacks: how many, and the first few. */
  missingFrom(other: KeySet, show = 5): { count: number; first: string[] } {
    const mine = this.#settle();
    const theirs = other.#settle();
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

/** As `Number` for a UPC, at a fraction of its cost: each row of a bulk list goes into several sets, one after the other. */
function numberOf(upc: string): number {
  if (upc === lastUpc) return lastNumber;
  let value = 0;
  for (let at = 0; at < upc.length; at++) value = value * 10 + upc.charCodeAt(at) - 48;
  lastUpc = upc;
  lastNumber = value;
  return value;
}

const asUpc = (value: number): string => String(value).padStart(12, '0');

/** Hashes for comparing contents, and samples that are equal for equal contents. */

/** FNV-1a, 32 bits. */
export function hashOf(text: string, seed = 0x811c9dc5): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Mixes a hash with its context, so that sums of mixed hashes depend on which values belong together. */
export function mixHash(hash: number, seed: number): number {
  let mixed = Math.imul(hash ^ seed, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

const KEPT = 6;

/** A sample of values: those with the smallest hashes, so that equal contents have equal samples. */
export class Sample {
  readonly #kept: { readonly hash: number; readonly text: string }[] = [];

  /** @param text called only if the value is added to the sample */
  add(hash: number, text: () => string): void {
    const last = this.#kept.at(-1);
    if (this.#kept.length >= KEPT && last && hash >= last.hash) return;
    const at = this.#kept.findIndex((each) => each.hash >= hash);
    if (this.#kept[at]?.hash === hash) return;
    this.#kept.splice(at < 0 ? this.#kept.length : at, 0, { hash, text: text() });
    if (this.#kept.length > KEPT) this.#kept.pop();
  }

  merge(other: Sample): void {
    for (const { hash, text } of other.#kept) this.add(hash, () => text);
  }

  get any(): string | undefined {
    return this.#kept[0]?.text;
  }

  /** A value of this sample that is certainly missing on the other side. */
  besides(other: Sample): string | undefined {
    const theirs = new Set(other.#kept.map(({ hash }) => hash));
    const bound = other.#kept.length < KEPT ? Number.POSITIVE_INFINITY : (other.#kept.at(-1)?.hash ?? 0);
    return this.#kept.find(({ hash }) => hash < bound && !theirs.has(hash))?.text;
  }
}

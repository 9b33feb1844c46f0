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

const SAMPLE_SIZE = 6;

/** A sample of values: those with the smallest hashes, so that equal contents have equal samples. */
export class Sample {
  readonly #values: { readonly hash: number; readonly text: string }[] = [];

  /** @param text called only if the value is added to the sample */
  add(hash: number, text: () => string): void {
    const last = this.#values.at(-1);
    if (this.#values.length >= SAMPLE_SIZE && last && hash >= last.hash) return;
    const at = this.#values.findIndex((each) => each.hash >= hash);
    if (this.#values[at]?.hash === hash) return;
    this.#values.splice(at < 0 ? this.#values.length : at, 0, { hash, text: text() });
    if (this.#values.length > SAMPLE_SIZE) this.#values.pop();
  }

  merge(other: Sample): void {
    for (const { hash, text } of other.#values) this.add(hash, () => text);
  }

  get any(): string | undefined {
    return this.#values[0]?.text;
  }

  /** A value of this sample that is certainly missing on the other side. */
  valueMissingFrom(other: Sample): string | undefined {
    const otherHashes = new Set(other.#values.map(({ hash }) => hash));
    const bound = other.#values.length < SAMPLE_SIZE ? Number.POSITIVE_INFINITY : (other.#values.at(-1)?.hash ?? 0);
    return this.#values.find(({ hash }) => hash < bound && !otherHashes.has(hash))?.text;
  }
}

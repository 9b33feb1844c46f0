/**
 * An unsigned 32-bit number that depends only on its arguments, so that any product or week can be made alone and in any
 * order: `mix(seed, index, salt) % 100`.
 */
export function mix(...parts: readonly number[]): number {
  let hash = 0x9e3779b9;
  for (const part of parts) {
    // Both halves of a number above 32 bits take part.
    for (const word of [part | 0, Math.floor(part / 0x1_0000_0000) | 0]) {
      hash = Math.imul(hash ^ word, 0x85ebca6b);
      hash ^= hash >>> 13;
    }
  }
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** `value` modulo `size`, never negative. */
export const wrap = (value: number, size: number): number => ((value % size) + size) % size;

const stir = (hash: number, word: number): number => {
  const mixed = Math.imul(hash ^ word, 0x85ebca6b);
  return mixed ^ (mixed >>> 13);
};

/**
 * A hash of its arguments, an unsigned 32-bit number, so that products and weeks can be computed independently and in any
 * order: `mix(seed, index, salt) % 100`. Plain parameters, because it runs several times per row of the bulk list.
 */
export function mix(seed: number, index: number, salt: number, step = 0): number {
  const hash = Math.imul(stir(stir(stir(stir(0x9e3779b9, seed | 0), index | 0), salt | 0), step | 0), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** `value` modulo `size`, never negative. */
export const wrap = (value: number, size: number): number => ((value % size) + size) % size;

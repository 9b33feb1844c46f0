/** Hashes of texts that decide which subjects a draw takes. */
import { UNSTRATIFIED_SEED } from '../contract/index.ts';

const HASH_START = 0x811c9dc5;

/** Continues an FNV-1a hash with a text. */
function continueHash(start: number, text: string): number {
  let hash = start;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

/** The hash that a row of a draw starts with. */
export const startHash = (seed: number): number =>
  seed === UNSTRATIFIED_SEED ? HASH_START : continueHash(HASH_START, `${seed};`);

/** Continues the hash of a row with the text of a cell. */
export const addToHash = (hash: number, text: string): number => continueHash(~hash, text);

/** Mixes the bits of a hash, so that the smallest hashes are a uniform sample. */
export function mixBits(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}

/** The hash of one text. */
export const seededHash = (text: string, seed: number): number => mixBits(addToHash(startHash(seed), text));

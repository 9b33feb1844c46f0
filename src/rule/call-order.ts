/** The order of repeated calls: shuffled by the seed of the run, so that no rhythm of a server matches it by chance. */
import type { Declarations, Step } from './index.ts';

/** Returns numbers from 0 to below 1, which only depend on the seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

/** Shuffles items by a seed (Fisher–Yates). @example shuffleBySeed([1, 2, 3], 7) // the same order each time */
export function shuffleBySeed<T>(items: readonly T[], seed: number): T[] {
  const random = randomFrom(seed);
  const shuffled = [...items];
  for (let at = shuffled.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [shuffled[at], shuffled[other]] = [shuffled[other] as T, shuffled[at] as T];
  }
  return shuffled;
}

/**
 * Several calls of each subject, shuffled.
 * @returns the index of the subject of each call
 * @example callOrder(2, 2, 7) // e.g. [0, 1, 1, 0]
 */
export const callOrder = (subjectCount: number, callsPerSubject: number, seed: number): number[] =>
  shuffleBySeed(
    Array.from({ length: subjectCount * callsPerSubject }, (_, at) => at % subjectCount),
    seed,
  );

/** Cuts a call order before each subject that the part already contains: the longest parts without an equal request. */
export function distinctParts(order: readonly number[]): number[][] {
  const parts: number[][] = [];
  for (const subject of order) {
    const last = parts.at(-1);
    if (last && !last.includes(subject)) last.push(subject);
    else parts.push([subject]);
  }
  return parts;
}

/**
 * The content codings that repeated calls accept, in turn (RFC 9110, section 12.5.3); undefined: no statement, so that
 * the server may use any. Most clients accept gzip.
 */
const ACCEPTED_CODINGS = [
  undefined,
  'gzip',
  'identity',
  'gzip',
  'br',
  'gzip',
  'deflate',
  'gzip',
  'zstd',
  'gzip',
] as const;

/** The content coding that a call accepts. @example acceptedCoding(1) // 'gzip' */
export const acceptedCoding = (call: number): string | undefined => ACCEPTED_CODINGS[call % ACCEPTED_CODINGS.length];

/** The nth of several equal requests, which rules share. The last one follows all other requests of the run. */
export function equalCall<S extends Step>(request: S, nth: number, { draw }: Declarations): S {
  const acceptEncoding = acceptedCoding(nth - 1);
  const variant = { ...request.variant, ...(acceptEncoding !== undefined && { acceptEncoding }) };
  return { ...request, variant, repetition: nth === 1 ? 0 : nth, ...(nth === draw('equalCalls') && { last: true }) };
}

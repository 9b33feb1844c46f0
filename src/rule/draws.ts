/** How many subjects a draw takes at each depth, which ones, and in which order calls are repeated. */
import { type Depth, UNSTRATIFIED_SEED } from '../contract/index.ts';
import type { Step } from './step.ts';

/** The most subjects of one draw at depth `thorough`, unless `limits.maxSubjects` of the profile states another number. */
export const THOROUGH_BOUND = 10_000;

/**
 * The number of subjects of each draw. A rule with a draw of 0 is untested and its reason names the depth. A draw of
 * `thorough` is never greater than the bound.
 */
export const DRAWS = {
  /** Products of the bulk list that the look-up requests. */
  lookUps: { quick: 8, standard: 24, thorough: THOROUGH_BOUND },
  /** Rows of strata that a sample takes in addition. */
  strata: { quick: 4, standard: 20, thorough: 200 },
  /** Products of the delta that the look-up requests. */
  deltaLookUps: { quick: 2, standard: 6, thorough: THOROUGH_BOUND },
  /** Categories that filter the bulk list. */
  categoryFilters: { quick: 4, standard: 40, thorough: THOROUGH_BOUND },
  /** Values of each filter of group D. */
  salesFilters: { quick: 4, standard: 25, thorough: THOROUGH_BOUND },
  /** Values of each pair of filters of group D. */
  filterPairs: { quick: 1, standard: 3, thorough: 12 },
  /** Nodes of the catalogue trees for which an operation of group B is requested, in all catalogues. */
  catalogueItems: { quick: 4, standard: 12, thorough: THOROUGH_BOUND },
  /** Groups and hierarchies of which the values of all levels are requested, where the profile states that they are a tree. */
  levelTrees: { quick: 1, standard: 3, thorough: THOROUGH_BOUND },
  /** POSTs that start a job of a kind. */
  jobStarters: { quick: 1, standard: 4, thorough: THOROUGH_BOUND },
  /** Other kinds of jobs whose ids a status operation gets. */
  otherJobKinds: { quick: 1, standard: 3, thorough: 6 },
  /** Jobs of a kind that run at the same time, whose statuses are compared. */
  jobPairs: { quick: 0, standard: 1, thorough: 1 },
  /** Catalogues whose refresh dates are listed and whose tree is walked. */
  catalogues: { quick: 2, standard: 12, thorough: THOROUGH_BOUND },
  /** Catalogues whose ids are sent with the id of another catalogue. */
  comparedCatalogues: { quick: 2, standard: 2, thorough: THOROUGH_BOUND },
  /** Items of a catalogue for which another catalogue is requested. */
  foreignItems: { quick: 1, standard: 3, thorough: THOROUGH_BOUND },
  /** Inputs of an operation that get an unknown value, one at a time. */
  unknownValues: { quick: 0, standard: 1, thorough: 10 },
  /** Filters of an operation that get an unknown name, one at a time. */
  unknownNames: { quick: 0, standard: 4, thorough: 10 },
  /** Filtered lists of which one is read in smaller pages. */
  pageSizes: { quick: 0, standard: 3, thorough: 10 },
  /** Windows of other than 1, 4 or 13 weeks. */
  otherWindows: { quick: 1, standard: 1, thorough: 2 },
  /** Lists that are read again in smaller pages. */
  smallPages: { quick: 0, standard: 2, thorough: 4 },
  /** Known UPCs from which malformed ones are built. */
  malformedFrom: { quick: 1, standard: 2, thorough: 4 },
  /** Equal requests of a list or of a drawn subject: odd, so that a server that alternates is seen. */
  equalCalls: { quick: 2, standard: 3, thorough: 5 },
  /** Products whose look-ups are repeated. */
  repeatedLookUps: { quick: 0, standard: 9, thorough: 200 },
  /** Values of each filter whose lists are repeated. */
  repeatedFilters: { quick: 0, standard: 3, thorough: 100 },
} as const satisfies { readonly [name: string]: { readonly [D in Depth]: number } };

export type DrawName = keyof typeof DRAWS;

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
export function equalCall<S extends Step>(request: S, nth: number, { draw }: { draw(name: DrawName): number }): S {
  const acceptEncoding = acceptedCoding(nth - 1);
  const variant = { ...request.variant, ...(acceptEncoding !== undefined && { acceptEncoding }) };
  return { ...request, variant, repetition: nth === 1 ? 0 : nth, ...(nth === draw('equalCalls') && { last: true }) };
}

/**
 * A list in the order of its draw: the first, the last and the middle item, then the others by their hash. A defect often
 * concerns the end of a list. Seed 0 keeps the order, as version 0.1.0 did.
 */
export function drawOrder<T>(items: readonly T[], textOf: (item: T) => string, seed: number): readonly T[] {
  if (seed === UNSTRATIFIED_SEED) return items;
  const places = new Set([0, items.length - 1, Math.floor(items.length / 2)].filter((at) => at in items));
  const others = items
    .filter((_, at) => !places.has(at))
    .map((item) => ({ item, hash: seededHash(textOf(item), seed) }))
    .sort((x, y) => x.hash - y.hash);
  return [...[...places].map((at) => items[at] as T), ...others.map(({ item }) => item)];
}

/** The items of several lists in turn. @example inTurn([[1, 2, 3], [4]]) // [1, 4, 2, 3] */
export function inTurn<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

/**
 * The items of several lists in the order of their draw, those of different lists in turn.
 * @param start `first`: first two items of one list, which differ in one id only, then the first or last item of each
 *   other list. `last`: the last item of each list, then the first.
 */
export function drawInTurn<T>(
  lists: readonly (readonly T[])[],
  textOf: (item: T) => string,
  seed: number,
  start: 'first' | 'last',
): readonly T[] {
  const isPlain = seed === UNSTRATIFIED_SEED;
  const ordered = lists.map((list, at) => {
    const [first, last, ...others] = drawOrder(list, textOf, seed);
    const isSwapped = !isPlain && (start === 'last' || (at > 0 && at % 2 === 0));
    return [...(isSwapped ? [last, first] : [first, last]), ...others].filter((each) => each !== undefined);
  });
  const two = isPlain || start === 'last' ? [] : (ordered[0] ?? []).slice(0, 2);
  return [...new Map([...two, ...inTurn(ordered)].map((item) => [textOf(item), item])).values()];
}

/**
 * How many nodes of each catalogue are requested: in each turn two of the first catalogue, of which the examples are, and
 * one of each other one. Every catalogue has at least one.
 * @param available the number of nodes of each catalogue
 * @example sharesOf([20, 20, 1], 12) // [8, 3, 1]
 */
export function sharesOf(available: readonly number[], max: number): readonly number[] {
  const turns = available.map((count, at) => Array.from({ length: count }, () => at));
  const [first = [], ...others] = turns;
  // The first catalogue has two nodes in each turn.
  const pairs = Array.from({ length: Math.ceil(first.length / 2) }, (_, turn) => first.slice(turn * 2, turn * 2 + 2));
  const inOrder = inTurn<readonly number[]>([pairs, ...others.map((list) => list.map((at) => [at]))]).flat();
  const chosen = inOrder.slice(0, Math.max(max, available.length + 1));
  return available.map((_, at) => chosen.filter((each) => each === at).length);
}

/** Which nodes of the catalogue trees are requested, if there are more than a depth takes (section 2). */
import { UNSTRATIFIED_SEED } from '../contract/index.ts';
import { seededHash } from './seeded-hash.ts';

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

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
  const longest = Math.max(0, ...ordered.map(({ length }) => length));
  const ranks = Array.from({ length: longest }, (_, rank) => ordered.flatMap((list) => list.slice(rank, rank + 1)));
  const two = isPlain || start === 'last' ? [] : (ordered[0] ?? []).slice(0, 2);
  return [...new Map([...two, ...ranks.flat()].map((item) => [textOf(item), item])).values()];
}

/**
 * How many nodes of each catalogue are requested: in each turn two of the first catalogue, of which the examples are, and
 * one of each other one. Every catalogue has at least one.
 * @param available the number of nodes of each catalogue
 * @example sharesOf([20, 20, 1], 12) // [8, 3, 1]
 */
export function sharesOf(available: readonly number[], max: number): readonly number[] {
  const shares = available.map(() => 0);
  let left = Math.max(max, available.length + 1);
  let isDone = false;
  while (!isDone) {
    isDone = true;
    for (const [at, count] of available.entries()) {
      const share = shares[at] ?? 0;
      const more = Math.min(at === 0 ? 2 : 1, count - share, left);
      if (more <= 0) continue;
      shares[at] = share + more;
      left -= more;
      isDone = false;
    }
  }
  return shares;
}

/** Sets of code points, as sorted, disjoint ranges. */

export type Range = readonly [first: number, last: number];
export type CodePoints = readonly Range[];

const LAST = 0x10_ffff;

export const DIGITS: CodePoints = [[0x30, 0x39]];
export const WORD: CodePoints = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
/** WhiteSpace and LineTerminator of ECMAScript. */
export const SPACE: CodePoints = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
export const LINE_ENDS: CodePoints = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];

export function union(...sets: readonly CodePoints[]): CodePoints {
  const merged: [number, number][] = [];
  for (const [first, last] of sets.flat().sort((a, b) => a[0] - b[0])) {
    const before = merged.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else merged.push([first, last]);
  }
  return merged;
}

export function complement(set: CodePoints): CodePoints {
  const rest: Range[] = [];
  let next = 0;
  for (const [first, last] of set) {
    if (first > next) rest.push([next, first - 1]);
    next = last + 1;
  }
  return next <= LAST ? [...rest, [next, LAST]] : rest;
}

/** Adds the other case of ASCII letters. Undefined for a set beyond ASCII, which requires Unicode tables. */
export function ignoreCase(set: CodePoints): CodePoints | undefined {
  if (set.some(([, last]) => last > 0x7f)) return undefined;
  const moved = (from: number, by: number): Range[] =>
    set.flatMap(([first, last]) => {
      const [low, high] = [Math.max(first, from), Math.min(last, from + 25)];
      return low <= high ? [[low + by, high + by] as const] : [];
    });
  return union(set, moved(0x41, 0x20), moved(0x61, -0x20));
}

/** Formats the set as an RE2 character class. */
export function classOf(set: CodePoints): string {
  const written = (code: number): string => `\\x{${code.toString(16)}}`;
  const ranges = (each: CodePoints): string =>
    each.map(([first, last]) => `${written(first)}-${written(last)}`).join('');
  return set.length === 0 ? `[^${ranges([[0, LAST]])}]` : `[${ranges(set)}]`;
}

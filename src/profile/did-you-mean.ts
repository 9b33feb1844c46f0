/** Finds the known word closest to a mistyped one. */

/** The edit distance: insertions, deletions, substitutions and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + same,
        isSwapped ? (before[j - 2] as number) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = last;
    last = row;
  }
  return last[b.length] as number;
}

/**
 * The closest of the known words, case-insensitive; undefined if none is close: at most a third of the word may
 * differ.
 * @example closestWord('nmae', ['name', 'auth']) // 'name'
 */
export function closestWord(word: string, known: readonly string[]): string | undefined {
  const distances = known.map((each) => ({
    each,
    distance: editDistance(word.slice(0, 100).toLowerCase(), each.toLowerCase()),
  }));
  const [best] = distances.toSorted((x, y) => x.distance - y.distance);
  const most = Math.min(word.length - 1, Math.max(1, Math.floor(word.length / 3)));
  return best && best.distance <= most ? best.each : undefined;
}

/** Returns ` (did you mean “name”?)`, or an empty string. */
export function didYouMean(word: string, known: readonly string[]): string {
  const nearest = closestWord(word, known);
  return nearest === undefined ? '' : ` (did you mean “${nearest}”?)`;
}

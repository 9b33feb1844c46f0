/** The first elements of a list, at least one of each kind. */

/**
 * The first elements of a list in their order, at least one of each kind, so that many of one kind hide no other.
 * @param most the number to keep if there are fewer kinds
 * @example firstOfEach(['a1', 'a2', 'a3', 'b1'], (each) => each[0], 2) // ['a1', 'b1']
 */
export function firstOfEach<T>(found: readonly T[], kindOf: (each: T) => unknown, most = 10): readonly T[] {
  if (found.length <= most) return found;
  const kinds = new Set<unknown>();
  const isFirst = found.map((each) => {
    const kind = kindOf(each);
    return !kinds.has(kind) && kinds.add(kind);
  });
  let spare = most - kinds.size;
  return found.filter((_, at) => isFirst[at] || spare-- > 0);
}

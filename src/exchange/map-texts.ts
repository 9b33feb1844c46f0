/** Changes all texts of a report before it is formatted. */

/**
 * Returns a copy of a value with every string changed, except for names of members.
 * @param kept members whose values stay: keywords of closed sets
 * @example mapTexts({ a: ['x', 1] }, (text) => text.toUpperCase()) // { a: ['X', 1] }
 */
export function mapTexts<T>(value: T, change: (text: string) => string, kept: ReadonlySet<string> = new Set()): T {
  const changed = new Map<string, string>();
  const map = (each: unknown): unknown => {
    if (typeof each === 'string') {
      const known = changed.get(each) ?? change(each);
      changed.set(each, known);
      return known;
    }
    if (Array.isArray(each)) return each.map(map);
    if (typeof each !== 'object' || each === null) return each;
    return Object.fromEntries(
      Object.entries(each).map(([name, member]) => [name, kept.has(name) ? member : map(member)]),
    );
  };
  return map(value) as T;
}

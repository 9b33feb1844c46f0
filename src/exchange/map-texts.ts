/** Changes all texts of a report before it is formatted. */

/**
 * Returns a value with every string changed, except for names of members; what remains equal is not copied.
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
    if (typeof each !== 'object' || each === null) return each;
    let copy: Record<string, unknown> | undefined;
    for (const name of Object.keys(each)) {
      if (!Array.isArray(each) && kept.has(name)) continue;
      const member = (each as Record<string, unknown>)[name];
      const mapped = map(member);
      if (mapped === member) continue;
      copy ??= (Array.isArray(each) ? [...each] : { ...each }) as Record<string, unknown>;
      copy[name] = mapped;
    }
    return copy ?? each;
  };
  return map(value) as T;
}

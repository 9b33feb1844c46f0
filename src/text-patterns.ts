/** Texts and `*` in patterns. */

/** Escapes text for a regular expression, outside of classes of characters. */
export const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/**
 * Whether a text matches a pattern, in which `*` matches any text, in linear time.
 * @example matchesWildcard('C.delta-*', 'C.delta-nested') // true
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  if (!pattern.includes('*')) return pattern === text;
  const [start = '', ...rest] = pattern.split('*');
  const end = rest.pop() ?? '';
  if (!text.startsWith(start) || !text.endsWith(end) || text.length < start.length + end.length) return false;
  let from = start.length;
  for (const part of rest) {
    const at = text.indexOf(part, from);
    if (at < 0 || at + part.length > text.length - end.length) return false;
    from = at + part.length;
  }
  return true;
}

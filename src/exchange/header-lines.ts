/** Header fields as lines, in wire order. */

export type HeaderLines = readonly (readonly [name: string, value: string])[];

/**
 * The header lines of a list in which names and values alternate, as Node and undici return them.
 * @example headerLinesOf(['Host', 'a', 'Accept', 'b']) // [['Host', 'a'], ['Accept', 'b']]
 */
export function headerLinesOf(raw: readonly string[]): [name: string, value: string][] {
  const lines: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) lines.push([raw[at] as string, raw[at + 1] as string]);
  return lines;
}

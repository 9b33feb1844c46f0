/** Looking things up in raw header lines. */

type Lines = readonly (readonly [name: string, value: string])[];

/** The value of the first line of that name, in any case of letters. */
export function firstHeader(lines: Lines, name: string): string | undefined {
  return allHeaders(lines, name)[0];
}

/** The values of all lines of that name, in wire order. */
export function allHeaders(lines: Lines, name: string): string[] {
  const sought = name.toLowerCase();
  return lines.filter(([each]) => each.toLowerCase() === sought).map(([, value]) => value);
}

/** The media type in lower case (empty when none is given) and the charset, if named. */
export function mediaTypeOf(lines: Lines): { readonly type: string; readonly charset?: string } {
  const value = firstHeader(lines, 'content-type') ?? '';
  const [type = '', ...parameters] = value.split(';');
  const charset = parameters.map((each) => /^\s*charset\s*=\s*"?([^"\s]+)"?/i.exec(each)?.[1]).find(Boolean);
  return { type: type.trim().toLowerCase(), ...(charset && { charset }) };
}

/** The target of a Link header relation (RFC 8288), e.g. `<…?page=2>; rel="next"`. */
export function linkOf(lines: Lines, rel: string): string | undefined {
  for (const value of allHeaders(lines, 'link')) {
    for (const match of value.matchAll(/<([^>]*)>((?:\s*;\s*[^\s;,=]+(?:\s*=\s*(?:"[^"]*"|[^",;\s]+))?)*)/g)) {
      const rels = /;\s*rel\s*=\s*(?:"([^"]*)"|([^",;\s]+))/i.exec(match[2] ?? '');
      if ((rels?.[1] ?? rels?.[2] ?? '').toLowerCase().split(/\s+/).includes(rel.toLowerCase())) return match[1];
    }
  }
  return undefined;
}

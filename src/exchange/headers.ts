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

/** One link of a Link header: its target, then its parameters. No `<` within the target keeps hostile lines cheap. */
const LINK = /<([^<>]*)>((?:\s*;\s*[^\s;,=]+(?:\s*=\s*(?:"[^"]*"|[^",;\s]+))?)*)/g;
const PARAMETER = /;\s*([^\s;,=]+)\s*=\s*(?:"([^"]*)"|([^",;\s]+))/g;

/** The target of a Link header relation (RFC 8288), e.g. `<…?page=2>; rel="next"`. */
export function linkOf(lines: Lines, rel: string): string | undefined {
  const sought = rel.toLowerCase();
  for (const value of allHeaders(lines, 'link')) {
    for (const [, target, parameters = ''] of value.matchAll(LINK)) {
      const named = [...parameters.matchAll(PARAMETER)].find(([, name]) => name?.toLowerCase() === 'rel');
      const relations = (named?.[2] ?? named?.[3] ?? '').toLowerCase().split(/\s+/);
      if (relations.includes(sought)) return target;
    }
  }
  return undefined;
}

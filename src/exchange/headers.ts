/** Reads values from raw header lines. */

type Lines = readonly (readonly [name: string, value: string])[];

/** Whether a line has a name; one of another length is not compared. */
const named = (name: string): ((line: Lines[number]) => boolean) => {
  const wanted = name.toLowerCase();
  return ([each]) => each.length === wanted.length && each.toLowerCase() === wanted;
};

/** The value of the first line with a name, which is case-insensitive. */
export function firstHeader(lines: Lines, name: string): string | undefined {
  return lines.find(named(name))?.[1];
}

/** The values of all lines with a name, in wire order. */
export function allHeaders(lines: Lines, name: string): string[] {
  return lines.filter(named(name)).map(([, value]) => value);
}

/** The media type in lower case (empty if absent) and the charset, if present. */
export function mediaTypeOf(lines: Lines): { readonly type: string; readonly charset?: string } {
  const value = firstHeader(lines, 'content-type') ?? '';
  const [type = '', ...parameters] = value.split(';');
  const charset = parameters.map((each) => /^\s*charset\s*=\s*"?([^"\s]+)"?/i.exec(each)?.[1]).find(Boolean);
  return { type: type.trim().toLowerCase(), ...(charset && { charset }) };
}

/** Match the target of a link in a Link header, and one of its parameters, in time linear in the length of the match. */
const TARGET = /<([^<>]*)>/g;
const PARAMETER = /\s*;\s*([^\s;,=]+)(?:\s*=\s*(?:"([^"]*)"|([^",;\s]+)))?/y;

/** An escaped quote or backslash in a quoted string (RFC 9110, 5.6.4). Neither a target nor a relation type holds one. */
const ESCAPED = /\\["\\]/g;

/** The value of the first `rel` among the parameters at a place of a Link header, and where they end. */
function relationAt(value: string, start: number): { readonly rel?: string; readonly end: number } {
  let rel: string | undefined;
  let end = start;
  for (;;) {
    PARAMETER.lastIndex = end;
    const found = PARAMETER.exec(value);
    if (!found) return { ...(rel !== undefined && { rel }), end };
    const [, name, quoted, token] = found;
    if (name?.toLowerCase() === 'rel') rel ??= quoted ?? token ?? '';
    end = PARAMETER.lastIndex;
  }
}

/** The target of a Link header relation (RFC 8288), e.g. `<…?page=2>; rel="next"`. */
export function linkOf(lines: Lines, rel: string): string | undefined {
  const wanted = rel.toLowerCase();
  for (const line of allHeaders(lines, 'link')) {
    const value = line.replace(ESCAPED, '');
    TARGET.lastIndex = 0;
    for (let link = TARGET.exec(value); link; link = TARGET.exec(value)) {
      const { rel: relations = '', end } = relationAt(value, TARGET.lastIndex);
      if (relations.toLowerCase().split(/\s+/).includes(wanted)) return link[1];
      TARGET.lastIndex = end;
    }
  }
  return undefined;
}

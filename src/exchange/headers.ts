/** Header lines: their values, and those that belong to one connection. */

/** Header fields in wire order. */
export type HeaderLines = readonly (readonly [name: string, value: string])[];

/** Whether a line has a name; one of another length is not compared. */
const named = (name: string): ((line: HeaderLines[number]) => boolean) => {
  const wanted = name.toLowerCase();
  return ([each]) => each.length === wanted.length && each.toLowerCase() === wanted;
};

/** The value of the first line with a name, which is case-insensitive. */
export function firstHeader(lines: HeaderLines, name: string): string | undefined {
  return lines.find(named(name))?.[1];
}

/** The values of all lines with a name, in wire order. */
export function allHeaders(lines: HeaderLines, name: string): string[] {
  return lines.filter(named(name)).map(([, value]) => value);
}

/** The boundary of a multipart media type with its parameters; undefined if it has none. */
export function boundaryOf(contentType = ''): string | undefined {
  const [, quoted, bare] = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? [];
  return quoted ?? bare;
}

/** The media type in lower case (empty if absent) and the charset, if present. */
export function mediaTypeOf(lines: HeaderLines): { readonly type: string; readonly charset?: string } {
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
export function linkOf(lines: HeaderLines, rel: string): string | undefined {
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

/**
 * The header lines of a list in which names and values alternate, as Node and undici return them.
 * @example headerLinesOf(['Host', 'a', 'Accept', 'b']) // [['Host', 'a'], ['Accept', 'b']]
 */
export function headerLinesOf(raw: readonly string[]): [name: string, value: string][] {
  const lines: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) lines.push([raw[at] as string, raw[at + 1] as string]);
  return lines;
}

/** Headers of one connection, not of the message (RFC 9110, 7.6.1), and those each connection sets itself. */
const HOP_BY_HOP = new Set([
  'connection',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Removes the headers of one connection.
 * @param trailers whether the body can have trailers: then the `trailer` header stays
 */
export function withoutHopByHop(lines: HeaderLines, trailers = false): [string, string][] {
  const named = new Set((firstHeader(lines, 'connection') ?? '').toLowerCase().split(/\s*,\s*/));
  const stays = (name: string): boolean =>
    (trailers && name === 'trailer') || (!HOP_BY_HOP.has(name) && !named.has(name));
  return lines.filter(([name]) => stays(name.toLowerCase())).map(([name, value]) => [name, value]);
}

/** Whether a body with these headers can have trailers: it is chunked, because its length is not announced. */
export const carriesTrailers = (lines: HeaderLines): boolean => firstHeader(lines, 'content-length') === undefined;

/** Replaces control characters, which a lenient parser accepts but a header must not contain. */
export const replaceControlCharacters = (text: string): string => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?');

/** Whether the first bytes of a body are text; used where the media type does not say so. */
export const looksLikeText = (chunk: Uint8Array | undefined): boolean =>
  chunk !== undefined && !chunk.subarray(0, 512).includes(0);

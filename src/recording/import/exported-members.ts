/** Members of a HAR entry: numbers, header lines, and bodies as bytes. Exporters write them as text, base64 or pairs, encoded or decoded, and may truncate them. */
import { isUtf8 } from 'node:buffer';
import { firstHeader, type HeaderLines, mediaTypeOf } from '../../exchange/headers.ts';
import { isToken } from '../../profile/http-text.ts';
import { isPlainObject, objectAt, type PlainObject, textAt } from '../../profile/plain-object.ts';

/** Why an entry of a HAR file is skipped: one table, reported as counts after an import or a judgement. */
export const SKIP_REASONS = {
  malformed: 'without a valid method, an absolute URL or a valid status',
  scheme: 'not HTTP (data:, blob:, ws:, extensions of the browser)',
  socket: 'web sockets and tunnels',
  elsewhere: 'of other origins',
  unrelated: 'of the same origin, but no path of the interface',
  preflight: 'preflights of the browser',
  serviceWorker: 'served by a service worker',
  twice: 'exported twice',
  cached: 'served from a cache',
  notModified: '304: the client had the response in its cache',
  unanswered: 'without a response (aborted, blocked, refused)',
  noBody: 'the body of the response was not exported',
  cutBody: 'the body of the response is truncated in the export',
  damagedBody: 'the body of the response was damaged in the export',
  noRequestBody: 'the body of the request was not exported',
} as const satisfies Record<string, string>;

export type SkipReason = keyof typeof SKIP_REASONS;

/** Counts, the most frequent first, e.g. `12 of other origins, 3 preflights of the browser`. */
export function formatSkipped(counts: ReadonlyMap<SkipReason, number>): string {
  return [...counts]
    .sort(([, x], [, y]) => y - x)
    .map(([reason, count]) => `${count} ${SKIP_REASONS[reason]}`)
    .join(', ');
}

/** A number, also one that the exporter wrote as a text. */
export const numberFrom = (value: PlainObject, name: string): number | undefined => {
  const found = Number(value[name] ?? Number.NaN);
  return Number.isFinite(found) ? found : undefined;
};

/** Header lines; browsers join the lines of one name with line breaks. HTTP/2 pseudo-headers (`:path`) are left out. */
export function harHeaderLines(given: unknown): [string, string][] {
  if (!Array.isArray(given)) return [];
  return given.flatMap((each): [string, string][] => {
    const name = isPlainObject(each) ? textAt(each, 'name')?.trim() : undefined;
    if (name === undefined || !isToken(name)) return [];
    return String((each as PlainObject).value ?? '')
      .split(/[\0\r\n]+/)
      .map((value) => [name, value.trim()]);
  });
}

/** Header lines without those of some names, given in lower case. */
const withoutNames = (lines: HeaderLines, ...names: string[]): HeaderLines =>
  lines.filter(([name]) => !names.includes(name.toLowerCase()));

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

function fromBase64(text: string): Uint8Array | undefined {
  const bare = text.replace(/\s+/g, '');
  return BASE64.test(bare) ? Buffer.from(bare, 'base64') : undefined;
}

/** The charset of a text: from its headers, otherwise from an XML declaration. */
const charsetOf = (lines: HeaderLines, text: string): string =>
  (mediaTypeOf(lines).charset ?? /^<\?xml[^>]*\bencoding=["']([\w-]+)["']/.exec(text)?.[1] ?? 'utf-8').toLowerCase();

/** The text encoded in its charset; undefined if it cannot be encoded in it. */
function encodeText(text: string, charset: string): Uint8Array | undefined {
  if (/^utf-?8$/.test(charset) || /^(?:us-)?ascii$/.test(charset)) return Buffer.from(text, 'utf8');
  if (/^utf-?16(?:le)?$/.test(charset))
    return Buffer.from(text.startsWith('\ufeff') ? text : `\ufeff${text}`, 'utf16le');
  if (/^(?:iso-?8859-1|latin-?1|windows-1252|cp1252)$/.test(charset) && !/[^\0-\xff]/.test(text))
    return Buffer.from(text, 'latin1');
  return undefined;
}

const STATUSES_WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205]);

/** The replacement character of exporters for bytes they could not decode. */
const REPLACEMENT_CHARACTER = '\ufffd';

/** The magic numbers of content codings. */
const MAGIC_NUMBERS: Record<string, (bytes: Uint8Array) => boolean> = {
  gzip: (bytes) => bytes[0] === 0x1f && bytes[1] === 0x8b,
  zstd: (bytes) => bytes[0] === 0x28 && bytes[1] === 0xb5,
};

interface Body {
  readonly bytes: Uint8Array;
  readonly lines: HeaderLines;
  readonly coding?: string;
}

/** The decoded body of a response, and headers that match it. */
export function responseBodyOf(method: string, response: PlainObject, lines: HeaderLines): Body | SkipReason {
  const content = objectAt(response, 'content');
  const size = numberFrom(content, 'size') ?? 0;
  const text = textAt(content, 'text');
  const status = Number(response.status);
  const coding = firstHeader(lines, 'content-encoding');
  const plain = withoutNames(lines, 'content-encoding', 'transfer-encoding', 'content-length');
  if (method === 'HEAD' || STATUSES_WITHOUT_BODY.has(status))
    return { bytes: new Uint8Array(0), lines: withoutNames(lines, 'transfer-encoding') };
  if (text === undefined || (text === '' && size > 0)) {
    const announced = Math.max(
      size,
      numberFrom(response, 'bodySize') ?? 0,
      Number(firstHeader(lines, 'content-length') ?? 0),
    );
    // Browsers do not export the body of a redirect, and no check needs it.
    if (announced > 0 && !(status >= 300 && status < 400)) return 'noBody';
    return { bytes: new Uint8Array(0), lines: plain };
  }
  if (textAt(content, 'encoding')?.toLowerCase() === 'base64') {
    const bytes = fromBase64(text);
    if (!bytes) return 'damagedBody';
    if (isTruncated(bytes.length, undefined, size, content, coding)) return 'cutBody';
    // Some proxies export the encoded body, others the decoded one.
    const isEncoded =
      coding !== undefined &&
      (MAGIC_NUMBERS[coding.toLowerCase()]?.(bytes) ?? (size > 0 && !isUtf8(bytes) && isTextual(lines)));
    return isEncoded
      ? { bytes, lines: withoutNames(lines, 'transfer-encoding', 'content-length') }
      : { bytes, lines: plain, ...(coding !== undefined && { coding }) };
  }
  const charset = charsetOf(lines, text);
  const encodedText = encodeText(text, charset);
  const bytes = encodedText ?? Buffer.from(text, 'utf8');
  if (isTruncated(bytes.length, text.length, size, content, coding)) return 'cutBody';
  if (text.includes(REPLACEMENT_CHARACTER)) return 'damagedBody';
  const contentHeaders = encodedText
    ? plain
    : plain.map(([name, value]): [string, string] => [
        name,
        name.toLowerCase() === 'content-type'
          ? value.replace(/;\s*charset\s*=\s*("[^"]*"|[^;]*)/i, '; charset=utf-8')
          : value,
      ]);
  return { bytes, lines: contentHeaders, ...(coding !== undefined && !/^identity$/i.test(coding) && { coding }) };
}

const isTextual = (lines: HeaderLines): boolean => /^text\/|json|xml/.test(mediaTypeOf(lines).type);

/** Whether the exported body is truncated. Exporters state the size in bytes, in characters, or of the compressed body. */
function isTruncated(
  bytes: number,
  characters: number | undefined,
  size: number,
  content: PlainObject,
  coding: string | undefined,
): boolean {
  if (size <= bytes || size <= (characters ?? 0)) return false;
  if (coding !== undefined && !/^identity$/i.test(coding)) {
    // The size may be that of the compressed body, which is at most slightly larger than the body.
    return size > bytes + 1024;
  }
  const compression = numberFrom(content, 'compression') ?? 0;
  return size + Math.min(0, compression) > bytes;
}

/** The body of a request: from text, base64, or the pairs of a form; without `bytes` if there was none. */
export function requestBodyOf(
  request: PlainObject,
  lines: HeaderLines,
): { readonly bytes?: Uint8Array; readonly type?: string } | SkipReason {
  const data = objectAt(request, 'postData');
  const type = textAt(data, 'mimeType');
  const text = textAt(data, 'text');
  const params = Array.isArray(data.params) ? data.params.filter(isPlainObject) : [];
  const size = numberFrom(request, 'bodySize') ?? 0;
  if (text !== undefined && text !== '') {
    const isBase64 = [data.encoding, data._encoding].some(
      (each) => typeof each === 'string' && each.toLowerCase() === 'base64',
    );
    const bytes = isBase64 ? fromBase64(text) : (encodeText(text, charsetOf(lines, text)) ?? Buffer.from(text, 'utf8'));
    if (!bytes || (!isBase64 && text.includes(REPLACEMENT_CHARACTER))) return 'noRequestBody';
    return { bytes, ...(type && { type }) };
  }
  if (params.length > 0) {
    const isForm = /x-www-form-urlencoded/i.test(type ?? mediaTypeOf(lines).type);
    if (!isForm || params.some((each) => each.fileName !== undefined)) return 'noRequestBody';
    return { bytes: Buffer.from(params.map(formPairOf).join('&')), type: type ?? 'application/x-www-form-urlencoded' };
  }
  const announced = Math.max(size, Number(firstHeader(lines, 'content-length') ?? 0) || 0);
  return announced > 0 ? 'noRequestBody' : {};
}

/** An encoded pair of a form; some exporters decode pairs, others do not. */
export function formPairOf(param: PlainObject): string {
  const encode = (part: string): string => {
    if (/%[0-9a-f]{2}/i.test(part)) return part;
    return encodeURIComponent(part);
  };
  return `${encode(textAt(param, 'name') ?? '')}=${encode(String(param.value ?? ''))}`;
}

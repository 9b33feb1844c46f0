/**
 * Converts an entry of any HAR file (of browsers, proxies, API clients; versions 1.1 and 1.2) to an exchange, or to the
 * reason why it is skipped. All differences between exporters are handled here.
 */
import { isUtf8 } from 'node:buffer';
import type { HeaderLines } from '../../exchange/header-lines.ts';
import { firstHeader, mediaTypeOf } from '../../exchange/headers.ts';
import type { SkipReason } from './skipped.ts';

/** An exchange of another client. */
export interface ConvertedEntry {
  readonly method: string;
  /** In lower case, without the default port of its scheme. */
  readonly origin: string;
  /** Path and query, byte for byte. */
  readonly target: string;
  readonly requestHeaders: HeaderLines;
  readonly requestBody?: Uint8Array;
  readonly status: number;
  readonly reasonPhrase: string;
  /** Without Content-Encoding if the body was exported decoded. */
  readonly responseHeaders: HeaderLines;
  readonly body: Uint8Array;
  /** The Content-Encoding that the exporter decoded. */
  readonly coding?: string;
  /** Milliseconds since 1970; undefined if the file does not state it. */
  readonly startedAt?: number;
  readonly endedAt?: number;
}

type Json = { readonly [name: string]: unknown };
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const objectAt = (value: unknown, name: string): Json => {
  const found = isObject(value) ? value[name] : undefined;
  return isObject(found) ? found : {};
};
const textAt = (value: Json, name: string): string | undefined => {
  const found = value[name];
  return typeof found === 'string' ? found : undefined;
};
const numberAt = (value: Json, name: string): number | undefined => {
  const found = Number(value[name] ?? Number.NaN);
  return Number.isFinite(found) ? found : undefined;
};

/** Valid field names (RFC 9110 section 5.1); HTTP/2 pseudo-headers (`:path`) are not. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Header lines; browsers join the lines of one name with line breaks. */
function linesOf(given: unknown): [string, string][] {
  if (!Array.isArray(given)) return [];
  return given.flatMap((each): [string, string][] => {
    const name = isObject(each) ? textAt(each, 'name')?.trim() : undefined;
    if (name === undefined || !NAME.test(name)) return [];
    return String((each as Json).value ?? '')
      .split(/\r?\n/)
      .map((value) => [name, value.trim()]);
  });
}

const without = (lines: HeaderLines, ...names: string[]): HeaderLines =>
  lines.filter(([name]) => !names.includes(name.toLowerCase()));

/** Why an entry was not a request to a server, according to the members that exporters add; undefined if it was. */
function notSent(entry: Json, request: Json, response: Json, lines: HeaderLines): SkipReason | undefined {
  const method = textAt(request, 'method')?.toUpperCase();
  const url = textAt(request, 'url') ?? '';
  if (/^wss?:/i.test(url) || textAt(entry, '_resourceType') === 'websocket') return 'socket';
  if (method === 'CONNECT' || response.status === 101) return 'socket';
  if (!method || url === '') return 'malformed';
  if (/^[a-z][a-z0-9+.-]*:/i.test(url) && !/^https?:/i.test(url)) return 'scheme';
  if (method === 'OPTIONS' && firstHeader(lines, 'access-control-request-method') !== undefined) return 'preflight';
  const fetched = `${textAt(entry, '_fetchType') ?? ''} ${textAt(response, '_fetchType') ?? ''}`;
  if (
    response._fetchedViaServiceWorker === true ||
    entry._fetchedViaServiceWorker === true ||
    /service worker/i.test(fetched)
  )
    return 'serviceWorker';
  if (
    typeof entry._fromCache === 'string' ||
    typeof response._fromCache === 'string' ||
    entry._fromCache === true ||
    response.fromCache === true ||
    response._fromDiskCache === true ||
    /cache/i.test(fetched)
  )
    return 'cached';
  return undefined;
}

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

function fromBase64(text: string): Uint8Array | undefined {
  const bare = text.replace(/\s+/g, '');
  return BASE64.test(bare) ? Buffer.from(bare, 'base64') : undefined;
}

/** The charset of a text: from its headers, otherwise from an XML declaration. */
const charsetOf = (lines: HeaderLines, text: string): string =>
  (mediaTypeOf(lines).charset ?? /^<\?xml[^>]*\bencoding=["']([\w-]+)["']/.exec(text)?.[1] ?? 'utf-8').toLowerCase();

/** The text encoded in its charset; undefined if it cannot be encoded in it. */
function encoded(text: string, charset: string): Uint8Array | undefined {
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
function bodyOf(method: string, response: Json, lines: HeaderLines): Body | SkipReason {
  const content = objectAt(response, 'content');
  const size = numberAt(content, 'size') ?? 0;
  const text = textAt(content, 'text');
  const status = Number(response.status);
  const coding = firstHeader(lines, 'content-encoding');
  const plain = without(lines, 'content-encoding', 'transfer-encoding', 'content-length');
  if (method === 'HEAD' || STATUSES_WITHOUT_BODY.has(status))
    return { bytes: new Uint8Array(0), lines: without(lines, 'transfer-encoding') };
  if (text === undefined || (text === '' && size > 0)) {
    const announced = Math.max(
      size,
      numberAt(response, 'bodySize') ?? 0,
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
      ? { bytes, lines: without(lines, 'transfer-encoding', 'content-length') }
      : { bytes, lines: plain, ...(coding !== undefined && { coding }) };
  }
  const charset = charsetOf(lines, text);
  const encodedText = encoded(text, charset);
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
  content: Json,
  coding: string | undefined,
): boolean {
  if (size <= bytes || size <= (characters ?? 0)) return false;
  if (coding !== undefined && !/^identity$/i.test(coding)) {
    // The size may be that of the compressed body, which is at most slightly larger than the body.
    return size > bytes + 1024;
  }
  const compression = numberAt(content, 'compression') ?? 0;
  return size + Math.min(0, compression) > bytes;
}

/** The body of a request: from text, base64, or the pairs of a form; without `bytes` if there was none. */
function requestBodyOf(
  request: Json,
  lines: HeaderLines,
): { readonly bytes?: Uint8Array; readonly type?: string } | SkipReason {
  const data = objectAt(request, 'postData');
  const type = textAt(data, 'mimeType');
  const text = textAt(data, 'text');
  const params = Array.isArray(data.params) ? data.params.filter(isObject) : [];
  const size = numberAt(request, 'bodySize') ?? 0;
  if (text !== undefined && text !== '') {
    const isBase64 = [data.encoding, data._encoding].some(
      (each) => typeof each === 'string' && each.toLowerCase() === 'base64',
    );
    const bytes = isBase64 ? fromBase64(text) : (encoded(text, charsetOf(lines, text)) ?? Buffer.from(text, 'utf8'));
    if (!bytes || (!isBase64 && text.includes(REPLACEMENT_CHARACTER))) return 'noRequestBody';
    return { bytes, ...(type && { type }) };
  }
  if (params.length > 0) {
    const isForm = /x-www-form-urlencoded/i.test(type ?? mediaTypeOf(lines).type);
    if (!isForm || params.some((each) => each.fileName !== undefined)) return 'noRequestBody';
    return { bytes: Buffer.from(params.map(pairOf).join('&')), type: type ?? 'application/x-www-form-urlencoded' };
  }
  const announced = Math.max(size, Number(firstHeader(lines, 'content-length') ?? 0) || 0);
  return announced > 0 ? 'noRequestBody' : {};
}

/** An encoded pair of a form; some exporters decode pairs, others do not. */
function pairOf(param: Json): string {
  const encode = (part: string): string => {
    if (/%[0-9a-f]{2}/i.test(part)) return part;
    return encodeURIComponent(part);
  };
  return `${encode(textAt(param, 'name') ?? '')}=${encode(String(param.value ?? ''))}`;
}

/** Origin and target of an absolute URL, with the query from `queryString` if the URL has none. */
function originAndTargetOf(request: Json): { readonly origin: string; readonly target: string } | undefined {
  const url = textAt(request, 'url') ?? '';
  if (!URL.canParse(url)) return undefined;
  const { origin } = new URL(url);
  const [, rest = ''] = /^[^/?#]*\/\/[^/?#]*([^#]*)/.exec(url) ?? [];
  const path = rest.startsWith('/') ? rest : `/${rest}`;
  const parameters = Array.isArray(request.queryString) ? request.queryString.filter(isObject) : [];
  const target = path.includes('?') || parameters.length === 0 ? path : `${path}?${parameters.map(pairOf).join('&')}`;
  return { origin, target: target.replace(/\?$/, '') };
}

/** When an exchange began and ended, in ms since 1970. */
export function timeOf(value: unknown): Pick<ConvertedEntry, 'startedAt' | 'endedAt'> {
  const entry = isObject(value) ? value : {};
  const startedAt = Date.parse(textAt(entry, 'startedDateTime') ?? '');
  // Recordings mask their times with the start of 1970.
  if (!(startedAt > 0)) return {};
  return { startedAt, endedAt: startedAt + Math.max(0, numberAt(entry, 'time') ?? 0) };
}

/** The address of a request, without reading bodies; or why it was not sent. */
export function addressOf(
  value: unknown,
): { readonly method: string; readonly origin: string; readonly target: string } | SkipReason {
  const entry = isObject(value) ? value : {};
  const request = objectAt(entry, 'request');
  const why = notSent(entry, request, objectAt(entry, 'response'), linesOf(request.headers));
  if (why) return why;
  const place = originAndTargetOf(request);
  return place ? { method: String(request.method).toUpperCase(), ...place } : 'malformed';
}

/** The exchange of an entry, or why it is skipped. */
export function convertEntry(value: unknown): ConvertedEntry | SkipReason {
  const address = addressOf(value);
  if (typeof address === 'string') return address;
  const entry = value as Json;
  const request = objectAt(entry, 'request');
  const response = objectAt(entry, 'response');
  const status = numberAt(response, 'status') ?? 0;
  if (status < 100 || textAt(entry, '_error') || textAt(response, '_error')) return 'unanswered';
  if (status === 304) return 'notModified';
  const requestHeaders = linesOf(request.headers);
  const sent = requestBodyOf(request, requestHeaders);
  if (typeof sent === 'string') return sent;
  const headers = linesOf(response.headers);
  const mime = textAt(objectAt(response, 'content'), 'mimeType');
  const isTyped = firstHeader(headers, 'content-type') !== undefined;
  const body = bodyOf(
    address.method,
    response,
    isTyped || !mime || mime === 'x-unknown' ? headers : [...headers, ['content-type', mime]],
  );
  if (typeof body === 'string') return body;
  const hasType = firstHeader(requestHeaders, 'content-type') !== undefined;
  return {
    ...address,
    requestHeaders: sent.type && !hasType ? [...requestHeaders, ['content-type', sent.type]] : requestHeaders,
    ...(sent.bytes && { requestBody: sent.bytes }),
    status,
    reasonPhrase: textAt(response, 'statusText') ?? '',
    responseHeaders: body.lines,
    body: body.bytes,
    ...(body.coding !== undefined && { coding: body.coding }),
    ...timeOf(entry),
  };
}

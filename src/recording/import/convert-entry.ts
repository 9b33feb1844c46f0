/**
 * Converts an entry of any HAR file (of browsers, proxies, API clients; versions 1.1 and 1.2) to an exchange, or to the
 * reason why it is skipped. All differences between exporters are handled here and in `exported-members.ts`.
 */
import { firstHeader, type HeaderLines } from '../../exchange/headers.ts';
import { isToken } from '../../profile/http-text.ts';
import { isPlainObject, objectAt, type PlainObject, textAt } from '../../profile/plain-object.ts';
import {
  formPairOf,
  harHeaderLines,
  numberFrom,
  requestBodyOf,
  responseBodyOf,
  type SkipReason,
} from './exported-members.ts';

/** What a request is for. */
export interface Address {
  readonly method: string;
  /** In lower case, without the default port of its scheme. */
  readonly origin: string;
  /** Path and query, byte for byte. */
  readonly target: string;
}

/** An exchange of another client. */
export interface ConvertedEntry extends Address {
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

/** Why an entry was not a request to a server, according to the members that exporters add; undefined if it was. */
function notSent(
  entry: PlainObject,
  request: PlainObject,
  response: PlainObject,
  lines: HeaderLines,
): SkipReason | undefined {
  const method = textAt(request, 'method')?.toUpperCase();
  const url = textAt(request, 'url') ?? '';
  if (/^wss?:/i.test(url) || textAt(entry, '_resourceType') === 'websocket') return 'socket';
  if (method === 'CONNECT' || response.status === 101) return 'socket';
  if (!isToken(method ?? '') || url === '') return 'malformed';
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

/** Origin and target of an absolute URL, with the query from `queryString` if the URL has none. */
function originAndTargetOf(request: PlainObject): Omit<Address, 'method'> | undefined {
  const url = textAt(request, 'url') ?? '';
  if (!URL.canParse(url)) return undefined;
  const { origin } = new URL(url);
  const [, rest = ''] = /^[^/?#]*\/\/[^/?#]*([^#]*)/.exec(url) ?? [];
  const path = rest.startsWith('/') ? rest : `/${rest}`;
  const parameters = Array.isArray(request.queryString) ? request.queryString.filter(isPlainObject) : [];
  const target =
    path.includes('?') || parameters.length === 0 ? path : `${path}?${parameters.map(formPairOf).join('&')}`;
  return { origin, target: target.replace(/\?$/, '') };
}

/** When an exchange began and ended, in ms since 1970. */
export function timeOf(value: unknown): Pick<ConvertedEntry, 'startedAt' | 'endedAt'> {
  const entry = isPlainObject(value) ? value : {};
  const startedAt = Date.parse(textAt(entry, 'startedDateTime') ?? '');
  // Recordings mask their times with the start of 1970.
  if (!(startedAt > 0)) return {};
  return { startedAt, endedAt: startedAt + Math.max(0, numberFrom(entry, 'time') ?? 0) };
}

/** The address of a request, without reading bodies; or why it was not sent. */
export function addressOf(value: unknown): Address | SkipReason {
  const entry = isPlainObject(value) ? value : {};
  const request = objectAt(entry, 'request');
  const why = notSent(entry, request, objectAt(entry, 'response'), harHeaderLines(request.headers));
  if (why) return why;
  const place = originAndTargetOf(request);
  return place ? { method: String(request.method).toUpperCase(), ...place } : 'malformed';
}

/** The exchange of an entry, or why it is skipped. */
export function convertEntry(value: unknown): ConvertedEntry | SkipReason {
  const address = addressOf(value);
  if (typeof address === 'string') return address;
  const entry = value as PlainObject;
  const request = objectAt(entry, 'request');
  const response = objectAt(entry, 'response');
  const status = numberFrom(response, 'status') ?? 0;
  if (status < 200 || textAt(entry, '_error') || textAt(response, '_error')) return 'unanswered';
  if (!Number.isInteger(status) || status > 999) return 'malformed';
  if (status === 304) return 'notModified';
  const requestHeaders = harHeaderLines(request.headers);
  const sent = requestBodyOf(request, requestHeaders);
  if (typeof sent === 'string') return sent;
  const headers = harHeaderLines(response.headers);
  const mime = textAt(objectAt(response, 'content'), 'mimeType');
  const isTyped = firstHeader(headers, 'content-type') !== undefined;
  const body = responseBodyOf(
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
    reasonPhrase: (textAt(response, 'statusText') ?? '').replace(/[\0\r\n]+/g, ' '),
    responseHeaders: body.lines,
    body: body.bytes,
    ...(body.coding !== undefined && { coding: body.coding }),
    ...timeOf(entry),
  };
}

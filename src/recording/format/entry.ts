/** Converts a recorded exchange to an entry of a HAR file and back, without loss. */

import { firstHeader, type HeaderLines } from '../../exchange/headers.ts';
import { decodePercent } from '../../exchange/url.ts';
import { RECORDED_ORIGIN } from './origin.ts';
import type { RecordedExchange, RecordedResponse, StoredBody } from './recorded-exchange.ts';
import type { HarEntry } from './schema.ts';

/** Times are masked, so that recording an unchanged service again changes no byte. */
const MASKED_TIME = '1970-01-01T00:00:00.000Z';
const TIMINGS = { blocked: -1, connect: -1, dns: -1, receive: 0, send: 0, ssl: -1, wait: 0 };
const UNKNOWN = -1;

const copyLines = (lines: HeaderLines) => lines.map(([name, value]): [string, string] => [name, value]);

/** The headers as Polly writes and reads them: lower case, lines with the same name marked as one list. */
function pollyHeaders(lines: HeaderLines) {
  const lower = lines.map(([name, value]): [string, string] => [name.toLowerCase(), value]);
  const byName = Map.groupBy(lower, ([name]) => name);
  return lower.map(([name, value]) => ({
    ...((byName.get(name) ?? []).length > 1 && { _fromType: 'array' }),
    name,
    value,
  }));
}

const decoded = (text: string): string => decodePercent(text.replaceAll('+', ' '), text);

function queryString(url: string) {
  const mark = url.indexOf('?');
  const pairs = mark < 0 ? [] : url.slice(mark + 1).split('&');
  return pairs
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return { name: decoded(name), value: decoded(value.join('=')) };
    });
}

const bytesOf = (body: StoredBody | undefined): number =>
  body === undefined ? 0 : 'file' in body ? body.bytes : Buffer.byteLength(body.text);

const mimeOf = (lines: HeaderLines): string => firstHeader(lines, 'content-type') ?? 'application/octet-stream';

function harResponse(response: RecordedResponse | undefined) {
  const { status = 0, reasonPhrase = '', headers = [], body } = response ?? {};
  return {
    bodySize: response ? bytesOf(body) : UNKNOWN,
    content: {
      mimeType: mimeOf(headers),
      size: bytesOf(body),
      ...(body && 'text' in body && { text: body.text }),
      ...(body && 'file' in body && { comment: `the body is in ${body.file}, beside this file’s folder` }),
    },
    cookies: [],
    headers: pollyHeaders(headers),
    headersSize: UNKNOWN,
    httpVersion: 'HTTP/1.1',
    redirectURL: firstHeader(headers, 'location') ?? '',
    // HAR uses status 0 for a request without a response.
    status,
    statusText: reasonPhrase,
  };
}

/**
 * The HAR entry of an exchange.
 * @param id Polly’s own, by which stock Polly finds the entry
 */
export function toHarEntry(exchange: RecordedExchange, id: string): HarEntry {
  const { request, interim, response, failure, operation, key, order } = exchange;
  const { body } = request;
  return {
    _id: id,
    _mdwi: {
      key,
      requestHeaders: copyLines(request.headers),
      ...(body && 'file' in body && { requestBody: body }),
      ...(response && {
        reason: response.reasonPhrase,
        responseHeaders: copyLines(response.headers),
        ...(response.body && 'file' in response.body && { responseBody: response.body }),
        ...(response.coding !== undefined && { coding: response.coding }),
        ...(response.trailers && { trailers: copyLines(response.trailers) }),
      }),
      ...(interim && { interim: interim.map(({ status, headers }) => ({ status, headers: copyLines(headers) })) }),
      ...(failure && { failure }),
      ...(operation && { operation }),
    },
    _order: order,
    cache: {},
    ...(failure && { comment: failure.message }),
    request: {
      bodySize: bytesOf(body),
      cookies: [],
      headers: pollyHeaders(request.headers),
      headersSize: UNKNOWN,
      httpVersion: 'HTTP/1.1',
      method: request.method,
      ...(body && {
        postData: { mimeType: mimeOf(request.headers), params: [], ...('text' in body && { text: body.text }) },
      }),
      queryString: queryString(request.url),
      url: request.url,
    },
    response: harResponse(response),
    startedDateTime: MASKED_TIME,
    time: 0,
    timings: TIMINGS,
  };
}

/** The exchange of a HAR entry. */
export function fromHarEntry(entry: HarEntry): RecordedExchange {
  const { _mdwi: extra, _order: order, request, response } = entry;
  const requestBody: StoredBody | undefined =
    extra.requestBody ?? (request.postData?.text === undefined ? undefined : { text: request.postData.text });
  const responseBody: StoredBody | undefined =
    extra.responseBody ?? (response.content.text === undefined ? undefined : { text: response.content.text });
  return {
    key: extra.key,
    order,
    request: {
      method: request.method,
      url: request.url,
      headers: extra.requestHeaders,
      ...(requestBody && { body: requestBody }),
    },
    ...(extra.interim && { interim: extra.interim }),
    ...(extra.responseHeaders && {
      response: {
        status: response.status,
        reasonPhrase: extra.reason ?? '',
        headers: extra.responseHeaders,
        ...(responseBody && { body: responseBody }),
        ...(extra.coding !== undefined && { coding: extra.coding }),
        ...(extra.trailers && { trailers: extra.trailers }),
      },
    }),
    ...(extra.failure && { failure: extra.failure }),
    ...(extra.operation && { operation: extra.operation }),
  };
}

/** Path and query of a recorded request, byte for byte as sent. */
export const targetOf = ({ url }: { readonly url: string }): string => url.slice(RECORDED_ORIGIN.length);

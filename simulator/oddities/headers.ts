/** Oddities of statuses and header fields (RFC 9110). */
import { bytesOf, empty, onReply, onReplyTo, onResponse } from '../deviations/replies.ts';
import type { DialectResponse } from '../dialects/types.ts';
import { type Oddity, oddity, partialOddity, undeterminedOddity } from './oddity.ts';

const successAs = (status: number) => onReply((reply) => (reply.status === 200 ? { ...reply, status } : reply));

/** Changes the lines of a header field, or removes it. */
const withField = (changed: string, change: (value: string) => string | readonly string[] | undefined) =>
  onReply((reply) => {
    const headers = Object.entries(reply.headers).flatMap(([name, value]) => {
      const lines = name.toLowerCase() === changed ? change(String(value)) : value;
      return lines === undefined ? [] : [[name, lines] as const];
    });
    return { ...reply, headers: Object.fromEntries(headers) };
  });
const withContentType = (change: Parameters<typeof withField>[1]) => withField('content-type', change);
const withJsonType = (type: string) => withContentType((own) => (own.startsWith('application/json') ? type : own));

/** Adds header lines to every reply, after existing lines of the same name. */
const withHeaders = (headers: DialectResponse['headers']) =>
  onReply((reply) => {
    const merged: Record<string, string | readonly string[]> = { ...reply.headers };
    for (const [name, value] of Object.entries(headers)) {
      const own = Object.keys(merged).find((each) => each.toLowerCase() === name.toLowerCase());
      merged[own ?? name] = own === undefined ? value : [merged[own] ?? [], value].flat();
    }
    return { ...reply, headers: merged };
  });

const isSuccessReply = ({ status }: DialectResponse): boolean => status >= 200 && status < 300;

const withDate = (date: string | undefined) =>
  onResponse((response) => {
    if (date === undefined) response.removeHeader('Date');
    else response.setHeader('Date', date);
  });

const COOKIES = Array.from({ length: 12 }, (_, at) => `s${at}=${'x'.repeat(200)}; Path=/; HttpOnly; SameSite=Lax`);

export const HEADER_ODDITIES: readonly Oddity[] = [
  oddity('status-203', 'statuses', 'all', {
    says: '203 replaces every 200, as if a proxy had changed the response.',
    hooks: successAs(203),
  }),
  oddity('status-299', 'statuses', 'all', {
    says: '299, an unregistered success status, replaces every 200.',
    hooks: successAs(299),
  }),
  // A profile that states 200 for unknown ids does not state 201.
  partialOddity('status-201-of-posts', 'statuses', 'AB', {
    says: 'Every successful POST is answered 201.',
    hooks: onReply((reply, { request }) =>
      request.method === 'POST' && isSuccessReply(reply) ? { ...reply, status: 201 } : reply,
    ),
  }),
  oddity('reason-phrase-odd', 'headers', 'all', {
    says: 'Every response has an unusual reason phrase.',
    hooks: onResponse((response) => {
      response.statusMessage = 'Everything Is Fine, 100 %';
    }),
  }),
  oddity('test-service-says-nothing', 'shapes', 'A', {
    says: 'testService is answered 204.',
    hooks: onReplyTo({ kind: 'serviceOk' }, () => empty(204)),
  }),
  oddity('content-type-with-parameters', 'headers', 'all', {
    says: 'The content type has unusual case, white space, a quoted charset and an extra parameter.',
    hooks: withContentType((type) => {
      const [media = '', ...parameters] = type.split(';').map((each) => each.trim());
      const known = parameters.map((each) => each.replace(/^charset="?([^"]*)"?$/i, 'Charset="$1"'));
      const charset = known.length === 0 && media.endsWith('json') ? ['Charset="UTF-8"'] : [];
      const odd = media.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
      return [odd, ...known, ...charset, 'Odd=1'].join(' ;\t');
    }),
  }),
  oddity('content-type-vendor', 'headers', 'all', {
    says: 'JSON has the content type application/vnd.retail.v1+json.',
    hooks: withJsonType('application/vnd.retail.v1+json'),
    dialects: ['reference'],
  }),
  oddity('content-type-text-json', 'headers', 'all', {
    says: 'JSON has the content type text/json.',
    hooks: withJsonType('text/json'),
    dialects: ['reference'],
  }),
  undeterminedOddity('content-type-absent', 'headers', 'all', {
    says: 'No response has a content type.',
    hooks: withContentType(() => undefined),
  }),
  undeterminedOddity('content-type-plain', 'headers', 'all', {
    says: 'Every body has the content type text/plain.',
    hooks: withContentType(() => 'text/plain'),
  }),
  oddity('content-type-twice', 'headers', 'all', {
    says: 'The content type is sent in two equal header lines.',
    hooks: withContentType((type) => [type, type]),
  }),
  oddity('header-names-in-capitals', 'headers', 'all', {
    says: 'Header names are written in capitals.',
    hooks: onReply((reply) => ({
      ...reply,
      headers: Object.fromEntries(Object.entries(reply.headers).map(([name, value]) => [name.toUpperCase(), value])),
    })),
  }),
  oddity('headers-of-its-own', 'extras', 'all', {
    says: 'Responses have unknown headers, including an empty and a non-ASCII one.',
    hooks: withHeaders({
      'X-Request-Id': 'b7f6c9a2',
      'X-Empty': '',
      'X-Latin': 'caf\u00e9',
      'X-Powered-By': 'COBOL',
      Server: 'something/1.0 (odd) module/2',
      Via: '1.1 one, 1.1 two',
    }),
  }),
  oddity('headers-repeated', 'headers', 'all', {
    says: 'Vary, Cache-Control and Link are sent in several lines.',
    hooks: withHeaders({
      Vary: ['Accept', 'Accept-Encoding', 'Origin'],
      'Cache-Control': ['no-store', 'max-age=0'],
      Link: ['</health>; rel="status"', '<https://example.com/docs>; rel=help; title="a, b; c"'],
    }),
  }),
  oddity('header-of-twelve-kilobytes', 'headers', 'all', {
    says: 'Every response has a Content-Security-Policy of twelve kilobytes.',
    hooks: withHeaders({ 'Content-Security-Policy': `default-src ${'https://cdn.example.com '.repeat(500)}` }),
  }),
  oddity('cookies-set', 'headers', 'all', {
    says: 'Every response sets twelve cookies.',
    hooks: withHeaders({ 'Set-Cookie': COOKIES }),
  }),
  oddity('cache-validators', 'headers', 'all', {
    says: 'Every response has ETag, Age, Last-Modified and Expires.',
    hooks: withHeaders({ ETag: 'W/"1"', Age: '86400', 'Last-Modified': 'Mon, 01 Jan 2001 00:00:00 GMT', Expires: '0' }),
  }),
  oddity('download-offered', 'headers', 'all', {
    says: 'Every response has Content-Disposition and Content-Language.',
    hooks: withHeaders({
      'Content-Disposition': 'attachment; filename="data; 1.json"',
      'Content-Language': 'en-US, fr',
    }),
  }),
  oddity('challenge-beside-success', 'headers', 'all', {
    says: 'Every response has WWW-Authenticate, even a successful one.',
    hooks: withHeaders({ 'WWW-Authenticate': 'Negotiate, Basic realm="optional"' }),
  }),
  oddity('upgrade-offered', 'connections', 'all', {
    says: 'Every response offers an upgrade to HTTP/2, as Apache does.',
    hooks: withHeaders({ Upgrade: 'h2,h2c', Connection: 'Upgrade, Keep-Alive' }),
  }),
  oddity('date-absent', 'headers', 'all', {
    says: 'No response has a Date header.',
    hooks: withDate(undefined),
  }),
  oddity('date-of-another-year', 'headers', 'all', {
    says: 'The Date header is in 1999.',
    hooks: withDate('Fri, 31 Dec 1999 23:59:59 GMT'),
  }),
  oddity('date-a-fortnight-later', 'windows', 'all', {
    says: 'The newest data week ended two weeks before the Date of the responses.',
    hooks: withDate('Sat, 28 Nov 2026 09:30:00 GMT'),
  }),
  oddity('date-in-the-old-form', 'headers', 'all', {
    says: 'The Date header has the obsolete RFC 850 format.',
    hooks: withDate('Saturday, 14-Nov-26 12:00:00 GMT'),
  }),
  oddity('retry-after-beside-success', 'limits', 'all', {
    says: 'Every response, even a successful one, has RateLimit headers and Retry-After.',
    hooks: withHeaders({ 'RateLimit-Remaining': '0', 'Retry-After': '3600', 'X-RateLimit-Limit': '1' }),
  }),
  oddity('length-always-told', 'codings', 'all', {
    says: 'Every body, including lists, has a Content-Length.',
    hooks: onReply((reply): DialectResponse => {
      if (reply.status === 204) return reply;
      const body = bytesOf(reply);
      return { ...reply, body, headers: { ...reply.headers, 'Content-Length': String(body.length) } };
    }),
  }),
];

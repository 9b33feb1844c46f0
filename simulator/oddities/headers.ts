/** Oddities of statuses and header fields (RFC 9110). */
import type { DialectResponse } from '../dialects/types.ts';
import { bytesOf, isSuccessReply, onKind, onReply, onResponse, withHeaders } from './hooks.ts';
import type { Oddity } from './types.ts';

const successAs = (status: number) => onReply((reply) => (reply.status === 200 ? { ...reply, status } : reply));

/** Changes the content type of a reply, if it has one. */
const withContentType = (change: (type: string) => string | undefined) =>
  onReply((reply) => {
    const headers = Object.entries(reply.headers).flatMap(([name, value]) => {
      if (name.toLowerCase() !== 'content-type') return [[name, value] as const];
      const type = change(String(value));
      return type === undefined ? [] : [[name, type] as const];
    });
    return { ...reply, headers: Object.fromEntries(headers) };
  });

const withHeaderNames = (change: (name: string) => string) =>
  onReply((reply) => ({
    ...reply,
    headers: Object.fromEntries(Object.entries(reply.headers).map(([name, value]) => [change(name), value])),
  }));

const withDate = (date: string | undefined) =>
  onResponse((response) => {
    if (date === undefined) response.removeHeader('Date');
    else response.setHeader('Date', date);
  });

const COOKIES = Array.from({ length: 12 }, (_, at) => `s${at}=${'x'.repeat(200)}; Path=/; HttpOnly; SameSite=Lax`);

export const HEADER_ODDITIES: readonly Oddity[] = [
  {
    name: 'status-203',
    legalBasis: 'statuses',
    says: '203 replaces every 200, as if a proxy had changed the response.',
    start: successAs(203),
  },
  {
    name: 'status-299',
    legalBasis: 'statuses',
    says: '299, an unregistered success status, replaces every 200.',
    start: successAs(299),
  },
  {
    name: 'status-201-of-posts',
    legalBasis: 'statuses',
    groups: ['A', 'B'],
    says: 'Every successful POST is answered 201.',
    // A profile that states 200 for unknown ids does not state 201.
    weakestOutcome: 'partial',
    start: onReply((reply, { request }) =>
      request.method === 'POST' && isSuccessReply(reply) ? { ...reply, status: 201 } : reply,
    ),
  },
  {
    name: 'reason-phrase-odd',
    legalBasis: 'headers',
    says: 'Every response has an unusual reason phrase.',
    start: onResponse((response) => {
      response.statusMessage = 'Everything Is Fine, 100 %';
    }),
  },
  {
    name: 'test-service-says-nothing',
    legalBasis: 'shapes',
    groups: ['A'],
    says: 'testService is answered 204.',
    start: onKind(['serviceOk'], () => ({ status: 204, headers: {}, body: '' })),
  },
  {
    name: 'content-type-with-parameters',
    legalBasis: 'headers',
    says: 'The content type has unusual case, white space, a quoted charset and an extra parameter.',
    start: withContentType((type) => {
      const [media = '', ...parameters] = type.split(';').map((each) => each.trim());
      const known = parameters.map((each) => each.replace(/^charset="?([^"]*)"?$/i, 'Charset="$1"'));
      const charset = known.length === 0 && media.endsWith('json') ? ['Charset="UTF-8"'] : [];
      const odd = media.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
      return [odd, ...known, ...charset, 'Odd=1'].join(' ;\t');
    }),
  },
  {
    name: 'content-type-vendor',
    legalBasis: 'headers',
    says: 'JSON has the content type application/vnd.retail.v1+json.',
    start: withContentType((type) => (type.startsWith('application/json') ? 'application/vnd.retail.v1+json' : type)),
    dialects: ['reference'],
  },
  {
    name: 'content-type-text-json',
    legalBasis: 'headers',
    says: 'JSON has the content type text/json.',
    start: withContentType((type) => (type.startsWith('application/json') ? 'text/json' : type)),
    dialects: ['reference'],
  },
  {
    name: 'content-type-absent',
    legalBasis: 'headers',
    says: 'No response has a content type.',
    start: withContentType(() => undefined),
    weakestOutcome: 'undetermined',
  },
  {
    name: 'content-type-plain',
    legalBasis: 'headers',
    says: 'Every body has the content type text/plain.',
    start: withContentType(() => 'text/plain'),
    weakestOutcome: 'undetermined',
  },
  {
    name: 'content-type-twice',
    legalBasis: 'headers',
    says: 'The content type is sent in two equal header lines.',
    start: onReply((reply) => ({
      ...reply,
      headers: Object.fromEntries(
        Object.entries(reply.headers).map(([name, value]) => [
          name,
          name.toLowerCase() === 'content-type' ? [String(value), String(value)] : value,
        ]),
      ),
    })),
  },
  {
    name: 'header-names-in-capitals',
    legalBasis: 'headers',
    says: 'Header names are written in capitals.',
    start: withHeaderNames((name) => name.toUpperCase()),
  },
  {
    name: 'headers-of-its-own',
    legalBasis: 'extras',
    says: 'Responses have unknown headers, including an empty and a non-ASCII one.',
    start: withHeaders({
      'X-Request-Id': 'b7f6c9a2',
      'X-Empty': '',
      'X-Latin': 'caf\u00e9',
      'X-Powered-By': 'COBOL',
      Server: 'something/1.0 (odd) module/2',
      Via: '1.1 one, 1.1 two',
    }),
  },
  {
    name: 'headers-repeated',
    legalBasis: 'headers',
    says: 'Vary, Cache-Control and Link are sent in several lines.',
    start: withHeaders({
      Vary: ['Accept', 'Accept-Encoding', 'Origin'],
      'Cache-Control': ['no-store', 'max-age=0'],
      Link: ['</health>; rel="status"', '<https://example.com/docs>; rel=help; title="a, b; c"'],
    }),
  },
  {
    name: 'header-of-twelve-kilobytes',
    legalBasis: 'headers',
    says: 'Every response has a Content-Security-Policy of twelve kilobytes.',
    start: withHeaders({ 'Content-Security-Policy': `default-src ${'https://cdn.example.com '.repeat(500)}` }),
  },
  {
    name: 'cookies-set',
    legalBasis: 'headers',
    says: 'Every response sets twelve cookies.',
    start: withHeaders({ 'Set-Cookie': COOKIES }),
  },
  {
    name: 'cache-validators',
    legalBasis: 'headers',
    says: 'Every response has ETag, Age, Last-Modified and Expires.',
    start: withHeaders({ ETag: 'W/"1"', Age: '86400', 'Last-Modified': 'Mon, 01 Jan 2001 00:00:00 GMT', Expires: '0' }),
  },
  {
    name: 'download-offered',
    legalBasis: 'headers',
    says: 'Every response has Content-Disposition and Content-Language.',
    start: withHeaders({
      'Content-Disposition': 'attachment; filename="data; 1.json"',
      'Content-Language': 'en-US, fr',
    }),
  },
  {
    name: 'challenge-beside-success',
    legalBasis: 'headers',
    says: 'Every response has WWW-Authenticate, even a successful one.',
    start: withHeaders({ 'WWW-Authenticate': 'Negotiate, Basic realm="optional"' }),
  },
  {
    name: 'upgrade-offered',
    legalBasis: 'connections',
    says: 'Every response offers an upgrade to HTTP/2, as Apache does.',
    start: withHeaders({ Upgrade: 'h2,h2c', Connection: 'Upgrade, Keep-Alive' }),
  },
  {
    name: 'date-absent',
    legalBasis: 'headers',
    says: 'No response has a Date header.',
    start: withDate(undefined),
  },
  {
    name: 'date-of-another-year',
    legalBasis: 'headers',
    says: 'The Date header is in 1999.',
    start: withDate('Fri, 31 Dec 1999 23:59:59 GMT'),
  },
  {
    name: 'date-a-fortnight-later',
    legalBasis: 'windows',
    says: 'The newest data week ended two weeks before the Date of the responses.',
    start: withDate('Sat, 28 Nov 2026 09:30:00 GMT'),
  },
  {
    name: 'date-in-the-old-form',
    legalBasis: 'headers',
    says: 'The Date header has the obsolete RFC 850 format.',
    start: withDate('Saturday, 14-Nov-26 12:00:00 GMT'),
  },
  {
    name: 'retry-after-beside-success',
    legalBasis: 'limits',
    says: 'Every response, even a successful one, has RateLimit headers and Retry-After.',
    start: withHeaders({ 'RateLimit-Remaining': '0', 'Retry-After': '3600', 'X-RateLimit-Limit': '1' }),
  },
  {
    name: 'length-always-told',
    legalBasis: 'codings',
    says: 'Every body, including lists, has a Content-Length.',
    start: onReply((reply): DialectResponse => {
      if (reply.status === 204) return reply;
      const body = bytesOf(reply);
      return { ...reply, body, headers: { ...reply.headers, 'Content-Length': String(body.length) } };
    }),
  },
];

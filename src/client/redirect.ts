/** Which redirects are followed, and with what. */
import { firstHeader } from '../exchange/headers.ts';
import type { ResponseHead, WireRequest } from '../exchange/types.ts';
import type { Credentials } from './credentials.ts';
import { withoutQuery } from './wire-url.ts';

const KEEPS_METHOD: ReadonlySet<number> = new Set([307, 308]);
const MAY_CHANGE_METHOD: ReadonlySet<number> = new Set([301, 302]);
/** “See other”: what was asked for is to be had with GET, whatever the method was (RFC 9110, section 15.4.4). */
const SEE_OTHER = 303;

/** What may be told to another origin: any other header may hold a credential, whatever it is called. */
const HARMLESS = /^(accept(-[a-z]+)?|content-type|user-agent)$/i;

const originOf = (url: string): string => new URL(url).origin;

/** Header lines are read as latin1; a Location in raw UTF-8 is meant as UTF-8. */
function asUtf8(latin1: string): string {
  const text = Buffer.from(latin1, 'latin1').toString('utf8');
  return text.includes('\uFFFD') ? latin1 : text;
}

function locationOf(request: WireRequest, head: ResponseHead, own: Credentials): string | undefined {
  const location = firstHeader(head.headers, 'location');
  if (!location || !URL.canParse(asUtf8(location), request.url)) return undefined;
  const target = new URL(asUtf8(location), request.url);
  if (target.protocol !== 'http:' && target.protocol !== 'https:') return undefined;
  target.hash = target.username = target.password = '';
  // Servers copy the query they were asked with. A key in it goes nowhere by that road: not to another origin, not into
  // a report; where it belongs it is added anew.
  const names = own.query.map(([name]) => name);
  return withoutQuery(target.href, names);
}

function asGet({ body: _, ...request }: WireRequest): WireRequest {
  return { ...request, method: 'GET', headers: request.headers.filter(([name]) => !/^content-/i.test(name)) };
}

/**
 * The request a redirect leads to, or undefined where the redirect is itself the answer. GET and HEAD follow 301, 302,
 * 303, 307 and 308; other methods those that keep the method, and 303 with a GET that takes no body along. A body never goes to another origin, for it
 * may hold credentials. `own`: the credentials the request was sent with; those of the query are taken out of the target.
 */
export function redirected(request: WireRequest, head: ResponseHead, own: Credentials): WireRequest | undefined {
  const safe = request.method === 'GET' || request.method === 'HEAD';
  if (head.status === SEE_OTHER && !safe) return redirected(asGet(request), head, own);
  const isFollowed =
    KEEPS_METHOD.has(head.status) || head.status === SEE_OTHER || (safe && MAY_CHANGE_METHOD.has(head.status));
  const url = isFollowed ? locationOf(request, head, own) : undefined;
  if (url === undefined) return undefined;
  if (originOf(url) === originOf(request.url)) return { ...request, url };
  if (request.body && request.body.length > 0) return undefined;
  // Anonymous from here on: a detour over a foreign origin must not steer an authenticated request.
  return { ...request, url, anonymous: true, headers: request.headers.filter(([name]) => HARMLESS.test(name)) };
}

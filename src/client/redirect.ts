/** Follows redirects. */
import { firstHeader } from '../exchange/headers.ts';
import type { ResponseHead, WireRequest } from '../exchange/types.ts';
import { namesHost } from '../exchange/url.ts';
import { withoutQuery } from '../profile/url-query.ts';
import { type Credentials, queryNamesOf } from './credentials.ts';

const KEEPS_METHOD: ReadonlySet<number> = new Set([307, 308]);
const MAY_CHANGE_METHOD: ReadonlySet<number> = new Set([301, 302]);
/** The target of “See Other” is requested with GET, whatever the method was (RFC 9110, section 15.4.4). */
const SEE_OTHER = 303;

/** Headers that may be sent to another origin: any other header may contain a credential, whatever its name. */
const SAFE_HEADERS = /^(accept(-[a-z]+)?|content-type|user-agent)$/i;

const originOf = (url: string): string => new URL(url).origin;

/** Header lines are decoded as Latin-1; a Location in raw UTF-8 is decoded again. */
function asUtf8(latin1: string): string {
  const text = Buffer.from(latin1, 'latin1').toString('utf8');
  return text.includes('\uFFFD') ? latin1 : text;
}

function locationOf(request: WireRequest, head: ResponseHead, credentials: Credentials): string | undefined {
  const header = firstHeader(head.headers, 'location');
  if (!header) return undefined;
  // A parser of URLs drops tabs: a service that repeats an encoded one decoded would be asked for something else.
  const location = asUtf8(header).replaceAll('\t', '%09');
  if (!URL.canParse(location, request.url)) return undefined;
  const target = new URL(location, request.url);
  if (target.protocol !== 'http:' && target.protocol !== 'https:') return undefined;
  target.hash = target.username = target.password = '';
  // Servers copy the query of the request into the Location. A key in it is removed, so that it reaches neither another
  // origin nor a report; it is added again where it belongs.
  return withoutQuery(target.href, queryNamesOf(credentials));
}

const THIS_MACHINE = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * The host to which a redirect leads although neither the request nor `followTo` names it; undefined: it may be followed.
 * Ports do not matter, nor does the name of this machine.
 */
export function unnamedHost(from: string, to: string, followTo: readonly string[] = []): string | undefined {
  const [source, target] = [new URL(from), new URL(to)];
  const isSame =
    [source, target].every(({ hostname }) => THIS_MACHINE.test(hostname)) || source.hostname === target.hostname;
  return isSame || followTo.some((pattern) => namesHost(pattern, target)) ? undefined : target.host;
}

function asGet({ body: _, ...request }: WireRequest): WireRequest {
  return { ...request, method: 'GET', headers: request.headers.filter(([name]) => !/^content-/i.test(name)) };
}

/**
 * The request that follows a redirect; undefined: the redirect is the final response. GET and HEAD follow 301, 302, 303,
 * 307 and 308; other methods follow 307, 308, and 303 with a GET without a body. A body is never sent to another origin,
 * because it may contain credentials.
 * @param credentials the credentials the request was sent with; those in the query are removed from the target
 */
export function redirected(
  request: WireRequest,
  head: ResponseHead,
  credentials: Credentials,
): WireRequest | undefined {
  const safe = request.method === 'GET' || request.method === 'HEAD';
  if (head.status === SEE_OTHER && !safe) return redirected(asGet(request), head, credentials);
  const isFollowed =
    KEEPS_METHOD.has(head.status) || head.status === SEE_OTHER || (safe && MAY_CHANGE_METHOD.has(head.status));
  const url = isFollowed ? locationOf(request, head, credentials) : undefined;
  if (url === undefined) return undefined;
  if (originOf(url) === originOf(request.url)) return { ...request, url };
  if (request.body && request.body.length > 0) return undefined;
  // All further requests are anonymous: a foreign origin must not redirect an authenticated request.
  return { ...request, url, anonymous: true, headers: request.headers.filter(([name]) => SAFE_HEADERS.test(name)) };
}

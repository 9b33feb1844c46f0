/** Opens sessions: sends the login request of a profile and reads the token in the response. */
import { concat } from '../bytes.ts';
import { codingsOf, removeCoding } from '../content-codings.ts';
import { firstHeader } from '../exchange/headers.ts';
import type { Exchange, WireRequest } from '../exchange/types.ts';
import { USER_AGENT } from '../exchange/types.ts';
import { urlBelow } from '../exchange/url.ts';
import { headerValueProblem } from '../profile/http-text.ts';
import { compilePattern } from '../profile/pattern/index.ts';
import { isDeeperThan } from '../profile/plain-object.ts';
import { MAX_FILE_DEPTH } from '../profile/profile-location.ts';
import { compileSelector } from '../profile/selector.ts';
import { type LoginScheme, pairsAsTexts } from '../profile/session-login.ts';
import { withoutSecretParts, withQuery } from '../profile/url-query.ts';
import type { IssuedToken } from './oauth.ts';

/** The URL of a login. @param base the base address of a login that is a path */
export const loginUrlOf = ({ request: { url } }: LoginScheme, base: string): string => urlBelow(base, url);

function loginRequest(scheme: LoginScheme, base: string): WireRequest {
  const { method, query, headers = {}, form, json } = scheme.request;
  const formText = form && withQuery('', pairsAsTexts(form)).slice(1);
  const body =
    formText !== undefined
      ? { type: 'application/x-www-form-urlencoded', text: formText }
      : json !== undefined && { type: 'application/json', text: JSON.stringify(json) };
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const defaults: [string, string][] = [
    ['accept', '*/*'],
    ['user-agent', USER_AGENT],
    ...(body ? [['content-type', body.type] as [string, string]] : []),
  ];
  return {
    method,
    url: withQuery(loginUrlOf(scheme, base), pairsAsTexts(query)),
    headers: [...defaults.filter(([name]) => !names.has(name)), ...Object.entries(headers)],
    ...(body && { body: new TextEncoder().encode(body.text) }),
    follow: false,
  };
}

/** A login response is short; a longer body has no token that is read. */
const MAX_BYTES = 1 << 20;

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** The body without its codings; empty if it does not have them, or is longer than it may be. */
async function decoded(bytes: Uint8Array, contentEncoding: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const part of codingsOf(contentEncoding).reduceRight(removeCoding, once(bytes))) {
      length += part.length;
      if (length > MAX_BYTES) return new Uint8Array(0);
      parts.push(part);
    }
    return concat(parts);
  } catch {
    return new Uint8Array(0);
  }
}

/** A body that is no JSON, or that selectors cannot walk, is a text. */
function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isDeeperThan(value, MAX_FILE_DEPTH) ? text : value;
  } catch {
    return text;
  }
}

/** The token in the response to a login; undefined: there is none. A body that is not JSON is one text. */
export async function readSessionToken(
  { token }: LoginScheme,
  { response, body }: Pick<Exchange, 'response' | 'body'>,
): Promise<string | undefined> {
  if (!response || response.status >= 400) return undefined;
  if (typeof token === 'object' && 'cookie' in token) {
    const lines = response.headers.filter(([name]) => name.toLowerCase() === 'set-cookie');
    const prefix = `${token.cookie}=`;
    const [line] = lines.map(([, value]) => value.trim()).filter((value) => value.startsWith(prefix));
    return line?.slice(prefix.length).split(';', 1)[0]?.trim() || undefined;
  }
  const { at, match } = typeof token === 'object' ? token : { at: token, match: undefined };
  const coding = firstHeader(response.headers, 'content-encoding') ?? '';
  const text = new TextDecoder().decode(await decoded(await body.firstBytes(MAX_BYTES), coding));
  const [found] = compileSelector(at).select(parsed(text), response);
  if (typeof found !== 'string' && typeof found !== 'number') return undefined;
  const value =
    match === undefined ? String(found) : compilePattern(match, { key: 'auth.token.match' }).extract(String(found));
  return value?.trim() || undefined;
}

/** Opens a session. @param base the base address of a login that is a path */
export async function openSession(
  scheme: LoginScheme,
  base: string,
  send: (request: WireRequest) => Promise<Exchange>,
): Promise<IssuedToken> {
  const request = loginRequest(scheme, base);
  const exchange = await send(request);
  if (exchange.failure) return { failure: { ...exchange.failure, message: `no session: ${exchange.failure.message}` } };
  const value = await readSessionToken(scheme, exchange);
  const place = `${request.method} ${withoutSecretParts(request.url)}`;
  const wrong = value === undefined ? undefined : headerValueProblem(value);
  // The body is not quoted: it may repeat the credentials.
  const why =
    wrong === undefined
      ? `no token in the response (${exchange.response?.status ?? 0}): check request and token of the profile’s auth`
      : `the token in the response ${wrong.replace(/;.*$/, '')}`;
  if (value === undefined || wrong !== undefined) return { failure: { kind: 'stopped', message: `${place}: ${why}` } };
  return { value, ...(scheme.expiresIn !== undefined && { expiresIn: scheme.expiresIn }) };
}

/** Opens sessions for the login of a profile, at a path of its own or as an operation, so that a client's login is exercised. */
import { concat, textOfUtf8, utf8 } from '../../../src/bytes.ts';
import type { AuthScheme } from '../../../src/profile/schema.ts';
import { type LoginScheme, pairsAsTexts, sessionLine } from '../../../src/profile/session-login.ts';
import type { DialectRequest, DialectResponse, SideRequest } from '../types.ts';
import { frameOf } from './invert-pattern.ts';
import { isAddressedTo } from './is-addressed-to.ts';
import { put, writePathOf } from './write-path.ts';

type SessionRequest = Pick<DialectRequest, 'method' | 'target' | 'base' | 'headers' | 'body'>;

const EXPIRES_IN_SECONDS = 3600;
/** The number of sessions that are open at the same time; the oldest ones end early. */
const MAX_SESSIONS = 1000;

const pathOf = (target: string): string => target.split('?', 1)[0] ?? '';
const queryOf = (target: string): URLSearchParams => new URLSearchParams(target.slice(pathOf(target).length));

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(textOfUtf8(body));
  } catch {
    return undefined;
  }
}

/** Whether a value contains all members of another. */
const contains = (value: unknown, expected: unknown): boolean =>
  typeof expected === 'object' && expected !== null
    ? typeof value === 'object' &&
      value !== null &&
      Object.entries(expected).every(([name, each]) => contains((value as Record<string, unknown>)[name], each))
    : value === expected;

/** Whether a request goes to the address of a login. */
function isAddressed(sent: Pick<SessionRequest, 'method' | 'target' | 'base'>, { request }: LoginScheme): boolean {
  const isPath = request.url.startsWith('/')
    ? pathOf(sent.target).endsWith(pathOf(request.url))
    : isAddressedTo(sent, request.url);
  return isPath && sent.method === request.method;
}

/** Whether a request is the login of the profile, with its credentials. */
function isLogin(sent: SessionRequest, scheme: LoginScheme): boolean {
  if (!isAddressed(sent, scheme)) return false;
  const { query, headers = {}, form, json } = scheme.request;
  const [sentQuery, sentForm] = [queryOf(sent.target), new URLSearchParams(textOfUtf8(sent.body))];
  return (
    pairsAsTexts(query).every(([name, value]) => sentQuery.getAll(name).includes(value)) &&
    pairsAsTexts(form).every(([name, value]) => sentForm.getAll(name).includes(value)) &&
    Object.entries(headers).every(([name, value]) => sent.headers[name.toLowerCase()] === value) &&
    (json === undefined || contains(parsed(sent.body), json))
  );
}

/** What a request carries where the profile puts the token. */
function carriedText({ headers, target, body }: SessionRequest, { in: place, name }: LoginScheme): string | undefined {
  if (place === 'header') return [headers[name.toLowerCase()]].flat()[0];
  if (place === 'query') return queryOf(target).get(name) ?? undefined;
  if (place === 'cookie')
    return (headers.cookie ?? '')
      .split(';')
      .map((pair) => pair.trim())
      .find((pair) => pair.startsWith(`${name}=`))
      ?.slice(name.length + 1);
  const document = parsed(body);
  const member =
    typeof document === 'object' && document !== null ? (document as Record<string, unknown>)[name] : undefined;
  return typeof member === 'string' ? member : (new URLSearchParams(textOfUtf8(body)).get(name) ?? undefined);
}

/** Adds a token to a response where the profile reads it; the response unchanged if nothing can be written there. */
function withToken(reply: DialectResponse, { token }: LoginScheme, value: string): DialectResponse {
  const withHeader = (name: string, text: string) => ({ ...reply, headers: { ...reply.headers, [name]: text } });
  if (typeof token === 'object' && 'cookie' in token)
    return withHeader('Set-Cookie', `${token.cookie}=${value}; Path=/; HttpOnly`);
  const { at, match } = typeof token === 'object' ? token : { at: token, match: undefined };
  const place = writePathOf(at);
  const text = match === undefined ? value : frameOf(match, [value])?.(value);
  if (typeof place === 'string' || text === undefined) return reply;
  if (place.scope === 'header') return withHeader(place.name, text);
  if (!('steps' in place)) return reply;
  const { body } = reply;
  const chunks = typeof body === 'string' || body instanceof Uint8Array ? [body] : [...(body as Iterable<string>)];
  const written = textOfUtf8(concat(chunks.map((each) => (typeof each === 'string' ? utf8(each) : each))));
  if (place.steps.length === 0) return { ...reply, body: match === undefined ? text : `${written}${text}` };
  const document = put(parsed(utf8(written)) ?? {}, place.steps, text);
  return { ...withHeader('content-type', 'application/json'), body: JSON.stringify(document) };
}

/** The logins of a simulator: the login requests in the schemes of a profile. */
export class LoginEndpoint {
  readonly #schemes: readonly LoginScheme[];
  /** When each session ends, in ms since 1970, with its login. */
  readonly #sessions = new Map<string, { readonly expiresAt: number; readonly scheme: LoginScheme }>();

  constructor(schemes: readonly AuthScheme[]) {
    this.#schemes = schemes.filter((each) => each.scheme === 'login');
  }

  /** The absolute URLs at which clients log in. */
  get urls(): readonly string[] {
    return this.#schemes.map(({ request }) => request.url).filter((url) => !url.startsWith('/'));
  }

  /** Responds to a login that is no operation; undefined: the request is none. */
  respond(request: SideRequest): DialectResponse | undefined {
    const addressed = this.#schemes.filter((scheme) => isAddressed(request, scheme));
    if (addressed.length === 0) return undefined;
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
    if (!addressed.some((scheme) => isLogin(request, scheme)))
      return { status: 401, headers, body: JSON.stringify({ error: 'the credentials of the profile are expected' }) };
    return this.openSession({ status: 200, headers, body: '{}' }, request);
  }

  /** Adds a session to the response of an operation that is the login of the profile; any other response is unchanged. */
  openSession(reply: DialectResponse, request: SessionRequest): DialectResponse {
    const scheme = reply.status < 300 ? this.#schemes.find((each) => isLogin(request, each)) : undefined;
    if (!scheme) return reply;
    const token = `mdwi-${crypto.randomUUID()}`;
    const lifetime = scheme.expiresIn ?? EXPIRES_IN_SECONDS;
    this.#sessions.set(token, { expiresAt: Date.now() + lifetime * 1000, scheme });
    for (const oldest of this.#sessions.keys()) if (this.#sessions.size > MAX_SESSIONS) this.#sessions.delete(oldest);
    return withToken(reply, scheme, token);
  }

  /** Why a request carries no token of a session; undefined if it does, or if it opens one. */
  problemOf(request: SessionRequest, scheme: LoginScheme): string | undefined {
    if (isLogin(request, scheme)) return undefined;
    const carried = carriedText(request, scheme);
    if (carried === undefined) return `the ${scheme.in} ${scheme.name} with the token of a session is missing`;
    const [token, session] = [...this.#sessions].find(([each]) => sessionLine(scheme, each)[1] === carried) ?? [];
    if (token === undefined || JSON.stringify(session?.scheme.request) !== JSON.stringify(scheme.request))
      return 'the session was not opened for this operation';
    return Date.now() < (session?.expiresAt ?? 0) ? undefined : 'the session has expired';
  }
}

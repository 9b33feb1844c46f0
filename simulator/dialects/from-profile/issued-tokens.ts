/**
 * Issues the tokens of a profile, so that a client's login is exercised: access tokens for the client credentials and the
 * password grant of OAuth 2.0 (RFC 6749, 4.3 and 4.4), and sessions for a login at a path of its own or as an operation.
 */
import { concat, textOfUtf8, utf8 } from '../../../src/bytes.ts';
import type { AuthScheme } from '../../../src/profile/schema.ts';
import { type LoginScheme, pairsAsTexts, sessionLine } from '../../../src/profile/session-login.ts';
import type { DialectRequest, DialectResponse, SideRequest } from '../types.ts';
import { frameOf } from './value.ts';
import { put, writePathOf } from './write-path.ts';

type OAuthScheme = Extract<AuthScheme, { scheme: 'oauth2' }>;
type SessionRequest = Pick<DialectRequest, 'method' | 'target' | 'base' | 'headers' | 'body'>;

const EXPIRES_IN_SECONDS = 3600;
/** The number of tokens that are valid at the same time; the oldest ones end early. */
const MAX_TOKENS = 1000;
const GRANT_TYPES: Readonly<Record<string, string>> = {
  clientCredentials: 'client_credentials',
  password: 'password',
};

const respond = (status: number, value: object, headers: Record<string, string> = {}): DialectResponse => ({
  status,
  // RFC 6749, 5.1: tokens must not be stored by caches.
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  body: JSON.stringify(value),
});
const fail = (error: string, error_description: string): DialectResponse =>
  error === 'invalid_client'
    ? respond(401, { error, error_description }, { 'WWW-Authenticate': 'Basic realm="token endpoint"' })
    : respond(400, { error, error_description });

const pathOf = (target: string): string => target.split('?', 1)[0] ?? '';
const queryOf = (target: string): URLSearchParams => new URLSearchParams(target.slice(pathOf(target).length));
const formOf = (body: Uint8Array): URLSearchParams => new URLSearchParams(textOfUtf8(body));

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(textOfUtf8(body));
  } catch {
    return undefined;
  }
}

/** The path of an address as written; that of a service may be a variable of the environment that is not set. */
const writtenPath = (address: string): string => /^(?:[^/?#]*\/\/)?[^/?#]*([^?#]*)/.exec(address)?.[1] ?? '';

/**
 * Whether a request goes to the path of a URL, whatever its origin: clients replace the origin by that of the
 * simulator, or by its address with the base path. A path is below the base address.
 */
function isAddressedTo({ target, base }: Pick<SessionRequest, 'target' | 'base'>, url: string): boolean {
  const path = pathOf(target);
  const written = writtenPath(url) || '/';
  const { pathname } = new URL(`http://localhost${written}`);
  return [written, pathname].some((each) => path === each || path === `${writtenPath(base)}${each}`);
}

/** The client id and secret of a Basic header, form-decoded (RFC 6749, 2.3.1). */
function basicCredentials(authorization: string | undefined): readonly [id: string, secret: string] | undefined {
  const [, encoded] = /^basic +(\S+) *$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return undefined;
  try {
    const [, id = '', secret = ''] = /^([^:]*):(.*)$/s.exec(atob(encoded)) ?? [];
    const decode = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));
    return [decode(id), decode(secret)];
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
const isAddressed = (sent: Pick<SessionRequest, 'method' | 'target' | 'base'>, { request }: LoginScheme): boolean =>
  sent.method === request.method &&
  (request.url.startsWith('/') ? pathOf(sent.target).endsWith(pathOf(request.url)) : isAddressedTo(sent, request.url));

/** Whether a request is the login of the profile, with its credentials. */
function isLogin(sent: SessionRequest, scheme: LoginScheme): boolean {
  if (!isAddressed(sent, scheme)) return false;
  const { query, headers = {}, form, json } = scheme.request;
  const [sentQuery, sentForm] = [queryOf(sent.target), formOf(sent.body)];
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
  const member = (parsed(body) as Record<string, unknown> | null | undefined)?.[name];
  return typeof member === 'string' ? member : (formOf(body).get(name) ?? undefined);
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

/** The tokens that a simulator issues, and the requests for them. */
export class IssuedTokens {
  readonly #grants: readonly OAuthScheme[];
  readonly #logins: readonly LoginScheme[];
  /** When each token ends, in ms since 1970, with the scheme that it was issued for. */
  readonly #issued = new Map<string, { readonly expiresAt: number; readonly scheme: OAuthScheme | LoginScheme }>();

  constructor(schemes: readonly AuthScheme[]) {
    this.#grants = schemes.filter((each) => each.scheme === 'oauth2');
    this.#logins = schemes.filter((each) => each.scheme === 'login');
  }

  /** The URLs at which clients get tokens. */
  get urls(): readonly string[] {
    const logins = this.#logins.map(({ request }) => request.url).filter((url) => !url.startsWith('/'));
    return [...this.#grants.map(({ tokenUrl }) => tokenUrl), ...logins];
  }

  /** Responds to a request for a token; undefined: it is none. @param isOperation whether an operation responds to a login */
  respond(request: SideRequest, isOperation: boolean): DialectResponse | undefined {
    const grants = this.#grants.filter(({ tokenUrl }) => isAddressedTo(request, tokenUrl));
    if (grants.length > 0) return this.#grant(request, grants);
    const logins = isOperation ? [] : this.#logins.filter((scheme) => isAddressed(request, scheme));
    if (logins.length === 0) return undefined;
    return logins.some((scheme) => isLogin(request, scheme))
      ? this.openSession(respond(200, {}), request)
      : respond(401, { error: 'the credentials of the profile are expected' });
  }

  /** Adds a session to the response of an operation that is the login of the profile; any other response is unchanged. */
  openSession(reply: DialectResponse, request: SessionRequest): DialectResponse {
    const scheme = reply.status < 300 ? this.#logins.find((each) => isLogin(request, each)) : undefined;
    return scheme ? withToken(reply, scheme, this.#issue(scheme, scheme.expiresIn)) : reply;
  }

  /** Why a request carries no valid token of a scheme; undefined if it does, or if it opens a session. */
  problemOf(request: SessionRequest, scheme: OAuthScheme | LoginScheme): string | undefined {
    const isGrant = scheme.scheme === 'oauth2';
    if (!isGrant && isLogin(request, scheme)) return undefined;
    const carried = isGrant
      ? /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]
      : carriedText(request, scheme);
    if (carried === undefined)
      return isGrant
        ? 'the header Authorization with a bearer token is missing'
        : `the ${scheme.in} ${scheme.name} with the token of a session is missing`;
    const wireOf = (token: string): string => (isGrant ? token : sessionLine(scheme, token)[1]);
    const issued = [...this.#issued].find(([token]) => wireOf(token) === carried)?.[1];
    if (issued === undefined || purposeOf(issued.scheme) !== purposeOf(scheme))
      return `the ${isGrant ? 'access token was not issued' : 'session was not opened'} for this operation`;
    return Date.now() < issued.expiresAt ? undefined : `the ${isGrant ? 'access token' : 'session'} has expired`;
  }

  #issue(scheme: OAuthScheme | LoginScheme, lifetime = EXPIRES_IN_SECONDS): string {
    const token = `mdwi-${crypto.randomUUID()}`;
    this.#issued.set(token, { expiresAt: Date.now() + lifetime * 1000, scheme });
    for (const oldest of this.#issued.keys()) if (this.#issued.size > MAX_TOKENS) this.#issued.delete(oldest);
    return token;
  }

  #grant({ method, headers, body }: SideRequest, schemes: readonly OAuthScheme[]): DialectResponse {
    if (method !== 'POST') return { status: 405, headers: { Allow: 'POST' }, body: '' };
    const form = formOf(body);
    const grants = [...new Set(schemes.map(({ grant }) => GRANT_TYPES[grant]))];
    const grantType = form.get('grant_type') ?? '';
    if (!grants.includes(grantType))
      return fail('unsupported_grant_type', `grant_type must be ${grants.join(' or ')}, in a form-encoded body`);
    const inHeader = basicCredentials(headers.authorization);
    const [id, secret] = inHeader ?? [form.get('client_id') ?? '', form.get('client_secret') ?? ''];
    const place = inHeader ? 'header' : 'body';
    const scheme = schemes.find(
      ({ clientId, clientSecret, credentialsIn, grant }) =>
        id === clientId && secret === clientSecret && credentialsIn === place && GRANT_TYPES[grant] === grantType,
    );
    if (!scheme) {
      const expected = schemes[0]?.credentialsIn === 'body' ? 'form' : 'Authorization header';
      return fail('invalid_client', `client id and secret of the profile are expected in the ${expected}`);
    }
    const { username, password, parameters = {} } = scheme;
    if (scheme.grant === 'password' && !(form.get('username') === username && form.get('password') === password))
      return fail('invalid_grant', 'username and password of the profile are expected in the form');
    const missing = Object.entries(parameters).find(([name, value]) => form.get(name) !== value);
    if (missing) return fail('invalid_request', `the parameter ${missing[0]} must be that of the profile`);
    const scope = form.get('scope') ?? undefined;
    if (scope !== scheme.scope) return fail('invalid_scope', `the scope must be ${scheme.scope ?? 'absent'}`);
    const token = this.#issue(scheme);
    return respond(200, { access_token: token, token_type: 'Bearer', expires_in: EXPIRES_IN_SECONDS, scope });
  }
}

/** What a token is for: two schemes with the same client and scope, or with the same login, accept the same tokens. */
const purposeOf = (scheme: OAuthScheme | LoginScheme): string =>
  JSON.stringify(scheme.scheme === 'oauth2' ? [scheme.clientId, scheme.scope] : scheme.request);

/** Issues access tokens for the client credentials and the password grant of OAuth 2.0 (RFC 6749, 4.3 and 4.4), so that a client's login is exercised. */
import type { AuthScheme } from '../../../src/profile/schema.ts';
import type { DialectResponse, SideRequest } from '../types.ts';
import { isAddressedTo } from './is-addressed-to.ts';

export type OAuthScheme = Extract<AuthScheme, { scheme: 'oauth2' }>;

const EXPIRES_IN_SECONDS = 3600;
const GRANT_TYPES: Readonly<Record<string, string>> = {
  clientCredentials: 'client_credentials',
  password: 'password',
};
/** The number of tokens that are valid at the same time; the oldest ones expire early. */
const MAX_TOKENS = 1000;

const respond = (status: number, value: object, headers: Record<string, string> = {}): DialectResponse => ({
  status,
  // RFC 6749, 5.1: tokens must not be stored by caches.
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  body: JSON.stringify(value),
});
const fail = (status: number, error: string, description: string): DialectResponse =>
  respond(
    status,
    { error, error_description: description },
    status === 401 ? { 'WWW-Authenticate': 'Basic realm="token endpoint"' } : {},
  );

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

/** The token endpoint of a simulator: the paths of `tokenUrl` in the schemes of a profile. */
export class TokenEndpoint {
  readonly #schemes: readonly OAuthScheme[];
  /** When each token expires, in ms since 1970, with the client and the scope that it was issued for. */
  readonly #issued = new Map<
    string,
    { readonly expiresAt: number; readonly clientId: string; readonly scope: string | undefined }
  >();

  constructor(schemes: readonly AuthScheme[]) {
    this.#schemes = schemes.filter((each) => each.scheme === 'oauth2');
  }

  /** The URLs at which clients get tokens. */
  get urls(): readonly string[] {
    return this.#schemes.map(({ tokenUrl }) => tokenUrl);
  }

  /** Responds to a request for a token; undefined: the path is not that of a token endpoint. */
  respond(request: SideRequest): DialectResponse | undefined {
    const { method, headers, body } = request;
    const schemes = this.#schemes.filter(({ tokenUrl }) => isAddressedTo(request, tokenUrl));
    if (schemes.length === 0) return undefined;
    if (method !== 'POST') return { status: 405, headers: { Allow: 'POST' }, body: '' };
    const form = new URLSearchParams(new TextDecoder().decode(body));
    const grants = [...new Set(schemes.map(({ grant }) => GRANT_TYPES[grant]))];
    const grantType = form.get('grant_type') ?? '';
    if (!grants.includes(grantType))
      return fail(400, 'unsupported_grant_type', `grant_type must be ${grants.join(' or ')}, in a form-encoded body`);
    const inHeader = basicCredentials(headers.authorization);
    const sent = inHeader ?? [form.get('client_id') ?? '', form.get('client_secret') ?? ''];
    const place = inHeader ? 'header' : 'body';
    const scheme = schemes.find(
      ({ clientId, clientSecret, credentialsIn, grant }) =>
        sent[0] === clientId && sent[1] === clientSecret && credentialsIn === place && GRANT_TYPES[grant] === grantType,
    );
    if (!scheme)
      return fail(
        401,
        'invalid_client',
        `client id and secret of the profile are expected in the ${schemes[0]?.credentialsIn === 'body' ? 'form' : 'Authorization header'}`,
      );
    if (
      scheme.grant === 'password' &&
      !(form.get('username') === scheme.username && form.get('password') === scheme.password)
    )
      return fail(400, 'invalid_grant', 'username and password of the profile are expected in the form');
    const missing = Object.entries(scheme.parameters ?? {}).find(([name, value]) => form.get(name) !== value);
    if (missing) return fail(400, 'invalid_request', `the parameter ${missing[0]} must be that of the profile`);
    const scope = form.get('scope') ?? undefined;
    if (scope !== scheme.scope) return fail(400, 'invalid_scope', `the scope must be ${scheme.scope ?? 'absent'}`);
    const token = `mdwi-${crypto.randomUUID()}`;
    this.#issued.set(token, { expiresAt: Date.now() + EXPIRES_IN_SECONDS * 1000, clientId: scheme.clientId, scope });
    for (const oldest of this.#issued.keys()) if (this.#issued.size > MAX_TOKENS) this.#issued.delete(oldest);
    return respond(200, { access_token: token, token_type: 'Bearer', expires_in: EXPIRES_IN_SECONDS, scope });
  }

  /** Why an Authorization header carries no valid token of this scheme; undefined if it does. */
  problemOf(authorization: string | undefined, { clientId, scope }: OAuthScheme): string | undefined {
    const [, token] = /^bearer +(\S+) *$/i.exec(authorization ?? '') ?? [];
    if (token === undefined) return 'the header Authorization with a bearer token is missing';
    const issued = this.#issued.get(token);
    if (issued?.clientId !== clientId || issued.scope !== scope)
      return 'the access token was not issued for this operation';
    return Date.now() < issued.expiresAt ? undefined : 'the access token has expired';
  }
}

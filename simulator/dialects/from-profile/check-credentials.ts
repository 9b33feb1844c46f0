/** Checks the credentials that the profile declares (section 5 shows none). */
import type { AuthScheme, ProfileData } from '../../../src/profile/schema.ts';
import type { DialectRequest } from '../types.ts';

type CredentialSource = Pick<DialectRequest, 'headers' | 'query'>;
type SchemeName = AuthScheme['scheme'];

export const schemesOf = ({ auth }: ProfileData): readonly AuthScheme[] => (auth === undefined ? [] : [auth].flat());

/** Schemes that the simulator cannot check, and why. */
export const UNSUPPORTED_SCHEMES = {
  oauth2: 'another server issues the tokens, so the simulator does not know them',
  mtls: 'the simulator serves HTTP without TLS, so there are no client certificates',
} as const satisfies Partial<Record<SchemeName, string>>;

const authorization = ({ headers }: CredentialSource, scheme: string): string | undefined =>
  new RegExp(`^${scheme} +(\\S+) *$`, 'i').exec(headers.authorization ?? '')?.[1];

const CHECKS: {
  [S in Exclude<SchemeName, keyof typeof UNSUPPORTED_SCHEMES>]: (
    request: CredentialSource,
    scheme: Extract<AuthScheme, { scheme: S }>,
  ) => boolean;
} = {
  none: () => true,
  apiKey: ({ headers, query }, { in: location, name, value }) =>
    location === 'header' ? headers[name.toLowerCase()] === value : query.getAll(name).includes(value),
  basic: (request, { username, password }) =>
    Buffer.from(authorization(request, 'Basic') ?? '', 'base64').toString('utf8') === `${username}:${password}`,
  bearer: (request, { token }) => authorization(request, 'Bearer') === token,
  headers: ({ headers }, { headers: expected }) =>
    Object.entries(expected).every(([name, value]) => headers[name.toLowerCase()] === value),
};

/** Whether a request satisfies all schemes. */
export const carriesCredentials = (request: CredentialSource, schemes: readonly AuthScheme[]): boolean =>
  schemes.every((scheme) =>
    (CHECKS[scheme.scheme as keyof typeof CHECKS] as (request: CredentialSource, scheme: AuthScheme) => boolean)(
      request,
      scheme,
    ),
  );

/** The value of `WWW-Authenticate` for these schemes. */
export function challengeOf(schemes: readonly AuthScheme[]): string {
  const kinds = schemes.map(({ scheme }) => scheme);
  if (kinds.includes('basic')) return 'Basic realm="mdwi", charset="UTF-8"';
  return kinds.includes('bearer') ? 'Bearer realm="mdwi"' : 'ApiKey realm="mdwi"';
}

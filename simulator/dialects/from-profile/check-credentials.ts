/** Whether a request carries the credentials the profile declares (section 5 shows none, so they are the profile’s). */
import type { AuthScheme, ProfileData } from '../../../src/profile/schema.ts';
import type { DialectRequest } from '../types.ts';

type Asking = Pick<DialectRequest, 'headers' | 'query'>;
type Kind = AuthScheme['scheme'];

export const schemesOf = ({ auth }: ProfileData): readonly AuthScheme[] => (auth === undefined ? [] : [auth].flat());

/** Schemes that prove themselves elsewhere, and why they cannot be asked for here. */
export const UNSUPPORTED_SCHEMES = {
  oauth2: 'the tokens are given out by another server, so that none is known here',
  mtls: 'the simulator speaks HTTP without TLS, where there are no certificates',
} as const satisfies Partial<Record<Kind, string>>;

const authorization = ({ headers }: Asking, scheme: string): string | undefined =>
  new RegExp(`^${scheme} +(\\S+) *$`, 'i').exec(headers.authorization ?? '')?.[1];

const CARRIES: {
  [S in Exclude<Kind, keyof typeof UNSUPPORTED_SCHEMES>]: (
    request: Asking,
    scheme: Extract<AuthScheme, { scheme: S }>,
  ) => boolean;
} = {
  none: () => true,
  apiKey: ({ headers, query }, { in: place, name, value }) =>
    place === 'header' ? headers[name.toLowerCase()] === value : query.getAll(name).includes(value),
  basic: (request, { username, password }) =>
    Buffer.from(authorization(request, 'Basic') ?? '', 'base64').toString('utf8') === `${username}:${password}`,
  bearer: (request, { token }) => authorization(request, 'Bearer') === token,
  headers: ({ headers }, { headers: wanted }) =>
    Object.entries(wanted).every(([name, value]) => headers[name.toLowerCase()] === value),
};

/** Whether all of the schemes are satisfied. */
export const carriesCredentials = (request: Asking, schemes: readonly AuthScheme[]): boolean =>
  schemes.every((scheme) =>
    (CARRIES[scheme.scheme as keyof typeof CARRIES] as (request: Asking, scheme: AuthScheme) => boolean)(
      request,
      scheme,
    ),
  );

/** What a refused client is told to bring. */
export function challengeOf(schemes: readonly AuthScheme[]): string {
  const kinds = schemes.map(({ scheme }) => scheme);
  if (kinds.includes('basic')) return 'Basic realm="mdwi", charset="UTF-8"';
  return kinds.includes('bearer') ? 'Bearer realm="mdwi"' : 'ApiKey realm="mdwi"';
}

/** Checks the credentials that the profile declares (section 5 shows none). */
import { textOfBase64 } from '../../../src/bytes.ts';
import type { OperationKey } from '../../../src/contract/index.ts';
import { authKeyOf, schemeRow, schemesIn, schemesOfKey } from '../../../src/profile/auth-schemes.ts';
import type { AuthScheme, ProfileData } from '../../../src/profile/schema.ts';
import type { DialectRequest } from '../types.ts';
import type { TokenEndpoint } from './token-endpoint.ts';

type CredentialSource = Pick<DialectRequest, 'headers' | 'query'>;

/** The schemes of an operation, or all of the profile. */
export const schemesOf = (data: ProfileData, operation?: OperationKey): readonly AuthScheme[] =>
  operation === undefined
    ? schemesIn(data).map(({ scheme }) => scheme)
    : schemesOfKey(data, authKeyOf(data, operation));

/** Compares Authorization headers: the name of the scheme in any case, Basic credentials by their decoded text (RFC 7617). */
function isSameAuthorization(sent: string, expected: string): boolean {
  const partsOf = (value: string): readonly string[] => {
    const [, name = '', credentials = ''] = /^(\S+) +(\S+) *$/.exec(value) ?? [];
    const isBasic = name.toLowerCase() === 'basic';
    return [name.toLowerCase(), isBasic ? textOfBase64(credentials) : credentials];
  };
  const [scheme, credentials] = partsOf(expected);
  const [sentScheme, sentCredentials] = partsOf(sent);
  return credentials !== '' && sentScheme === scheme && sentCredentials === credentials;
}

/** Whether a request satisfies a scheme. The connection decides about client certificates. */
function isSatisfied({ headers, query }: CredentialSource, scheme: AuthScheme, tokens: TokenEndpoint): boolean {
  if (scheme.scheme === 'oauth2') return tokens.accepts(headers.authorization, scheme);
  const { authorization, credentials } = schemeRow(scheme);
  const expected = credentials?.(scheme) ?? {};
  return (
    (expected.headers ?? []).every(([name, value]) =>
      authorization ? isSameAuthorization(headers.authorization ?? '', value) : headers[name.toLowerCase()] === value,
    ) && (expected.query ?? []).every(([name, value]) => query.getAll(name).includes(value))
  );
}

/** Whether a request satisfies all schemes. */
export const carriesCredentials = (
  request: CredentialSource,
  schemes: readonly AuthScheme[],
  tokens: TokenEndpoint,
): boolean => schemes.every((scheme) => isSatisfied(request, scheme, tokens));

/** The value of `WWW-Authenticate` for these schemes. */
export function challengeOf(schemes: readonly AuthScheme[]): string {
  const kinds = schemes.map(({ scheme }) => scheme);
  if (kinds.includes('basic')) return 'Basic realm="mdwi", charset="UTF-8"';
  return kinds.includes('bearer') || kinds.includes('oauth2') ? 'Bearer realm="mdwi"' : 'ApiKey realm="mdwi"';
}

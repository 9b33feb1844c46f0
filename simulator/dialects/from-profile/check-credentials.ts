/** Checks the credentials that the profile declares (section 5 shows none). */
import { textOfBase64 } from '../../../src/bytes.ts';
import type { OperationKey } from '../../../src/contract/index.ts';
import {
  authKeyOf,
  type ComputedScheme,
  schemeRow,
  schemesIn,
  schemesOfKey,
} from '../../../src/profile/auth-schemes.ts';
import type { AuthScheme, ProfileData } from '../../../src/profile/schema.ts';
import type { DialectRequest } from '../types.ts';
import { signatureProblem } from './check-signature.ts';
import type { IssuedTokens } from './issued-tokens.ts';

type CredentialSource = Pick<
  DialectRequest,
  'method' | 'base' | 'target' | 'headers' | 'query' | 'body' | 'hasClientCertificate'
>;

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

type Check<S> = (request: CredentialSource, scheme: S, tokens: IssuedTokens) => string | undefined;

/** How credentials are checked that are no fixed text. */
const CHECKS: { readonly [S in ComputedScheme as S['scheme']]: Check<S> } = {
  oauth2: (request, scheme, tokens) => tokens.problemOf(request, scheme),
  login: (request, scheme, tokens) => tokens.problemOf(request, scheme),
  hmac: signatureProblem,
  mtls: ({ hasClientCertificate }) =>
    hasClientCertificate === false ? 'a client certificate of an accepted authority is missing' : undefined,
};

/** Why a request does not satisfy a scheme; undefined if it does. */
function problemOf(request: CredentialSource, scheme: AuthScheme, tokens: IssuedTokens): string | undefined {
  const { headers, query } = request;
  const check = (CHECKS as { readonly [name: string]: Check<AuthScheme> })[scheme.scheme];
  if (check) return check(request, scheme, tokens);
  const { authorization, credentials } = schemeRow(scheme);
  const expected = credentials?.(scheme) ?? {};
  const inHeaders = (expected.headers ?? []).map(([name, value]) => {
    const sent = headers[name.toLowerCase()];
    const isSame = authorization ? isSameAuthorization(headers.authorization ?? '', value) : sent === value;
    return isSame ? undefined : describe(`the header ${name}`, sent !== undefined);
  });
  const inQuery = (expected.query ?? []).map(([name, value]) => {
    const sent = query.getAll(name);
    return sent.includes(value) ? undefined : describe(`the query parameter ${name}`, sent.length > 0);
  });
  return [...inHeaders, ...inQuery].find((each) => each !== undefined);
}

const describe = (place: string, isSent: boolean): string =>
  isSent
    ? `${place} does not contain the credentials of the profile`
    : `${place}, which contains the credentials, is missing`;

/** What is wrong with the credentials of a request, in one sentence without them; undefined if it satisfies all schemes. */
export const credentialProblem = (
  request: CredentialSource,
  schemes: readonly AuthScheme[],
  tokens: IssuedTokens,
): string | undefined => schemes.map((scheme) => problemOf(request, scheme, tokens)).find((each) => each !== undefined);

/** The value of `WWW-Authenticate` for these schemes. */
export function challengeOf(schemes: readonly AuthScheme[]): string {
  const kinds = schemes.map(({ scheme }) => scheme);
  if (kinds.includes('basic')) return 'Basic realm="mdwi", charset="UTF-8"';
  if (kinds.includes('hmac')) return 'HMAC realm="mdwi"';
  return kinds.includes('bearer') || kinds.includes('oauth2') ? 'Bearer realm="mdwi"' : 'ApiKey realm="mdwi"';
}

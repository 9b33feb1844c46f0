/** Checks the credentials that the profile declares, signatures of requests among them (section 5 shows none). */

import { builtinModule, isNode } from '../../../src/builtin-module.ts';
import { textOfBase64, utf8 } from '../../../src/bytes.ts';
import type { OperationKey } from '../../../src/contract/index.ts';
import {
  authKeyOf,
  type ComputedScheme,
  computedKindOf,
  schemeRow,
  schemesIn,
  schemesOfKey,
} from '../../../src/profile/auth-schemes.ts';
import {
  type HmacScheme,
  type SignatureInputs,
  signatureParts,
  variablePattern,
} from '../../../src/profile/hmac/sign.ts';
import { TIMESTAMP_FORMATS } from '../../../src/profile/hmac/timestamps.ts';
import type { AuthScheme, ProfileData } from '../../../src/profile/schema.ts';
import { withoutQuery } from '../../../src/profile/url-query.ts';
import type { DialectRequest } from '../types.ts';
import type { IssuedTokens } from './issued-tokens.ts';

type SignedSource = Pick<DialectRequest, 'method' | 'base' | 'target' | 'headers' | 'query' | 'body'>;

/** How far the clock of a client may be from that of the simulator. */
const CLOCK_SKEW_MS = 300_000;

/** A text that carries a part of the signature. */
interface CarriedText {
  /** `header X-Date` or `query parameter sig`. */
  readonly place: string;
  readonly template: string;
  readonly text: string;
}

const carriedTexts = ({ headers, query }: SignedSource, scheme: HmacScheme): CarriedText[] => [
  ...Object.entries(scheme.headers ?? {}).map(([name, template]) => {
    const text = [headers[name.toLowerCase()] ?? []].flat().join(', ');
    return { place: `header ${name}`, template, text };
  }),
  ...Object.entries(scheme.query ?? {}).map(([name, template]) => {
    return { place: `query parameter ${name}`, template, text: query.get(name) ?? '' };
  }),
];

/** The timestamp and the nonce that a client sent; undefined if a text does not match its template, or if two differ. */
function sentInputs(carried: readonly CarriedText[]): SignatureInputs | undefined {
  const found = { timestamp: '', nonce: '' };
  for (const { template, text } of carried) {
    const match = variablePattern(template).exec(text);
    if (!match) return undefined;
    for (const name of ['timestamp', 'nonce'] as const) {
      const value = match.groups?.[name];
      if (value === undefined) continue;
      if (found[name] !== '' && found[name] !== value) return undefined;
      found[name] = value;
    }
  }
  return found;
}

function isEqual(text: string, expected: string): boolean {
  const { createHash, timingSafeEqual } = builtinModule('node:crypto');
  const digest = (each: string) => createHash('sha256').update(utf8(each)).digest();
  return timingSafeEqual(digest(text), digest(expected));
}

/**
 * What is wrong with the signature of a request, in one sentence without it; undefined if it is valid. In a browser only its
 * form is checked.
 */
function signatureProblem(request: SignedSource, scheme: HmacScheme): string | undefined {
  const carried = carriedTexts(request, scheme);
  const missing = carried.find(({ text }) => text === '');
  if (missing) return `the ${missing.place}, which belongs to the signature, is missing`;
  const inputs = sentInputs(carried);
  if (!inputs) return 'the signature does not have the form that the profile states';
  if (inputs.timestamp !== '') {
    const skew = Math.abs(TIMESTAMP_FORMATS[scheme.timestamp].read(inputs.timestamp) - Date.now());
    if (!(skew <= CLOCK_SKEW_MS)) return 'the time of the signature is not that of the simulator, within 5 minutes';
  }
  if (!isNode()) return undefined;
  const { method, base, headers, body } = request;
  const target = withoutQuery(request.target, Object.keys(scheme.query ?? {}));
  const lines = Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')] as const);
  const host = headers.host ?? new URL(base).host;
  const expected = signatureParts(scheme, { method, target, host, headers: lines, body }, inputs);
  const texts = new Map<string, string>([
    ...expected.headers.map(([name, value]) => [`header ${name}`, value] as const),
    ...expected.query.map(([name, value]) => [`query parameter ${name}`, value] as const),
  ]);
  const wrong = carried.find(({ place, text }) => !isEqual(text, texts.get(place) ?? ''));
  return wrong && `the ${wrong.place} is not what the key and the message of the profile give`;
}

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
  if (schemes.some((each) => computedKindOf(each) === 'signature')) return 'HMAC realm="mdwi"';
  return kinds.includes('bearer') || kinds.includes('oauth2') ? 'Bearer realm="mdwi"' : 'ApiKey realm="mdwi"';
}

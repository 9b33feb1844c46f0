/** The secrets a profile declares (section 5 shows no scheme, so a profile fills it), and those of the command line. */
import type { AuthScheme, Profile } from '../../profile/schema.ts';
import { isDistinct } from './distinct.ts';
import type { ProtectionOptions } from './protection.ts';
import type { DeclaredSecret } from './pseudonyms.ts';

const asList = (auth: Profile['data']['auth']): readonly AuthScheme[] => [auth ?? []].flat();

/** User and password, or client and secret, as they are joined for the Basic scheme (RFC 7617; RFC 6749 escapes both). */
const joined = (user: string, password: string): string[] => [
  `${user}:${password}`,
  `${encodeURIComponent(user)}:${encodeURIComponent(password)}`,
];

/** What a scheme keeps secret, whether it came from the environment or stands in the file. */
function secretsOfScheme(scheme: AuthScheme, fromEnvironment: ReadonlySet<string>): DeclaredSecret[] {
  switch (scheme.scheme) {
    case 'apiKey':
      return [{ name: 'api key', value: scheme.value }];
    case 'basic':
      return [
        { name: 'password', value: scheme.password },
        ...joined(scheme.username, scheme.password).map((value) => ({ name: 'basic credentials', value })),
      ];
    case 'bearer':
      return [{ name: 'bearer token', value: scheme.token }];
    case 'headers':
      // A tenant or a market may stand beside the key: those are hidden in their header only.
      return Object.entries(scheme.headers)
        .filter(([, value]) => fromEnvironment.has(value) || isDistinct(value))
        .map(([name, value]) => ({ name, value }));
    case 'oauth2':
      return [
        { name: 'client secret', value: scheme.clientSecret },
        ...joined(scheme.clientId, scheme.clientSecret).map((value) => ({ name: 'client credentials', value })),
      ];
    case 'mtls':
      return scheme.passphrase === undefined ? [] : [{ name: 'passphrase', value: scheme.passphrase }];
    case 'none':
      return [];
  }
}

/** Every text in a part of a profile. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/**
 * What a profile tells about secrets. Names come from the profile’s own words and the order of values, so that the same
 * profile with other credentials gives the same placeholders.
 * @param more values named on the command line
 * @example new Protection(protectionOf(await loadProfile('acme.yaml'), ['s3cret']))
 */
export function protectionOf(profile: Profile, more: readonly string[] = []): ProtectionOptions {
  const { data } = profile;
  const schemes = asList(data.auth);
  const fromEnvironment = new Set(profile.secrets);
  const isPublic = (text: string): boolean => !fromEnvironment.has(text) && !more.includes(text);
  return {
    declared: [
      ...schemes.flatMap((each) => secretsOfScheme(each, fromEnvironment)),
      ...profile.secrets.map((value) => ({ name: 'environment value', value })),
      ...more.map((value) => ({ name: 'secret', value })),
    ],
    open: textsIn([data.examples, data.jobs, data.markets]).filter(isPublic),
    headers: schemes.flatMap((each) => {
      if (each.scheme === 'headers') return Object.keys(each.headers);
      return each.scheme === 'apiKey' && each.in === 'header' ? [each.name] : [];
    }),
    query: schemes.flatMap((each) => (each.scheme === 'apiKey' && each.in === 'query' ? [each.name] : [])),
  };
}

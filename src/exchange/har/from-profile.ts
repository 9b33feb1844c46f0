/** What a profile tells a recording: which values are secret, and which headers carry inputs. */
import type { AuthScheme, Profile } from '../../profile/schema.ts';
import type { Matching } from './key.ts';
import type { Secrets } from './protect.ts';

const schemesOf = ({ data }: Profile): readonly AuthScheme[] => [data.auth ?? []].flat();

/** The values a scheme keeps secret, whether they came from the environment or stand in the file. */
function valuesOf(scheme: AuthScheme): string[] {
  switch (scheme.scheme) {
    case 'apiKey':
      return [scheme.value];
    case 'basic':
      return [scheme.password, `${scheme.username}:${scheme.password}`];
    case 'bearer':
      return [scheme.token];
    case 'headers':
      return Object.values(scheme.headers);
    case 'oauth2':
      return [scheme.clientSecret];
    case 'mtls':
      return scheme.passphrase === undefined ? [] : [scheme.passphrase];
    case 'none':
      return [];
  }
}

const headersOf = (scheme: AuthScheme): string[] => {
  if (scheme.scheme === 'headers') return Object.keys(scheme.headers);
  return scheme.scheme === 'apiKey' && scheme.in === 'header' ? [scheme.name] : [];
};

const queryOf = (scheme: AuthScheme): string[] =>
  scheme.scheme === 'apiKey' && scheme.in === 'query' ? [scheme.name] : [];

/**
 * The secrets a profile declares (section 5 shows no scheme, so a profile fills it).
 * @param more values named on the command line
 */
export function secretsOf(profile: Profile, more: readonly string[] = []): Secrets {
  const schemes = schemesOf(profile);
  return {
    values: [...new Set([...profile.secrets, ...schemes.flatMap(valuesOf), ...more])],
    headers: schemes.flatMap(headersOf).map((name) => name.toLowerCase()),
    query: schemes.flatMap(queryOf),
  };
}

/** What tells requests under this profile apart, besides method, path, query and body. */
export function matchingOf(profile: Profile): Matching {
  const { headers: secret, query } = secretsOf(profile);
  const inputs = Object.values(profile.data.operations ?? {}).flatMap((each) =>
    Object.keys(each?.request?.headers ?? {}).map((name) => name.toLowerCase()),
  );
  return { headers: [...new Set(inputs)].filter((name) => !secret.includes(name)).sort(), withoutQuery: query };
}

/** Whether the profile reads the as-of of any answer from the `Date` header: then a recording stands in for that day. */
export function readsAsOfFromDate({ data }: Profile): boolean {
  return Object.values(data.operations ?? {}).some((each) => {
    const asOf = each?.response?.fields?.asOf;
    const at = typeof asOf === 'object' && asOf !== null && 'at' in asOf ? asOf.at : asOf;
    return [at].flat().some((place) => typeof place === 'string' && /^\$response\.header\.date$/i.test(place));
  });
}

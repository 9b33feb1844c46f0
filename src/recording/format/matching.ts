/** What a profile tells a recording: which headers carry inputs, and where the as-of stands. */
import type { Profile } from '../../profile/schema.ts';
import { protectionOf } from '../../secrets/declared-secrets.ts';
import type { Matching } from './request-key.ts';

/** Schemes that fill the header of that name. */
const AUTHORIZATION: readonly string[] = ['basic', 'bearer', 'oauth2'];

/** What tells requests under this profile apart, besides method, path, query and body. */
export function matchingOf(profile: Profile): Matching {
  const { headers, query } = protectionOf(profile);
  const secret = headers.map((name) => name.toLowerCase());
  const authorizes = [profile.data.auth ?? []].flat().some(({ scheme }) => AUTHORIZATION.includes(scheme));
  const credentials = [
    ...new Set([...(authorizes ? ['authorization'] : []), ...secret, ...query.map((name) => `?${name}`)]),
  ].sort();
  const inputs = Object.values(profile.data.operations ?? {}).flatMap((each) =>
    Object.keys(each?.request?.headers ?? {}).map((name) => name.toLowerCase()),
  );
  const told = [...new Set(inputs)].filter((name) => !credentials.includes(name)).sort();
  if (credentials.length === 0) return { headers: told, withoutQuery: query };
  return { headers: [...told, ...credentials], withoutQuery: query, credentials };
}

/** Whether the profile reads the as-of of any answer from the `Date` header: then a recording stands in for that day. */
export function readsAsOfFromDate({ data }: Profile): boolean {
  return Object.values(data.operations ?? {}).some((each) => {
    const asOf = each?.response?.fields?.asOf;
    const at = typeof asOf === 'object' && asOf !== null && 'at' in asOf ? asOf.at : asOf;
    return [at].flat().some((place) => typeof place === 'string' && /^\$response\.header\.date$/i.test(place));
  });
}

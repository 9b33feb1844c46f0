/** The parts of a profile that a recording needs: headers that carry inputs, and where the as-of date is read from. */
import { schemeRow, schemesIn } from '../../profile/auth-schemes.ts';
import type { Profile } from '../../profile/schema.ts';
import { protectionOf } from '../../secrets/declared-secrets.ts';
import type { Matching } from './request-key.ts';

/** The parts of a request that its key includes under this profile, besides method, path, query and body. */
export function matchingOf(profile: Profile): Matching {
  const { headers, query } = protectionOf(profile);
  const secret = headers.map((name) => name.toLowerCase());
  const authorizes = schemesIn(profile.data).some(({ scheme }) => schemeRow(scheme).authorization);
  const credentials = [
    ...new Set([...(authorizes ? ['authorization'] : []), ...secret, ...query.map((name) => `?${name}`)]),
  ].sort();
  const inputs = Object.values(profile.data.operations ?? {}).flatMap((each) =>
    Object.keys(each?.request?.headers ?? {}).map((name) => name.toLowerCase()),
  );
  const inputHeaders = [...new Set(inputs)].filter((name) => !credentials.includes(name)).sort();
  if (credentials.length === 0) return { headers: inputHeaders, withoutQuery: query };
  return { headers: [...inputHeaders, ...credentials], withoutQuery: query, credentials };
}

/** Whether the profile reads the as-of date of any response from the `Date` header. */
export function readsAsOfFromDate({ data }: Profile): boolean {
  return Object.values(data.operations ?? {}).some((each) => {
    const asOf = each?.response?.fields?.asOf;
    const at = typeof asOf === 'object' && asOf !== null && 'at' in asOf ? asOf.at : asOf;
    return [at].flat().some((place) => typeof place === 'string' && /^\$response\.header\.date$/i.test(place));
  });
}

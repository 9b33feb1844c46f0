/** Credentials as a profile declares them (section 5: not shown). */
import type { AuthScheme } from '../profile/schema.ts';

export interface Credentials {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly query: readonly (readonly [name: string, value: string])[];
}

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

const APPLY: { [S in AuthScheme['scheme']]: (scheme: Extract<AuthScheme, { scheme: S }>) => Credentials } = {
  none: () => ({ headers: [], query: [] }),
  apiKey: ({ in: place, name, value }) =>
    place === 'header' ? { headers: [[name, value]], query: [] } : { headers: [], query: [[name, value]] },
  basic: ({ username, password }) => ({
    headers: [['authorization', `Basic ${base64(`${username}:${password}`)}`]],
    query: [],
  }),
  bearer: ({ token }) => ({ headers: [['authorization', `Bearer ${token}`]], query: [] }),
  headers: ({ headers }) => ({ headers: Object.entries(headers), query: [] }),
};

/** What one or several schemes together add to a request. */
export function credentialsOf(schemes: readonly AuthScheme[]): Credentials {
  const each = schemes.map((scheme) => (APPLY[scheme.scheme] as (one: AuthScheme) => Credentials)(scheme));
  return { headers: each.flatMap((one) => one.headers), query: each.flatMap((one) => one.query) };
}

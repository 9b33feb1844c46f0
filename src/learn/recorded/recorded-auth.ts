/** The credentials of recorded requests, as schemes whose values come from the environment. */
import type { WireRequest } from '../../exchange/types.ts';
import { headerNameProblem } from '../../profile/http-text.ts';
import { variable } from '../../profile/openapi/auth.ts';
import type { PlainObject } from '../../profile/plain-object.ts';
import { secretKindOf, secretKindOfHeader } from '../../secrets/credential-names.ts';

/** The schemes of one request: their names and places, never their values. */
function schemesOf({ headers, url }: WireRequest): PlainObject[] {
  const inHeaders = headers.flatMap(([name, value]): PlainObject[] => {
    if (name.toLowerCase() === 'authorization') {
      if (/^bearer /i.test(value)) return [{ scheme: 'bearer', token: variable('token') }];
      if (/^basic /i.test(value))
        return [{ scheme: 'basic', username: variable('username'), password: variable('password') }];
    }
    if (secretKindOfHeader(name) !== 'credential' || headerNameProblem(name) !== undefined) return [];
    return [{ scheme: 'apiKey', in: 'header', name, value: variable(name) }];
  });
  const inParameters = [...new URL(url).searchParams.keys()]
    .filter((name) => secretKindOf(name) === 'credential')
    .map((name) => ({ scheme: 'apiKey', in: 'query', name, value: variable(name) }));
  return [...inHeaders, ...inParameters];
}

/** The schemes that all requests have; undefined if requests differ, or have none. */
export function recordedAuth(requests: readonly WireRequest[]): PlainObject | PlainObject[] | undefined {
  const [first, ...others] = [...new Set(requests.map((each) => JSON.stringify(schemesOf(each))))];
  if (first === undefined || others.length > 0) return undefined;
  const schemes = JSON.parse(first) as PlainObject[];
  return schemes.length > 1 ? schemes : schemes[0];
}

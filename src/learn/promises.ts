/** The keys of a profile that state what a service will always do. They are never learned: only a person makes a promise. */
import { isPlainObject, type PlainObject } from '../profile/plain-object.ts';
import type { ProfilePath } from './types.ts';

/**
 * The promises, by their key; `…` is any name. Each has the reason why no number of responses shows it.
 *
 * Not promises, although a rule judges them, because a response cannot be read without them: `counts`, `echoes`, `refusal`,
 * `paging`, `codes`, `prefixes`, `match` and `nullable`. Not ours to learn, but stated by a description: `response.schemas`
 * and `implements`. They only say what the client does: `limits`, `examples`, `unknownUpc`, `jobs.….example`,
 * `jobs.….unknown`, `jobs.….pollSeconds`, `statuses.unauthorized` and `statuses.tooMany`.
 */
export const PROMISE_KEYS = {
  authCovers: 'which operations the credentials are meant for is a contract, not an observation',
  authRequired: 'a request without credentials that is refused once may be accepted for other data',
  authSeparate: 'whether other credentials should be refused is a decision',
  authVerified: 'whether invented credentials should be refused is a decision',
  authLimited: 'whether a right is needed is a decision',
  'examples.upc': 'a product that is found today may leave the list',
  'statuses.unknown': 'one unknown value shows one status, not the only ones',
  'statuses.malformed': 'one malformed value shows one status, not the only ones',
  'operations.….statuses.unknown': 'one unknown value shows one status, not the only ones',
  'operations.….statuses.malformed': 'one malformed value shows one status, not the only ones',
  'operations.….statuses.missing': 'one incomplete request shows one status, not the only ones',
  'operations.….none': 'a part that no response contains may be in the next one',
  'operations.….response.fields.….required': 'a value in every row so far may be missing in the next one',
  'jobs.….states': 'the states seen so far are not all that there are',
  'jobs.….final': 'a state that has not changed so far may change later',
  'jobs.….patienceSeconds': 'the time of one job is not that of all',
  'jobs.….keepsFinal': 'how long a job stays known is not seen in one session',
  'jobs.….statesInOrder': 'the order of one job is not that of all',
  'jobs.….distinctIds': 'ids that differ so far may be equal later',
  'jobs.….locationIsStatus': 'one Location that is a status does not show the next one',
  dataWeek: 'the weeks of one day’s data do not show the rule behind them',
  delta: 'one week’s delta does not show what decides the next one',
  products: 'names and dates that agree in one week may differ in the next one',
  upc: 'digits that fit so far may not fit the next product; what a look-up admits is a decision',
  metadata: 'that all pairs are listed is not seen in the pairs that are',
  figures: 'amounts that fit so far are rounded or ordered by a rule that only its owner knows',
  markets: 'one text for a market does not show that there is no other',
  catalogue: 'lists that differ, or are connected, so far may be otherwise for the next item',
} as const satisfies Record<string, string>;

const PATTERNS = Object.keys(PROMISE_KEYS).map((key) => key.split('.'));

const isPromise = (path: ProfilePath): boolean =>
  PATTERNS.some(
    (pattern) => pattern.length === path.length && pattern.every((key, at) => key === '…' || key === path[at]),
  );

/** The promises that a profile contains. */
export function promisesIn(node: unknown, path: ProfilePath = []): ProfilePath[] {
  if (isPromise(path)) return [path];
  return isPlainObject(node) ? Object.entries(node).flatMap(([name, each]) => promisesIn(each, [...path, name])) : [];
}

/** A profile without its promises. An object that contained nothing else is left out, too. */
export function withoutPromises(node: PlainObject, path: ProfilePath = []): PlainObject {
  return Object.fromEntries(
    Object.entries(node).flatMap(([name, each]) => {
      const at = [...path, name];
      if (isPromise(at)) return [];
      if (!isPlainObject(each)) return [[name, each]];
      const kept = withoutPromises(each, at);
      return Object.keys(kept).length === 0 && Object.keys(each).length > 0 ? [] : [[name, kept]];
    }),
  );
}

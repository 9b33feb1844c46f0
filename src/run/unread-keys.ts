/** What a profile states and no rule judges, and what nothing reads of it. A run and `mdwi profile check` name each key. */
import {
  type Field,
  GROUPS,
  hasRequiredRule,
  isOperationKey,
  JOB_STATUS,
  type JobKind,
  OPENINGS,
  type Opening,
  type OpeningId,
  type OperationKey,
  PROMISES,
  type PromiseName,
  SAFETY_LADDER,
} from '../contract/index.ts';
import { isFilled } from '../profile/filled-openings.ts';
import type { Profile } from '../profile/schema.ts';
import { findUnusedKeys } from '../profile/unused-keys.ts';
import { declarationsOf } from '../rule/declarations.ts';
import type { Rule } from '../rule/index.ts';
import type { Result, Unit } from './types.ts';
import { prepare, selectUnits } from './units.ts';

type Path = readonly PropertyKey[];

/** A key of a profile that has no effect on any verdict. */
export interface UnreadKey {
  readonly path: Path;
  /** What the key does not do, and why: a sentence about the key. */
  readonly why: string;
  /** The opening that remains unfilled because of it. */
  readonly opening?: OpeningId;
}

/** Whether a value states something: `false` and an empty object deny it. */
const isStated = (value: unknown): boolean =>
  value !== undefined && value !== false && (typeof value !== 'object' || Object.keys(value ?? {}).length > 0);

/** A place at which a profile states something, and the operation or the group that it is about, if it names one. */
interface Place {
  readonly path: Path;
  readonly about?: string | undefined;
}

/** The operations and groups that a value names, in a list or as members. */
function namedIn(value: unknown, path: Path): Place[] {
  if (typeof value === 'string') return isOperationKey(value) || value in GROUPS ? [{ path, about: value }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const at = [...path, Array.isArray(value) ? Number(key) : key];
    return isOperationKey(key) ? [{ path: at, about: key }] : namedIn(member, at);
  });
}

/** The places of a pattern such as `jobs.….final` at which a profile states something. */
function placesOf(value: unknown, [name, ...rest]: readonly string[], path: Path = []): Place[] {
  if (name === undefined) {
    const [root, kind] = path;
    const named = /^(?:auth|catalogue|dataWeek)/.test(String(root)) ? namedIn(value, path) : [];
    const about = root === 'operations' ? String(kind) : root === 'jobs' ? JOB_STATUS[kind as JobKind] : undefined;
    return named.length > 0 ? named : isStated(value) ? [{ path, about }] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    name === '…' || name === key ? placesOf(each, rest, [...path, key]) : [],
  );
}

/** The facts without which checks stay untested; those that a profile may add are `optional`. */
const EXPECTED_FACTS: readonly OpeningId[] = ['distinguishing', 'percentChange'];

/** The pattern of the key that states a fact; undefined for an opening that is a part of requests or responses. */
function patternOf({ id, fill, operation, part, optional }: Opening): readonly string[] | undefined {
  if (!operation) return optional || EXPECTED_FACTS.includes(id) ? fill.split('.') : undefined;
  const response = ['operations', operation, 'response'];
  if (part?.kind === 'required') return [...response, 'fields', part.field, 'required'];
  if (part?.kind === 'echoes') return [...response, 'echoes'];
  return part?.kind === 'counts' || part?.kind === 'rowCounts' ? [...response, 'counts'] : undefined;
}

/** Whether the place is `required` of a field for which a rule of its own demands it. */
const isRequiredElsewhere = (path: Path): boolean =>
  path.at(-1) === 'required' && hasRequiredRule(path[1] as OperationKey, path.at(-2) as Field);

/** What a profile states at a place, and the units of the rules about it. */
interface Statement extends Place {
  readonly units: readonly Unit[];
}

/** The statements of a profile that rules judge: promises, and facts that are openings. */
function statementsOf(profile: Profile, rules: readonly Rule[]): Statement[] {
  const units = selectUnits(rules, { safety: 'all' });
  const byOpening = new Map<string, Unit[]>();
  for (const unit of units)
    for (const id of unit.rule.needs(unit.subject.key).flat()) byOpening.set(id, [...(byOpening.get(id) ?? []), unit]);
  const promises = (Object.keys(PROMISES) as PromiseName[]).flatMap((name) =>
    placesOf(profile.data, name.split('.'))
      .filter(({ path }) => !isRequiredElsewhere(path))
      .map((place) => ({
        ...place,
        units: units.filter(({ rule }) => rule.promise === name || rule.reads?.includes(name)),
      })),
  );
  const facts = OPENINGS.flatMap((opening) => {
    const pattern = isFilled(profile, opening.id) ? patternOf(opening) : undefined;
    if (!pattern) return [];
    const own = byOpening.get(opening.id) ?? [];
    // The opening of an operation is needed by the rules about it, also where these judge another operation.
    return placesOf(profile.data, pattern).map((place) => ({
      ...place,
      units: own,
      ...(opening.operation && { about: undefined }),
    }));
  });
  return [...promises, ...facts].filter(({ units: all }) => all.length > 0);
}

const MOST_OPERATIONS = 3;

/** Why no unit judges a statement; undefined if one can, and did not find it inapplicable. */
function whyUnjudged(
  { units: all, about }: Statement,
  profile: Profile,
  results?: readonly Result[],
): string | undefined {
  const declarations = declarationsOf(profile);
  const units = all.filter(({ subject: { key, group } }) => about === undefined || about === key || about === group);
  const own = units.flatMap(
    ({ rule, subject }) => results?.find((each) => each.rule === rule.id && each.operation === subject.key) ?? [],
  );
  if (own.some(({ verdict }) => verdict !== 'untested' && verdict !== 'not-applicable')) return undefined;
  const decided = units.map((unit) => ({ ...unit, ...prepare(unit, profile, declarations, SAFETY_LADDER.all) }));
  if (decided.some((each) => 'steps' in each)) {
    const [first] = own;
    const isInapplicable = own.length === units.length && own.every(({ verdict }) => verdict === 'not-applicable');
    return first && isInapplicable ? `${first.note} (${first.rule})` : undefined;
  }
  const refused = decided.flatMap((each) => ('steps' in each ? [] : [each]));
  const reason = refused.find(({ verdict }) => verdict === 'untested') ?? refused[0];
  if (reason) return `${reason.because} (${reason.rule.id})`;
  const names = [...new Set(all.map(({ subject }) => subject.name))];
  const more = names.length > MOST_OPERATIONS ? ` and ${names.length - MOST_OPERATIONS} more` : '';
  return `no rule judges it here, but at ${names.slice(0, MOST_OPERATIONS).join(', ')}${more}`;
}

/**
 * Finds the keys of a profile that nothing reads, and what it states that no rule judges.
 * @param results those of a run, in which a check may turn out not to apply
 */
export function findUnreadKeys(profile: Profile, rules: readonly Rule[], results?: readonly Result[]): UnreadKey[] {
  const unused = findUnusedKeys(profile).map((each) => ({ ...each, why: `not read: ${each.why}` }));
  const isUnused = (path: Path) => unused.some((each) => each.path.every((part, at) => part === path[at]));
  const unjudged = statementsOf(profile, rules).flatMap((statement): UnreadKey[] => {
    const because = isUnused(statement.path) ? undefined : whyUnjudged(statement, profile, results);
    return because === undefined ? [] : [{ path: statement.path, why: `stated, not judged, because ${because}` }];
  });
  // Several openings may be one key.
  return [...new Map([...unused, ...unjudged].map((each) => [JSON.stringify([each.path, each.why]), each])).values()];
}

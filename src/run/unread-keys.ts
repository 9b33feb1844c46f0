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
  type Operation,
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

/** The places of a pattern such as `jobs.….final` at which the profile states something. */
function placesOf(
  value: unknown,
  [name, ...rest]: readonly string[],
  path: Path = [],
): { path: Path; value: unknown }[] {
  if (name === undefined) return isStated(value) ? [{ path, value }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    name === '…' || name === key ? placesOf(each, rest, [...path, key]) : [],
  );
}

/** The places in a value that name an operation or a group; the whole value if none does. */
function entriesOf({ path, value }: { path: Path; value: unknown }): Path[] {
  const named = (each: unknown, at: Path): Path[] => {
    if (typeof each === 'string') return isOperationKey(each) || each in GROUPS ? [at] : [];
    if (typeof each !== 'object' || each === null) return [];
    return Object.entries(each).flatMap(([key, member]) => {
      const place = [...at, Array.isArray(each) ? Number(key) : key];
      return isOperationKey(key) ? [place] : named(member, place);
    });
  };
  const found = /^(?:auth|catalogue)/.test(String(path[0])) ? named(value, path) : [];
  return found.length > 0 ? found : [path];
}

/** Whether what is stated at a place is about an operation: the one that its path or its value names, or the status of its jobs. */
function isAbout(path: Path, { data }: Profile, { key, group }: Operation): boolean {
  const value = path.reduce<unknown>((each, name) => (each as Record<PropertyKey, unknown>)[name], data);
  const names = [...path, value].map((each) =>
    path[0] === 'jobs' && String(each) in JOB_STATUS ? JOB_STATUS[each as JobKind] : String(each),
  );
  const named = names.findLast((each) => isOperationKey(each) || (each === value && each in GROUPS));
  return named === undefined || named === key || named === group;
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
interface Statement {
  readonly path: Path;
  readonly units: readonly Unit[];
  /** The units about the same key at any place. */
  readonly all: readonly Unit[];
}

/** The statements of a profile that rules judge: promises, and facts that are openings. */
function statementsOf(profile: Profile, rules: readonly Rule[]): Statement[] {
  const units = selectUnits(rules, { safety: 'all' });
  const byOpening = new Map<string, Unit[]>();
  for (const unit of units)
    for (const id of unit.rule.needs(unit.subject.key).flat()) byOpening.set(id, [...(byOpening.get(id) ?? []), unit]);
  const stated = (pattern: readonly string[], all: readonly Unit[], isOfOneOperation: boolean): Statement[] =>
    placesOf(profile.data, pattern)
      .flatMap(entriesOf)
      .map((path) => ({
        path,
        all,
        units: isOfOneOperation ? all : all.filter(({ subject }) => isAbout(path, profile, subject)),
      }));
  return [
    ...(Object.keys(PROMISES) as PromiseName[]).flatMap((name) => {
      const all = units.filter(({ rule }) => rule.promise === name || rule.reads?.includes(name));
      return stated(name.split('.'), all, false).filter(({ path }) => !isRequiredElsewhere(path));
    }),
    ...OPENINGS.flatMap((opening) => {
      const pattern = patternOf(opening);
      if (!pattern || !isFilled(profile, opening.id)) return [];
      return stated(pattern, byOpening.get(opening.id) ?? [], opening.operation !== undefined);
    }),
  ].filter(({ all }) => all.length > 0);
}

const MOST_OPERATIONS = 3;

/** Why no unit judges a statement; undefined if one can, and did not find it inapplicable. */
function whyUnjudged({ units, all }: Statement, profile: Profile, results?: readonly Result[]): string | undefined {
  const declarations = declarationsOf(profile);
  const decided = units.map((unit) => ({ ...unit, ...prepare(unit, profile, declarations, SAFETY_LADDER.all) }));
  const ready = decided.filter((each) => 'steps' in each);
  if (ready.length > 0) {
    const found = ready.map(({ rule, subject }) =>
      results?.find((each) => each.rule === rule.id && each.operation === subject.key),
    );
    const [first] = found;
    return first && found.every((each) => each?.verdict === 'not-applicable')
      ? `${first.note} (${first.rule})`
      : undefined;
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
  return [...unused, ...unjudged];
}

/** The keys that profiles have since 0.2.0: docs/upgrade.md lists them all, `mdwi profile check` those for the file at hand. */
import { RULES } from '../../../suites/index.ts';
import { type GENERAL_OPENINGS, OPENINGS, type OperationKey, PROMISES } from '../../contract/index.ts';
import { printable } from '../../exchange/printable.ts';
import { isImplemented } from '../../profile/filled-openings.ts';
import type { Profile } from '../../profile/schema.ts';

/** Key of a profile, `…` for any member, and a line that states it; its values are examples. */
export const NEW_KEYS = {
  authRequired: 'authRequired: [C]',
  authVerified: 'authVerified: [C]',
  authCovers: 'authCovers: [C]',
  authSeparate: 'authSeparate: [C]',
  authLimited: 'authLimited: [D]',
  'operations.….statuses.unknown':
    'operations: { GET /webservices/getDriveJobStatus: { statuses: { unknown: [404] } } }',
  'operations.….statuses.malformed':
    'operations: { GET /PLATFORMAPI/prodRef/v1/updateProducts: { statuses: { malformed: [400] } } }',
  'operations.….statuses.missing': 'operations: { POST /webservices/drive: { statuses: { missing: [400] } } }',
  'operations.….response.counts':
    'operations: { GET /PLATFORMAPI/prodRef/v1/allProducts: { response: { counts: [{ at: $.total, of: list }] } } }',
  'operations.….response.echoes':
    'operations: { GET /PLATFORMAPI/prodRef/v1/updateProducts: { response: { echoes: { window: $.window } } } }',
  codes: 'codes: { state: { D: done, F: failed } }',
  'jobs.….states': 'jobs: { drive: { states: [queued, running, done, failed] } }',
  'jobs.….final': 'jobs: { drive: { final: [done, failed] } }',
  'jobs.….patienceSeconds': 'jobs: { drive: { final: [done, failed], patienceSeconds: 600 } }',
  'jobs.….keepsFinal': 'jobs: { drive: { final: [done, failed], keepsFinal: true } }',
  'jobs.….statesInOrder': 'jobs: { drive: { states: [queued, running, done, failed], statesInOrder: true } }',
  'jobs.….distinctIds': 'jobs: { drive: { distinctIds: true } }',
  'jobs.….locationIsStatus': 'jobs: { drive: { locationIsStatus: true } }',
  'catalogue.distinguishes':
    'catalogue: { distinguishes: { hierarchy: [POST /data-access/v1/Catalogue/Hierarchy/Levels] } }',
  'catalogue.parentItems': 'catalogue: { parentItems: { POST /data-access/v1/Catalogue/Dimension/Rows: list } }',
  'catalogue.itemsOnce': 'catalogue: { itemsOnce: [POST /data-access/v1/Catalogue/Dimension/Rows] }',
  'catalogue.neverEmpty': 'catalogue: { neverEmpty: [POST /data-access/v1/Catalogue/Group/Level/Values] }',
  'dataWeek.onePerList': 'dataWeek: { onePerList: true }',
  'dataWeek.oneReload': 'dataWeek: { oneReload: true }',
  'dataWeek.refreshDateIs': 'dataWeek: { refreshDateIs: lastDay }',
  'delta.dates': 'delta: { dates: [changedOn] }',
  'delta.kinds': 'delta: { kinds: { new: [A], changed: [U], removed: [D] } }',
  'delta.newBy': 'delta: { newBy: firstActiveOn }',
  'delta.withinBulk': 'delta: { withinBulk: true }',
  'delta.removedUnlisted': 'delta: { removedUnlisted: true }',
  'delta.inLookUp': 'delta: { inLookUp: true }',
  'delta.latestValues': 'delta: { latestValues: [category] }',
  'products.listed': 'products: { listed: [brand] }',
  'products.firstActiveBefore': 'products: { firstActiveBefore: [activeOn] }',
  'metadata.pairs': 'metadata: { pairs: true }',
  'figures.sums': 'figures: { sums: equal }',
  'figures.windowsOrdered': 'figures: { windowsOrdered: true }',
  'upc.checkDigit': 'upc: { checkDigit: true }',
} as const satisfies Readonly<Record<string, string>> & { readonly [F in GeneralFact]: string };

type General = typeof GENERAL_OPENINGS;
/** The key of each fact about the interface as a whole. */
type GeneralFact = {
  [G in keyof General]: General[G] extends { optional: true } ? General[G]['fill'] : never;
}[keyof General];

export type NewKey = keyof typeof NEW_KEYS;

/** A fact that a profile may state, and the rules that judge it. */
export interface Fact {
  readonly means: string;
  readonly rules: readonly string[];
  readonly subjects: readonly OperationKey[];
}

/** The key of a fact: without the names of operations and of kinds of jobs. */
const keyOf = (fill: string): string => fill.replace(/\["[^"]*"\]/, '.…').replace(/^jobs\.\w+/, 'jobs.…');

/** What a key states, as the tables of openings and promises say it. */
export function factOf(key: string): Fact {
  const openings = OPENINGS.filter(({ fill }) => keyOf(fill) === key);
  const ids = new Set<string>(openings.map(({ id }) => id));
  const judging = RULES.filter(
    (rule) =>
      rule.promise === key ||
      rule.reads?.some((name) => name === key) ||
      rule.subjects.some((subject) => rule.needs(subject).some((need) => [need].flat().some((id) => ids.has(id)))),
  );
  const means = key in PROMISES ? PROMISES[key as keyof typeof PROMISES] : (openings[0]?.asks ?? '');
  return {
    means: means.replace(/ drive(?= job)|: catalogueId$/, ''),
    rules: judging.map(({ id }) => id),
    subjects: judging.flatMap(({ subjects }) => subjects),
  };
}

/** Whether a value has a key of `NEW_KEYS`. */
export const hasKey = (value: unknown, [name, ...rest]: readonly string[]): boolean => {
  if (name === undefined) return value !== undefined;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, member]) => (name === '…' || name === key) && hasKey(member, rest));
};

/** What must be stated before a key says something, by the beginning of the key. */
const BASES: Readonly<Record<string, string>> = {
  'dataWeek.refreshDateIs': 'dataWeek.refreshDate',
  authSeparate: 'authFor',
  authLimited: 'authFor',
  auth: 'auth',
  dataWeek: 'dataWeek',
  jobs: 'jobs',
};

/** Whether a service of which the profile describes an operation may promise more by the key. */
function isMissing(profile: Profile, key: NewKey, { subjects }: Fact): boolean {
  const { data } = profile;
  const [, base = ''] = Object.entries(BASES).find(([start]) => key.startsWith(start)) ?? [];
  const isDescribed = (subject: OperationKey) =>
    isImplemented(profile, subject) && data.operations?.[subject] !== undefined;
  return !hasKey(data, key.split('.')) && (base === '' || hasKey(data, base.split('.'))) && subjects.some(isDescribed);
}

/** Formats the lines that a profile could gain; empty if there are none. */
export function describeNewKeys(profile: Profile): string {
  const lines = (Object.keys(NEW_KEYS) as NewKey[]).flatMap((key) => {
    const fact = factOf(key);
    return isMissing(profile, key, fact) ? [`  ${NEW_KEYS[key]}   # ${fact.means} (${fact.rules.join(', ')})`] : [];
  });
  if (lines.length === 0) return '';
  return `${printable(profile.source)} could state more since 0.2.0, as far as the service promises it; values are examples (node_modules/mdwi-conformance/docs/upgrade.md):\n${lines.join('\n')}\n`;
}

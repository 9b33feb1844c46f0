/** What states each promise of a profile, alone, and whether the rules of the promise then judge it. */
import { expect } from 'vitest';
import type { DialectName } from '../simulator/dialects/names.ts';
import { JOB_KINDS, OPENINGS, REFRESH_DATES } from '../src/contract/index.ts';
import type { Rule } from '../src/rule/index.ts';
import { findUnreadKeys } from '../src/run/unread-keys.ts';
import { mergePatch, patchedProfile } from '../src/selftest/patched-profile.ts';
import { RULES } from './index.ts';
import { judgeSimulation } from './judge-in-process.test.support.ts';

export const C = '/PLATFORMAPI/prodRef/v1';
export const BULK = `GET ${C}/allProducts`;
export const CATEGORIES = `GET ${C}/allCategories`;
export const DELTA = `GET ${C}/updateProducts`;
export const LOOK_UP = `GET ${C}/products/{upc}`;
export const ROWS = 'POST /data-access/v1/Catalogue/Dimension/Rows';
export const LEVELS = 'POST /data-access/v1/Catalogue/Group/Levels';
export const DRIVE = 'POST /webservices/drive';

export type Patch = { readonly [member: string]: unknown };

/** What states a promise. `binds`: what a profile without anything else needs to be valid. */
export interface Statement {
  readonly states: Patch;
  readonly binds?: Patch;
  /** The server that keeps the promise; default: that of the reference dialect. */
  readonly dialect?: DialectName;
}

export const at = (key: string, declared: Patch): Patch => ({ operations: { [key]: declared } });
const reading = (key: string, ...fields: readonly string[]): Patch =>
  at(key, { response: { rows: '$[*]', fields: Object.fromEntries(fields.map((field) => [field, `@.${field}`])) } });
const drive = (declared: Patch): Statement => ({ states: { jobs: { drive: { start: DRIVE, ...declared } } } });
const dataWeek = (declared: Patch): Patch => ({ dataWeek: { endsOn: 'saturday', ...declared } });
const STATES = { states: ['queued', 'running', 'done', 'failed'] };
const FINAL = { final: ['done', 'failed'] };
const KINDS = { kinds: { new: ['new'], changed: ['changed'], removed: ['removed'] } };

/** Each promise of the schema, stated alone. */
export const STATED: { readonly [pattern: string]: Statement } = {
  authCovers: { states: { authCovers: ['C'] } },
  authRequired: { states: { authRequired: ['C'] }, dialect: 'soap' },
  authSeparate: { states: { authSeparate: ['C'] }, dialect: 'soap' },
  authLimited: { states: { authLimited: ['C'] }, dialect: 'soap' },
  authVerified: { states: { authVerified: ['C'] }, dialect: 'soap' },
  'statuses.unknown': { states: { statuses: { unknown: [404] } } },
  'statuses.malformed': { states: { statuses: { malformed: [400] } } },
  'operations.….statuses.unknown': { states: at(ROWS, { statuses: { unknown: [404] } }) },
  'operations.….statuses.malformed': { states: at(DELTA, { statuses: { malformed: [400] } }) },
  'operations.….statuses.missing': { states: at(ROWS, { statuses: { missing: [400] } }), dialect: 'tabular' },
  'operations.….response.schemas': { states: at(CATEGORIES, { response: { schemas: { 200: { type: 'object' } } } }) },
  'operations.….response.fields.….required': {
    states: at(LOOK_UP, { response: { fields: { upc: { at: '@.upc', required: true } } } }),
  },
  'operations.….response.counts': { states: at(CATEGORIES, { response: { counts: [{ at: '$.total', of: 'list' }] } }) },
  'operations.….response.echoes': { states: at(ROWS, { response: { echoes: { dimension: '$.query.dimension' } } }) },
  'dataWeek.firstDay': { states: dataWeek({ firstDay: 'excluded' }) },
  'dataWeek.onePerList': { states: dataWeek({ onePerList: true }) },
  'dataWeek.oneReload': { states: dataWeek({ oneReload: ['C', BULK] }) },
  'dataWeek.refreshDateIs': {
    states: dataWeek({ refreshDate: 'newest', refreshDateIs: 'lastDay' }),
    binds: at(REFRESH_DATES, { response: { fields: { date: '$.date' } } }),
  },
  'delta.dates': { states: { delta: { dates: ['changedOn'] } }, binds: reading(BULK, 'changedOn') },
  'delta.kinds': { states: { delta: KINDS }, binds: reading(DELTA, 'changeKind') },
  'delta.newBy': {
    states: { delta: { ...KINDS, newBy: 'firstActiveOn' } },
    binds: mergePatch(reading(DELTA, 'changeKind'), reading(BULK, 'firstActiveOn')) as Patch,
  },
  'delta.withinBulk': { states: { delta: { withinBulk: true } } },
  'delta.removedUnlisted': {
    states: { delta: { ...KINDS, removedUnlisted: true } },
    binds: reading(DELTA, 'changeKind'),
  },
  'delta.inLookUp': { states: { delta: { inLookUp: true } } },
  'delta.latestValues': {
    states: { delta: { latestValues: ['category'] } },
    binds: mergePatch(reading(DELTA, 'category'), reading(LOOK_UP, 'category')) as Patch,
  },
  'catalogue.connected': { states: { catalogue: { connected: true } } },
  'catalogue.neverEmpty': { states: { catalogue: { neverEmpty: [ROWS] } } },
  'catalogue.distinguishing': { states: { catalogue: { distinguishing: [ROWS] } } },
  'catalogue.distinguishes': { states: { catalogue: { distinguishes: { group: [LEVELS] } } } },
  'catalogue.parentItems': {
    states: { catalogue: { parentItems: { [ROWS]: 'list' } } },
    binds: reading(ROWS, 'parentItem'),
  },
  'catalogue.itemsOnce': { states: { catalogue: { itemsOnce: [ROWS] } } },
  'markets.products': { states: { markets: { products: ['US'] } } },
  'markets.performance': { states: { markets: { performance: ['Total US'] } } },
  'metadata.pairs': { states: { metadata: { pairs: true } } },
  'products.listed': { states: { products: { listed: ['brand'] } } },
  'products.firstActiveBefore': { states: { products: { firstActiveBefore: ['activeOn'] } } },
  'figures.percentChange': { states: { figures: { percentChange: { of: 'sales52Weeks', decimals: 1 } } } },
  'figures.windowsOrdered': { states: { figures: { windowsOrdered: true } } },
  'figures.sums': { states: { figures: { sums: 'equal' } } },
  'upc.checkDigit': { states: { upc: { checkDigit: true } } },
  codes: {
    states: mergePatch(
      { codes: { market: { US: 'US' } } },
      at(BULK, { response: { rows: '$.products[*]', fields: { market: { at: '@.market', code: 'market' } } } }),
    ) as Patch,
  },
  'jobs.….states': drive(STATES),
  'jobs.….final': drive(FINAL),
  'jobs.….patienceSeconds': drive({ ...FINAL, patienceSeconds: 60 }),
  'jobs.….keepsFinal': drive({ ...FINAL, keepsFinal: true }),
  'jobs.….statesInOrder': drive({ ...STATES, statesInOrder: true }),
  'jobs.….distinctIds': drive({ distinctIds: true }),
  'jobs.….locationIsStatus': { ...drive({ locationIsStatus: true }), dialect: 'tabular' },
};

/** Whether a place of a profile is one of a pattern, or above or below one. */
export const isAt = (path: readonly PropertyKey[], pattern: string): boolean => {
  const parts = pattern.split('.');
  return path.every((part, index) => parts[index] === undefined || parts[index] === '…' || parts[index] === part);
};

/** The rules that judge a promise. */
const rulesOf = (pattern: string): readonly Rule[] => {
  const ids = OPENINGS.filter(
    ({ fill, part }) =>
      fill.replace(/^jobs\.\w+/, 'jobs.…') === pattern || pattern === `operations.….response.${part?.kind}`,
  ).map(({ id }) => id);
  return RULES.filter(
    (rule) =>
      [rule.promise, ...(rule.reads ?? [])].some((name) => name === pattern) ||
      rule.subjects.some((subject) =>
        rule
          .needs(subject)
          .flat()
          .some((id) => ids.includes(id)),
      ),
  );
};

/** The reference profile without its promises. */
const BARE: Patch = {
  ...Object.fromEntries(
    ['delta', 'products', 'upc', 'metadata', 'figures', 'catalogue', 'markets'].map((key) => [key, null]),
  ),
  ...dataWeek({ firstDay: null, onePerList: null, oneReload: null }),
  jobs: Object.fromEntries(
    JOB_KINDS.map((kind) => [
      kind,
      {
        states: null,
        final: null,
        patienceSeconds: null,
        statesInOrder: null,
        distinctIds: null,
        locationIsStatus: null,
      },
    ]),
  ),
};
/** Expects that a promise on top of a bundled profile is judged, and that no key of it is unread. */
export async function expectJudged(pattern: string): Promise<void> {
  const { states, dialect = 'reference' } = STATED[pattern] as Statement;
  const patch = dialect === 'reference' ? mergePatch(BARE, states) : states;
  const profile = await patchedProfile(dialect, patch as Patch, 'stated.json');
  const selection = { safety: 'all', rules: rulesOf(pattern).map(({ id }) => id) } as const;
  const run = await judgeSimulation({ products: 60, dialect }, { profile, selection });
  const decided = run.results.filter(({ verdict }) => verdict === 'pass' || verdict === 'fail');
  expect(
    decided.length,
    JSON.stringify(run.results.map(({ rule, operation, verdict, note }) => [rule, operation, verdict, note])),
  ).toBeGreaterThan(0);
  const unread = findUnreadKeys(profile, RULES, run.results).filter(({ path }) => isAt(path, pattern));
  expect(unread).toEqual([]);
}

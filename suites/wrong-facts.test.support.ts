/** Facts that a profile states wrongly. */
import type { DialectName } from '../simulator/dialects/names.ts';
import { ALL_PRODUCTS, LATEST_VALUES, PRODUCT_LOOKUP, PRODUCT_NAMES, UPDATE_PRODUCTS } from '../src/contract/index.ts';
import type { ProfileData } from '../src/profile/schema.ts';
import { BASES } from '../src/rule/index.ts';
import { patchedProfile } from '../src/selftest/patched-profile.ts';
import { judgeSimulation } from './judge-in-process.test.support.ts';

type Group = 'B' | 'C' | 'D';

/** A merge patch that states another value of a fact. */
export interface Flip {
  readonly name: string;
  readonly patch: { readonly [member: string]: unknown };
  readonly groups: readonly Group[];
}

const CATALOGUES = 'POST /data-access/v1/Catalogues';
const GROUP_VALUES = 'POST /data-access/v1/Catalogue/Group/Level/Values';
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const MEANINGS = ['day', 'weekEnding', 'weekStarting'];
const EDGES = ['included', 'excluded'];

const without = <T>(all: readonly T[], stated: unknown): T[] => all.filter((each) => each !== stated);
const missing = <T>(all: readonly T[], stated: readonly unknown[] | false | undefined): T[] =>
  all.filter((each) => !(stated || []).includes(each));

/** The other values of each fact of a profile: of a promise that it does not make, the promise. */
export function flipsOf({
  dataWeek,
  delta,
  products,
  upc,
  metadata,
  figures,
  markets,
  catalogue,
  operations,
}: ProfileData): Flip[] {
  const fieldsOf = (operation: string): object =>
    operations?.[operation as typeof ALL_PRODUCTS]?.response?.fields ?? {};
  const isBound = (field: string, ...keys: string[]) => keys.every((key) => field in fieldsOf(key));
  const flips: Flip[] = [];
  const add = (section: string, name: string, value: object, groups: readonly Group[] = ['C']) =>
    void flips.push({ name: `${section}.${name}`, patch: { [section]: value }, groups });
  for (const endsOn of without(WEEKDAYS, dataWeek?.endsOn)) add('dataWeek', `endsOn=${endsOn}`, { endsOn });
  for (const field of ['activeOn', 'changedOn', 'firstActiveOn'] as const)
    for (const means of without(MEANINGS, dataWeek?.[field] ?? 'day'))
      if (isBound(field, ALL_PRODUCTS)) add('dataWeek', `${field}=${means}`, { [field]: means });
  const edges = dataWeek?.firstDay;
  const firstDay = typeof edges === 'string' ? { allProducts: edges, updateProducts: edges } : (edges ?? {});
  for (const [list, key, date] of [
    ['allProducts', ALL_PRODUCTS, 'activeOn'],
    ['updateProducts', UPDATE_PRODUCTS, 'changedOn'],
  ] as const)
    for (const edge of isBound(date, key) ? without(EDGES, firstDay[list]) : [])
      add('dataWeek', `firstDay.${list}=${edge}`, { firstDay: { ...firstDay, [list]: edge } });
  if (!dataWeek?.onePerList) add('dataWeek', 'onePerList', { onePerList: true }, ['B', 'C', 'D']);
  for (const dates of [['changedOn'], ['firstActiveOn'], ['changedOn', 'firstActiveOn']])
    if (`${delta?.dates || ''}` !== `${dates}` && dates.every((each) => isBound(each, ALL_PRODUCTS)))
      add('delta', `dates=${dates}`, { dates });
  const { new: added, changed, removed } = delta?.kinds || {};
  if (added && changed && removed) {
    add('delta', 'kinds: new and changed exchanged', { kinds: { new: changed, changed: added } });
    add('delta', 'kinds: changed and removed exchanged', { kinds: { changed: removed, removed: changed } });
    add('delta', 'kinds.changed=[]', { kinds: { changed: [] } });
    add('delta', 'kinds.removed=[]', { kinds: { removed: [] }, removedUnlisted: null });
  }
  if (delta?.kinds && !delta.newBy && isBound('firstActiveOn', ALL_PRODUCTS))
    add('delta', 'newBy', { newBy: 'firstActiveOn' });
  for (const promise of ['withinBulk', 'removedUnlisted', 'inLookUp'] as const)
    if (!delta?.[promise]) add('delta', promise, { [promise]: true });
  for (const field of missing(LATEST_VALUES, delta?.latestValues))
    if (isBound(field, UPDATE_PRODUCTS, PRODUCT_LOOKUP))
      add('delta', `latestValues=${field}`, { latestValues: [field] });
  for (const name of missing(PRODUCT_NAMES, products?.listed))
    if (isBound(name, ALL_PRODUCTS)) add('products', `listed=${name}`, { listed: [name] }, ['C', 'D']);
  for (const date of missing(['activeOn', 'changedOn'], products?.firstActiveBefore))
    if (isBound('firstActiveOn', ALL_PRODUCTS) && isBound(date, ALL_PRODUCTS))
      add('products', `firstActiveBefore=${date}`, { firstActiveBefore: [date] });
  if (!upc?.checkDigit) add('upc', 'checkDigit', { checkDigit: true });
  for (const admitted of ['trim', 'pad', 'ean13', 'gtin14', 'separators'])
    add('upc', `admits=${admitted}`, { admits: [admitted] });
  if (!metadata?.pairs) add('metadata', 'pairs', { pairs: true }, ['D']);
  for (const figure of without(['sales4Weeks', 'sales12Weeks', 'sales52Weeks'], figures?.percentChange?.of))
    add('figures', `percentChange.of=${figure}`, { percentChange: { of: figure, decimals: 1 } }, ['D']);
  for (const decimals of [0, 3])
    add('figures', `percentChange.decimals=${decimals}`, { percentChange: { of: 'sales52Weeks', decimals } }, ['D']);
  for (const sums of without(['equal', 'atLeast'], figures?.sums)) add('figures', `sums=${sums}`, { sums }, ['D']);
  if (!figures?.windowsOrdered) add('figures', 'windowsOrdered', { windowsOrdered: true }, ['D']);
  if (markets?.products) add('markets', 'products', { products: ['Nowhere'] });
  if (markets?.performance) add('markets', 'performance', { performance: ['Nowhere'] }, ['D']);
  if (!catalogue?.connected) add('catalogue', 'connected', { connected: true }, ['B']);
  add('catalogue', 'distinguishing=Catalogues', { distinguishing: [CATALOGUES] }, ['B']);
  for (const key of [CATALOGUES, GROUP_VALUES] as const)
    for (const promise of ['neverEmpty', 'itemsOnce'] as const)
      if (!(catalogue?.[promise] || []).includes(key))
        add('catalogue', `${promise}=${key}`, { [promise]: [key] }, ['B']);
  const place = (catalogue?.parentItems || undefined)?.[GROUP_VALUES];
  for (const other of isBound('parentItem', GROUP_VALUES) ? without(['list', 'levelAbove'], place) : [])
    add('catalogue', `parentItems=${other}`, { parentItems: { [GROUP_VALUES]: other } }, ['B']);
  return flips;
}

const HOLDS = 'the simulator keeps the promise';
/** Facts that no rule notices in any dialect, and why that is right. */
const UNNOTICED: readonly (readonly [flip: RegExp, why: string])[] = [
  [/^dataWeek\.endsOn=/, 'dates are days, and the as-of date of a response may be any day of a data week'],
  [/^dataWeek\.\w+=week(?:Ending|Starting)$/, 'wider windows excuse more; profile check --base-url names the weekday'],
  [/^dataWeek\.firstDay\.allProducts=included$/, 'a list does not show which products it lacks'],
  [
    /^dataWeek\.onePerList$|^delta\.removedUnlisted$/,
    'responses without as-of dates or kinds of change show nothing about it',
  ],
  [/^delta\.dates=changedOn$/, 'a product of the delta without this date proves nothing'],
  [/^delta\.dates=changedOn,firstActiveOn$/, HOLDS],
  [/^delta\.kinds\.removed=\[\]$/, 'no product is removed in this data week'],
  [/^delta\.kinds: new and changed/, 'without dates of first activity no rule tells new from changed products'],
  [/^delta\.latestValues=|^products\.|^upc\.checkDigit$/, HOLDS],
  [/^upc\.admits=/, 'an admission excuses the service, and promises nothing'],
  [/^metadata\.pairs$/, HOLDS],
  [
    /^figures\.percentChange\.decimals=0$/,
    'the tolerance is half a unit of the stated decimals; more decimals are no other value',
  ],
  [/^figures\.(?:sums=|windowsOrdered$)/, HOLDS],
  [/^catalogue\.(?:connected|neverEmpty=|itemsOnce=)/, HOLDS],
  [
    /^catalogue\.parentItems=list$/,
    'the lists that are requested are those of the first level, which name no item above',
  ],
];

/** The flips of a dialect that no gating rule notices although responses contradict them. */
export async function unnoticedAmong(dialect: DialectName, flips: readonly Flip[]): Promise<string[]> {
  const unnoticed: string[] = [];
  for (const { name, patch, groups } of flips) {
    const profile = await patchedProfile(dialect, patch, 'wrong.json');
    const selection = { safety: 'all', groups } as const;
    const run = await judgeSimulation({ products: 400, dialect }, { profile, selection });
    const isNoticed = run.results.some(({ verdict, basis }) => verdict === 'fail' && BASES[basis].gating);
    if (!isNoticed && !UNNOTICED.some(([flip]) => flip.test(name))) unnoticed.push(name);
  }
  return unnoticed;
}

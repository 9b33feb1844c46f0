/** Every key of a profile: a rule judges what it promises, or a run and `mdwi profile check` say why none does. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { DIALECT_NAMES, type DialectName } from '../simulator/dialects/names.ts';
import { type Simulator, startSimulator } from '../simulator/server.ts';
import { judgeTarget } from '../src/api/judge-target.ts';
import { describeProfile } from '../src/cli/profile/check.ts';
import { JOB_KINDS, OPENINGS, PROMISES, REFRESH_DATES } from '../src/contract/index.ts';
import { profileJsonSchema } from '../src/profile/json-schema.ts';
import { parseProfile } from '../src/profile/parse-profile.ts';
import { formatLocation } from '../src/profile/profile-location.ts';
import type { Profile } from '../src/profile/schema.ts';
import { reportToConsole } from '../src/report/console.ts';
import type { Rule } from '../src/rule/index.ts';
import { findUnreadKeys } from '../src/run/unread-keys.ts';
import { mergePatch } from '../src/selftest/merge-patch.ts';
import { patchedProfile } from '../src/selftest/patched-profile.ts';
import { RULES } from './index.ts';

const C = '/PLATFORMAPI/prodRef/v1';
const BULK = `GET ${C}/allProducts`;
const CATEGORIES = `GET ${C}/allCategories`;
const DELTA = `GET ${C}/updateProducts`;
const LOOK_UP = `GET ${C}/products/{upc}`;
const ROWS = 'POST /data-access/v1/Catalogue/Dimension/Rows';
const LEVELS = 'POST /data-access/v1/Catalogue/Group/Levels';
const DRIVE = 'POST /webservices/drive';

type Patch = { readonly [member: string]: unknown };

/** What states a promise. `binds`: what a profile without anything else needs to be valid. */
interface Statement {
  readonly states: Patch;
  readonly binds?: Patch;
  /** The server that keeps the promise; default: that of the reference dialect. */
  readonly dialect?: DialectName;
}

const at = (key: string, declared: Patch): Patch => ({ operations: { [key]: declared } });
const reading = (key: string, ...fields: readonly string[]): Patch =>
  at(key, { response: { rows: '$[*]', fields: Object.fromEntries(fields.map((field) => [field, `@.${field}`])) } });
const drive = (declared: Patch): Statement => ({ states: { jobs: { drive: { start: DRIVE, ...declared } } } });
const dataWeek = (declared: Patch): Patch => ({ dataWeek: { endsOn: 'saturday', ...declared } });
const STATES = { states: ['queued', 'running', 'done', 'failed'] };
const FINAL = { final: ['done', 'failed'] };
const KINDS = { kinds: { new: ['new'], changed: ['changed'], removed: ['removed'] } };

/** Each promise of the schema, stated alone. */
const STATED: { readonly [pattern: string]: Statement } = {
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

/** The other keys, each with all below it: parts of requests, the rule that reads a binding, and what is for people or tools. */
const OTHERS: { readonly [pattern: string]: string } = {
  $schema: 'for people',
  name: 'for people',
  description: 'for people',
  implements: 'the scope',
  auth: 'request',
  authExcept: 'request',
  authFor: 'request',
  headers: 'request',
  prefixes: 'request',
  examples: 'request',
  unknownUpc: 'request',
  limits: 'request',
  'operations.….request': 'request',
  'operations.….examples': 'request',
  'operations.….none': 'denies what it lists',
  'operations.….response.sample': 'for the simulator',
  'jobs.….start': 'request',
  'jobs.….example': 'request',
  'jobs.….unknown': 'request',
  'jobs.….pollSeconds': 'request',
  refusal: 'C.lookup-listed',
  'statuses.missing': 'named as not read',
  'statuses.unauthorized': 'every.credentials',
  'statuses.tooMany': 'every.sound-answer',
  'operations.….statuses.unauthorized': 'every.credentials',
  'operations.….statuses.tooMany': 'every.sound-answer',
  'operations.….response.media': 'every.sound-answer',
  'operations.….response.csv': 'every.sound-answer',
  'operations.….response.rows': 'C.upc-12-digits',
  'operations.….response.shape': 'C.upc-12-digits',
  'operations.….response.paging': 'C.bulk-unique',
  'operations.….response.refusal': 'C.lookup-listed',
  'operations.….response.fields.….at': 'C.upc-12-digits',
  'operations.….response.fields.….match': 'every.dates',
  'operations.….response.fields.….missing': 'D.five-figures',
  'operations.….response.fields.….append': 'C.upc-12-digits',
  'operations.….response.fields.….separator': 'C.upc-12-digits',
  'operations.….response.fields.….split': 'D.metadata-listed',
  'operations.….response.fields.….keys': 'D.metadata-listed',
  'operations.….response.fields.….decimals': 'D.percent-change',
  'operations.….response.fields.….as': 'every.dates',
  'operations.….response.fields.….code': 'every.codes',
  'operations.….response.fields.….nullable': 'D.five-figures',
  'dataWeek.endsOn': 'C.history-window',
  'dataWeek.activeOn': 'C.history-window',
  'dataWeek.changedOn': 'C.delta-window',
  'dataWeek.firstActiveOn': 'C.delta-by-dates',
  'dataWeek.refreshDate': 'C.delta-window',
  'upc.admits': 'C.malformed-upc',
};
const NO_RULES = /^(?:request|the scope|for |denies|named)/;

interface SchemaNode {
  readonly properties?: { readonly [name: string]: SchemaNode };
  readonly additionalProperties?: SchemaNode | boolean;
  readonly items?: SchemaNode | boolean;
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly allOf?: readonly SchemaNode[];
}

/** The keys of a schema as patterns, with … for any member. */
function keysOf(node: SchemaNode | boolean | undefined, path: readonly string[] = []): string[] {
  if (typeof node !== 'object') return [];
  const { properties = {}, additionalProperties, items, anyOf = [], oneOf = [], allOf = [] } = node;
  return [
    ...(path.length > 0 ? [path.join('.')] : []),
    ...[...anyOf, ...oneOf, ...allOf].flatMap((each) => keysOf(each, path)),
    ...Object.entries(properties).flatMap(([name, each]) => keysOf(each, [...path, name])),
    ...keysOf(additionalProperties, [...path, '…']),
    ...keysOf(items, path),
  ];
}

const isWithin = (key: string, pattern: string): boolean => `${key}.`.startsWith(`${pattern}.`);

/** The patterns of what rules judge: promises, and openings that are facts. */
const promised = [
  ...Object.keys(PROMISES).filter((name) => name !== 'response.paging'),
  ...OPENINGS.filter(
    ({ operation, optional, id }) => !operation && (optional || id === 'distinguishing' || id === 'percentChange'),
  ).map(({ fill }) => fill.replace(new RegExp(`^jobs\\.(?:${JOB_KINDS.join('|')})`), 'jobs.…')),
  'operations.….response.counts',
  'operations.….response.echoes',
];

test('each key of the schema is a promise, a binding that a rule reads, or part of requests', () => {
  const keys = [...new Set(keysOf(profileJsonSchema() as SchemaNode))];
  const known = [...Object.keys(STATED), ...Object.keys(OTHERS)];
  const isContainer = (key: string) => known.some((pattern) => isWithin(pattern, key));
  expect(keys.filter((key) => !isContainer(key) && !known.some((pattern) => isWithin(key, pattern)))).toEqual([]);
  expect(known.filter((pattern) => !keys.includes(pattern))).toEqual([]);
  expect(Object.values(OTHERS).filter((id) => !NO_RULES.test(id) && !RULES.some((rule) => rule.id === id))).toEqual([]);
});

test('each promise is stated here', () => {
  expect([...new Set(promised)].sort()).toEqual(Object.keys(STATED).sort());
});

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

const alone = ({ states, binds = {} }: Statement): Profile =>
  parseProfile(JSON.stringify(mergePatch(mergePatch({ name: 'alone' }, binds), states)), 'alone.yaml', {});

/** Whether a place of a profile is one of a pattern, or above or below one. */
const isAt = (path: readonly PropertyKey[], pattern: string): boolean => {
  const parts = pattern.split('.');
  return path.every((part, index) => parts[index] === undefined || parts[index] === '…' || parts[index] === part);
};

describe.each(Object.entries(STATED))('%s', (pattern, statement) => {
  test('alone in a profile is named, with the reason', () => {
    const profile = alone(statement);
    const found = findUnreadKeys(profile, RULES).find(({ path }) => isAt(path, pattern));
    expect(found?.why).toMatch(/^(?:stated, not judged, because|not read:) \S/);
    expect(found?.why).not.toContain('what this rule judges');
    const text = describeProfile(profile);
    expect(text).toContain(found?.why);
  });
});

test('a run names all of them, in its report and in run.json', async () => {
  const server = createServer((_request, response) => response.writeHead(404).end());
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void server.close());
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const whole = Object.values(STATED).reduce<Patch>(
    (all, { states, binds = {} }) => mergePatch(mergePatch(all, binds), states) as Patch,
    {},
  );
  const profile = parseProfile(JSON.stringify({ ...whole, name: 'all', implements: undefined }), 'all.yaml', {});
  const run = await judgeTarget({ base, profile, selection: { safety: 'read' }, wait: async () => undefined });
  const named = findUnreadKeys(profile, RULES);
  const text = reportToConsole(run, { verbose: true });
  for (const { path, why } of named) {
    expect(run.unread).toContainEqual({ key: formatLocation(path), why });
    expect(text).toContain(formatLocation(path));
    expect(text).toContain(why);
  }
  for (const pattern of Object.keys(STATED))
    expect([pattern, named.some(({ path }) => isAt(path, pattern))]).toEqual([pattern, true]);
});

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
const simulators = new Map<DialectName, Simulator>();
beforeAll(async () => {
  for (const dialect of DIALECT_NAMES) simulators.set(dialect, await startSimulator({ products: 60, dialect }));
  return async () => {
    for (const each of simulators.values()) await each.close();
  };
});

test.each(Object.entries(STATED))('%s alone is judged on top of a bundled profile', async (pattern, statement) => {
  const { states, dialect = 'reference' } = statement;
  const patch = dialect === 'reference' ? mergePatch(BARE, states) : states;
  const profile = await patchedProfile(dialect, patch as Patch, 'stated.json');
  const run = await judgeTarget({
    base: simulators.get(dialect)?.url ?? '',
    profile,
    selection: { safety: 'all', rules: rulesOf(pattern).map(({ id }) => id) },
    wait: async () => undefined,
  });
  const decided = run.results.filter(({ verdict }) => verdict === 'pass' || verdict === 'fail');
  expect(
    decided.length,
    JSON.stringify(run.results.map(({ rule, operation, verdict, note }) => [rule, operation, verdict, note])),
  ).toBeGreaterThan(0);
  const unread = findUnreadKeys(profile, RULES, run.results).filter(({ path }) => isAt(path, pattern));
  expect(unread).toEqual([]);
});

const sentences = (yaml: string): string[] =>
  findUnreadKeys(parseProfile(yaml, 'x.yaml', {}), RULES).map(({ path, why }) => `${formatLocation(path)}: ${why}`);
const ids = 'examples: { catalogueId: [A], dimension: [B], group: [C] }';
const of = (key: string, declared: string, more = ids) => `name: x\n${more}\noperations:\n  ${key}:\n    ${declared}\n`;
const missing = 'statuses: { missing: [400] }';
const unknown = 'statuses: { unknown: [404] }';

test.each([
  [
    'ids in XML',
    of(LEVELS, `{ request: { xml: "<r c='{catalogueId}' d='{dimension}' g='{group}'/>" }, ${missing} }`),
    /statuses\.missing: stated, not judged, because no part of its request with \{catalogueId\} can be left out/,
  ],
  [
    'no ids',
    of(ROWS, `{ request: { json: { all: true } }, ${missing} }`),
    /contains none of \{catalogueId\}, \{dimension\}/,
  ],
  [
    'a delta of all windows',
    of(DELTA, `{ request: {}, response: { rows: { "1": $.a, "4": $.b, "13": $.c } }, ${missing} }`),
    /contains none of \{window\}/,
  ],
  [
    'a start with a query',
    of(DRIVE, `{ request: { query: { to: home }, json: { fast: true } }, ${missing} }`),
    /or has a query, too/,
  ],
  [
    'a start with a text',
    of(DRIVE, `{ request: { raw: { type: text/plain, text: go } }, ${missing} }`),
    /no JSON object and no form/,
  ],
  [
    'ids without values',
    of(ROWS, `{ request: { json: { c: "{catalogueId}" } }, ${missing} }`, ''),
    /set values that the service knows under examples\.catalogueId/,
  ],
  [
    'an unknown window',
    of(DELTA, `{ request: { query: { w: "{window}" } }, ${unknown} }`),
    /statuses\.unknown: stated, not judged, because no rule judges it here, but at get/,
  ],
  [
    'a status of another operation',
    of(BULK, '{ statuses: { malformed: [400] } }'),
    /no rule judges it here, but at products, updateProducts/,
  ],
  [
    'a code in place of an id',
    of(
      ROWS,
      `{ request: { json: { c: "{catalogueId}" }, codes: { catalogueId: cats } }, ${unknown} }`,
      `${ids}\ncodes: { cats: { "1": A } }`,
    ),
    /writes each input as a code/,
  ],
  [
    'no job and no id',
    of(
      'GET /webservices/getDriveJobStatus',
      `{ request: { query: { j: "{jobId}" } }, ${unknown} }`,
      'jobs: { drive: { example: "7" } }',
    ),
    /set one in jobs\.drive\.unknown/,
  ],
  [
    'an operation that is not claimed',
    'name: x\nimplements: [D]\nstatuses: { unknown: [404] }',
    /statuses\.unknown: stated, not judged, because the profile does not claim this operation \(C\.unknown-status\)/,
  ],
  [
    'weeks in place of refresh dates',
    of(
      REFRESH_DATES,
      '{ request: {}, response: { rows: "$[*]", fields: { date: { at: "@.w", as: isoWeek } } } }',
      'dataWeek: { endsOn: sunday, refreshDate: newest, refreshDateIs: lastDay }',
    ),
    /refreshDateIs: stated, not judged, because the refresh date is a week/,
  ],
  [
    'a value alone',
    of(LOOK_UP, '{ request: {}, response: { fields: { upc: { at: $.upc, required: true } } } }', ''),
    /upc\.required: stated, not judged, because no other value of the response is read/,
  ],
  [
    'an operation without credentials',
    'name: x\nauthRequired: [D]',
    /authRequired\[0\]: stated, not judged, because its requests carry no credentials/,
  ],
  [
    'a response of a start',
    of(DRIVE, '{ request: {}, response: { rows: $, fields: { state: "@.state" } } }', ''),
    /fields\.state: not read: no rule reads state at this operation/,
  ],
])('%s: the sentence says what is missing', (_, yaml, says) => {
  expect(sentences(yaml)).toContainEqual(expect.stringMatching(says));
});

test('nothing of the bundled profiles is unread', async () => {
  for (const dialect of DIALECT_NAMES)
    expect([dialect, findUnreadKeys(await patchedProfile(dialect), RULES)]).toEqual([dialect, []]);
});

test('a run names a schema of a status that no response had', async () => {
  const patch = at(CATEGORIES, { response: { schemas: { 418: { type: 'object' } } } });
  const profile = await patchedProfile('reference', patch, 'stated.json');
  expect(findUnreadKeys(profile, RULES)).toEqual([]);
  const base = simulators.get('reference')?.url ?? '';
  const run = await judgeTarget({ base, profile, selection: { safety: 'read', rules: ['every.body-schema'] } });
  expect(run.unread).toEqual([
    {
      key: `operations["${CATEGORIES}"].response.schemas`,
      why: 'stated, not judged, because the profile states no schema for status 200 (every.body-schema)',
    },
  ]);
});

/** Every key of a profile: a rule judges what it promises, or a run and `mdwi profile check` say why none does. */
import { describe, expect, test } from 'vitest';
import { DIALECT_NAMES } from '../simulator/dialects/names.ts';
import { describeProfile } from '../src/cli/profile/check.ts';
import { JOB_KINDS, OPENINGS, PROMISES, REFRESH_DATES } from '../src/contract/index.ts';
import { profileJsonSchema } from '../src/profile/json-schema.ts';
import { parseProfile } from '../src/profile/parse-profile.ts';
import { formatLocation } from '../src/profile/profile-location.ts';
import type { Profile } from '../src/profile/schema.ts';
import { reportToConsole } from '../src/report/console.ts';
import { findUnreadKeys } from '../src/run/unread-keys.ts';
import fc from '../src/seeded-fast-check.test.support.ts';
import { mergePatch, patchedProfile } from '../src/selftest/patched-profile.ts';
import { RULES } from './index.ts';
import { judgeService, judgeSimulation } from './judge-in-process.test.support.ts';
import {
  at,
  BULK,
  CATEGORIES,
  DELTA,
  DRIVE,
  expectJudged,
  isAt,
  LEVELS,
  LOOK_UP,
  type Patch,
  ROWS,
  STATED,
  type Statement,
} from './stated-keys.test.support.ts';

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
  schemas: 'every.body-schema',
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

const alone = ({ states, binds = {} }: Statement): Profile =>
  parseProfile(JSON.stringify(mergePatch(mergePatch({ name: 'alone' }, binds), states)), 'alone.yaml', {});

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
  const whole = Object.values(STATED).reduce<Patch>(
    (all, { states, binds = {} }) => mergePatch(mergePatch(all, binds), states) as Patch,
    {},
  );
  const profile = parseProfile(JSON.stringify({ ...whole, name: 'all', implements: undefined }), 'all.yaml', {});
  const run = await judgeService(profile, () => undefined);
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

test.each(fc.sample(fc.constantFrom(...Object.keys(STATED)), 3))(
  '%s alone is judged on top of a profile',
  expectJudged,
);

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
  const selection = { safety: 'read', rules: ['every.body-schema'] } as const;
  const run = await judgeSimulation({ products: 60 }, { profile, selection });
  expect(run.unread).toEqual([
    {
      key: `operations["${CATEGORIES}"].response.schemas`,
      why: 'stated, not judged, because the profile states no schema for status 200 (every.body-schema)',
    },
  ]);
});

/** `mdwi profile check --base-url` against the simulator: bundled profiles are not in doubt, wrong ones are. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { DIALECT_NAMES } from '../../../simulator/dialects/names.ts';
import { startSimulatorServer } from '../../commands/start-simulator.ts';
import { loadProfile } from '../../profile/load.ts';
import { parseProfile } from '../../profile/parse-profile.ts';
import { formatLocation } from '../../profile/profile-location.ts';
import { patchedProfile } from '../../selftest/patched-profile.ts';
import { checkToJson, formatLiveCheck } from './check-format.ts';
import { checkLive } from './check-live.ts';

const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
const LOOK_UP = 'GET /PLATFORMAPI/prodRef/v1/products/{upc}';
const DELTA = 'GET /PLATFORMAPI/prodRef/v1/updateProducts';
const CATEGORIES = 'GET /PLATFORMAPI/prodRef/v1/allCategories';
const METADATA = 'GET /RetailMeasurement/v1/BrandPerformance/Metadata';
const BRANDS = 'GET /RetailMeasurement/v1/BrandPerformance';
const SALES = 'GET /RetailMeasurement/v1/CategoryPerformance';
const GROUP_VALUES = 'POST /data-access/v1/Catalogue/Group/Level/Values';
const DIMENSIONS = 'POST /data-access/v1/Catalogue/LogicalDimensions';

const REFERENCE = readFileSync(join(import.meta.dirname, '../../profile/bundled/reference.yaml'), 'utf8');

type Change = readonly [path: string, value: unknown];

/** The reference profile with changed keys; a path has the operation before `#`, and undefined deletes a key. */
function changedProfile(changes: readonly Change[]) {
  const tree = parse(REFERENCE);
  for (const [path, value] of changes) {
    const [operation, rest] = path.includes('#') ? path.split('#') : [undefined, path];
    const keys = [...(operation === undefined ? [] : ['operations', operation]), ...(rest as string).split('.')];
    const last = keys.pop() as string;
    const parent = keys.reduce((node, key) => node[key], tree);
    if (value === undefined) delete parent[last];
    else parent[last] = value;
  }
  return parseProfile(stringify(tree), 'acme.yaml');
}

async function checkedAgainst(changes: readonly Change[], dialect = 'reference') {
  const simulator = await startSimulatorServer({ profile: dialect, products: 60 });
  onTestFinished(() => simulator.close());
  const profile = changedProfile(changes);
  const result = await checkLive(simulator.url, profile, {});
  return { profile, result, text: formatLiveCheck(profile, result) };
}

/** The keys that bundled profiles leave open, although the responses show them. */
const LEFT_OPEN: Readonly<Record<string, readonly string[]>> = {
  soap: ['operations["POST /data-access/v1/Catalogue/Group/Level/Values"].response.fields.parentItem'],
};

test.each(DIALECT_NAMES)('no binding of the bundled profile %s is in doubt', async (name) => {
  const simulator = await startSimulatorServer({ profile: name, products: 60 });
  onTestFinished(() => simulator.close());
  const result = await checkLive(simulator.url, await loadProfile(name), {});
  // The ids of jobs come from requests that start one.
  const others = result.remarks.filter(({ kind, sentence }) => kind !== 'confirmed' && !sentence.includes('{jobId}'));
  expect(others.filter(({ kind }) => kind !== 'unbound')).toEqual([]);
  expect(others.map(({ path }) => formatLocation(path))).toEqual(LEFT_OPEN[name] ?? []);
  expect(result.requests).toBeLessThanOrEqual(100);
  expect(result).toMatchObject({ hasReadableResponse: true, isLimitReached: false });
});

test('an example id of a job is sent, also one of the operation, and is not missing if the limit ends the check', async () => {
  const status = 'GET /webservices/getDriveJobStatus';
  const simulator = await startSimulatorServer({ products: 60 });
  onTestFinished(() => simulator.close());
  const profile = changedProfile([[`${status}#examples`, { jobId: ['drive-000001'] }]]);
  const sentencesOf = async (maxRequests?: number) =>
    (await checkLive(simulator.url, profile, {}, maxRequests)).remarks
      .filter(({ path }) => path.includes(status))
      .map(({ sentence }) => sentence);
  expect(await sentencesOf()).toEqual([expect.not.stringContaining('it needs')]);
  expect(await sentencesOf(3)).toContain(
    'no request was sent, because the limit of requests was reached (--max-requests raises it)',
  );
});

test('a table whose codes the responses do not contain is in doubt', async () => {
  const simulator = await startSimulatorServer({ profile: 'statistics', products: 60 });
  onTestFinished(() => simulator.close());
  const { data } = await loadProfile('statistics');
  const codes = { ...data.codes, category: { from: CATEGORIES, code: '@.label', meaning: '@.code' } };
  const profile = parseProfile(JSON.stringify({ ...data, codes }), 'acme.json');
  const { remarks } = await checkLive(simulator.url, profile, {});
  expect(remarks.map(({ path }) => path.join(' '))).toContain(`operations ${DELTA} response fields category`);
});

test.each([
  'deltas-all-empty',
  'date-of-another-year',
  'list-with-later-dates',
  'total-before-filtering',
  'percent-null-throughout',
  'names-padded',
  'filter-changes-grain',
  'catalogue-nodes-without-children',
  'catalogue-nodes-without-children-404',
])('the legal oddity %s puts no binding in doubt', async (oddity) => {
  const simulator = await startSimulatorServer({ products: 60, oddity });
  onTestFinished(() => simulator.close());
  const { remarks } = await checkLive(simulator.url, await loadProfile('reference'), {});
  expect(remarks.filter(({ kind }) => kind === 'doubt')).toEqual([]);
});

test('a binding that is a function is judged like any other', async () => {
  const simulator = await startSimulatorServer({ products: 60 });
  onTestFinished(() => simulator.close());
  const fields = { category: { at: (row: { market: string }) => row.market } };
  const profile = await patchedProfile('reference', { operations: { [BULK]: { response: { fields } } } }, 'acme.js');
  const { remarks } = await checkLive(simulator.url, profile, {});
  expect(remarks.filter(({ kind }) => kind === 'doubt').map(({ sentence }) => sentence)).toEqual([
    expect.stringMatching(
      /^\{ at: function, required: true \} does not fit as well .* the responses show "@\.category"/,
    ),
  ]);
});

/** Mistakes by class: what is changed in the profile, and the doubt, as key and sentence. */
const MISTAKES: Record<string, { readonly changes: readonly Change[]; readonly doubts: readonly string[] }> = {
  'absent members, wrong converters and constants': {
    changes: [
      [`${CATEGORIES}#response.fields.categoryId`, '@.key'],
      [`${BULK}#response.fields.category`, '@.market'],
      [`${BULK}#response.fields.activeOn`, { at: '@.activeOn', as: 'us' }],
      [`${LOOK_UP}#response.fields.characteristics`, "$.characteristics[?@.none=='x']"],
      [`${DELTA}#response.fields.asOf`, '$.upTo'],
      [`${DIMENSIONS}#response.fields.name`, '@.label'],
      ['statuses', { malformed: [409] }],
    ],
    doubts: [
      `["${CATEGORIES}"].response.fields.categoryId: "@.key" finds nothing in`,
      `["${BULK}"].response.fields.category: "@.market" does not fit as well (60 of 60); the responses show "@.category"`,
      `["${BULK}"].response.fields.activeOn: 60 of 60 values do not convert`,
      `["${LOOK_UP}"].response.fields.characteristics: `,
      `["${DELTA}"].response.fields.asOf: $.upTo finds nothing in 2 responses; the responses show $.asOf`,
      `["${DIMENSIONS}"].response.fields.name: "@.label" finds nothing`,
      'statuses.malformed: a UPC of 5 digits, 1 call: [400], not [409]',
    ],
  },
  'values of another field or level': {
    changes: [
      [`${BRANDS}#response.fields.brand`, '@.category'],
      [`${BRANDS}#response.fields.subCategory`, '@.category'],
      [`${METADATA}#response.fields.manufacturer`, '@.brand'],
      [`${DELTA}#response.fields.category`, '@.categoryId'],
    ],
    doubts: [
      `["${BRANDS}"].response.fields.brand: "@.category" does not fit as well (78 of 78); the responses show "@.brand" (listed elsewhere`,
      `["${BRANDS}"].response.fields.subCategory: "@.category" does not fit as well (78 of 78); the responses show "@.subCategory"`,
      `["${METADATA}"].response.fields.manufacturer: "@.brand" does not fit as well (78 of 78); the responses show "@.manufacturer"`,
      `["${DELTA}"].response.fields.category: "@.categoryId" does not fit as well (26 of 26); the responses show "@.category"`,
    ],
  },
  'figures by a power of ten': {
    changes: [
      [`${SALES}#response.fields.sales12Weeks`, { at: '@.sales12Weeks', decimals: 2 }],
      [`${BRANDS}#response.fields.percentChange`, { at: '@.percentChange', as: 'fraction' }],
    ],
    doubts: [
      `["${SALES}"].response.fields.sales12Weeks: per week, the value is about 1/100 of the other sales`,
      `["${BRANDS}"].response.fields.percentChange: { at: "@.percentChange", as: fraction } does not fit as well (68 of 68); the responses show "@.percentChange" (the change of the amounts on`,
    ],
  },
  'figures that are exchanged or bound twice': {
    changes: [
      [`${SALES}#response.fields.sales12Weeks`, '@.sales52Weeks'],
      [`${SALES}#response.fields.sales52Weeks`, '@.sales12Weeks'],
      [`${BRANDS}#response.fields.sales12Weeks`, '@.sales4Weeks'],
    ],
    doubts: [
      `["${SALES}"].response.fields.sales12Weeks: "@.sales52Weeks" does not fit as well (26 of 26); the responses show "@.sales12Weeks" (the change of the amounts on`,
      `["${SALES}"].response.fields.sales52Weeks: "@.sales12Weeks" does not fit as well (26 of 26); the responses show "@.sales52Weeks"`,
      `["${BRANDS}"].response.fields.sales12Weeks: "@.sales4Weeks" does not fit as well (78 of 78); the responses show "@.sales12Weeks"`,
    ],
  },
  'dates in another role': {
    changes: [
      [`${BULK}#response.fields.activeOn`, '@.firstActiveOn'],
      [`${BULK}#response.fields.firstActiveOn`, '@.activeOn'],
      [`${BULK}#response.fields.changedOn`, '@.firstActiveOn'],
    ],
    doubts: [
      `["${BULK}"].response.fields.activeOn: "@.firstActiveOn" does not fit as well (60 of 60); the responses show "@.activeOn" (within 52 weeks`,
      `["${BULK}"].response.fields.firstActiveOn: "@.activeOn" does not fit as well (60 of 60); the responses show "@.firstActiveOn"`,
      `["${BULK}"].response.fields.changedOn: "@.firstActiveOn" does not fit as well (60 of 60); the responses show "@.changedOn" (the same UPC has it in`,
    ],
  },
  'days in place of data weeks': {
    changes: [['dataWeek.activeOn', 'weekEnding']],
    doubts: ['dataWeek.activeOn: the date is in'],
  },
  'a parent above the requested node, and several nodes for one value': {
    changes: [
      [`${GROUP_VALUES}#response.fields.parent`, '@.id'],
      [`${CATEGORIES}#response.fields.category`, '@.*'],
    ],
    doubts: [
      `["${GROUP_VALUES}"].response.fields.parent: "@.id" does not fit as well (15 of 15); the responses show "@.parent" (what 15 requests asked for`,
      'but one value is expected); bind one of them with a filter, or make each a row',
    ],
  },
  'values that the next operation refuses, and parameters without effect': {
    changes: [
      [`${BULK}#request`, { query: { group: '{category}' } }],
      [`${DELTA}#request`, { query: { period: '{window}' } }],
      [`${DIMENSIONS}#response.fields.id`, '@.name'],
      ['examples.upc', ['999999999993']],
    ],
    doubts: [
      `["${BULK}"].request: the response with {category} equals that without it; the service accepts`,
      `["${DIMENSIONS}"].response.fields.id: "@.name" does not fit as well (6 of 6); the responses show "@.id" (the next operation accepts it`,
      `["${DELTA}"].request: no response was successful (the status is 400); the service accepts`,
      'examples.upc: GET /PLATFORMAPI/prodRef/v1/products/{upc} refuses 1 value as {upc}',
    ],
  },
};

test.each(Object.entries(MISTAKES))('%s are in doubt', async (_, { changes, doubts }) => {
  const { result, text } = await checkedAgainst(changes);
  const lines = text.split('\n').filter((line) => line.startsWith('  acme.yaml:'));
  for (const doubt of doubts)
    expect(
      lines.find((line) => line.includes(doubt)),
      `${doubt}\n${text}`,
    ).toBeDefined();
  // Nothing else is in doubt.
  expect(result.remarks.filter(({ kind }) => kind === 'doubt').length, text).toBe(doubts.length);
});

test('open openings that responses seem to fill are named, with the rules that they add', async () => {
  const { result, profile } = await checkedAgainst([
    [`${BULK}#response.fields.asOf`, undefined],
    [`${BULK}#response.fields.activeOn`, undefined],
    [`${BULK}#response.counts`, undefined],
    [`${LOOK_UP}#response.fields.upc`, undefined],
    ['figures', undefined],
  ]);
  const { remarks } = JSON.parse(checkToJson(profile, result));
  const unbound = remarks.filter(({ kind }: { kind: string }) => kind === 'unbound');
  const rulesOf = (key: string): string[] => unbound.find((each: { key: string }) => each.key === key)?.rules ?? [];
  expect(rulesOf(`operations["${BULK}"].response.fields.asOf`)).toContain('C.history-window');
  expect(rulesOf(`operations["${BULK}"].response.fields.activeOn`)).not.toEqual([]);
  expect(rulesOf(`operations["${BULK}"].response.counts`)).not.toEqual([]);
  expect(rulesOf(`operations["${LOOK_UP}"].response.fields.upc`)).not.toEqual([]);
  expect(unbound.map(({ key }: { key: string }) => key)).toContain('figures.percentChange');
});

test('schemas and operations that no response shows are not verified', async () => {
  const { text } = await checkedAgainst([
    [`${LOOK_UP}#response.schemas`, { 200: { type: 'object' }, 404: { type: 'object' }, 503: { type: 'object' } }],
    [`${CATEGORIES}#response.schemas`, { 200: { type: 'object', required: ['none'] } }],
    ['examples.measure', undefined],
  ]);
  expect(text).toContain('response.schemas.503: no response had this schema');
  expect(text).not.toContain('response.schemas.404');
  expect(text).toMatch(/Measure\/SharePrompts"\]: no request was sent, because it needs \{measure\}/);
  expect(text).toMatch(/allCategories"\]\.response\.schemas\.200: a response violates the schema/);
});

test('what is not verified for one reason is one line, and the status of a job that can be started has no example', async () => {
  const errors = { 200: { type: 'object' }, 501: { type: 'object' }, 502: { type: 'object' }, 503: { type: 'object' } };
  const { text, result } = await checkedAgainst([
    [`${LOOK_UP}#response.schemas`, errors],
    [`${CATEGORIES}#response.schemas`, { 501: { type: 'object' } }],
    ['jobs.drive', { start: 'POST /webservices/drive' }],
    ['jobs.location', undefined],
  ]);
  expect(text.match(/no response had this schema, so it is not verified/g)).toHaveLength(1);
  expect(text).toMatch(
    /no response had this schema, so it is not verified; likewise (?:.*schemas\.50[123] \(line \d+\)(?:, |$)){3}/m,
  );
  expect(result.remarks.filter(({ sentence }) => sentence.startsWith('no response had this schema'))).toHaveLength(4);
  expect(text).toContain('which jobs.drive.start starts: a run with --safety job verifies it');
  expect(text).not.toContain('jobs.drive.example');
});

test('the limit of requests ends the check, and a service that does not respond is not read', async () => {
  const simulator = await startSimulatorServer({ products: 60 });
  onTestFinished(() => simulator.close());
  const profile = await loadProfile('reference');
  const short = await checkLive(simulator.url, profile, {}, 5);
  expect(short).toMatchObject({ requests: 5, isLimitReached: true });
  const text = formatLiveCheck(profile, short);
  expect(text).toContain('the limit ended the check');
  // The request after the last one is not sent, and no error of the profile.
  expect(text).toContain('no request was sent, because the limit of requests was reached');
  expect(text).not.toContain('no response was successful');
  await simulator.close();
  const none = await checkLive(simulator.url, profile, {}, 3);
  expect(none.hasReadableResponse).toBe(false);
});

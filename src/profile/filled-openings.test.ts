import { describe, expect, test } from 'vitest';
import { OPENINGS, OPERATIONS, type OpeningId } from '../contract/index.ts';
import { exampleValuesOf } from './example-values.ts';
import { isAbsent, isFilled, isImplemented } from './filled-openings.ts';
import { loadProfile } from './load.ts';
import { parseProfile } from './parse-profile.ts';

const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
const CATALOGUES = 'POST /data-access/v1/Catalogues';
const DIMENSIONS = 'POST /data-access/v1/Catalogue/LogicalDimensions';
const CATEGORIES = 'GET /PLATFORMAPI/prodRef/v1/allCategories';
const DELTA = 'GET /PLATFORMAPI/prodRef/v1/updateProducts';
const LOOKUP = 'GET /PLATFORMAPI/prodRef/v1/products/{upc}';
const profileOf = (yaml: string) => parseProfile(`name: t\n${yaml}`, 't.yaml', {});

test('an empty profile claims every operation, fills no opening and denies none', () => {
  const empty = profileOf('');
  expect(OPENINGS.filter(({ id }) => isFilled(empty, id))).toEqual([]);
  expect(OPENINGS.filter(({ id }) => isAbsent(empty, id))).toEqual([]);
  expect(OPERATIONS.every(({ key }) => isImplemented(empty, key))).toBe(true);
});

describe('one line fills one opening and no other', () => {
  const bulk = (rest: string) => `operations: { "${BULK}": ${rest} }`;
  fills('a bare request', bulk('{ request: {} }'), ['allProducts.request']);
  fills('where rows are', bulk('{ response: { rows: "$[*]" } }'), ['allProducts.rows']);
  fills('a field', bulk('{ response: { fields: { upc: "@.u" } } }'), ['allProducts.fields.upc']);
  fills('a count', bulk('{ response: { counts: [{ at: $.total, of: list }] } }'), ['allProducts.counts']);
  fills('a number of pages', bulk('{ response: { counts: [{ at: $.pages, of: pages }] } }'), ['allProducts.counts']);
  fills(
    'a count within rows',
    `operations: { "${CATEGORIES}": { response: { counts: [{ at: "@.n", of: "${BULK}" }] } } }`,
    ['allCategories.rowCounts.allProducts'],
  );
  fills(
    'a count of one of several lists',
    `operations: { "${CATALOGUES}": { response: { counts: [{ at: "@.n", of: "${DIMENSIONS}" }] } } }`,
    ['catalogues.rowCounts.logicalDimensions'],
  );
  fills('an echo', bulk('{ response: { echoes: { category: $.c } } }'), ['allProducts.echoes']);
  fills('auth', 'auth: { scheme: none }', ['auth']);
  fills('the data week', 'dataWeek: { endsOn: saturday }', ['dataWeek']);
  fills('a known UPC', 'examples: { upc: ["012345678905"] }', ['upcExamples']);
  fills('two catalogues', 'examples: { catalogueId: [a, b] }', ['catalogueIdExamples']);
  fills('what tells catalogues apart', 'catalogue: { distinguishing: ["POST /data-access/v1/Catalogues"] }', [
    'distinguishing',
  ]);
  test('the dates of a delta, together with one of them', () => {
    const profile = profileOf(
      `${bulk('{ response: { fields: { changedOn: "@.c" } } }')}\ndelta: { dates: [changedOn] }`,
    );
    expect(OPENINGS.filter(({ id }) => isFilled(profile, id)).map(({ id }) => id)).toEqual([
      'deltaDates',
      'allProducts.fields.changedOn',
    ]);
  });
  test('dates of a delta without their location are refused', () => {
    expect(() => profileOf('delta: { dates: [changedOn] }')).toThrow(/delta\.dates\[0\].*bind fields\.changedOn/s);
  });
  fills('the percentage', 'figures: { percentChange: { of: sales52Weeks, decimals: 1 } }', ['percentChange']);
  fills('the sums', 'figures: { sums: equal }', ['sums']);
  fills('a job by its start', 'jobs: { drive: { start: POST /webservices/drive } }', ['job.drive']);
  fills('what starts of jobs promise', 'jobs: { drive: { distinctIds: true, locationIsStatus: true } }', [
    'jobIds.drive',
    'jobLocation.drive',
  ]);
  fills('a job by an id', 'jobs: { report: { example: 7 } }', ['job.report']);

  function fills(name: string, yaml: string, openings: readonly OpeningId[]): void {
    test(name, () => {
      const profile = profileOf(yaml);
      expect(OPENINGS.filter(({ id }) => isFilled(profile, id)).map(({ id }) => id)).toEqual(openings);
    });
  }
});

test('empty declarations fill no opening', () => {
  expect(isFilled(profileOf('jobs: { drive: {} }'), 'job.drive')).toBe(false);
  expect(isFilled(profileOf('figures: {}'), 'percentChange')).toBe(false);
  // Two ids are needed to see one catalogue from another.
  expect(isFilled(profileOf('examples: { catalogueId: [a] }'), 'catalogueIdExamples')).toBe(false);
  expect(isFilled(profileOf(`operations: { "${BULK}": { response: {} } }`), 'allProducts.rows')).toBe(false);
});

test('an input is filled where the request mentions it, wherever that is', () => {
  for (const request of [
    '{ query: { c: "{category}" } }',
    '{ query: { f: { join: " and ", clauses: ["cat eq \'{category}\'"] } } }',
    '{ query: { c: [all, "x-{category}"] } }',
    '{ headers: { X-Category: "{category}" } }',
    '{ json: { deep: [{ c: "{category}" }] } }',
    '{ form: { c: "{category}" } }',
    '{ xml: "<c>{category}</c>" }',
    '{ raw: { type: text/plain, text: "c={category}" } }',
  ]) {
    const profile = profileOf(`operations: { "${BULK}": { request: ${request} } }`);
    expect(isFilled(profile, 'allProducts.inputs.category'), request).toBe(true);
    expect(isFilled(profile, 'allProducts.inputs.categoryId'), request).toBe(false);
  }
  for (const request of ['{ query: { c: "{{category}}" } }', '{ spellings: { category: { a: "{category}" } } }']) {
    const profile = profileOf(`operations: { "${BULK}": { request: ${request} } }`);
    expect(isFilled(profile, 'allProducts.inputs.category'), request).toBe(false);
  }
});

test('a path parameter needs no mention, only a request', () => {
  expect(isFilled(profileOf(`operations: { "${LOOKUP}": { request: {} } }`), 'products.inputs.upc')).toBe(true);
  expect(isFilled(profileOf(`operations: { "${LOOKUP}": {} }`), 'products.inputs.upc')).toBe(false);
});

test('a delta with all windows in one response needs no window parameter', () => {
  const rows = '{ "1": "$.w1[*]", "4": "$.w4[*]", "13": "$.w13[*]" }';
  const window = 'updateProducts.inputs.window';
  const all = profileOf(`operations: { "${DELTA}": { request: {}, response: { rows: ${rows} } } }`);
  expect([isFilled(all, window), isFilled(all, 'updateProducts.rows')]).toEqual([true, true]);
  expect(isFilled(profileOf(`operations: { "${DELTA}": { request: {}, response: { rows: "$[*]" } } }`), window)).toBe(
    false,
  );
  expect(isFilled(profileOf(`operations: { "${DELTA}": { response: { rows: ${rows} } } }`), window)).toBe(false);
});

test('implements names groups, operations or both', () => {
  const some = profileOf(`implements: [D, "${BULK}"]`);
  const claimed = OPERATIONS.filter(({ key }) => isImplemented(some, key)).map(({ name }) => name);
  expect(claimed).toEqual(['allProducts', 'performanceMetadata', 'categoryPerformance', 'brandPerformance']);
});

test('none denies exactly what it names, of that operation', () => {
  const profile = profileOf(
    'operations: { GET /RetailMeasurement/v1/CategoryPerformance: { none: [fields.manufacturer, inputs.brand] } }',
  );
  expect(OPENINGS.filter(({ id }) => isAbsent(profile, id)).map(({ id }) => id)).toEqual([
    'categoryPerformance.inputs.brand',
    'categoryPerformance.fields.manufacturer',
  ]);
});

test.each<[string, OpeningId[]]>([
  ['dataWeek: { endsOn: sunday, onePerList: false }', ['onePerList']],
  ['dataWeek: { endsOn: sunday, oneReload: false }', ['oneReload']],
  ['delta: { dates: false }', ['deltaDates']],
  ['delta: { kinds: false, newBy: false, latestValues: false }', ['deltaKinds', 'deltaNewBy', 'deltaLatestValues']],
  [
    'delta: { withinBulk: false, removedUnlisted: false, inLookUp: false }',
    ['deltaWithinBulk', 'deltaRemovedUnlisted', 'deltaInLookUp'],
  ],
  ['codes: {}', ['codes']],
  ['metadata: { pairs: false }', ['metadataPairs']],
  ['products: { listed: false }', ['productNames']],
  ['upc: { checkDigit: false }', ['checkDigit']],
  ['figures: { windowsOrdered: false }', ['windowsOrdered']],
  ['products: { firstActiveBefore: false }', ['firstActiveBefore']],
  ['figures: { sums: false }', ['sums']],
  ['jobs: { drive: { states: false, final: false } }', ['jobStates.drive', 'jobFinal.drive']],
  [
    'jobs: { report: { statesInOrder: false, distinctIds: false, locationIsStatus: false } }',
    ['jobOrder.report', 'jobIds.report', 'jobLocation.report'],
  ],
  [
    `operations: { "${BULK}": { response: { rows: "$[*]", fields: { market: { at: "@.m", required: false } } } } }`,
    ['allProducts.required.market'],
  ],
  [
    `operations: { "${BULK}": { response: { rows: "$[*]", fields: { market: { at: "@.m", nullable: true } } } } }`,
    ['allProducts.required.market'],
  ],
])('%s closes its openings without a promise', (yaml, openings) => {
  const profile = profileOf(yaml);
  expect(OPENINGS.filter(({ id }) => isAbsent(profile, id)).map(({ id }) => id)).toEqual(openings);
  expect(openings.filter((id) => isFilled(profile, id))).toEqual([]);
});

test('required is an opening of the rule that reads it', () => {
  const profile = profileOf(
    `operations: { "${BULK}": { response: { fields: { market: { at: "@.m", required: true } } } } }`,
  );
  expect([
    isFilled(profile, 'allProducts.required.market'),
    isFilled(profile, 'allProducts.required.category'),
  ]).toEqual([true, false]);
});

test('the reference profile fills every opening or declares it absent', async () => {
  const reference = await loadProfile('reference');
  const open = OPENINGS.map(({ id }) => id).filter((id) => !isFilled(reference, id) && !isAbsent(reference, id));
  // The reference dialect writes no codes, and promises no ids and sub-categories of categories.
  expect(open, 'openings that src/profile/bundled/reference.yaml leaves open').toEqual([
    'codes',
    'allCategories.required.categoryId',
    'allCategories.required.subCategory',
    'allProducts.required.categoryId',
    'updateProducts.required.categoryId',
  ]);
});

test('examples of a catalogue and of an operation take precedence, the most specific ones first', () => {
  const key = 'POST /data-access/v1/Catalogue/Group/Level/Values';
  const { data } = profileOf(
    `examples: { level: [1], byCatalogue: { B: { level: [2] } } }\noperations: { "${key}": { examples: { level: [3], byCatalogue: { B: { level: [4] } } } } }`,
  );
  const values = (use: object) => exampleValuesOf(data, 'level', use);
  expect([{}, { catalogueId: 'A' }, { catalogueId: 'B' }].map(values)).toEqual([[1], [1], [2]]);
  expect([{ operation: key }, { operation: key, catalogueId: 'B' }].map(values)).toEqual([[3], [4]]);
});

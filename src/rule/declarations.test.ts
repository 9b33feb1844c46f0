import { describe, expect, test } from 'vitest';
import { isUpc, OPERATIONS } from '../contract/index.ts';
import { parseProfile } from '../profile/parse-profile.ts';
import { declarationsOf } from './declarations.ts';

const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
const LOOKUP = 'GET /PLATFORMAPI/prodRef/v1/products/{upc}';
const DRIVE_STATUS = 'GET /webservices/getDriveJobStatus';
const CATALOGUES = 'POST /data-access/v1/Catalogues';
const of = (yaml: string) => declarationsOf(parseProfile(`name: t\n${yaml}`, 't.yaml', {}));

test('an empty profile declares nothing', () => {
  const empty = of('');
  for (const { key } of OPERATIONS) {
    expect([empty.validRequest(key), empty.readsBody(key), empty.hasGrain(key), empty.required(key, 'upc')]).toEqual([
      false,
      false,
      false,
      false,
    ]);
  }
  expect([empty.dataWeek, empty.percentChange, empty.job('drive').example]).toEqual([undefined, undefined, undefined]);
  expect(empty.job('drive')).toMatchObject({ starts: [], pollMs: 5000 });
  expect([empty.examples('upc'), empty.markets, empty.upcAdmits]).toEqual([[], {}, []]);
});

test('the unknown UPC is well-formed, and the profile’s own where it names one', () => {
  expect(isUpc(of('').unknownUpc)).toBe(true);
  expect(of('unknownUpc: "123456789012"').unknownUpc).toBe('123456789012');
});

describe('a request is known to be valid', () => {
  const valid = (key: string, request: string, rest = '') =>
    of(`operations: { "${key}": { request: ${request} } }\n${rest}`).validRequest(key as typeof BULK);

  test('where it is declared and needs nothing', () => {
    expect(valid(BULK, '{}')).toBe(true);
    expect(of(`operations: { "${BULK}": { response: { rows: "$[*]" } } }`).validRequest(BULK)).toBe(false);
  });

  test('where it can do without: filters and pages', () => {
    expect(valid(BULK, '{ query: { c: "{category}", p: "{page}", n: "{pageSize}" } }')).toBe(true);
  });

  test('where what it needs has an example', () => {
    const request = '{ json: { id: "{catalogueId}" } }';
    expect(valid(CATALOGUES, request)).toBe(false);
    expect(valid(CATALOGUES, request, 'examples: { catalogueId: [x] }')).toBe(true);
  });

  test('for a look-up where a UPC is known, mentioned or not', () => {
    expect(valid(LOOKUP, '{}')).toBe(false);
    expect(valid(LOOKUP, '{}', 'examples: { upc: ["012345678905"] }')).toBe(true);
  });

  test('for a job status only with the id of a job', () => {
    expect(valid(DRIVE_STATUS, '{ query: { id: "{jobId}" } }')).toBe(false);
    expect(valid(DRIVE_STATUS, '{ query: { id: "{jobId}" } }', 'examples: { jobId: [7] }')).toBe(true);
  });
});

test('a declaration of a field applies to that field of that operation', () => {
  const declarations = of(
    `operations: { "${BULK}": { response: { fields: { grain: "@['size','pack']", upc: { at: "@.u", as: gtin13, required: true }, category: { at: "@.c", nullable: true }, market: "$.m" } } } }`,
  );
  expect(declarations.readsBody(BULK)).toBe(true);
  expect(declarations.hasGrain(BULK)).toBe(true);
  const told = (['upc', 'category', 'market', 'asOf'] as const).map((field) => [
    declarations.selector(BULK, field),
    declarations.converter(BULK, field),
    declarations.required(BULK, field),
    declarations.nullable(BULK, field),
  ]);
  expect(told).toEqual([
    ['@.u', 'gtin13', true, false],
    ['@.c', undefined, false, true],
    ['$.m', undefined, false, false],
    [undefined, undefined, false, false],
  ]);
  expect(declarations.selector(LOOKUP, 'upc')).toBeUndefined();
});

test('weekdays count from Sunday, as days of a date do', () => {
  const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
  expect(days.map((day) => of(`dataWeek: { endsOn: ${day} }`).dataWeek?.endsOn)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(of('dataWeek: { endsOn: friday, changedOn: weekEnding, firstDay: excluded }').dataWeek).toEqual({
    endsOn: 5,
    activeOn: 'day',
    changedOn: 'weekEnding',
    firstActiveOn: 'day',
    firstDay: { allProducts: 'excluded', updateProducts: 'excluded' },
  });
});

test('jobs, catalogues, markets, figures and admissions are handed on', () => {
  const declarations = of(`jobs: { drive: { start: POST /webservices/drive }, report: { example: 7 } }
catalogue: { distinguishing: ["${CATALOGUES}"] }
markets: { products: [US], performance: [Total US, TUS] }
figures: { percentChange: { of: sales52Weeks, decimals: 1 } }
upc: { admits: [trim] }`);
  expect(declarations.job('drive').starts).toMatchObject([{ operation: 'POST /webservices/drive' }]);
  expect(declarations.job('report')).toMatchObject({ starts: [], example: 7 });
  expect(declarations.distinguishesCatalogues(CATALOGUES)).toBe(true);
  expect(declarations.distinguishesCatalogues('POST /data-access/v1/Catalogue/RefreshDates')).toBe(false);
  expect(declarations.markets).toEqual({ products: ['US'], performance: ['Total US', 'TUS'] });
  expect(declarations.percentChange).toEqual({ of: 'sales52Weeks', decimals: 1 });
  expect(declarations.upcAdmits).toEqual(['trim']);
});

import { expect, test } from 'vitest';
import type { Field, OperationKey } from '../../contract/index.ts';
import type { Answer } from '../ask.ts';
import { bindResponse } from './bind.ts';

const ALL_CATEGORIES = 'GET /PLATFORMAPI/prodRef/v1/allCategories';
const DRIVE = 'POST /webservices/drive';
const LOOKUP = 'GET /PLATFORMAPI/prodRef/v1/products/{upc}';
const CATEGORY_PERFORMANCE = 'GET /RetailMeasurement/v1/CategoryPerformance';
const METADATA = 'GET /RetailMeasurement/v1/BrandPerformance/Metadata';
const STATUS = 'GET /webservices/getDriveJobStatus';

function fieldsOf(
  operation: OperationKey,
  document: unknown,
  {
    location,
    suggested = new Map(),
    inputs = {},
    known = new Map(),
  }: { location?: string; suggested?: Map<Field, string>; inputs?: object; known?: Map<Field, Set<string>> } = {},
) {
  const headers = location === undefined ? [] : [['Location', location] as const];
  const text = JSON.stringify(document);
  const head = { status: 202, headers };
  const answer = { operation, request: {}, inputs, url: '', isSuccess: true, media: 'json', document, text, head };
  const context = { operation, known, meanings: new Map(), suggested };
  return bindResponse([answer as unknown as Answer], context, { forms: new Map() })?.response;
}

test('the id of a job is found in the only element of a ticket, also where a description suggests it', () => {
  const document = { Ticket: [{ Id: [{ '#text': 'job-1' }] }] };
  for (const suggested of [new Map<Field, string>(), new Map<Field, string>([['jobId', '@.Id[0]']])])
    expect(fieldsOf(DRIVE, document, { suggested })).toMatchObject({
      rows: '$.Ticket[*]',
      fields: { jobId: '@.Id[0]' },
    });
});

test('the id of a job is the last segment of a Location, or all of it', () => {
  expect(fieldsOf(DRIVE, {}, { location: '/jobs/4711' })).toMatchObject({
    fields: { jobId: { at: '$response.header.Location', match: '/([^/?]+)(?:[?].*)?$' } },
  });
  expect(fieldsOf(DRIVE, {}, { location: 'job-4711' })).toMatchObject({
    fields: { jobId: '$response.header.Location' },
  });
});

test('the code of a state is the state', () => {
  expect(fieldsOf(STATUS, { state: { code: 'QUEUED' } })).toMatchObject({ fields: { state: '@.state.code' } });
});

test('a look-up may have a line for each characteristic, which repeats the product that was asked for', () => {
  const line = (name: string) => ({ UPC: '042100000177', Changed: '2026-11-03', Characteristic: name });
  const inputs = { upc: '042100000177' };
  expect(fieldsOf(LOOKUP, [line('Brand'), line('Size')], { inputs })).toMatchObject({
    rows: '$[*]',
    fields: { upc: '@.UPC', changedOn: '@.Changed' },
  });
  expect(fieldsOf(LOOKUP, [line('Brand'), line('Size')], { inputs: { upc: '660133988943' } })).toBeUndefined();
});

test('a date that each row of a table repeats is that of the response', () => {
  const row = (Category: string, sales: number) => ({
    'Week ending': '2026-11-14',
    Category,
    ...{
      'Sales 4 W': sales,
      'Sales 12 W': sales * 3,
      'Sales 52 W': sales * 13,
      'Sales LY': sales * 10,
      'Change %': 30,
    },
  });
  const rows = ['Tea', 'Coffee', 'Soda', 'Milk', 'Bread', 'Eggs'].map((name, at) => row(name, 100 + 7 * at));
  expect(fieldsOf(CATEGORY_PERFORMANCE, rows)).toMatchObject({ fields: { asOf: "$[0]['Week ending']" } });
  const weeks = rows.map((each, at) => ({ ...each, 'Week ending': `2026-11-${10 + at}` }));
  expect(fieldsOf(CATEGORY_PERFORMANCE, weeks)).not.toHaveProperty('fields.asOf');
});

test('of a list in a list, the names of the lists say which has the categories', () => {
  const below = (...names: string[]) => names.map((Name, at) => ({ Nr: at + 1, Name }));
  const document = {
    Kategorien: [
      { Nr: 1, Name: 'Tea', Unterkategorien: below('Black Tea', 'Green Tea') },
      { Nr: 2, Name: 'Coffee', Unterkategorien: below('Ground Coffee', 'Instant Coffee', 'Beans') },
    ],
  };
  expect(fieldsOf(ALL_CATEGORIES, document)).toMatchObject({
    rows: '$.Kategorien[*]',
    fields: { category: '@.Name', subCategory: '@.Unterkategorien[*].Name' },
  });
});

test('the numbers of the rows are no figure', () => {
  const rows = Array.from({ length: 8 }, (_, at) => ({
    ...{ nr: at + 1, a: 1000.5 + 37 * at, b: 3100.5 + 90 * at, c: 13_000.5 + 500 * at, d: 10_000.5 + 211 * at },
    p: Math.round(((13_000.5 + 500 * at) / (10_000.5 + 211 * at) - 1) * 1e4) / 100,
  }));
  expect(fieldsOf(CATEGORY_PERFORMANCE, { rows })).toMatchObject({
    fields: {
      sales4Weeks: '@.a',
      sales12Weeks: '@.b',
      sales52Weeks: '@.c',
      salesLastYear: '@.d',
      percentChange: '@.p',
    },
  });
});

test('lists of names whose columns are listed are not read by positions', () => {
  const table = (columns: string[], rows: string[][]) => ({ columns, rows });
  const document = {
    categories: table(
      ['category', 'segment'],
      [
        ['Tea', 'Black Tea'],
        ['Tea', 'Green Tea'],
        ['Coffee', 'Beans'],
      ],
    ),
    brands: table(
      ['maker', 'brand'],
      [
        ['Acme', 'Sun'],
        ['Acme', 'Moon'],
        ['Bolt & Co', 'Flash'],
      ],
    ),
  };
  const known = new Map<Field, Set<string>>([
    ['category', new Set(['Tea', 'Coffee'])],
    ['subCategory', new Set(['Black Tea', 'Green Tea', 'Beans'])],
    ['manufacturer', new Set(['Acme', 'Bolt & Co'])],
    ['brand', new Set(['Sun', 'Moon', 'Flash'])],
  ]);
  const response = fieldsOf(METADATA, document, { known });
  expect(response).toHaveProperty('shape.columns');
  expect(JSON.stringify(response)).not.toContain('[0]');
});

import { describe, expect, test } from 'vitest';
import { type OperationKey, operationOf } from '../../../src/contract/index.ts';
import { parseProfile } from '../../../src/profile/parse-profile.ts';
import type { Profile } from '../../../src/profile/schema.ts';
import { readBody } from '../../../src/reading/read-body.ts';
import type { Row } from '../../../src/reading/types.ts';
import { readingPlanOf } from '../../../src/run/fetch-request.ts';
import fc from '../../../src/seeded-fast-check.test.support.ts';
import type { ModelAnswer, PerformanceRow } from '../../model/types.ts';
import type { DialectResponse } from '../types.ts';
import { dialectOf } from './dialect.ts';

const KEY = 'GET /RetailMeasurement/v1/BrandPerformance';
const FIELDS = [
  'category',
  'subCategory',
  'manufacturer',
  'brand',
  'market',
  'sales4Weeks',
  'sales12Weeks',
  'sales52Weeks',
  'salesLastYear',
  'percentChange',
  'asOf',
] as const;

/** A response with one selector per field. */
const bound = (at: (field: string, nth: number) => string, as: Record<string, string> = {}) =>
  Object.fromEntries(
    FIELDS.map((field, nth) => [
      field,
      as[field] === undefined ? at(field, nth) : { at: at(field, nth), as: as[field] },
    ]),
  );
const figures = (money: string, percent: string) => ({
  sales4Weeks: money,
  sales12Weeks: money,
  sales52Weeks: money,
  salesLastYear: money,
  percentChange: percent,
});

const SHAPES: Record<string, object> = {
  'JSON objects': { rows: '$.rows[*]', fields: bound((field) => `@.${field}`) },
  'JSON with awkward names': {
    rows: "$['a.b'].rows",
    fields: bound((field) => `@["x'y ${field}"]['']`, { ...figures('cents', 'fraction'), asOf: 'us' }),
  },
  'a bare array of arrays': { rows: '$', fields: bound((_field, nth) => `@[${nth}]`, { asOf: 'epochMillis' }) },
  'figures by their period': {
    rows: '$.data[*].row',
    fields: bound((field) => `@.values[?@.of == '${field}' && !@.old].is`, figures('usd', 'percentText')),
  },
  'values in the envelope and in headers': {
    rows: '$.rows[*]',
    fields: {
      ...bound((field) => `@.${field}`),
      market: '$.meta.market',
      asOf: { at: '$response.header.X-As-Of', as: 'httpDate' },
    },
  },
  'values within texts': {
    rows: '$.rows[*]',
    fields: {
      ...bound((field) => `@.${field}`),
      market: { at: '@.market', match: '^market (.*)$' },
      sales4Weeks: { at: '@.sales4Weeks', match: '^USD ([-0-9.]+) \\(net\\)$' },
      asOf: { at: '$response.header.X-Run', match: '/([^/?]+)$' },
    },
  },
  'values in the first row': {
    rows: '$.rows[*]',
    fields: { ...bound((field) => `@.${field}`), market: '$.rows[0].market' },
  },
  'lines of JSON': { media: 'ndjson', rows: '$[*]', fields: bound((field) => `@.a.${field}`) },
  CSV: { media: 'csv', rows: '$[*]', fields: bound((field) => `@['The ${field}']`) },
  'CSV with semicolons': {
    csv: { delimiter: ';' },
    rows: '$',
    fields: bound((field) => `@.${field}`, { ...figures('decimalComma', 'decimalComma'), asOf: 'european' }),
  },
  'XML elements': {
    media: 'xml',
    rows: '$.Report[0].Row[*]',
    fields: bound((field) => `@.${field}[0]`, { asOf: 'compact' }),
  },
  'XML attributes': {
    rows: '$.Report[0].Rows[0].Row[*]',
    fields: {
      ...bound((field) => `@['@${field}']`, figures('usd', 'percentText')),
      brand: '@',
      asOf: "$.Report[0]['@asOf']",
    },
  },
  'XML distinguished by attributes': {
    media: 'xml',
    rows: '$.R[0].Row[*]',
    fields: bound((field) => `@.Cell[?@['@name']=='${field}']`),
  },
  'pairs of a name and a value': { rows: '$.rows[*]', fields: bound((field) => `@.cells[?@[0]=='${field}'][1]`) },
  'rows that have a member': { rows: "$.rows[?@['brand']]", fields: bound((field) => `@.${field}`) },
  'lines before the columns': {
    csv: { delimiter: ';', comment: '#' },
    rows: '$[*]',
    fields: {
      ...bound((field) => `@.${field}`),
      market: "$response.line['#META'][1]",
      asOf: { at: "$response.line['#META'][0]", as: 'european' },
    },
  },
  'a sample': {
    rows: '$.rows[*]',
    fields: bound((field) => `@.${field}`),
    sample: {
      note: 'as of yesterday',
      rows: [{ size: '1 l', sales4Weeks: '1.00', percentChange: 1 }, { second: true }],
      page: { size: 2 },
    },
  },
};

const name = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1 }),
  fc.string({ unit: fc.constantFrom(...`"'&<>;,\r\n\t é漢🍏]x`), minLength: 1 }),
  fc.constantFrom(']]>', '__proto__', '&amp;', '"'),
);
/** Names are not blank, and XML cannot contain control characters. */
const said = name.filter((text) => text.trim() !== '' && !/[^\P{Cc}\t\r\n]|[\ufffe\uffff]/u.test(text));
const money = fc.integer({ min: -10_000_000_000, max: 1_000_000_000_000 }).map((cents) => cents / 100);
const row: fc.Arbitrary<PerformanceRow> = fc.record({
  category: said,
  subCategory: said,
  manufacturer: said,
  brand: said,
  market: fc.constant('Total US'),
  sales4Weeks: money,
  sales12Weeks: money,
  sales52Weeks: money,
  salesLastYear: money,
  percentChange: fc.option(fc.integer({ min: -1000, max: 100_000 }).map((tenths) => tenths / 10)),
});

async function* chunksOf({ body }: DialectResponse): AsyncGenerator<Uint8Array> {
  for (const chunk of typeof body === 'string' ? [body] : (body as Iterable<string>)) yield Buffer.from(chunk);
}
const profileOf = (response: object) =>
  parseProfile(
    JSON.stringify({ name: 'trial', operations: { [KEY]: { request: { query: { after: '{cursor}' } }, response } } }),
    'trial.json',
  );
const request = {
  operation: operationOf(KEY),
  method: 'GET',
  base: 'http://host',
  path: operationOf(KEY).path,
  query: new URLSearchParams(),
  target: operationOf(KEY).path,
  headers: {},
  body: new Uint8Array(),
};

/** Writes an answer and reads it like the suite. */
async function roundTrip(response: object, answer: ModelAnswer) {
  const profile = profileOf(response);
  const reply = dialectOf(profile).write(answer, request);
  const head = { status: reply.status, reasonPhrase: '', headers: Object.entries(reply.headers) as [string, string][] };
  const rows: Row[] = [];
  const observation = await readBody(
    readingPlanOf(profile, KEY, {}),
    head,
    chunksOf(reply),
    (each) => void rows.push(each),
  );
  return { observation, rows };
}

const AS_OF = 20_771;
const ANSWER = { kind: 'performance', asOf: AS_OF, market: 'Total US' } as const;

describe.each(Object.entries(SHAPES))('%s', (_name, response) => {
  test('rows are read back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 4 }), async (rows) => {
        const { observation, rows: found } = await roundTrip(response, { ...ANSWER, rows });
        expect(observation.problem).toBeUndefined();
        const once = observation.values as Record<string, unknown>;
        for (const [at, expected] of rows.entries()) {
          const { percentChange, ...rest } = { ...expected, asOf: AS_OF };
          for (const [field, value] of Object.entries(rest))
            expect((found[at] as Record<string, unknown>)[field] ?? (once[field] as unknown[])?.[0], field).toBe(value);
          expect(found[at]?.percentChange ?? null).toBe(percentChange);
        }
        expect(found).toHaveLength(rows.length);
      }),
      { numRuns: 30 },
    );
  });
});

/** The body of the response that a profile writes to an answer. */
function written(key: OperationKey, operations: object, answer: ModelAnswer, others: object = {}): string {
  const profile = parseProfile(JSON.stringify({ name: 'trial', operations, ...others }), 'trial.json');
  expect(dialectOf(profile).approximations?.()).toEqual([]);
  const { body } = dialectOf(profile).write(answer, { ...request, operation: operationOf(key) });
  return typeof body === 'string' ? body : [...(body as Iterable<string>)].join('');
}

test('values that patterns find in one text are lines of it', () => {
  const key = 'GET /webservices/getDriveJobStatus';
  const fields = { jobId: { at: '@', match: 'JOB=([0-9]+)' }, state: { at: '@', match: 'STATE=([A-Z]+)' } };
  const operations = { [key]: { request: {}, response: { media: 'text', rows: '$', fields } } };
  const answer = { kind: 'jobStatus', jobId: 'job-1-000042', jobKind: 'drive', state: 'DONE', statusRequests: 2 };
  const jobs = { drive: { start: 'POST /webservices/drive', states: ['NEW', 'DONE'] } };
  const body = written(key, operations, answer as unknown as ModelAnswer, { jobs });
  expect(body).toBe('JOB=1000042\nSTATE=DONE');
});

test('characteristics at several places are written as one value each, as many as the look-up shows', () => {
  const lookUp = 'GET /PLATFORMAPI/prodRef/v1/products/{upc}';
  const delta = 'GET /PLATFORMAPI/prodRef/v1/updateProducts';
  const operations = {
    [lookUp]: {
      request: {},
      response: { rows: '$', fields: { characteristics: "@.all[?@.n=='size' || @.n=='form'].v" } },
    },
    [delta]: { request: {}, response: { rows: '$.rows[*]', fields: { characteristics: "@['a', 'b', 'c']" } } },
  };
  const characteristics = ['1 l', 'light', 'single'].map((value) => ({ name: 'any', value }));
  const product = { upc: '1', activeOn: 1, firstActiveOn: 1, characteristics };
  expect(JSON.parse(written(lookUp, operations, { kind: 'product', asOf: 1, product } as never))).toEqual({
    all: [
      { n: 'size', v: '1 l' },
      { n: 'form', v: 'light' },
    ],
  });
  const windows = [{ weeks: 1, rows: [product] }];
  expect(JSON.parse(written(delta, operations, { kind: 'deltas', asOf: 1, windows } as never))).toEqual({
    rows: [{ a: '1 l', b: 'light', c: '1 l' }],
  });
});

test('a row that is the whole body, beside which a value is read, is an object', () => {
  const key = 'POST /data-access/v1/Catalogue/RefreshDates';
  const fields = { id: '@.catalogue', date: '@.refreshed', asOf: '$.through' };
  const operations = {
    [key]: { request: {}, response: { rows: '$', fields, echoes: { catalogueId: '$.catalogue' } } },
  };
  const items = [{ id: 'weekly', name: 'n', date: 20_771 }];
  const answer = { kind: 'items', asOf: 20_771, items, echo: { catalogueId: 'C1' } };
  expect(JSON.parse(written(key, operations, answer as never))).toEqual({
    catalogue: 'C1',
    refreshed: '2026-11-14',
    through: '2026-11-14',
  });
});

test('a sample keeps its other members and its types', async () => {
  const profile = profileOf(SHAPES['a sample'] as object);
  const first = {
    category: 'C',
    market: 'Total US',
    sales4Weeks: 2,
    sales12Weeks: 3,
    sales52Weeks: 4,
    salesLastYear: 0,
    percentChange: null,
  };
  const reply = dialectOf(profile).write({ ...ANSWER, rows: [first] }, request);
  const body = JSON.parse([...(reply.body as Iterable<string>)].join(''));
  expect(body).toMatchObject({
    note: 'as of yesterday',
    page: { size: 2 },
    rows: [{ size: '1 l', sales4Weeks: '2', sales12Weeks: 3, percentChange: null }],
  });
  expect(body.rows).toHaveLength(1);
  expect(body.rows[0]).not.toHaveProperty('brand');
});

test('values that a fault removed or changed are written unchanged', async () => {
  const row = {
    market: 'CA',
    sales4Weeks: 'n/a',
    sales12Weeks: undefined,
    sales52Weeks: 1,
    salesLastYear: 1,
    percentChange: 0,
  };
  const { rows } = await roundTrip(SHAPES['JSON objects'] as object, { ...ANSWER, rows: [row] });
  expect(rows[0]).toMatchObject({ market: 'CA', sales4Weeks: { why: expect.any(String) }, sales52Weeks: 1 });
  expect(rows[0]?.category).toBeUndefined();
  expect(rows[0]?.sales12Weeks).toBeUndefined();
});

test('a sample supplies the other members that a schema requires', () => {
  const response = { rows: '$.r[*]', fields: { brand: '@.b' }, schemas: { '200': { required: ['r', 'page'] } } };
  expect(() => dialectOf(profileOf({ ...response, sample: { r: [], page: 1 } }))).not.toThrow();
});

test('an unknown id gets an empty list where the profile states a success only', () => {
  const key = 'POST /data-access/v1/Catalogues';
  const response = { rows: '$.items[*]', fields: { id: '@.id' } };
  const body = (unknown: readonly number[]) =>
    written(
      key,
      { [key]: { request: {}, response, statuses: { unknown } } },
      {
        kind: 'unknown',
        input: 'catalogueId',
        value: 'x',
      },
    );
  expect(body([200])).toBe('{"items":[]}');
  expect(JSON.parse(body([200, 410]))).toMatchObject({ status: 410 });
});

describe('refusals have the statuses the profile states', () => {
  const LOOK_UP = 'GET /PLATFORMAPI/prodRef/v1/products/{upc}';
  const statusOf = (statuses: object, answer: ModelAnswer) => {
    const profile = parseProfile(
      JSON.stringify({ name: 'trial', statuses, operations: { [LOOK_UP]: { request: {} } } }),
      'trial.json',
    );
    return dialectOf(profile).write(answer, { ...request, operation: operationOf(LOOK_UP) }).status;
  };
  test.each<[object, number, number, number]>([
    [{}, 404, 400, 401],
    [{ unknown: [410], malformed: [422], unauthorized: [403] }, 410, 422, 403],
    [{ unknown: [200, 204], malformed: [200] }, 204, 400, 401],
  ])('%j', (statuses, unknown, malformed, unauthorized) => {
    expect(statusOf(statuses, { kind: 'unknown', input: 'upc', value: '1' })).toBe(unknown);
    expect(statusOf(statuses, { kind: 'rejected', reason: 'malformed', input: 'upc', detail: '' })).toBe(malformed);
    expect(statusOf(statuses, { kind: 'rejected', reason: 'unauthorized', detail: '' })).toBe(unauthorized);
  });
});

const approximationsOf = (profile: Profile): readonly string[] => dialectOf(profile).approximations?.() ?? [];

describe('what schemas demand besides the bound values is written', () => {
  const FAULT = {
    type: 'object',
    required: ['@type', 'code', 'text'],
    properties: {
      '@type': { const: 'Fault' },
      code: { type: 'string', pattern: '^E-[0-9]{3}$' },
      text: { type: 'string' },
    },
  };
  const PAGE = {
    required: ['r', 'page', 'kind'],
    properties: {
      kind: { enum: ['list', 'item'] },
      page: { $ref: '#/$defs/Page' },
      r: {
        items: {
          properties: { level: { type: 'string' }, sum: { type: 'string', pattern: '^\\d+[.]\\d{2}$' } },
          required: ['id'],
          if: { properties: { level: { const: 'Oil' } } },
          else: { required: ['tea'], properties: { tea: { minimum: 3, multipleOf: 2 } } },
        },
      },
    },
    $defs: {
      Page: { oneOf: [{ type: 'object', required: ['no'], properties: { no: { type: 'integer', minimum: 1 } } }] },
    },
  };
  const respond = async (answer: ModelAnswer, schemas: object, others: object = {}) => {
    const fields = { category: '@.level', sales4Weeks: '@.sum' };
    const profile = profileOf({ rows: '$.r[*]', fields, schemas, ...others });
    expect(approximationsOf(profile)).toEqual([]);
    const response = dialectOf(profile).write(answer, { ...request, operation: operationOf(KEY) });
    const text = typeof response.body === 'string' ? response.body : [...(response.body as Iterable<string>)].join('');
    return { status: response.status, type: response.headers['content-type'], body: JSON.parse(text) as unknown };
  };

  test('in a success, row by row', async () => {
    const rows = ['Tea', 'Oil'].map((category) => ({ category, sales4Weeks: 12.5 }) as PerformanceRow);
    const { body } = await respond({ kind: 'performance', asOf: 20_000, market: 'US', rows }, { 200: PAGE });
    expect(body).toEqual({
      r: [
        { level: 'Tea', sum: '12.50', id: 'text', tea: 4 },
        { level: 'Oil', sum: '12.50', id: 'text' },
      ],
      page: { no: 1 },
      kind: 'list',
    });
  });
  test('in an error, with the message', async () => {
    const rejected: ModelAnswer = { kind: 'rejected', reason: 'malformed', detail: 'the window is 2' };
    expect(await respond(rejected, { default: FAULT })).toEqual({
      status: 400,
      type: 'application/json',
      body: { '@type': 'Fault', code: 'E-000', text: 'the window is 2' },
    });
    expect(await respond(rejected, { '4XX': { required: ['title'] } })).toMatchObject({
      type: 'application/problem+json',
      body: { title: 'Bad request', detail: 'the window is 2' },
    });
  });
  test('in a refusal, with the value by which it is recognised', async () => {
    const answer: ModelAnswer = { kind: 'unknown', input: 'brand', value: 'x' };
    const refusal = [{ at: '$.error.code', is: ['E-404'] }];
    const schema = {
      required: ['error'],
      properties: { error: { required: ['code', 'message'], properties: { message: { type: 'string' } } } },
    };
    expect(await respond(answer, { refusal: schema }, { refusal })).toMatchObject({
      status: 200,
      body: { error: { code: 'E-404', message: 'no brand "x"' } },
    });
  });
});

describe('what cannot be written is left out and named with its key and the reason', () => {
  test.each<[string, object, string, RegExp]>([
    ['a descent', { rows: '$..row' }, 'response.rows', /descendant segment/],
    [
      'a filter of another kind',
      { rows: '$.r[*]', fields: { brand: '@.x[?@.n > 1].v' } },
      'response.fields.brand',
      /filter other than equality/,
    ],
    ['a place from the end', { rows: '$.r[*]', fields: { brand: '@[-1]' } }, 'response.fields.brand', /end of a list/],
    [
      'a pattern without a matching text',
      { rows: '$.r[*]', fields: { brand: { at: '@.b', match: '^\\d{3}: (.*)$' } } },
      'response.fields.brand.match',
      /finds no text/,
    ],
    [
      'a body that no value fits',
      {
        rows: '$.r[*]',
        fields: { brand: '@.b' },
        schemas: { '200': { required: ['page'], properties: { page: false } } },
      },
      'response.schemas["200"]',
      /page/,
    ],
    [
      'errors that no value fits',
      { rows: '$.r[*]', schemas: { '4XX': { type: 'object', minProperties: 99 } } },
      'response.schemas["4XX"]',
      /99/,
    ],
    ['a status', { rows: '$.r[*]', fields: { market: '$response.status' } }, 'response.fields.market', /status/],
    [
      'one place for two fields',
      { rows: '$.r[*]', fields: { brand: '@.n', category: '@.n' } },
      'response.fields.brand',
      /same place/,
    ],
    [
      'one place within another',
      { rows: '$.r[*]', fields: { brand: '@.n', category: '@.n.c' } },
      'response.fields',
      /same place/,
    ],
    [
      'a value outside the lines',
      { media: 'ndjson', rows: '$[*]', fields: { market: '$.market' } },
      'response',
      /same place|can contain only rows/,
    ],
    [
      'an XML document without a root',
      { media: 'xml', rows: '$.R[0].r[*]', fields: { brand: '@.n[0]', market: '$.M[0]' } },
      'response',
      /one root/,
    ],
    [
      'an element that is not a list',
      { media: 'xml', rows: '$.R[0].r[*]', fields: { brand: '@.n' } },
      'response',
      /always lists|cannot contain/,
    ],
    [
      'a day as its week',
      { rows: '$.r[*]', fields: { asOf: { at: '$.w', as: 'isoWeek' } } },
      'response.fields.asOf.as',
      /week/,
    ],
    [
      'a next page with a descent',
      { rows: '$.r[*]', paging: { style: 'cursor', next: '$..next' } },
      'response.paging.next',
      /descendant segment/,
    ],
  ])('%s', (_name, response, key, why) => {
    const [sentence = '', ...others] = approximationsOf(profileOf(response));
    expect(others).toEqual([]);
    expect(sentence).toContain(`${KEY} is`);
    expect(sentence).toContain(key);
    expect(sentence).toMatch(why);
  });
  test.each<[string, object, RegExp]>([
    ['two inputs in one text', { query: { q: '{category}{brand}' } }, /request: .*cannot be separated/],
    [
      'two values of one parameter',
      { query: { q: ['{category}', '{brand}'] } },
      /request: \{brand\} cannot be separated/,
    ],
    [
      'one wire form for two values',
      { query: { b: '{brand}' }, spellings: { brand: { a: 'X', b: 'X' } } },
      /wire form of two values/,
    ],
  ])('%s', (_name, request, why) => {
    const profile = parseProfile(JSON.stringify({ name: 'trial', operations: { [KEY]: { request } } }), 'trial.json');
    expect(approximationsOf(profile)).toEqual([expect.stringMatching(why)]);
  });
  test('one sentence for each operation, and one for the profile', () => {
    const profile = parseProfile(
      JSON.stringify({
        name: 'trial',
        operations: {
          [KEY]: { request: {}, response: { rows: '$..r', fields: { market: '$..b' } } },
          'GET /RetailMeasurement/v1/CategoryPerformance': {
            request: {},
            response: { rows: '$.r', fields: { market: '@.m', category: '@..c', asOf: '$..d' } },
          },
        },
      }),
      'trial.json',
    );
    expect(approximationsOf(profile)).toEqual([
      expect.stringMatching(/^GET \S+\/CategoryPerformance is simulated without .*fields\.category: .*fields\.asOf: /),
      expect.stringMatching(/^GET \S+\/BrandPerformance is not simulated and responds 501: .*rows: /),
    ]);
    const answer: ModelAnswer = { kind: 'performance', asOf: 20_000, market: 'US', rows: [] };
    expect(dialectOf(profile).write(answer, { ...request, operation: operationOf(KEY) }).status).toBe(501);
  });
});

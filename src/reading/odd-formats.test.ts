/** Formats of practice, each read by YAML alone: files, spreadsheets, GraphQL, OData v2, protobuf, SDMX series, GS1. */
import { expect, test } from 'vitest';
import { COLA, METADATA, planOf, readWith, SALES, type Shape, TEA } from './read-shape.test.support.ts';

/** 2026-11-14. */
const DAY = 20_771;
const GRAPHQL = {
  rows: '$.data.products.edges[*].node',
  fields: { upc: '@.upc' },
  paging: { style: 'cursor', next: '$.data.products[?@.hasNextPage==true].endCursor' },
};
const connection = (hasNextPage: boolean, ...nodes: object[]) => ({
  data: { products: { edges: nodes.map((node) => ({ node })), pageInfo: { hasNextPage, endCursor: 'b' } } },
});

const FORMATS: Record<string, Shape> = {
  'CSV without a header, in semicolons': {
    type: 'text/csv',
    response: { csv: { delimiter: ';', header: 0 }, rows: '$[*]', fields: { upc: '@[0]', category: '@[1]' } },
    body: '\uFEFF012345678905;Tea\r\n042100000177;Cola\r\n',
    rows: [TEA, COLA],
  },
  'CSV below a title': {
    type: 'text/csv',
    response: { csv: { header: 3 }, rows: '$[*]', fields: { upc: '@.upc', category: '@.cat' } },
    body: 'All products\nPrinted,2026-11-14\nupc,cat\n012345678905,Tea\n',
    rows: [TEA],
  },
  'CSV between comment lines, with quotes in cells': {
    type: 'text/csv',
    response: {
      csv: { delimiter: ';', comment: '#' },
      rows: '$[*]',
      refusal: [{ at: "$response.line['#RC'][0]", isNot: ['0'] }],
      fields: { upc: '@.upc', category: '@.cat', asOf: { at: "$response.line['#AsOf'][0]", as: 'european' } },
    },
    body: '#RC;0\n#AsOf;14.11.2026;46\nupc;cat\n012345678905;"Tea"\n"042100000177";Cola\n#Rows;2\n',
    rows: [TEA, COLA],
    values: { asOf: [20_771] },
  },
  'cells of lines above the names of columns': {
    type: 'text/csv',
    response: {
      csv: { header: 2, comment: ['--', '%'] },
      rows: '$[*]',
      fields: { upc: '@.upc', category: '@.cat', asOf: "$response.line['As of'][0]" },
    },
    body: '-- a list\nAs of,2026-11-14\nupc,cat\n%\n012345678905,Tea\n',
    rows: [TEA],
    values: { asOf: [20_771] },
  },
  'one product as lines of name and value, a name twice': {
    type: 'text/csv',
    response: {
      rows: '$[*]',
      shape: { pivot: { by: [], key: '@.name', value: '@.value', as: 'of' } },
      fields: { upc: '@.of.upc', category: '@.of.cat', market: '@.of.claim[1]' },
    },
    body: 'name,value\nupc,012345678905\nclaim,vegan\nclaim,organic\ncat,Tea\n',
    rows: [{ ...TEA, market: 'organic' }],
  },
  'several values in one cell': {
    operation: METADATA,
    response: { fields: { category: { at: '$.categories', split: ';' }, brand: { at: '$.brands[*]', split: '|' } } },
    body: { categories: 'Tea; Cola;', brands: ['Sun|Moon', 'Acme'] },
    values: { category: ['Tea', 'Cola'], brand: ['Sun', 'Moon', 'Acme'] },
  },
  'columns with their names': {
    response: {
      rows: '$.columns',
      shape: { zip: { name: '@.id', cells: '@.values' } },
      fields: { upc: '@.upc', category: '@.cat' },
    },
    body: {
      columns: [
        { id: 'upc', values: [TEA.upc, COLA.upc] },
        { id: 'cat', values: ['Tea', 'Cola'] },
      ],
    },
    rows: [TEA, COLA],
  },
  'SDMX series': {
    operation: SALES,
    response: {
      rows: '$.dataSets[0].series',
      shape: {
        cube: {
          axes: { brand: '$.brands', cat: '$.cats', period: '$.periods' },
          separator: ':',
          series: 'observations',
        },
        pivot: { by: ['@.brand', '@.cat'], key: '@.period', value: '@.value[0]', as: 'of' },
      },
      fields: { brand: '@.brand', sales4Weeks: "@.of['4W']", salesLastYear: "@.of['LY']" },
    },
    body: {
      brands: ['Sun', 'Moon'],
      cats: ['Tea'],
      periods: ['4W', 'LY'],
      dataSets: [
        {
          series: {
            '0:0': { attributes: [0], observations: { 0: [10], 1: [9] } },
            '1:0': { observations: { 0: [20], 1: [18] } },
          },
        },
      ],
    },
    rows: [
      { brand: 'Sun', sales4Weeks: 10, salesLastYear: 9 },
      { brand: 'Moon', sales4Weeks: 20, salesLastYear: 18 },
    ],
  },
  'a spreadsheet: serial dates, a minus behind the number': {
    operation: SALES,
    response: {
      rows: '$[*]',
      fields: {
        brand: '@.b',
        sales4Weeks: { at: '@.w4', as: 'usd' },
        sales12Weeks: { at: '@.w12', as: 'decimalComma' },
        asOf: { at: '$[0].on', as: 'excelSerial' },
      },
    },
    body: [{ b: 'Sun', w4: '1,234.50-', w12: '1 234,50-', on: 46_340.5 }],
    rows: [{ brand: 'Sun', sales4Weeks: -1234.5, sales12Weeks: -1234.5 }],
    values: { asOf: [DAY] },
  },
  'dates of OData v2 and of databases': {
    response: {
      rows: '$.d.results[*]',
      fields: {
        upc: '@.u',
        activeOn: { at: '@.on', match: 'Date\\((-?\\d+)', as: 'epochMillis' },
        changedOn: { at: '@.ch', as: 'monthName' },
      },
    },
    body: { d: { results: [{ u: TEA.upc, on: `/Date(${DAY * 86_400_000})/`, ch: '14-NOV-2026' }] } },
    rows: [{ upc: TEA.upc, activeOn: DAY, changedOn: DAY }],
  },
  'GraphQL with a further page': {
    response: GRAPHQL,
    body: connection(true, { upc: TEA.upc }),
    rows: [{ upc: TEA.upc }],
    next: 'b',
  },
  'GraphQL whose last page has a cursor': { response: GRAPHQL, body: connection(false) },
  'NDJSON with a line about the lines': {
    type: 'application/x-ndjson',
    response: { rows: "$[?@.type=='row']", fields: { upc: '@.upc', asOf: "$[?@.type=='meta'].asOf" } },
    body: `{"type":"meta","asOf":"2026-11-14"}\n{"type":"row","upc":"${TEA.upc}"}\n`,
    rows: [{ upc: TEA.upc }],
    values: { asOf: [DAY] },
  },
  'a delta by kind, removed products as bare texts': {
    response: {
      rows: '$.changes.*[*]',
      shape: { keys: ['kind', 'at'] },
      fields: { upc: "@['upc','value']", market: '@.kind' },
    },
    body: { changes: { added: [{ upc: TEA.upc }], removed: [COLA.upc] } },
    rows: [
      { upc: TEA.upc, market: 'added' },
      { upc: COLA.upc, market: 'removed' },
    ],
  },
  'GS1: a digital link, texts by language, protobuf timestamps': {
    response: {
      rows: '$[*]',
      fields: {
        upc: { at: '@.id', match: '/01/(\\d{14})', as: 'gtin14' },
        category: "@.names[?@.lang=='en'].text",
        activeOn: { at: '@.on.seconds', as: 'epochSeconds' },
      },
    },
    body: [
      {
        id: `https://id.gs1.org/01/00${TEA.upc}`,
        names: [
          { lang: 'fr', text: 'Thé' },
          { lang: 'en', text: 'Tea' },
        ],
        on: { seconds: String(DAY * 86_400), nanos: 0 },
      },
    ],
    rows: [{ ...TEA, activeOn: DAY }],
  },
  'a form': {
    type: 'application/x-www-form-urlencoded',
    response: { media: 'text', fields: { market: { at: '$', match: '(?:^|&)market=([^&]*)', as: 'urlPart' } } },
    body: 'page=1&market=Total%20US',
    values: { market: ['Total US'] },
  },
};

test.each(Object.entries(FORMATS))('%s', async (_, { operation, type, response, body, rows = [], values, next }) => {
  const observation = await readWith(planOf(response, operation), body, { type: type ?? 'application/json' });
  expect(observation.problem).toBeUndefined();
  expect(observation.found).toEqual(rows);
  expect(observation.next).toBe(next);
  if (values) expect(observation.values).toEqual(values);
});

test('a refusal of CSV stands in a comment line', async () => {
  const response = {
    csv: { delimiter: ';', comment: '#' },
    rows: '$[*]',
    refusal: { at: "$response.line['#RC'][0]", isNot: '0', like: 404 },
    fields: { upc: '@.upc' },
  };
  const { refusal, rows } = await readWith(planOf(response), '#RC;10;no such category\n', { type: 'text/csv' });
  expect([refusal?.like, rows]).toEqual([404, 0]);
});

test.each([
  ['split beside append', { fields: { category: { at: '$.a', append: ['$.b'], split: ';' } } }, /split beside keys/],
  [
    'series without a separator',
    { rows: '$.s', shape: { cube: { axes: { brand: '$.b' }, series: 'obs' } } },
    /series needs separator/,
  ],
])('%s is refused', (_, response, says) => {
  expect(() => planOf(response)).toThrow(says);
});

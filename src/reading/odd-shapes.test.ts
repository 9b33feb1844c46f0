/** Shapes of five dialects of practice, each read by YAML alone: statistics, tables, compound documents, OData, master data. */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { COLA, METADATA, planOf, readWith, SALES, type Shape, TEA } from './read-shape.test.support.ts';

const PRODUCTS = [TEA, COLA];
const CSV = 'upc;cat\r\n012345678905;Tea\r\n042100000177;Cola\r\n';
const csvFields = { upc: '@.upc', category: '@.cat' };

const DIALECTS: Record<string, Record<string, Shape>> = {
  'statistics (JSON-stat, SDMX-JSON)': {
    'a dense cube of values with a measure axis': {
      operation: SALES,
      response: {
        rows: '$.value',
        shape: {
          cube: {
            axes: {
              brand: '$.dimension.brand.category.index',
              window: '$.dimension.window.category.index',
            },
          },
          pivot: { by: ['@.brand'], key: '@.window', value: '@.value', as: 'sales' },
          join: { name: { in: '$.dimension.brand.category.label', equals: '@.brand' } },
        },
        fields: { brand: '@.name', sales4Weeks: "@.sales['4W']", salesLastYear: "@.sales['LY']" },
      },
      body: {
        id: ['brand', 'window'],
        size: [2, 2],
        dimension: {
          brand: { category: { index: { b2: 1, b1: 0 }, label: { b1: 'Sun', b2: 'Moon' } } },
          window: { category: { index: ['4W', 'LY'] } },
        },
        value: [10, 100, 20, null],
      },
      rows: [
        { brand: 'Sun', sales4Weeks: 10, salesLastYear: 100 },
        { brand: 'Moon', sales4Weeks: 20, salesLastYear: undefined },
      ],
    },
    'observations by position keys': {
      operation: SALES,
      response: {
        rows: '$.dataSets[0].observations',
        shape: {
          cube: {
            axes: {
              category: '$.structure.dimensions.observation[0].values[*].name',
              brand: '$.structure.dimensions.observation[1].values[*].name',
            },
            separator: ':',
          },
        },
        fields: { category: '@.category', brand: '@.brand', sales4Weeks: '@.value[0]' },
      },
      body: {
        dataSets: [{ observations: { '0:1': [7.5, null], '1:0': [8, 0] } }],
        structure: {
          dimensions: {
            observation: [
              { values: [{ name: 'Tea' }, { name: 'Cola' }] },
              { values: [{ name: 'Sun' }, { name: 'Moon' }] },
            ],
          },
        },
      },
      rows: [
        { category: 'Tea', brand: 'Moon', sales4Weeks: 7.5 },
        { category: 'Cola', brand: 'Sun', sales4Weeks: 8 },
      ],
    },
    'names as the keys of a map': {
      operation: METADATA,
      response: { fields: { brand: { at: '$.dimension.brand.label', keys: true } } },
      body: { dimension: { brand: { label: { Sun: 1, Moon: 2 } } } },
      values: { brand: ['Sun', 'Moon'] },
    },
    'figures in thousands': {
      operation: SALES,
      response: { rows: '$.r[*]', fields: { brand: '@.b', sales4Weeks: { at: '@.k', decimals: -3 } } },
      body: { r: [{ b: 'Sun', k: 12.5 }] },
      rows: [{ brand: 'Sun', sales4Weeks: 12_500 }],
    },
  },
  'tables of a reporting API': {
    'cells named by a list of column objects': {
      response: {
        rows: '$.rows[*]',
        shape: { columns: '$.columns[*].name' },
        fields: { upc: '@.gtin', category: "@['Category Name']" },
      },
      body: {
        columns: [{ name: 'Category Name' }, { name: 'gtin' }],
        rows: PRODUCTS.map(({ upc, category }) => [category, upc]),
      },
      rows: PRODUCTS,
    },
    'cells named by the first row': {
      response: { rows: '$.values[*]', shape: { columns: 'first' }, fields: csvFields },
      body: { values: [['upc', 'cat'], ...PRODUCTS.map(({ upc, category }) => [upc, category])] },
      rows: PRODUCTS,
    },
    'parallel lists': {
      response: { rows: '$.data', shape: { zip: true }, fields: csvFields },
      body: { data: { upc: PRODUCTS.map(({ upc }) => upc), cat: ['Tea', 'Cola'], total: 2 } },
      rows: PRODUCTS,
    },
    'one row per sales window': {
      operation: SALES,
      response: {
        rows: '$.rows[*]',
        shape: { pivot: { by: ['@.brand', '@.cat'], key: '@.period', value: '@.dollars', as: 'by' } },
        fields: { brand: '@.brand', sales4Weeks: "@.by['4W']", sales52Weeks: "@.by['52W']" },
      },
      body: {
        rows: [
          { brand: 'Sun', cat: 'Tea', period: '4W', dollars: 1 },
          { brand: 'Moon', cat: 'Tea', period: '4W', dollars: 3 },
          { brand: 'Sun', cat: 'Tea', period: '52W', dollars: 2 },
          { brand: 'Sun', cat: 'Tea', period: '4W', dollars: 9 },
        ],
      },
      // A second value of a window is a second row, so that rules see it.
      rows: [
        { brand: 'Sun', sales4Weeks: 1, sales52Weeks: 2 },
        { brand: 'Moon', sales4Weeks: 3, sales52Weeks: undefined },
        { brand: 'Sun', sales4Weeks: 9, sales52Weeks: undefined },
      ],
    },
  },
  'compound documents (JSON:API, GraphQL)': {
    'a related node in `included`': {
      response: {
        rows: '$.data[*]',
        shape: {
          join: {
            category: {
              in: "$.included[?@.type=='categories']",
              where: '@.id',
              equals: '@.relationships.category.data.id',
            },
          },
        },
        fields: { upc: '@.id', category: '@.category.attributes.name' },
      },
      body: {
        data: [
          { type: 'products', id: TEA.upc, relationships: { category: { data: { type: 'categories', id: '7' } } } },
          { type: 'products', id: COLA.upc, relationships: { category: { data: { type: 'categories', id: '8' } } } },
        ],
        included: [
          { type: 'brands', id: '7', attributes: { name: 'Sun' } },
          { type: 'categories', id: '8', attributes: { name: 'Cola' } },
          { type: 'categories', id: '7', attributes: { name: 'Tea' } },
        ],
      },
      rows: PRODUCTS,
    },
    'a dictionary of labels': {
      response: {
        rows: '$.items[*]',
        shape: { join: { label: { in: '$.labels', equals: '@.c' } } },
        fields: { upc: '@.u', category: '@.label' },
      },
      body: {
        labels: { 1: 'Tea', 2: 'Cola' },
        items: [
          { u: TEA.upc, c: 1 },
          { u: COLA.upc, c: 2 },
        ],
      },
      rows: PRODUCTS,
    },
  },
  'OData and SOAP': {
    'rows below a parent that names them': {
      response: {
        rows: '$.value[*].Products[*]',
        shape: { parents: ['category'] },
        fields: { upc: '@.Gtin', category: '@.category.Name' },
      },
      body: {
        value: [
          { Name: 'Tea', Products: [{ Gtin: TEA.upc }] },
          { Name: 'Cola', Products: [{ Gtin: COLA.upc }] },
        ],
      },
      rows: PRODUCTS,
    },
    'names as the keys of nested maps': {
      response: {
        rows: '$.tree.*.*',
        shape: { keys: ['category', 'upc'] },
        fields: { upc: '@.upc', category: '@.category' },
      },
      body: { tree: { Tea: { [TEA.upc]: {} }, Cola: { [COLA.upc]: 'x' } } },
      rows: PRODUCTS,
    },
    'parents in XML': {
      response: {
        rows: '$.Envelope[0].Body[0].cat[*].p[*]',
        shape: { parents: ['cat'] },
        fields: { upc: "@['@gtin']", category: "@.cat['@name']" },
      },
      body: `<s:Envelope xmlns:s="urn:s"><s:Body><cat name="Tea"><p gtin="${TEA.upc}"/></cat><cat name="Cola"><p gtin="${COLA.upc}"/></cat></s:Body></s:Envelope>`,
      rows: PRODUCTS,
    },
  },
  'master-data exports': {
    'products by UPC': {
      response: { rows: '$.*', shape: { keys: ['upc'] }, fields: { upc: '@.upc', category: '@.cat' } },
      body: { [TEA.upc]: { cat: 'Tea' }, [COLA.upc]: { cat: 'Cola' } },
      rows: PRODUCTS,
    },
    'CSV within JSON': {
      response: { rows: '$.file', shape: { text: { media: 'csv', delimiter: ';' } }, fields: csvFields },
      body: { file: CSV },
      rows: PRODUCTS,
    },
    'compressed CSV in base64': {
      response: {
        rows: '$.file',
        shape: { text: { media: 'csv', delimiter: ';', encoding: 'gzip' } },
        fields: csvFields,
      },
      body: { file: gzipSync(CSV).toString('base64') },
      rows: PRODUCTS,
    },
    'JSON within XML': {
      response: {
        rows: '$.string[0]',
        shape: { text: { media: 'json', rows: '$.items[*]' } },
        fields: { upc: '@.upc', category: '@.category' },
      },
      body: `<string xmlns="urn:x">${JSON.stringify({ items: PRODUCTS })}</string>`,
      rows: PRODUCTS,
    },
    'a UPC in parts, and a date in members': {
      response: {
        rows: '$.p[*]',
        fields: {
          upc: { at: '@.company', append: ['@.item', '@.check'] },
          activeOn: { at: '@.on.y', append: ['@.on.m', '@.on.d'], separator: '-' },
        },
      },
      body: {
        p: [{ company: '012345', item: '67890', check: 5, on: { y: 1970, m: '01', d: '03' } }, { company: '1' }],
      },
      rows: [
        { upc: TEA.upc, activeOn: 2 },
        { upc: undefined, activeOn: undefined },
      ],
    },
    'money with its scale': {
      operation: SALES,
      response: {
        rows: '$.r[*]',
        fields: { brand: '@.b', sales4Weeks: { at: '@.w4.amount', decimals: '@.w4.scale' } },
      },
      body: {
        r: [
          { b: 'Sun', w4: { amount: 123_456, scale: 2 } },
          { b: 'Moon', w4: { amount: null, scale: 2 } },
        ],
      },
      rows: [
        { brand: 'Sun', sales4Weeks: 1234.56 },
        { brand: 'Moon', sales4Weeks: null },
      ],
    },
  },
};

describe.each(Object.entries(DIALECTS))('%s', (_, shapes) => {
  test.each(Object.entries(shapes))('%s', async (_name, { operation, response, body, rows = [], values }) => {
    const observation = await readWith(planOf(response, operation), body);
    expect(observation.problem).toBeUndefined();
    expect(observation.found).toEqual(rows);
    if (values) expect(observation.values).toEqual(values);
  });
});

test('a long map of rows is streamed', async () => {
  const shelf = Object.fromEntries(
    Array.from({ length: 5000 }, (_, at) => [String(100_000_000_000 + at), { cat: `c"{${at}` }]),
  );
  const response = {
    rows: '$.shelf.*',
    shape: { keys: ['upc'] },
    fields: { upc: '@.upc', category: '@.cat', asOf: '$.asOf' },
  };
  const plan = { ...planOf(response), maxWholeBytes: 200 };
  const { found, values, problem } = await readWith(plan, { shelf, asOf: '1970-01-02' }, { size: 1000 });
  expect(problem).toBeUndefined();
  expect(values.asOf).toEqual([1]);
  expect(found).toHaveLength(5000);
  expect(found.at(-1)).toEqual({ upc: '100000004999', category: 'c"{4999' });
});

test('a UPC that a map contains twice is two rows', async () => {
  const text = `{"shelf": {"${TEA.upc}": {"cat": "a:,\\"{"}, "__proto__": {}, "${TEA.upc}" : [1, {"b": ","}] } }`;
  const plan = planOf({ rows: '$.shelf.*', shape: { keys: ['upc'] }, fields: { upc: '@.upc', category: '@.cat' } });
  const { problem, found } = await readWith(plan, text, { type: 'application/json', size: 5 });
  expect(problem).toBeUndefined();
  const upcs = found.map(({ upc }) => (typeof upc === 'string' ? upc : 'unconverted'));
  expect(upcs).toEqual([TEA.upc, 'unconverted', TEA.upc]);
});

test.each([
  [
    'lists of different lengths',
    { rows: '$.d', shape: { zip: true } },
    { d: { a: [1, 2], b: [1] } },
    /a has 2 cells, b 1/,
  ],
  [
    'more cells than names',
    { rows: '$.r[*]', shape: { columns: '$.c[*]' } },
    { c: ['a'], r: [[1, 2]] },
    /2 cells.*1 column names/,
  ],
  [
    'a value outside the cube',
    { rows: '$.v', shape: { cube: { axes: { a: '$.a[*]' } } } },
    { a: [1], v: [1, 2] },
    /"1".*1 positions/,
  ],
  ['no base64', { rows: '$.f', shape: { text: { media: 'csv', encoding: 'base64' } } }, { f: '<>' }, /not base64/],
  ['no gzip', { rows: '$.f', shape: { text: { media: 'csv', encoding: 'gzip' } } }, { f: 'YWJj' }, /not gzip/],
  ['nothing at the path', { rows: '$.shelf.*', shape: { keys: ['upc'] } }, { other: 1 }, /finds no rows/],
])('%s is a problem of the body', async (_, response, body, message) => {
  const { problem } = await readWith(planOf({ ...response, fields: { upc: '@.upc' } }), body);
  expect(problem?.message).toMatch(message);
});

test.each([
  ['$.a', { keys: ['upc'] }],
  ['$.a.*', { keys: ['upc'] }],
  ['$.a[*]', { columns: 'first' }],
  ['$.a', { zip: true }],
])('no rows at %s with %j are an empty list', async (rows, shape) => {
  if (rows === '$.a' && 'keys' in shape) return expect(() => planOf({ rows, shape })).toThrow('0 wildcards');
  const plan = planOf({ rows, shape, fields: { upc: '@.upc' } });
  const { problem, found } = await readWith(plan, { a: rows.endsWith('[*]') ? [] : {} });
  expect([problem, found]).toEqual([undefined, []]);
});

test.each([
  [{ shape: { zip: true } }, 'declare response.rows'],
  [{ rows: '$.a', shape: {} }, 'is empty'],
  [{ rows: '$.a', shape: { zip: true, columns: 'first' } }, 'has zip and columns'],
  [{ rows: '$.a[*]', shape: { zip: true, keys: ['k'] } }, 'keys and parents name nothing'],
  [{ rows: '$..a', shape: { keys: ['k'] } }, 'path of names, indexes and wildcards'],
  [{ rows: '$.a[*]', shape: { keys: ['k', 'l'] } }, 'names 2 keys, but response.rows has 1 wildcards'],
  [{ rows: '$.a[*]', shape: { parents: ['p'] } }, 'find 0 above the row'],
  [{ rows: '$.a[*]', shape: { columns: '@.a' } }, 'within the whole response'],
  [{ rows: '$.a[*]', fields: { upc: { at: '@.a', separator: '-' } } }, 'declare append'],
  [{ rows: '$.a[*]', fields: { upc: { at: '@.a', append: ['$.b'] } } }, 'all with @ or all with $'],
  [{ rows: '$.a[*]', fields: { category: { at: '@.a', decimals: 2 } } }, 'category is no number'],
  [{ rows: '$.a[*]', fields: { characteristics: { at: '@.a', code: 'x' } } }, 'characteristics is no text'],
  [
    { rows: '$.a[*]', fields: { characteristics: { at: '@.a', as: 'cents' } } },
    'allowed here: text, trimmed, urlPart, list',
  ],
  [{ rows: '$.a[*]', fields: { asOf: { at: '$.d', as: 'cents' } } }, 'as: cents, which reads no value of asOf'],
  [{ rows: '$.a[*]', counts: [{ at: '$.n', of: 'page', as: 'text' }] }, 'as: text, which reads no value of a count'],
  [{ rows: '$.a[*]', counts: [{ at: '$.n', of: 'page', as: 'iso' }] }, 'reads no value of a count'],
  [{ rows: '$.a[*]', counts: [{ at: '$.n', of: 'page', separator: '-' }] }, 'declare append'],
  [{ rows: '$.a[*]', echoes: { window: { at: '$.n', decimals: 2 } } }, 'an echo is no number'],
])('%j is refused', (response, message) => {
  expect(() => planOf(response)).toThrow(message);
});

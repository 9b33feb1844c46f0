import { describe, expect, test } from 'vitest';
import { buildRequest } from '../../exchange/request.ts';
import type { WireRequest } from '../../exchange/types.ts';
import fc from '../../seeded-fast-check.test.support.ts';
import { parseProfile } from '../parse-profile.ts';
import type { RequestTemplate } from '../schema.ts';
import { requestReader } from './request-reader.ts';

const KEY = 'GET /RetailMeasurement/v1/BrandPerformance';
const POST = 'POST /data-access/v1/Catalogue/Group/Level/Values';

/** What a server would have of a request. */
function received({ url, headers, body }: WireRequest) {
  const { searchParams } = new URL(url);
  return {
    query: searchParams,
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    body: body ?? new Uint8Array(),
  };
}

function roundTrip(key: typeof KEY | typeof POST, request: RequestTemplate, inputs: Record<string, string | number>) {
  const profile = parseProfile(JSON.stringify({ name: 'trial', operations: { [key]: { request } } }), 'trial.json');
  const wire = buildRequest('http://host', key, profile, inputs);
  return requestReader(profile.data.operations?.[key]?.request)(received(wire));
}

/** What breaks careless encoders is drawn more often than the rest of Unicode. */
const awkward = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1 }),
  fc.string({ unit: fc.constantFrom(...`"'&<>%+{}\\/ =;,#?|:()é漢🍏`), minLength: 1 }),
  fc.constantFrom(
    "' and brand eq 'x",
    '" AND maker:"x',
    '{brand}',
    '{{',
    '&amp;',
    '%26',
    'a+b',
    "it''s",
    '\\',
    "\\'",
    'Tea & Infusions',
  ),
);
const NAMES = ['category', 'subCategory', 'manufacturer', 'brand'] as const;
const some = (value: fc.Arbitrary<string>) =>
  fc.record({ category: value, subCategory: value, manufacturer: value, brand: value }, { requiredKeys: [] });
const all = fc.record({ catalogueId: awkward, dimension: awkward, group: awkward, level: awkward });

const QUERIES: [string, RequestTemplate][] = [
  ['one parameter each', { query: Object.fromEntries(NAMES.map((name) => [name, `{${name}}`])) }],
  [
    'constants around',
    { query: { market: 'US', c: 'cat:{category}', s: '{{{subCategory}}}', b: '({brand})', m: '{manufacturer}*' } },
  ],
  ['a list under one name', { query: { fq: NAMES.map((name) => `${name}:{${name}}`) } }],
  ['OData clauses', { query: { filter: { join: ' and ', clauses: NAMES.map((name) => `${name} eq '{${name}}'`) } } }],
  [
    'backslashed clauses',
    { query: { q: { join: ' AND ', clauses: ['market:US', ...NAMES.map((name) => `${name}:"{${name}}"`)] } } },
  ],
  ['form', { form: Object.fromEntries(NAMES.map((name) => [name, `{${name}}`])) }],
  [
    'JSON',
    {
      json: {
        filter: {
          category: '{category}',
          more: [{ subCategory: '{subCategory}' }],
          by: { maker: 'm={manufacturer}', brand: '{brand}' },
        },
      },
    },
  ],
  ['JSON conditions', { json: { where: NAMES.map((name) => ({ field: name, op: 'eq', value: `{${name}}` })) } }],
];

describe('the inputs of a filled template are extracted', () => {
  test.each(QUERIES)('%s', (_name, template) => {
    const key = 'query' in template ? KEY : POST;
    fc.assert(
      fc.property(some(awkward), (inputs) => {
        expect(roundTrip(key, template, inputs)).toEqual(inputs);
      }),
    );
  });
  test('clauses without quotes, if values contain no separator', () => {
    const template = { query: { f: { join: ';', clauses: NAMES.map((name) => `${name}=={${name}}`) } } };
    const values = fc.string({ unit: 'binary', minLength: 1 }).filter((value) => !value.includes(';'));
    fc.assert(
      fc.property(some(values), (inputs) => {
        expect(roundTrip(KEY, template, inputs)).toEqual(inputs);
      }),
    );
  });
  test('headers, for values that HTTP allows', () => {
    const template = { headers: { 'X-Cat': '{category}', 'X-Brand': 'b="{brand}"' } };
    const values = fc.stringMatching(/^[!-~]([ -~]*[!-~])?$/);
    fc.assert(
      fc.property(fc.record({ category: values, brand: values }, { requiredKeys: [] }), (inputs) => {
        expect(roundTrip(KEY, template, inputs)).toEqual(inputs);
      }),
    );
  });
  test.each([
    [
      'elements',
      '<?xml version="1.0"?>\n<q:Ask xmlns:q="urn:q">\n  <q:Cat>{catalogueId}</q:Cat><D>{dimension}</D>\n<G>{group}</G><L>{level}</L></q:Ask>\n',
    ],
    ['attributes', '<Ask c="{catalogueId}" d=\'{dimension}\'><G>g: {group}</G><L>{level}</L></Ask>'],
  ])('XML %s', (_name, xml) => {
    fc.assert(
      fc.property(all, (inputs) => {
        expect(roundTrip(POST, { xml }, inputs)).toEqual(inputs);
      }),
    );
  });
  test('any other text with one input', () => {
    const template = { raw: { type: 'text/plain', text: 'catalogue={catalogueId}\n' } };
    fc.assert(
      fc.property(awkward, (catalogueId) => {
        expect(roundTrip(POST, template, { catalogueId })).toEqual({ catalogueId });
      }),
    );
  });
});

test('spellings are inverted, and numbers in JSON are read as texts', () => {
  const spellings = { level: { top: 1, bottom: 2 } };
  expect(roundTrip(POST, { json: { l: '{level}' }, spellings }, { level: 'bottom' })).toEqual({ level: 'bottom' });
  expect(roundTrip(POST, { json: { l: '{level}' }, spellings }, { level: 'other' })).toEqual({ level: 'other' });
});

describe('what others send', () => {
  const ask = (template: RequestTemplate, body: string, query = '') =>
    requestReader(template)({ query: new URLSearchParams(query), headers: {}, body: new TextEncoder().encode(body) });

  test('constants are not compared: they are examples of other parameters', () => {
    const template = { query: { market: 'US', c: '{category}' }, json: { state: 'NY' } };
    expect(ask(template, '{"state":"CA"}', 'market=CA&c=Tea&more=1')).toEqual({ category: 'Tea' });
    expect(ask(template, '')).toEqual({});
  });
  test('but within lists they distinguish the elements, in any order', () => {
    const template = {
      json: {
        where: [
          { f: 'c', v: '{category}' },
          { f: 'b', v: '{brand}' },
        ],
      },
    };
    expect(ask(template, '{"where":[{"f":"x","v":1},{"f":"b","v":"Sun"},{"f":"c","v":"Tea"}]}')).toEqual({
      brand: 'Sun',
      category: 'Tea',
    });
  });
  test('clauses may have another order', () => {
    const template = { query: { f: { join: ' and ', clauses: ["c eq '{category}'", "b eq '{brand}'"] } } };
    expect(ask(template, '', `f=${encodeURIComponent("b eq 'S and b' and c eq 'T''s'")}`)).toEqual({
      brand: 'S and b',
      category: "T's",
    });
  });
  test.each([
    ['no JSON', { json: { c: '{catalogueId}' } }, '{"c":', ''],
    ['no such expression', { query: { f: { join: ' and ', clauses: ["c eq '{category}'"] } } }, '', 'f=c+ne+1'],
    ['another XML document', { xml: '<a>{catalogueId}</a>' }, '<b>1</b>', ''],
    ['no UTF-8', { json: { c: '{catalogueId}' } }, '\ufffd', ''],
  ])('%s cannot be read', (_name, template, body, query) => {
    const bytes = body === '\ufffd' ? new Uint8Array([0xff]) : new TextEncoder().encode(body);
    expect(
      requestReader(template as RequestTemplate)({ query: new URLSearchParams(query), headers: {}, body: bytes }),
    ).toBeUndefined();
  });
});

test.each<[RequestTemplate, string]>([
  [{ form: { 'ids[]': ['{dimension}', '{group}'], level: '{level}' } } as RequestTemplate, 'a form with a list'],
  [
    {
      multipart: { level: '{level}', both: ['d:{dimension}', 'g:{group}'], file: { filename: 'x.csv', text: 'fixed' } },
    } as RequestTemplate,
    'multipart',
  ],
  [
    {
      multipart: { list: { filename: '{level}.csv', type: 'text/csv', text: 'd,g\r\n{dimension},{group}\r\n' } },
    } as RequestTemplate,
    'a file',
  ],
])('%j is read back', (request) => {
  const inputs = { dimension: 'a & b', group: 'x"y', level: '3' };
  expect(roundTrip(POST, request, inputs)).toEqual(inputs);
});

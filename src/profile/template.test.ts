import { expect, test } from 'vitest';
import { parseProfile } from './parse-profile.ts';
import type { RequestTemplate } from './schema.ts';
import { fillTemplate, inputsIn, mentionedInputs } from './template.ts';

const requestOf = (yaml: string) =>
  parseProfile(
    `name: t\noperations:\n  GET /RetailMeasurement/v1/CategoryPerformance:\n    request: ${yaml}\n`,
    't.yaml',
  ).data.operations?.['GET /RetailMeasurement/v1/CategoryPerformance']?.request ?? {};

test('a member whose input has no value is left out', () => {
  const request = requestOf(
    '{ query: { c: "{category}", fixed: US, n: 3 }, headers: { X-Brand: "{brand}", X-One: "1" } }',
  );
  expect(fillTemplate(request, {})).toEqual({
    query: [
      ['fixed', 'US'],
      ['n', '3'],
    ],
    headers: [['X-One', '1']],
  });
  expect(fillTemplate(request, { category: 'A & B', brand: 'x' })).toEqual({
    query: [
      ['c', 'A & B'],
      ['fixed', 'US'],
      ['n', '3'],
    ],
    headers: [
      ['X-Brand', 'x'],
      ['X-One', '1'],
    ],
  });
});

test('clauses are joined, and quotes escaped as the clause quotes', () => {
  const odata = requestOf(`{ query: { f: { join: " and ", clauses: ["c eq '{category}'", "b eq '{brand}'"] } } }`);
  expect(fillTemplate(odata, { category: "Men's", brand: "O'B" }).query).toEqual([
    ['f', "c eq 'Men''s' and b eq 'O''B'"],
  ]);
  expect(fillTemplate(odata, { brand: 'x' }).query).toEqual([['f', "b eq 'x'"]]);
  expect(fillTemplate(odata, {}).query).toEqual([]);
  const double = requestOf(`{ query: { f: { join: ";", clauses: ['c="{category}"'] } } }`);
  expect(fillTemplate(double, { category: 'a "b" \\' }).query).toEqual([['f', 'c="a \\"b\\" \\\\"']]);
  const none = requestOf(`{ query: { f: { join: ";", clauses: ["c:{category}"] } } }`);
  expect(fillTemplate(none, { category: "Men's" }).query).toEqual([['f', "c:Men's"]]);
});

test('JSON bodies preserve the type of a single value, and omit members and elements without a value', () => {
  const request = requestOf(
    '{ json: { id: "{catalogueId}", deep: { d: "{dimension}", k: 1 }, list: ["{group}", "x-{level}"] } }',
  );
  expect(JSON.parse(fillTemplate(request, { catalogueId: 7, level: 'L' }).body?.text ?? '')).toEqual({
    id: 7,
    deep: { k: 1 },
    list: ['x-L'],
  });
});

test('forms, XML and raw bodies', () => {
  expect(fillTemplate(requestOf('{ form: { a: "{brand}", b: "{category}" } }'), { brand: 'a b&c' }).body?.text).toBe(
    'a=a+b%26c',
  );
  expect(fillTemplate(requestOf('{ xml: "<q>{brand}</q>" }'), { brand: '<a> & "b"' }).body?.text).toBe(
    '<q>&lt;a&gt; &amp; &quot;b&quot;</q>',
  );
  expect(
    fillTemplate(requestOf('{ raw: { type: text/x, text: "{{literal}} {brand}" } }'), { brand: 'B' }).body,
  ).toEqual({ type: 'text/x', text: '{literal} B' });
});

test('spellings and repeated parameters', () => {
  const request = requestOf('{ query: { w: ["{window}", all] }, spellings: { window: { "4": P4W } } }');
  expect(fillTemplate(request, { window: 4 }).query).toEqual([
    ['w', 'P4W'],
    ['w', 'all'],
  ]);
  expect(fillTemplate(request, { window: 13 }).query).toEqual([
    ['w', '13'],
    ['w', 'all'],
  ]);
  expect([...mentionedInputs(request)]).toEqual(['window']);
});

test('only inputs count as placeholders', () => {
  expect(inputsIn('{brand} {{brand}} {unknown} {category}')).toEqual(['brand', 'category']);
});

test('lists in forms repeat the name, and clauses are joined as in a query', () => {
  const form = {
    'brand[]': ['{brand}', 'Moon', '{category}'],
    filter: { join: ' and ', clauses: ["brand eq '{brand}'", "cat eq '{category}'"] },
    flag: true,
  };
  const { body } = fillTemplate({ form } as RequestTemplate, { brand: "O'Sun" });
  expect([...new URLSearchParams(body?.text)]).toEqual([
    ['brand[]', "O'Sun"],
    ['brand[]', 'Moon'],
    ['filter', "brand eq 'O''Sun'"],
    ['flag', 'true'],
  ]);
});

test('multipart bodies contain values and files; equal parts give equal bytes', async () => {
  const template = {
    multipart: {
      kind: ['a', '{brand}'],
      omitted: '{category}',
      upload: { filename: 'of "{brand}".csv', type: 'text/csv', text: 'upc\r\n{upc}\r\n' },
    },
  } as RequestTemplate;
  const inputs = { brand: 'Sun', upc: '012345678905' };
  const { body } = fillTemplate(template, inputs);
  expect(fillTemplate(template, inputs).body).toEqual(body);
  const sent = await new Response(body?.text, { headers: { 'content-type': body?.type ?? '' } }).formData();
  expect(sent.getAll('kind')).toEqual(['a', 'Sun']);
  expect(sent.has('omitted')).toBe(false);
  const file = sent.get('upload') as File;
  expect([file.name, file.type, await file.text()]).toEqual(['of "Sun".csv', 'text/csv', 'upc\r\n012345678905\r\n']);
});

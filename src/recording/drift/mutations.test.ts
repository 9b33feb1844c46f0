/** Planted changes, one by one: each is reported at its path and with its class, and nothing worse is reported. */
import { expect, test } from 'vitest';
import { type DriftClass, rankOf } from './classes.ts';
import { compareExamples, type ExampleRequest, type ExampleResponse } from './recording.test.support.ts';

const PRODUCTS = '/PLATFORMAPI/prodRef/v1/allProducts';
const CATEGORIES = '/PLATFORMAPI/prodRef/v1/allCategories';

const rows = Array.from({ length: 40 }, (_, at) => ({
  upc: String(10_000_000_000 + at * 7919).padStart(12, '0'),
  name: `Product ${at}`,
  category: { id: `cat-${at % 5}`, name: ['Tea', 'Coffee', 'Juice', 'Snacks', 'Bread'][at % 5] },
  changedOn: `2026-0${(at % 9) + 1}-14`,
  sales: at * 10.25,
  units: at * 3,
  price: `${at}.50`,
  active: at % 2 === 0,
  tags: ['a', 'b'],
  ...(at % 3 === 0 && { note: 'now and then' }),
}));
type Row = (typeof rows)[number];

const json = { total: 40, asOf: '2026-11-14', next: '/x?c=1', rows };
const xmlRows = rows.map(
  (each) => `<product upc="${each.upc}"><name>${each.name}</name><sales>${each.sales}</sales></product>`,
);
const xml = (all: readonly string[]): string =>
  `<?xml version="1.0"?><list xmlns="urn:a"><asOf>2026-11-14</asOf>${all.join('')}</list>`;
const HEADS = ['UPC', 'Name', 'Sales', 'Changed'];
const cells = rows.map((each) => [each.upc, each.name, String(each.sales), each.changedOn]);
const csv = (heads: readonly string[], all: readonly (readonly string[])[]): string =>
  `${[heads, ...all].map((line) => line.join(',')).join('\n')}\n`;
const table = { columns: HEADS, data: cells.map(([upc, name, sales, changed]) => [upc, name, Number(sales), changed]) };

const XML = { 'content-type': 'application/xml' };
const CSV = { 'content-type': 'text/csv' };
const HEAD = {
  'content-type': 'application/json',
  'x-total': '40',
  link: '<http://upstream.invalid/x?page=2>; rel="next"',
};

const envelope = (body: unknown, more: Readonly<Record<string, string>> = {}): ExampleResponse => ({
  body,
  headers: { ...HEAD, ...more },
});
const map = (change: (row: Row, at: number) => object): ExampleResponse =>
  envelope({ ...json, rows: rows.map(change) });
const asXml = (body: string): ExampleResponse => ({ body, headers: XML });
const asCsv = (heads: readonly string[], all: readonly (readonly string[])[]): ExampleResponse => ({
  body: csv(heads, all),
  headers: CSV,
});
const without = <T extends object>(value: T, ...names: string[]): object =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
const swap = (line: readonly string[]): string[] => [line[1] as string, line[0] as string, ...line.slice(2)];
const insert = (line: readonly string[], value: string, at: number): string[] => [
  ...line.slice(0, at),
  value,
  ...line.slice(at),
];

type Told = readonly [path: string, kind: string, drift: DriftClass];

const JSON_WAS: ExampleResponse = envelope(json);
const XML_WAS: ExampleResponse = asXml(xml(xmlRows));
const CSV_WAS: ExampleResponse = asCsv(HEADS, cells);
const TABLE_WAS: ExampleResponse = { body: table };

const breaking = (path: string, kind: string) => [path, kind, 'breaking shape'] as const;
const additive = (path: string, kind: string) => [path, kind, 'additive shape'] as const;
const data = (path: string, kind: string) => [path, kind, 'data'] as const;

/** Changes of a response, each with the difference that must be reported. */
type Changes = Readonly<Record<string, readonly [is: ExampleResponse, told: Told]>>;

const JSON_CHANGES: Changes = {
  'a member renamed': [
    map((row) => ({ ...without(row, 'sales'), revenue: row.sales })),
    breaking('$.rows[*].sales', 'gone'),
  ],
  'a nested member removed': [
    map((row) => ({ ...row, category: without(row.category, 'id') })),
    breaking('$.rows[*].category.id', 'gone'),
  ],
  'a member missing in one row': [
    map((row, at) => (at === 7 ? without(row, 'units') : row)),
    breaking('$.rows[*].units', 'sometimes missing'),
  ],
  'null in one row': [
    map((row, at) => (at === 7 ? { ...row, sales: null } : row)),
    breaking('$.rows[*].sales', 'null'),
  ],
  'null in all rows': [map((row) => ({ ...row, sales: null })), breaking('$.rows[*].sales', 'null')],
  'an empty text for a date': [
    map((row, at) => (at === 3 ? { ...row, changedOn: '' } : row)),
    breaking('$.rows[*].changedOn', 'null'),
  ],
  'numbers as texts': [map((row) => ({ ...row, sales: String(row.sales) })), breaking('$.rows[*].sales', 'type')],
  'a text as a number': [map((row) => ({ ...row, upc: Number(row.upc) })), breaking('$.rows[*].upc', 'type')],
  'a boolean as a word': [
    map((row) => ({ ...row, active: row.active ? 'Y' : 'N' })),
    breaking('$.rows[*].active', 'type'),
  ],
  'an object as its id': [
    map((row) => ({ ...row, category: row.category.id })),
    breaking('$.rows[*].category', 'type'),
  ],
  'one item without its list': [
    map((row, at) => (at === 5 ? { ...row, tags: 'a' } : row)),
    breaking('$.rows[*].tags', 'type'),
  ],
  'the list as an object': [envelope({ ...json, rows: rows[0] }), breaking('$.rows', 'type')],
  'an envelope': [envelope({ data: json }), breaking('$.rows', 'gone')],
  'another date format': [
    map((row) => ({ ...row, changedOn: `${row.changedOn.slice(5, 7)}/14/2026` })),
    breaking('$.rows[*].changedOn', 'format'),
  ],
  'a date with its time': [
    map((row) => ({ ...row, changedOn: `${row.changedOn}T00:00:00Z` })),
    breaking('$.rows[*].changedOn', 'format'),
  ],
  'UPCs with a leading zero more': [
    map((row) => ({ ...row, upc: `0${row.upc}` })),
    breaking('$.rows[*].upc', 'format'),
  ],
  'UPCs without their zeros': [
    map((row) => ({ ...row, upc: row.upc.replace(/^0+/, '') })),
    breaking('$.rows[*].upc', 'format'),
  ],
  'commas between thousands': [
    map((row) => ({ ...row, price: `1,${row.price.padStart(6, '0')}` })),
    breaking('$.rows[*].price', 'format'),
  ],
  'a member more': [map((row) => ({ ...row, brand: 'x' })), additive('$.rows[*].brand', 'new')],
  'an object more': [envelope({ ...json, meta: { page: { size: 4 } } }), additive('$.meta', 'new')],
  'other figures': [map((row) => ({ ...row, sales: row.sales + 1.5 })), data('$.rows[*].sales', 'value')],
  'whole numbers with decimals': [map((row) => ({ ...row, units: row.units + 0.5 })), data('$.rows[*].units', 'value')],
  'fewer rows': [envelope({ ...json, rows: rows.slice(0, 31) }), data('$.rows[*]', 'count')],
  'no rows': [envelope({ ...json, rows: [] }), data('$.rows[*]', 'count')],
  'rows in another order': [envelope({ ...json, rows: rows.toReversed() }), ['body', 'order', 'volatile']],
  'figures of two rows exchanged': [
    map((row, at) => ({ ...row, sales: (at < 2 ? rows[1 - at] : row)?.sales })),
    data('$.rows[*]', 'combination'),
  ],
  'an often present member nowhere': [map((row) => without(row, 'note')), breaking('$.rows[*].note', 'gone')],
  'a status of another kind': [{ ...JSON_WAS, status: 206 }, breaking('status 200', 'status')],
  'no such path': [{ status: 404, body: { title: 'Not found' } }, breaking('status 200', 'status')],
  'a body no longer': [{ headers: HEAD }, breaking('body', 'body gone')],
  'another media type': [
    envelope(json, { 'content-type': 'text/html' }),
    breaking('header content-type', 'media type'),
  ],
  'another charset': [
    envelope(json, { 'content-type': 'application/json; charset=iso-8859-1' }),
    breaking('header content-type', 'charset'),
  ],
  'a byte-order mark': [envelope(`\ufeff${JSON.stringify(json)}`), breaking('body', 'byte-order mark')],
  'bytes of another charset': [envelope(Buffer.from('{"rows":"Müller"}', 'latin1')), breaking('body', 'unreadable')],
  'JSON cut off': [envelope(JSON.stringify(json).slice(0, -20)), breaking('body', 'unreadable')],
  'a header gone': [
    { body: json, headers: without(HEAD, 'x-total') as Record<string, string> },
    breaking('header x-total', 'header gone'),
  ],
  'a header more': [envelope(json, { 'x-more': '1' }), additive('header x-more', 'new header')],
  'another server': [envelope(json, { server: 'other', date: 'now' }), ['header server', 'passing header', 'volatile']],
};

const XML_CHANGES: Changes = {
  'XML: an attribute as an element': [
    asXml(xml(xmlRows.map((each) => each.replace(/ upc="(\d+)">/, '><upc>$1</upc>')))),
    breaking('/list/product/@upc', 'gone'),
  ],
  'XML: an element renamed': [
    asXml(xml(xmlRows).replaceAll('sales>', 'revenue>')),
    breaking('/list/product/sales', 'gone'),
  ],
  'XML: rows in an element more': [
    asXml(xml(['<products>', ...xmlRows, '</products>'])),
    breaking('/list/product', 'gone'),
  ],
  'XML: another namespace': [asXml(xml(xmlRows).replace('urn:a', 'urn:b')), breaking('/@xmlns', 'namespace')],
  'XML: another date format': [
    asXml(xml(xmlRows).replace('2026-11-14', '11/14/2026')),
    breaking('/list/asOf/text()', 'format'),
  ],
  'XML: an attribute more': [
    asXml(xml(xmlRows).replaceAll('<product ', '<product new="1" ')),
    additive('/list/product/@new', 'new'),
  ],
  'XML: other figures': [
    asXml(xml(xmlRows).replaceAll('<sales>', '<sales>1')),
    data('/list/product/sales/text()', 'value'),
  ],
  'XML: an empty element': [
    asXml(xml(xmlRows).replace(/<name>[^<]*<\/name>/, '<name/>')),
    breaking('/list/product/name/text()', 'sometimes missing'),
  ],
};

const CSV_CHANGES: Changes = {
  'CSV: columns in another order': [asCsv(swap(HEADS), cells.map(swap)), breaking('$', 'columns')],
  'CSV: a column renamed': [asCsv(['UPC', 'Name', 'Revenue', 'Changed'], cells), breaking('$[*].Sales', 'gone')],
  'CSV: a column between others': [
    asCsv(
      insert(HEADS, 'Brand', 1),
      cells.map((line) => insert(line, 'x', 1)),
    ),
    breaking('$', 'columns'),
  ],
  'CSV: a last column more': [
    asCsv(
      [...HEADS, 'Brand'],
      cells.map((line) => [...line, 'x']),
    ),
    additive('$[*].Brand', 'new'),
  ],
  'CSV: another delimiter': [
    { body: csv(HEADS, cells).replaceAll(',', ';'), headers: CSV },
    breaking('body', 'delimiter'),
  ],
  'CSV: a word for a figure': [
    asCsv(
      HEADS,
      cells.map((line, at) => (at === 9 ? insert(without_(line, 2), 'n/a', 2) : line)),
    ),
    breaking('$[*].Sales', 'format'),
  ],
  'CSV: no first line of names': [asCsv(cells[0] as string[], cells.slice(1)), breaking('$[*].UPC', 'gone')],
};

const TABLE_CHANGES: Changes = {
  'a table: columns in another order': [
    { body: { columns: swap(HEADS), data: table.data.map(([a, b, ...rest]) => [b, a, ...rest]) } },
    breaking('$.columns', 'columns'),
  ],
  'a table: a column as text': [
    { body: { ...table, data: table.data.map((line) => line.map(String)) } },
    breaking('$.data[*].Sales', 'type'),
  ],
};

const PLANTED: readonly (readonly [name: string, was: ExampleResponse, is: ExampleResponse, told: Told])[] = [
  ['a list in an envelope', { body: rows }, { body: { items: rows } }, breaking('$', 'type')],
  [
    'an optional member nowhere',
    { body: rows.map((row, at) => (at === 1 ? { ...row, rare: 1 } : row)) },
    { body: rows },
    data('$[*].rare', 'rarely'),
  ],
  ...(
    [
      [JSON_WAS, JSON_CHANGES],
      [XML_WAS, XML_CHANGES],
      [CSV_WAS, CSV_CHANGES],
      [TABLE_WAS, TABLE_CHANGES],
    ] as const
  ).flatMap(([was, changes]) => Object.entries(changes).map(([name, [is, told]]) => [name, was, is, told] as const)),
];

/** A line without one of its cells. */
function without_(line: readonly string[], at: number): string[] {
  return line.filter((_, place) => place !== at);
}

const asked = (answer: ExampleResponse): ExampleRequest[] => [
  { target: PRODUCTS, responses: [answer] },
  { target: CATEGORIES, responses: [{ body: { categories: ['Tea', 'Coffee'] } }] },
];

test.each(PLANTED)('%s', async (_, was, is, told) => {
  const { differences } = await compareExamples(asked(was), asked(is));
  const [path, kind, drift] = told;
  const lines = differences.map((each) => `${each.operation} ${each.path} ${each.kind}`);
  expect(lines).toContain(`GET ${PRODUCTS} ${path} ${kind}`);
  // Nothing worse at this path, and nothing at other paths.
  expect(differences.filter((each) => rankOf(each.class) < rankOf(drift))).toEqual([]);
  expect(lines.filter((each) => !each.startsWith(`GET ${PRODUCTS} `))).toEqual([]);
  // The inverted comparison also reports the change.
  const back = await compareExamples(asked(is), asked(was));
  expect(back.differences.length).toBeGreaterThan(0);
});

test('a recording does not differ from itself', async () => {
  for (const [, was, is] of PLANTED) {
    expect((await compareExamples(asked(was), asked(was))).differences).toEqual([]);
    expect((await compareExamples(asked(is), asked(is))).differences).toEqual([]);
  }
});

/** Planted changes, one by one: each is reported at its path and with its class, and nothing worse is reported. */
import { afterAll, expect, test } from 'vitest';
import { type DriftClass, rankOf } from './classes.ts';
import {
  compareExamples,
  type ExampleRequest,
  type ExampleResponse,
  removeRecordings,
} from './recording.test.support.ts';

afterAll(removeRecordings);

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

const map = (change: (row: Row, at: number) => object): ExampleResponse => ({
  body: { ...json, rows: rows.map(change) },
  headers: HEAD,
});
const without = <T extends object>(value: T, ...names: string[]): object =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
const swap = (line: readonly string[]): string[] => [line[1] as string, line[0] as string, ...line.slice(2)];
const insert = (line: readonly string[], value: string, at: number): string[] => [
  ...line.slice(0, at),
  value,
  ...line.slice(at),
];

interface Planted {
  readonly was: ExampleResponse;
  readonly is: ExampleResponse;
  readonly told: readonly [path: string, kind: string, drift: DriftClass];
}

const JSON_WAS: ExampleResponse = { body: json, headers: HEAD };
const XML_WAS: ExampleResponse = { body: xml(xmlRows), headers: XML };
const CSV_WAS: ExampleResponse = { body: csv(HEADS, cells), headers: CSV };
const TABLE_WAS: ExampleResponse = { body: table };

const breaking = (path: string, kind: string) => [path, kind, 'breaking shape'] as const;
const additive = (path: string, kind: string) => [path, kind, 'additive shape'] as const;
const data = (path: string, kind: string) => [path, kind, 'data'] as const;

const PLANTED: Record<string, Planted> = {
  'a member renamed': {
    was: JSON_WAS,
    is: map((row) => ({ ...without(row, 'sales'), revenue: row.sales })),
    told: breaking('$.rows[*].sales', 'gone'),
  },
  'a nested member removed': {
    was: JSON_WAS,
    is: map((row) => ({ ...row, category: without(row.category, 'id') })),
    told: breaking('$.rows[*].category.id', 'gone'),
  },
  'a member missing in one row': {
    was: JSON_WAS,
    is: map((row, at) => (at === 7 ? without(row, 'units') : row)),
    told: breaking('$.rows[*].units', 'sometimes missing'),
  },
  'null in one row': {
    was: JSON_WAS,
    is: map((row, at) => (at === 7 ? { ...row, sales: null } : row)),
    told: breaking('$.rows[*].sales', 'null'),
  },
  'null in all rows': {
    was: JSON_WAS,
    is: map((row) => ({ ...row, sales: null })),
    told: breaking('$.rows[*].sales', 'null'),
  },
  'an empty text for a date': {
    was: JSON_WAS,
    is: map((row, at) => (at === 3 ? { ...row, changedOn: '' } : row)),
    told: breaking('$.rows[*].changedOn', 'null'),
  },
  'numbers as texts': {
    was: JSON_WAS,
    is: map((row) => ({ ...row, sales: String(row.sales) })),
    told: breaking('$.rows[*].sales', 'type'),
  },
  'a text as a number': {
    was: JSON_WAS,
    is: map((row) => ({ ...row, upc: Number(row.upc) })),
    told: breaking('$.rows[*].upc', 'type'),
  },
  'a boolean as a word': {
    was: JSON_WAS,
    is: map((row) => ({ ...row, active: row.active ? 'Y' : 'N' })),
    told: breaking('$.rows[*].active', 'type'),
  },
  'an object as its id': {
    was: JSON_WAS,
    is: map((row) => ({ ...row, category: row.category.id })),
    told: breaking('$.rows[*].category', 'type'),
  },
  'one item without its list': {
    was: JSON_WAS,
    is: map((row, at) => (at === 5 ? { ...row, tags: 'a' } : row)),
    told: breaking('$.rows[*].tags', 'type'),
  },
  'the list as an object': {
    was: JSON_WAS,
    is: { body: { ...json, rows: rows[0] }, headers: HEAD },
    told: breaking('$.rows', 'type'),
  },
  'an envelope': { was: JSON_WAS, is: { body: { data: json }, headers: HEAD }, told: breaking('$.rows', 'gone') },
  'a list in an envelope': { was: { body: rows }, is: { body: { items: rows } }, told: breaking('$', 'type') },
  'another date format': {
    was: JSON_WAS,
    is: map((row) => ({ ...row, changedOn: `${row.changedOn.slice(5, 7)}/14/2026` })),
    told: breaking('$.rows[*].changedOn', 'format'),
  },
  'a date with its time': {
    was: JSON_WAS,
    is: map((row) => ({ ...row, changedOn: `${row.changedOn}T00:00:00Z` })),
    told: breaking('$.rows[*].changedOn', 'format'),
  },
  'UPCs with a leading zero more': {
    was: JSON_WAS,
    is: map((row) => ({ ...row, upc: `0${row.upc}` })),
    told: breaking('$.rows[*].upc', 'format'),
  },
  'UPCs without their zeros': {
    was: JSON_WAS,
    is: map((row) => ({ ...row, upc: row.upc.replace(/^0+/, '') })),
    told: breaking('$.rows[*].upc', 'format'),
  },
  'commas between thousands': {
    was: JSON_WAS,
    is: map((row) => ({ ...row, price: `1,${row.price.padStart(6, '0')}` })),
    told: breaking('$.rows[*].price', 'format'),
  },
  'a member more': {
    was: JSON_WAS,
    is: map((row) => ({ ...row, brand: 'x' })),
    told: additive('$.rows[*].brand', 'new'),
  },
  'an object more': {
    was: JSON_WAS,
    is: { body: { ...json, meta: { page: { size: 4 } } }, headers: HEAD },
    told: additive('$.meta', 'new'),
  },
  'other figures': {
    was: JSON_WAS,
    is: map((row) => ({ ...row, sales: row.sales + 1.5 })),
    told: data('$.rows[*].sales', 'value'),
  },
  'whole numbers with decimals': {
    was: JSON_WAS,
    is: map((row) => ({ ...row, units: row.units + 0.5 })),
    told: data('$.rows[*].units', 'value'),
  },
  'fewer rows': {
    was: JSON_WAS,
    is: { body: { ...json, rows: rows.slice(0, 31) }, headers: HEAD },
    told: data('$.rows[*]', 'count'),
  },
  'no rows': { was: JSON_WAS, is: { body: { ...json, rows: [] }, headers: HEAD }, told: data('$.rows[*]', 'count') },
  'rows in another order': {
    was: JSON_WAS,
    is: { body: { ...json, rows: rows.toReversed() }, headers: HEAD },
    told: ['body', 'order', 'volatile'],
  },
  'figures of two rows exchanged': {
    was: JSON_WAS,
    is: map((row, at) => ({ ...row, sales: (at < 2 ? rows[1 - at] : row)?.sales })),
    told: data('$.rows[*]', 'combination'),
  },
  'an optional member nowhere': {
    was: { body: rows.map((row, at) => (at === 1 ? { ...row, rare: 1 } : row)) },
    is: { body: rows },
    told: data('$[*].rare', 'rarely'),
  },
  'an often present member nowhere': {
    was: JSON_WAS,
    is: map((row) => without(row, 'note')),
    told: breaking('$.rows[*].note', 'gone'),
  },

  'a status of another kind': {
    was: JSON_WAS,
    is: { ...JSON_WAS, status: 206 },
    told: breaking('status 200', 'status'),
  },
  'no such path': {
    was: JSON_WAS,
    is: { status: 404, body: { title: 'Not found' } },
    told: breaking('status 200', 'status'),
  },
  'a body no longer': { was: JSON_WAS, is: { headers: HEAD }, told: breaking('body', 'body gone') },
  'another media type': {
    was: JSON_WAS,
    is: { ...JSON_WAS, headers: { ...HEAD, 'content-type': 'text/html' } },
    told: breaking('header content-type', 'media type'),
  },
  'another charset': {
    was: JSON_WAS,
    is: { ...JSON_WAS, headers: { ...HEAD, 'content-type': 'application/json; charset=iso-8859-1' } },
    told: breaking('header content-type', 'charset'),
  },
  'a byte-order mark': {
    was: JSON_WAS,
    is: { body: `\ufeff${JSON.stringify(json)}`, headers: HEAD },
    told: breaking('body', 'byte-order mark'),
  },
  'bytes of another charset': {
    was: JSON_WAS,
    is: { body: Buffer.from('{"rows":"Müller"}', 'latin1'), headers: HEAD },
    told: breaking('body', 'unreadable'),
  },
  'JSON cut off': {
    was: JSON_WAS,
    is: { body: JSON.stringify(json).slice(0, -20), headers: HEAD },
    told: breaking('body', 'unreadable'),
  },
  'a header gone': {
    was: JSON_WAS,
    is: { body: json, headers: without(HEAD, 'x-total') as Record<string, string> },
    told: breaking('header x-total', 'header gone'),
  },
  'a header more': {
    was: JSON_WAS,
    is: { body: json, headers: { ...HEAD, 'x-more': '1' } },
    told: additive('header x-more', 'new header'),
  },
  'another server': {
    was: JSON_WAS,
    is: { body: json, headers: { ...HEAD, server: 'other', date: 'now' } },
    told: ['header server', 'passing header', 'volatile'],
  },

  'XML: an attribute as an element': {
    was: XML_WAS,
    is: { body: xml(xmlRows.map((each) => each.replace(/ upc="(\d+)">/, '><upc>$1</upc>'))), headers: XML },
    told: breaking('/list/product/@upc', 'gone'),
  },
  'XML: an element renamed': {
    was: XML_WAS,
    is: { body: xml(xmlRows).replaceAll('sales>', 'revenue>'), headers: XML },
    told: breaking('/list/product/sales', 'gone'),
  },
  'XML: rows in an element more': {
    was: XML_WAS,
    is: { body: xml(['<products>', ...xmlRows, '</products>']), headers: XML },
    told: breaking('/list/product', 'gone'),
  },
  'XML: another namespace': {
    was: XML_WAS,
    is: { body: xml(xmlRows).replace('urn:a', 'urn:b'), headers: XML },
    told: breaking('/@xmlns', 'namespace'),
  },
  'XML: another date format': {
    was: XML_WAS,
    is: { body: xml(xmlRows).replace('2026-11-14', '11/14/2026'), headers: XML },
    told: breaking('/list/asOf/text()', 'format'),
  },
  'XML: an attribute more': {
    was: XML_WAS,
    is: { body: xml(xmlRows).replaceAll('<product ', '<product new="1" '), headers: XML },
    told: additive('/list/product/@new', 'new'),
  },
  'XML: other figures': {
    was: XML_WAS,
    is: { body: xml(xmlRows).replaceAll('<sales>', '<sales>1'), headers: XML },
    told: data('/list/product/sales/text()', 'value'),
  },
  'XML: an empty element': {
    was: XML_WAS,
    is: { body: xml(xmlRows).replace(/<name>[^<]*<\/name>/, '<name/>'), headers: XML },
    told: breaking('/list/product/name/text()', 'sometimes missing'),
  },

  'CSV: columns in another order': {
    was: CSV_WAS,
    is: { body: csv(swap(HEADS), cells.map(swap)), headers: CSV },
    told: breaking('$', 'columns'),
  },
  'CSV: a column renamed': {
    was: CSV_WAS,
    is: { body: csv(['UPC', 'Name', 'Revenue', 'Changed'], cells), headers: CSV },
    told: breaking('$[*].Sales', 'gone'),
  },
  'CSV: a column between others': {
    was: CSV_WAS,
    is: {
      body: csv(
        insert(HEADS, 'Brand', 1),
        cells.map((line) => insert(line, 'x', 1)),
      ),
      headers: CSV,
    },
    told: breaking('$', 'columns'),
  },
  'CSV: a last column more': {
    was: CSV_WAS,
    is: {
      body: csv(
        [...HEADS, 'Brand'],
        cells.map((line) => [...line, 'x']),
      ),
      headers: CSV,
    },
    told: additive('$[*].Brand', 'new'),
  },
  'CSV: another delimiter': {
    was: CSV_WAS,
    is: { body: csv(HEADS, cells).replaceAll(',', ';'), headers: CSV },
    told: breaking('body', 'delimiter'),
  },
  'CSV: a word for a figure': {
    was: CSV_WAS,
    is: {
      body: csv(
        HEADS,
        cells.map((line, at) => (at === 9 ? insert(without_(line, 2), 'n/a', 2) : line)),
      ),
      headers: CSV,
    },
    told: breaking('$[*].Sales', 'format'),
  },
  'CSV: no first line of names': {
    was: CSV_WAS,
    is: { body: csv(cells[0] as string[], cells.slice(1)), headers: CSV },
    told: breaking('$[*].UPC', 'gone'),
  },

  'a table: columns in another order': {
    was: TABLE_WAS,
    is: { body: { columns: swap(HEADS), data: table.data.map(([a, b, ...rest]) => [b, a, ...rest]) } },
    told: breaking('$.columns', 'columns'),
  },
  'a table: a column as text': {
    was: TABLE_WAS,
    is: { body: { ...table, data: table.data.map((line) => line.map(String)) } },
    told: breaking('$.data[*].Sales', 'type'),
  },
};

/** A line without one of its cells. */
function without_(line: readonly string[], at: number): string[] {
  return line.filter((_, place) => place !== at);
}

const asked = (answer: ExampleResponse): ExampleRequest[] => [
  { target: PRODUCTS, responses: [answer] },
  { target: CATEGORIES, responses: [{ body: { categories: ['Tea', 'Coffee'] } }] },
];

test.each(Object.entries(PLANTED))('%s', async (_, { was, is, told }) => {
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
  for (const { was, is } of Object.values(PLANTED)) {
    expect((await compareExamples(asked(was), asked(was))).differences).toEqual([]);
    expect((await compareExamples(asked(is), asked(is))).differences).toEqual([]);
  }
});

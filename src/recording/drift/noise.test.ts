/** Changes between two weekly loads that do not affect a client. */
import { expect, test } from 'vitest';
import { rankOf } from './classes.ts';
import { compareExamples, describeDifferences, type ExampleResponse } from './recording.test.support.ts';

const LIST = '/PLATFORMAPI/prodRef/v1/allProducts';

const upc = (at: number): string => String((at * 7_919_123 + 11) % 999_999_999_999).padStart(12, '0');
const many = <T>(count: number, of: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => of(at));

/** The worst difference between two bodies. */
async function worst(was: unknown, is: unknown, more: Partial<ExampleResponse> = {}): Promise<string | undefined> {
  const compared = await compareExamples(
    [{ target: LIST, responses: [{ body: was, ...more }] }],
    [{ target: LIST, responses: [{ body: is, ...more }] }],
  );
  const [first] = compared.differences;
  return first && rankOf(first.class) < rankOf('data') ? describeDifferences(compared)[0] : first?.class;
}

test('a member of only some rows is not new if the first list was too short to show it', async () => {
  const list = (count: number) =>
    many(count, (at) => ({
      upc: upc(at),
      ...(at % 400 === 3 ? {} : { size: 1 }),
      ...(at % 1000 === 999 && { text: 'x' }),
    }));
  expect(await worst(list(3), list(5000))).toBe('data');
  expect(await worst(list(5000), list(3))).toBe('data');
  expect(
    await worst(
      many(50, (at) => ({ upc: upc(at), size: 1 })),
      list(900),
    ),
  ).toBe('data');
});

test('an optional member seen once or twice may be missing next time', async () => {
  const list = (rare: number) => many(100, (at) => ({ upc: upc(at + rare), ...(at < rare && { promo: 'y' }) }));
  expect(await worst(list(1), list(0))).toBe('data');
  expect(await worst(list(3), list(0))).toBe('data');
  expect(await worst(list(20), list(0))).toBe(`breaking shape: GET ${LIST} $[*].promo (gone)`);
});

test('keys that are UPCs, dates, weeks or ids are data', async () => {
  for (const key of [
    upc,
    (at: number) => `2026-01-${String((at % 28) + 1).padStart(2, '0')}`,
    (at: number) => `2026-W${String((at % 52) + 1).padStart(2, '0')}`,
    (at: number) => `P-${at + 12_345}`,
    (at: number) => `${String(at).padStart(8, '0')}-1111-4222-8333-444455556666`,
  ]) {
    const map = (from: number) => ({
      products: Object.fromEntries(many(20, (at) => [key(at + from), { name: 'a', sales: at }])),
    });
    expect(await worst(map(0), map(5))).toBe('data');
  }
});

test('keys that are names are data if all their objects have the same members', async () => {
  const map = (...names: string[]) => ({
    categories: Object.fromEntries(names.map((name, at) => [name, { sales: at, id: 'x' }])),
  });
  expect(await worst(map('Tea', 'Coffee', 'Juice'), map('Tea', 'Bread', 'Dairy & Eggs', 'Snacks'))).toBe('data');
  const without = { categories: { Tea: { id: 'x' }, Coffee: { id: 'x' }, Juice: { id: 'x' } } };
  expect(await worst(map('Tea', 'Coffee', 'Juice'), without)).toBe(
    `breaking shape: GET ${LIST} $.categories.{*}.sales (gone)`,
  );
});

test('names of time windows are not data, even if their objects have the same members', async () => {
  const of = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { dollars: 1, units: 2 }]));
  expect(await worst(of('last4', 'last12', 'last52'), of('last4', 'last52', 'last13'))).toMatch(/last12 \(gone\)/);
});

test('names that every row has are member names, whatever their values', async () => {
  const list = (...windows: string[]) =>
    many(30, (at) => ({
      upc: upc(at),
      sales: Object.fromEntries(windows.map((each) => [each, { dollars: at, units: 1 }])),
    }));
  expect(await worst(list('4', '12', '52'), list('4', '12'))).toBe(
    `breaking shape: GET ${LIST} $[*].sales['52'] (gone)`,
  );
});

test('characteristics by their names differ from product to product', async () => {
  const names = ['BRAND', 'FLAVOUR', 'SIZE', 'PACK', 'FORM', 'SCENT', 'COLOUR'];
  const list = (from: number) =>
    many(12, (at) => ({
      upc: upc(at),
      characteristics: Object.fromEntries(
        names.filter((_, place) => (at + from + place) % 3 !== 0).map((name) => [name, 'x']),
      ),
    }));
  expect(await worst(list(0), list(1))).toBe('data');
});

test('a list of several kinds of rows may change their proportions', async () => {
  const list = (from: number) =>
    many(40, (at) => ((at + from) % 2 === 0 ? { kind: 'a', value: at } : { kind: 'b', value: `v${at}`, list: [at] }));
  expect(await worst(list(0), list(3))).toBe('data');
});

test('an unknown type cannot change: lists without items, members without a value', async () => {
  expect(await worst({ rows: [] }, { rows: [{ upc: upc(1) }] })).toBe('data');
  expect(await worst({ rows: many(9, () => ({ x: null })) }, { rows: many(9, () => ({ x: 'text' })) })).toBe('data');
  expect(await worst({ rows: many(9, () => ({ x: null })) }, { rows: many(9, () => ({})) })).toBe('data');
});

test('numbers may get decimals, signs and digits', async () => {
  expect(
    await worst(
      many(9, (at) => ({ x: at })),
      many(9, (at) => ({ x: -at - 0.5 })),
    ),
  ).toBe('data');
  expect(
    await worst(
      many(30, (at) => ({ x: `${at}.5` })),
      many(30, (at) => ({ x: String(-at) })),
    ),
  ).toBe('data');
  const csv = (of: (at: number) => string) => `upc,sales\n${many(30, (at) => `${upc(at)},${of(at)}`).join('\n')}`;
  const type = { headers: { 'content-type': 'text/csv' } };
  expect(
    await worst(
      csv((at) => String(at)),
      csv((at) => `${at}.25`),
      type,
    ),
  ).toBe('data');
  expect(
    await worst(
      csv((at) => String(at + 9_999_990)),
      csv((at) => String(at + 99_999_999)),
      type,
    ),
  ).toBe('data');
});

test('a list that fits into one page has no next page', async () => {
  expect(await worst({ rows: many(4, upc), next: '/x?c=abc' }, { rows: many(2, upc), next: null })).toBe('data');
  expect(await worst({ rows: many(4, upc), paging: { nextCursor: 'abc' } }, { rows: many(2, upc), paging: {} })).toBe(
    'data',
  );
});

test('the length of XML lists may change', async () => {
  const list = (count: number) => `<list>${many(count, (at) => `<row id="${at}"><n>x</n></row>`).join('')}</list>`;
  const type = { headers: { 'content-type': 'application/xml' } };
  expect(await worst(list(1), list(30), type)).toBe('data');
  expect(await worst(list(30), list(1), type)).toBe('data');
  expect(await worst(list(30), '<list/>', type)).toBe('data');
  expect(await worst(list(30).replace('<list>', '<list><!-- x -->'), `<?xml version="1.0"?>\n${list(30)}`, type)).toBe(
    'volatile',
  );
});

test('notation is not content: white space, order of members, escapes', async () => {
  const body = { b: [1, 2], a: 'Müller/Söhne' };
  const other = JSON.stringify({ a: body.a, b: body.b }, null, 2).replace('ü', '\\u00fc').replace('/', '\\/');
  expect(await worst(body, other)).toBe('volatile');
});

test('times and ids of a response are volatile, those of rows are data', async () => {
  const of = (at: number) => ({ requestId: `r${at}`, meta: { servedAt: `2026-11-14T12:00:0${at}Z` }, rows: [] });
  expect(await worst(of(1), of(2))).toBe('volatile');
  const rows = (at: number) => ({ rows: [{ changed: `2026-11-14T12:00:0${at}Z` }] });
  expect(await worst(rows(1), rows(2))).toBe('data');
});

test('unusual names and deep bodies are compared', async () => {
  const odd = JSON.parse('{"__proto__":{"a":1},"constructor":2,"a.b":[{"":3}],"\'":4}') as object;
  expect(await worst(odd, { ...odd, more: 1 })).toMatch(/\$\.more \(new\)/);
  const deep = (of: unknown) => JSON.parse(`${'[{"a":'.repeat(140)}${JSON.stringify(of)}${'}]'.repeat(140)}`);
  expect(await worst(deep(1), deep(2))).toBe('data');
});

test('long bodies are read row by row', async () => {
  const long = (count: number, of: (at: number) => object) =>
    Buffer.from(`{"asOf":"2026-11-14","items":${JSON.stringify(many(count, of))},"end":true}`);
  const row = (at: number) => ({
    upc: upc(at),
    name: `Product ${at} of a long list with some text in it`,
    sales: at / 3,
  });
  expect(await worst({ asOf: '2026-11-14', items: many(100, row), end: true }, long(60_000, row))).toBe('data');
  expect(
    await worst(
      long(60_000, row),
      long(60_000, (at) => ({ ...row(at), ...(at >= 30_000 && { sales: 'x' }) })),
    ),
  ).toBe(`breaking shape: GET ${LIST} $.items[*].sales (type)`);
  const xml = (count: number, extra: string) =>
    Buffer.from(
      `<l><a>1</a><rows>${many(count, (at) => `<row id="${at}">${'x'.repeat(60)}${extra}</row>`).join('')}</rows></l>`,
    );
  const type = { headers: { 'content-type': 'text/xml' } };
  expect(await worst(xml(50, ''), xml(70_000, ''), type)).toBe('data');
  expect(await worst(xml(70_000, ''), xml(70_000, '<y/>'), type)).toMatch(/\/l\/rows\/row\/y \(new\)/);
});

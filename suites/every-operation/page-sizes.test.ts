/** Services whose pages are wrong in other sizes than the usual one. */
import { expect, test } from 'vitest';
import { DEFAULT_SAMPLING, type Depth } from '../../src/contract/index.ts';
import { type Answer, judgeService } from '../judge-in-process.test.support.ts';

const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
const PRODUCTS = Array.from({ length: 40 }, (_, at) => ({
  upc: String(100_000 + at).padStart(12, '0'),
  name: at % 4 ? 'Tea' : 'Coffee',
}));

interface Page {
  readonly skip: number;
  readonly size: number;
  readonly filter: string | null;
}

/** The verdict on a service that changes what a request selects. */
async function judge(change: (page: Page) => Page | undefined, depth: Depth = 'standard') {
  const profile = `name: t
operations:
  GET /PLATFORMAPI/prodRef/v1/allCategories:
    request: {}
    response: { rows: "$.rows[*]", fields: { category: "@.name" } }
  ${BULK}:
    request: { query: { name: "{category}", after: "{cursor}", size: "{pageSize}" } }
    response:
      rows: "$.rows[*]"
      paging: { style: cursor, next: $.next }
      fields: { upc: "@.upc", category: "@.name" }`;
  const service: Answer = ({ path, query }) => {
    if (path.endsWith('/allCategories')) return [200, { rows: [{ name: 'Tea' }, { name: 'Coffee' }] }];
    if (!path.endsWith('/allProducts')) return undefined;
    const skip = Number(query.get('after') ?? 0);
    const page = change({ skip, size: Number(query.get('size') ?? 50), filter: query.get('name') });
    if (!page) return [400, ''];
    const rows = PRODUCTS.filter(({ name }) => page.filter === null || name === page.filter);
    const end = page.skip + page.size;
    return [200, { rows: rows.slice(page.skip, end), ...(end < rows.length && { next: String(end) }) }];
  };
  const sampling = { ...DEFAULT_SAMPLING, depth };
  const run = await judgeService(profile, service, { rules: ['every.page-sizes'], operations: [BULK], sampling });
  return run.results.filter(({ rule }) => rule === 'every.page-sizes').map(({ verdict }) => verdict);
}

test('pages of any size with all rows pass', async () => {
  expect(await judge((page) => page)).toEqual(['pass']);
});

test.each<[string, (page: Page) => Page]>([
  ['loses the first row of each further page', (page) => (page.skip > 0 ? { ...page, skip: page.skip + 1 } : page)],
  ['forgets the filter on further pages', (page) => (page.skip > 0 ? { ...page, filter: null } : page)],
])('a service that %s fails', async (_, change) => {
  expect(await judge(change)).toEqual(['fail']);
});

test('thorough reads the shortest list in small pages, too', async () => {
  const losing = (page: Page) => (page.skip > 0 && page.size < 10 ? { ...page, skip: page.skip + 1 } : page);
  expect([await judge(losing), await judge(losing, 'thorough')]).toEqual([['pass'], ['fail']]);
});

test.each<[string, string, (page: Page) => Page | undefined]>([
  ['ignores the size', 'pass', (page) => ({ ...page, size: 50 })],
  ['enlarges small pages', 'pass', (page) => ({ ...page, size: Math.max(page.size, 10) })],
  ['refuses other sizes', 'untested', (page) => (page.size === 50 ? page : undefined)],
])('a service that %s is legal', async (_, verdict, change) => {
  expect(await judge(change)).toEqual([verdict]);
});

/** Filters that are sent as codes, where the rows contain the meanings, and echoes of codes. */
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { judgeTarget } from '../commands/judge-target.ts';
import { parseProfile } from '../profile/parse-profile.ts';
import { listen } from '../resources.test.support.ts';

const PRODUCTS = [
  { upc: '012345678905', category: 'Tea' },
  { upc: '036000291452', category: 'Green tea' },
  { upc: '042100000177', category: 'Coffee' },
];
const CATEGORIES = [
  { key: '07', label: 'TEA' },
  { key: '08', label: 'Green  Tea' },
  { key: '09', label: 'Coffee' },
];

const PROFILE = `name: coded
implements: [C]
examples: { category: [Tea] }
codes: { category: { from: GET /PLATFORMAPI/prodRef/v1/allCategories, code: "@.key", meaning: "@.label" } }
operations:
  GET /PLATFORMAPI/prodRef/v1/allCategories:
    request: {}
    response: { rows: "$.items[*]", fields: { category: "@.label" } }
  GET /PLATFORMAPI/prodRef/v1/allProducts:
    request: { query: { cat: "{category}" }, codes: { category: category } }
    response:
      rows: "$.items[*]"
      fields: { upc: "@.upc", category: "@.category" }
      echoes: { category: ECHO }
`;

/** Judges a service that filters by the code of a category. */
async function judge(change: {
  readonly categories?: readonly object[];
  readonly namesOf?: (code: string) => string | undefined;
  readonly echo?: string;
}) {
  const sent = new Set<string>();
  const { categories = CATEGORIES } = change;
  const namesOf = change.namesOf ?? ((code) => CATEGORIES.find(({ key }) => key === code)?.label);
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url as string, 'http://any.invalid');
    if (!/^\/PLATFORMAPI\/prodRef\/v1\/all(Products|Categories)$/.test(pathname)) {
      response.writeHead(404).end();
      return;
    }
    const code = searchParams.get('cat');
    if (code !== null) sent.add(code);
    const name = code === null ? undefined : (namesOf(code) ?? '').replace(/\s+/g, ' ').toLowerCase();
    const products = PRODUCTS.filter(({ category }) => code === null || category.toLowerCase() === name);
    const items = pathname.endsWith('allCategories') ? categories : products;
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ items, ...(code && { cat: code }) }));
  });
  const run = await judgeTarget({
    base: await listen(server),
    profile: parseProfile(PROFILE.replace('ECHO', change.echo ?? '$.cat'), 'coded.yaml'),
    selection: { safety: 'read', rules: ['C.filter-sound', 'C.filter-complete', 'every.echoes'] },
  });
  const of = (rule: string) => run.results.find((each) => each.rule === rule && each.operation.endsWith('allProducts'));
  return {
    sent: [...sent].sort(),
    sound: of('C.filter-sound'),
    complete: of('C.filter-complete'),
    echoes: of('every.echoes'),
  };
}

test('a filter contains the code of the name that rows contain, and an echo of the code is the name', async () => {
  const { sent, sound, complete, echoes } = await judge({});
  expect(sent).toEqual(['07', '08', '09']);
  expect([sound?.verdict, complete?.verdict, echoes?.verdict]).toEqual(['pass', 'pass', 'pass']);
});

test('an echo of a code is read by the table that it names', async () => {
  const { echoes } = await judge({ echo: '{ at: $.cat, code: category }' });
  expect(echoes?.verdict).toBe('pass');
});

test('a server that filters by another category than the one with the code fails', async () => {
  const { sound } = await judge({ namesOf: (code) => CATEGORIES.find(({ key }) => key > code)?.label });
  expect(sound).toMatchObject({ verdict: 'fail' });
});

test.each([
  [
    'no code',
    [...CATEGORIES.slice(0, 2), { label: 'Coffee' }],
    'category "Coffee" has no code in codes.category: the table lists no code for it',
  ],
  [
    'two codes',
    [...CATEGORIES, { key: '10', label: 'Coffee' }],
    'category "Coffee" has no code in codes.category: the table lists several codes for it',
  ],
])('a name with %s is not requested, and accuses nobody', async (_, categories, note) => {
  const { sent, sound } = await judge({ categories });
  expect(sent).toEqual(['07', '08']);
  expect(sound).toMatchObject({ verdict: 'inconclusive', note: expect.stringContaining(note) });
});

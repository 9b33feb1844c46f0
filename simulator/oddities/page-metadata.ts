/** Oddities of counts and echoes in responses (section 2 shows no response shape). */
import { type OperationName, operationsOf } from '../../src/contract/index.ts';
import { onAnswer, onCategories, onItems } from '../faults/hooks.ts';
import { byCategoryCode, CATEGORIES_BY_CODE, CATEGORY_CODES } from '../faults/page-metadata.ts';
import type { ProfilePatch } from '../faults/types.ts';
import { lengthOf } from '../model/page.ts';
import { always, eachObject, ONE_AFTER_ANOTHER, onJson } from './hooks.ts';
import type { Oddity, OddityHooks } from './types.ts';

const inResponse = (keys: readonly string[], response: ProfilePatch): ProfilePatch => ({
  operations: Object.fromEntries(keys.map((key) => [key, { response }])),
});

/** The operations that a request can filter by category. */
const FILTERED_BY_CATEGORY: readonly OperationName[] = [
  'allProducts',
  'updateProducts',
  'categoryPerformance',
  'brandPerformance',
];

const CATEGORIES = 'GET /PLATFORMAPI/prodRef/v1/allCategories';
const LEVELS = operationsOf('B').filter((key) => key.endsWith('/Levels'));
const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';

/** Changes the JSON of the responses of group C. */
const onJsonOfProducts = (change: (value: unknown) => unknown) => (): OddityHooks => {
  const { finish } = onJson(change)();
  return {
    finish: (reply, context) => (finish && context.operation?.group === 'C' ? finish(reply, context) : reply),
  };
};

const shouted = (text: string | undefined) => text && ` ${text.toUpperCase().replaceAll(' ', '  ')} `;

export const PAGE_METADATA_ODDITIES: readonly Oddity[] = [
  {
    name: 'total-before-filtering',
    legalBasis: 'shapes',
    groups: ['C'],
    dialects: ['reference', 'xml'],
    says: 'The bulk list states the number of all products, also when it is filtered; the profile does not list it as a count.',
    start: always(
      onAnswer('products', (answer, { world }) => ({
        ...answer,
        total: () => lengthOf(world.products.rows(world.clock.asOf())),
      })),
    ),
    profile: inResponse([BULK], { counts: null }),
  },
  {
    name: 'counts-of-other-products',
    legalBasis: 'shapes',
    groups: ['C'],
    dialects: ['reference', 'soap'],
    says: 'The number of products of a category includes delisted ones; the profile does not list it as a count.',
    start: always(
      onCategories((categories) =>
        categories.map((category) => ({ ...category, products: () => (category.products?.() ?? 0) + 17 })),
      ),
    ),
    profile: inResponse([CATEGORIES], { counts: null }),
  },
  {
    name: 'counts-of-other-items',
    legalBasis: 'shapes',
    groups: ['B'],
    dialects: ['reference', 'soap'],
    says: 'The number of values of a level counts the leaves of the whole tree; the profile does not list it as a count.',
    start: always(
      onItems(['groupLevels', 'hierarchyLevels'], (items) =>
        items.map((item) => ({ ...item, counts: { groupLevelValues: 70, hierarchyLevelValues: 90 } })),
      ),
    ),
    profile: inResponse(LEVELS, { counts: null }),
  },
  {
    name: 'counts-limited',
    legalBasis: 'shapes',
    dialects: ['reference'],
    says: 'Counts end at "2+", as texts.',
    start: onJson((value) =>
      eachObject(value, (object) =>
        Object.fromEntries(
          Object.entries(object).map(([name, each]) => [
            name,
            /Count$|^products$/.test(name) && typeof each === 'number' && each > 2 ? '2+' : each,
          ]),
        ),
      ),
    ),
    weakestOutcome: 'partial',
  },
  {
    name: 'counts-of-the-week-before',
    legalBasis: 'reload',
    groups: ['C'],
    dialects: ['reference', 'soap'],
    says: 'allCategories is a reload behind allProducts: its counts are those of the products of the week before.',
    profile: ONE_AFTER_ANOTHER,
    start: always(
      onAnswer('categories', (answer) => ({
        ...answer,
        asOf: answer.asOf - 7,
        categories: answer.categories.map((category) => ({
          ...category,
          products: () => (category.products?.() ?? 0) - 1,
        })),
      })),
    ),
    weakestOutcome: 'undetermined',
  },
  {
    name: 'counts-of-lagging-replicas',
    legalBasis: 'reload',
    groups: ['B'],
    dialects: ['reference'],
    says: 'Every second response of group B is a week older, and has a value less.',
    start() {
      let count = 0;
      return onAnswer('items', (answer, { operation }) => {
        if (operation.group !== 'B' || ++count % 2 === 0) return answer;
        const items = operation.name === 'hierarchyLevelValues' ? answer.items.slice(0, -1) : answer.items;
        return { ...answer, items, ...(answer.asOf !== undefined && { asOf: answer.asOf - 7 }) };
      });
    },
    weakestOutcome: 'undetermined',
  },
  {
    name: 'total-unknown',
    legalBasis: 'shapes',
    groups: ['C', 'D'],
    says: 'Lists state the total -1, because the service has not counted them.',
    start: always({
      answer: (answer) =>
        'rows' in answer || 'windows' in answer || 'categories' in answer ? { ...answer, total: () => -1 } : answer,
    }),
    weakestOutcome: 'partial',
  },
  {
    name: 'total-as-grouped-text',
    legalBasis: 'shapes',
    groups: ['C'],
    dialects: ['reference'],
    says: 'Totals are texts such as "1.234".',
    start: onJsonOfProducts((value) =>
      typeof value === 'object' && value !== null && 'total' in value
        ? { ...value, total: new Intl.NumberFormat('de-DE').format(value.total as number) }
        : value,
    ),
    profile: inResponse([...operationsOf('C').filter((key) => !key.includes('{upc}'))], {
      counts: [{ at: '$.total', of: 'list', as: 'decimalComma' }],
    }),
  },
  {
    name: 'pages-smaller-than-requested',
    legalBasis: 'limits',
    groups: ['D'],
    dialects: ['xml'],
    says: 'A page has at most seven rows, although more are requested; the total shows that more follow.',
    start: always({
      query: (query) => (query.limit === undefined ? query : { ...query, limit: Math.min(query.limit, 7) }),
    }),
  },
  {
    name: 'echoes-in-capitals',
    legalBasis: 'shapes',
    says: 'Responses repeat names and ids in capitals, with more spaces.',
    start: always({
      answer: (answer) =>
        'echo' in answer
          ? {
              ...answer,
              echo: Object.fromEntries(
                Object.entries(answer.echo ?? {}).map(([input, value]) => [
                  input,
                  typeof value === 'string' ? shouted(value) : value,
                ]),
              ),
            }
          : answer,
    }),
  },
  {
    name: 'echo-as-period',
    legalBasis: 'shapes',
    groups: ['C'],
    dialects: ['reference'],
    says: 'A delta repeats its window as P1W, P4W or P13W, although the request contains a number.',
    start: onJsonOfProducts((value) =>
      typeof value === 'object' && value !== null && 'weeks' in value ? { ...value, weeks: `P${value.weeks}W` } : value,
    ),
    profile: inResponse(['GET /PLATFORMAPI/prodRef/v1/updateProducts'], {
      echoes: { window: { at: '$.weeks', spellings: { 1: 'P1W', 4: 'P4W', 13: 'P13W' } } },
    }),
  },
  {
    name: 'echo-of-the-default',
    legalBasis: 'shapes',
    groups: ['C', 'D'],
    says: 'A response to a request without a filter says that it is for all categories.',
    start: always({
      answer: (answer, { operation }) =>
        'echo' in answer &&
        FILTERED_BY_CATEGORY.includes(operation.name) &&
        answer.echo?.category === undefined &&
        answer.echo?.categoryId === undefined
          ? { ...answer, echo: { ...answer.echo, category: 'ALL', categoryId: '*' } }
          : answer,
    }),
  },
  {
    name: 'filtered-market-in-full',
    legalBasis: 'shapes',
    groups: ['D'],
    says: 'Responses filtered by a brand call the market “Total US Stores”, the others “Total US”; the profile names no market.',
    start: always(
      onAnswer('performance', (answer, { query }) => {
        if (query.brand === undefined) return answer;
        const market = 'Total US Stores';
        return { ...answer, market, rows: answer.rows.map((row) => ({ ...row, market })) };
      }),
    ),
    profile: { markets: null },
    weakestOutcome: 'undetermined',
  },
  {
    name: 'two-codes-of-one-category',
    legalBasis: 'filters',
    groups: ['D'],
    says: 'CategoryPerformance is filtered by codes, and Tea has two of them, of which each selects a part of its rows.',
    start: always({
      query: (query, context) =>
        query.category === 'tea-too'
          ? { ...query, category: 'Tea', subCategory: 'Green Tea' }
          : (byCategoryCode(0).query?.(query, context) ?? query),
    }),
    profile: { ...CATEGORIES_BY_CODE, codes: { categories: { ...CATEGORY_CODES, 'tea-too': 'Tea' } } },
    weakestOutcome: 'undetermined',
  },
  {
    name: 'items-without-parent',
    legalBasis: 'shapes',
    groups: ['B'],
    // The profile of soap promises a parent in every row.
    dialects: ['reference', 'hypermedia', 'xml', 'tabular', 'terse', 'statistics'],
    says: 'Every second item of a list of group B names no parent, and the others write it in capitals.',
    start: always(
      onAnswer('items', (answer) => ({
        ...answer,
        items: answer.items.map(({ parent, ...item }, at) =>
          at % 2 === 1 || parent === undefined ? item : { ...item, parent: parent.toUpperCase() },
        ),
      })),
    ),
  },
  {
    name: 'parents-by-other-ids',
    legalBasis: 'shapes',
    groups: ['B'],
    says: 'Items of group B name their parent by another id than requests do.',
    start: always(
      onAnswer('items', (answer) => ({
        ...answer,
        items: answer.items.map((item) =>
          item.parent === undefined ? item : { ...item, parent: `node/${item.parent}` },
        ),
      })),
    ),
    weakestOutcome: 'undetermined',
  },
];

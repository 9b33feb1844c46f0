/** Faults of counts and echoes, which a profile may describe (section 2 shows no response shape). */

import { CATEGORY_NAMES } from '../model/names.ts';
import { lengthOf } from '../model/page.ts';
import type { ModelAnswer, Query } from '../model/types.ts';
import { isFiltered, onAnswer, onCategories, onItems, onRequest, PERFORMANCE_NAMES } from './hooks.ts';
import { changeLast } from './rows.ts';
import type { Fault, Hooks, ProfilePatch } from './types.ts';

/** The dialects whose rows state how many rows another operation returns for them. */
const WITH_ROW_COUNTS = ['reference', 'soap'] as const;

type List = Extract<ModelAnswer, { echo?: Query }>;

/** Changes the inputs that the responses of one kind repeat. */
const onEcho = (kind: 'deltas' | 'performance', change: (echo: Query) => Query): Hooks =>
  onAnswer(kind, (answer: List) => ({ ...answer, echo: change(answer.echo ?? {}) }) as ModelAnswer);

const CATEGORY_PERFORMANCE = 'GET /RetailMeasurement/v1/CategoryPerformance';
const NAMES = Object.keys(CATEGORY_NAMES);

export const CATEGORY_CODES = Object.fromEntries(NAMES.map((name, at) => [`category-${at}`, name]));

/** A filter of CategoryPerformance by codes, `category-0` and so on, in place of names. */
export const CATEGORIES_BY_CODE: ProfilePatch = {
  codes: { categories: CATEGORY_CODES },
  operations: { [CATEGORY_PERFORMANCE]: { request: { codes: { category: 'categories' } } } },
};

/** Reads the codes of {@link CATEGORIES_BY_CODE}, each as the category so many places after it. */
export const byCategoryCode = (distance: number): Hooks =>
  onRequest(['categoryPerformance'], (query) => {
    const at = /^category-(\d+)$/.exec(query.category ?? '')?.[1];
    const category = NAMES[(Number(at) + distance) % NAMES.length];
    return at === undefined || category === undefined ? query : { ...query, category };
  });

/** Gives further pages of a list the as-of date of the week before. */
const olderPage = <A extends { readonly asOf: number }>(answer: A, { query }: { readonly query: Query }): A =>
  (query.offset ?? 0) > 0 ? { ...answer, asOf: answer.asOf - 7 } : answer;

export const PAGE_METADATA_FAULTS = [
  {
    name: 'page-of-an-older-week-in-the-bulk-list',
    statement: 'operation.served',
    group: 'C',
    says: 'All pages of the bulk list but the first have the as-of date of the week before, although the profile promises one.',
    dialects: ['hypermedia', 'xml'],
    hooks: onAnswer('products', olderPage),
  },
  {
    name: 'page-of-an-older-week-in-sales',
    statement: 'operation.served',
    group: 'D',
    says: 'All pages of the rows of sales but the first have the as-of date of the week before, although the profile promises one.',
    dialects: ['hypermedia', 'soap', 'xml'],
    hooks: onAnswer('performance', olderPage),
  },
  {
    name: 'total-one-more',
    statement: 'operation.served',
    group: 'C',
    says: 'The total of the bulk list is one more than its rows.',
    hooks: onAnswer('products', (answer) => ({ ...answer, total: () => lengthOf(answer.rows) + 1 })),
  },
  {
    name: 'total-of-one-window-one-less',
    statement: 'operation.served',
    group: 'C',
    says: 'The total of the 4-week delta is one less than its rows.',
    hooks: onAnswer('deltas', (answer) => {
      const [window] = answer.windows;
      return answer.windows.length === 1 && window?.weeks === 4
        ? { ...answer, total: () => lengthOf(window.rows) - 1 }
        : answer;
    }),
  },
  {
    name: 'total-ignores-the-filter',
    statement: 'operation.served',
    group: 'C',
    says: 'The total of a filtered bulk list is that of the whole list.',
    hooks: onAnswer('products', (answer, { query, world }) =>
      isFiltered(query) ? { ...answer, total: () => lengthOf(world.products.rows(world.clock.asOf())) } : answer,
    ),
  },
  {
    name: 'total-of-categories-one-more',
    statement: 'operation.served',
    group: 'C',
    says: 'The total of allCategories is one more than its rows.',
    hooks: onAnswer('categories', (answer) => ({
      ...answer,
      total: () => answer.categories.reduce((sum, { subCategories }) => sum + subCategories.length, 1),
    })),
  },
  {
    name: 'total-of-sales-two-more',
    statement: 'operation.served',
    group: 'D',
    says: 'The total of the rows of sales is two more than the rows of all pages.',
    hooks: onAnswer('performance', (answer) => ({ ...answer, total: () => answer.rows.length + 2 })),
  },
  {
    name: 'total-of-metadata-one-less',
    statement: 'operation.served',
    group: 'B',
    says: 'The total of a list of group B is one less than its items.',
    hooks: onAnswer('items', (answer, { operation }) =>
      operation.group === 'B' ? { ...answer, total: () => answer.items.length - 1 } : answer,
    ),
  },
  {
    name: 'pages-one-less',
    statement: 'operation.served',
    group: 'C',
    dialects: ['tabular'],
    says: 'Each page of allCategories states one page less than there are.',
    hooks: {
      reply: (reply, { operation }) =>
        operation === 'allCategories'
          ? {
              ...reply,
              body: String(reply.body).replace(/"pages":(\d+)/, (_, pages) => `"pages":${Number(pages) - 1}`),
            }
          : reply,
    },
  },
  {
    name: 'products-of-a-category-one-more',
    statement: 'C.categories',
    dialects: WITH_ROW_COUNTS,
    says: 'The number of products of the last category is one more than allProducts lists.',
    hooks: onCategories((categories) =>
      categories.map((category, at) => {
        const { products } = category;
        return at === categories.length - 1 && products ? { ...category, products: () => products() + 1 } : category;
      }),
    ),
  },
  {
    name: 'products-of-all-categories-zero',
    statement: 'C.categories',
    dialects: WITH_ROW_COUNTS,
    says: 'The number of products of every category is 0.',
    hooks: onCategories((categories) => categories.map((category) => ({ ...category, products: () => 0 }))),
  },
  {
    name: 'values-of-levels-one-more',
    statement: 'B.graph',
    dialects: WITH_ROW_COUNTS,
    says: 'The levels of each hierarchy of the second catalogue state one value more than they have.',
    hooks: onItems(['hierarchyLevels'], (items, { query }) =>
      query.catalogueId === 'CAT-PANEL'
        ? items.map((item) => ({
            ...item,
            counts: { hierarchyLevelValues: (item.counts?.hierarchyLevelValues ?? 0) + 1 },
          }))
        : items,
    ),
  },
  {
    name: 'values-of-attributes-one-less',
    statement: 'B.graph',
    dialects: WITH_ROW_COUNTS,
    says: 'Attributes state one value less than they have.',
    hooks: onItems(['dimensionAttributes'], (items) =>
      items.map((item) => ({ ...item, counts: { attributeValues: (item.counts?.attributeValues ?? 0) - 1 } })),
    ),
  },
  {
    name: 'levels-of-a-group-of-the-catalogue',
    statement: 'B.graph',
    dialects: ['reference'],
    says: 'The number of levels of a group is that of all groups of the dimension.',
    hooks: onItems(['dimensionGroups'], (items) =>
      items.map((item) => ({ ...item, counts: { groupLevels: items.length * (item.counts?.groupLevels ?? 0) } })),
    ),
  },
  {
    name: 'hierarchies-of-a-dimension-one-less',
    statement: 'B.graph',
    dialects: ['reference'],
    says: 'Each dimension states one hierarchy less than it has; its other counts are right.',
    hooks: onItems(['logicalDimensions'], (items) =>
      items.map((item) => ({ ...item, counts: { ...item.counts, dimensionHierarchies: 1 } })),
    ),
  },
  {
    name: 'echo-of-another-catalogue',
    statement: 'operation.served',
    group: 'B',
    says: 'Responses of group B say that they are for CAT-PANEL, whichever catalogue is requested.',
    hooks: onAnswer('items', (answer, { operation }) =>
      operation.group === 'B' ? { ...answer, echo: { ...answer.echo, catalogueId: 'CAT-PANEL' } } : answer,
    ),
  },
  {
    name: 'echo-of-another-catalogue-in-the-last',
    statement: 'operation.served',
    group: 'B',
    says: 'RefreshDates and LogicalDimensions of the last catalogue say that they are for the second.',
    hooks: onAnswer('items', (answer, { operation, query }) =>
      ['refreshDates', 'logicalDimensions'].includes(operation.name) && query.catalogueId === 'CAT-AUDIT'
        ? { ...answer, echo: { ...answer.echo, catalogueId: 'CAT-PANEL' } }
        : answer,
    ),
  },
  {
    name: 'echo-of-another-node',
    statement: 'operation.served',
    group: 'B',
    says: 'The levels of a hierarchy are said to be those of another hierarchy.',
    hooks: onAnswer('items', (answer, { operation }) =>
      operation.name === 'hierarchyLevels' ? { ...answer, echo: { ...answer.echo, hierarchy: 'another' } } : answer,
    ),
  },
  {
    name: 'echo-of-another-window',
    statement: 'operation.served',
    group: 'C',
    says: 'The 1-week delta says that it is the 4-week delta.',
    hooks: onEcho('deltas', (echo) => (echo.window === 1 ? { ...echo, window: 4 } : echo)),
  },
  {
    name: 'echo-of-another-filter',
    statement: 'operation.served',
    group: 'D',
    says: 'A response that is filtered by category says that it is for Tea.',
    hooks: onAnswer('performance', (answer, { operation: { name } }) =>
      (PERFORMANCE_NAMES as readonly string[]).includes(name) && answer.echo?.category !== undefined
        ? { ...answer, echo: { ...answer.echo, category: 'Tea' } }
        : answer,
    ),
  },
  {
    name: 'code-without-meaning',
    statement: 'operation.served',
    group: 'D',
    says: 'The last category row has a category code that no table lists.',
    hooks: onAnswer('performance', (answer, { operation: { name } }) =>
      name === 'categoryPerformance'
        ? { ...answer, rows: [...changeLast(answer.rows, (row) => ({ ...row, category: 'Miscellaneous' }))] }
        : answer,
    ),
    profile: {
      codes: { categories: Object.fromEntries(Object.keys(CATEGORY_NAMES).map((name) => [name, name])) },
      operations: {
        'GET /RetailMeasurement/v1/CategoryPerformance': { response: { fields: { category: { code: 'categories' } } } },
      },
    },
  },
  {
    name: 'filter-code-of-the-next',
    statement: 'D.filters',
    says: 'A filter by the code of a category selects the category with the next code.',
    hooks: byCategoryCode(1),
    profile: CATEGORIES_BY_CODE,
  },
  {
    name: 'row-above-unknown',
    statement: 'B.graph',
    dialects: WITH_ROW_COUNTS,
    says: 'The last row of a dimension of the second catalogue names an unknown row as the one above it.',
    hooks: onItems(['dimensionRows'], (items, { query }) =>
      query.catalogueId === 'CAT-PANEL'
        ? items.map((item, at) => (at === items.length - 1 ? { ...item, parentItem: 'row-9' } : item))
        : items,
    ),
  },
  {
    name: 'value-above-of-the-same-level',
    statement: 'B.graph',
    dialects: WITH_ROW_COUNTS,
    says: 'The second value of the lowest level of a hierarchy names the first one as the one above it.',
    hooks: onItems(['hierarchyLevelValues'], (items, { query }) =>
      items.map((item, at) => {
        const above = { 'level-2': 'level-1', 'level-3': 'level-2' }[query.level ?? ''];
        const isWrong = query.level === 'level-3' && at === 1;
        return {
          ...item,
          id: `${query.level}/${item.id}`,
          ...(above !== undefined && { parentItem: isWrong ? 'level-3/value-1' : `${above}/${item.parentItem}` }),
        };
      }),
    ),
  },
  {
    name: 'values-above-of-two-levels',
    statement: 'B.graph',
    dialects: ['reference'],
    says: 'One value of the lowest level of a hierarchy names a value of the highest level as the one above it.',
    hooks: onItems(['hierarchyLevelValues'], (items, { query }) =>
      items.map((item, at) => {
        const above = { 'level-2': 'level-1', 'level-3': at === 1 ? 'level-1' : 'level-2' }[query.level ?? ''];
        return {
          ...item,
          id: `${query.level}/${item.id}`,
          ...(above !== undefined && { parentItem: `${above}/${item.parentItem}` }),
        };
      }),
    ),
  },
  {
    name: 'value-twice',
    statement: 'B.metadata',
    dialects: WITH_ROW_COUNTS,
    says: 'The values of the first level of a hierarchy contain one value twice.',
    hooks: onItems(['hierarchyLevelValues'], (items, { query }) =>
      query.level === 'level-1' ? [...items, ...items.slice(0, 1)] : items,
    ),
  },
  {
    name: 'parent-in-the-second-catalogue-wrong',
    statement: 'B.graph',
    says: 'The values of the last level of the second catalogue name another parent.',
    hooks: onAnswer('items', (answer, { operation, query }) =>
      operation.name === 'groupLevelValues' && query.dimension === 'household'
        ? { ...answer, items: answer.items.map((item) => ({ ...item, parent: 'another' })) }
        : answer,
    ),
  },
  {
    name: 'parent-of-one-item-wrong',
    statement: 'B.graph',
    says: 'One item of each list of group B names another parent than the one it is listed for.',
    hooks: onAnswer('items', (answer) => ({
      ...answer,
      items: answer.items.map((item, at) =>
        at === answer.items.length - 1 && item.parent !== undefined ? { ...item, parent: 'another' } : item,
      ),
    })),
  },
] as const satisfies readonly Fault[];

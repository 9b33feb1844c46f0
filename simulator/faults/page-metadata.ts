/** Faults of counts and echoes, which a profile may describe (section 2 shows no response shape). */
import type { OperationName } from '../../src/contract/index.ts';
import { every, last, when } from '../deviations/changes.ts';
import {
  type AnswerOf,
  isFiltered,
  onAnswer,
  onCategories,
  onCategorySales,
  onItems,
  onRequest,
  PERFORMANCE_NAMES,
  stating,
} from '../deviations/places.ts';
import { onReplyOf } from '../deviations/replies.ts';
import type { Context, Hooks } from '../deviations/types.ts';
import { CATEGORY_NAMES } from '../model/names.ts';
import { lengthOf } from '../model/page.ts';
import type { Category, Item, ListStatement, ModelAnswer, PerformanceRow, Query } from '../model/types.ts';
import { inB, inC, inD } from './fault.ts';

/** The dialects whose rows state how many rows another operation returns for them. */
const WITH_ROW_COUNTS = ['reference', 'soap'] as const;

type List = Extract<ModelAnswer, ListStatement>;

/** States another total, which is computed when a dialect writes it. */
export const withTotal = <K extends List['kind']>(
  kind: K,
  total: (answer: AnswerOf<K>, context: Context) => number,
  isChanged: (answer: AnswerOf<K>, context: Context) => boolean = () => true,
): Hooks =>
  onAnswer(
    kind,
    (answer, context) =>
      isChanged(answer, context) && ({ ...answer, total: () => total(answer, context) } as ModelAnswer),
  );

/** The number of all products. */
export const allProductsOf = (_: unknown, { world }: Context): number =>
  lengthOf(world.products.rows(world.clock.asOf()));

/** Changes the inputs that the responses of one kind repeat. */
const onEcho = (kind: List['kind'], change: (echo: Query, context: Context) => Query): Hooks =>
  onAnswer(kind, (answer, context) => ({ ...answer, echo: change(answer.echo ?? {}, context) }) as ModelAnswer);

const NAMES = Object.keys(CATEGORY_NAMES);

export const CATEGORY_CODES = Object.fromEntries(NAMES.map((name, at) => [`category-${at}`, name]));

/** A filter of CategoryPerformance by codes, `category-0` and so on, in place of names. */
export const CATEGORIES_BY_CODE = {
  codes: { categories: CATEGORY_CODES },
  ...stating(['categoryPerformance'], { request: { codes: { category: 'categories' } } }),
};

/** Reads the codes of {@link CATEGORIES_BY_CODE}, each as the category so many places after it. */
export const byCategoryCode = (distance: number) =>
  onRequest(['categoryPerformance'], ({ category: code = '' }) => {
    const at = /^category-(\d+)$/.exec(code)?.[1];
    const category = NAMES[(Number(at) + distance) % NAMES.length];
    return category && { category };
  });

/** Gives further pages of a list the as-of date of the week before. */
const olderPages = (kind: 'products' | 'performance'): Hooks =>
  onAnswer(kind, (answer, { query }) => (query.offset ?? 0) > 0 && { ...answer, asOf: answer.asOf - 7 });

/** Changes a count that each item of an operation states. */
const recounted = (
  name: OperationName,
  counted: OperationName,
  change: (count: number, items: Iterable<Item>) => number,
  isChanged: (query: Query) => boolean = () => true,
): Hooks =>
  onItems(
    [name],
    (items, { query }) =>
      isChanged(query) &&
      items.map((item) => ({ ...item, counts: { [counted]: change(item.counts?.[counted] ?? 0, items) } })),
  );

const isOfPanel = ({ catalogueId }: Query): boolean => catalogueId === 'CAT-PANEL';

/** Values with the id of their level before their own; `levelAbove` returns the level of the value above. */
const valuesByLevel = (
  levelAbove: (level: string, at: number) => string | undefined,
  wrong = (_: string, __: number) => ({}),
) =>
  onItems(['hierarchyLevelValues'], (items, { query: { level = '' } }) =>
    items.map((item, at) => {
      const above = levelAbove(level, at);
      return {
        ...item,
        id: `${level}/${item.id}`,
        ...(above !== undefined && { parentItem: `${above}/${item.parentItem}` }),
        ...wrong(level, at),
      };
    }),
  );
const LEVEL_ABOVE: { readonly [level: string]: string } = { 'level-2': 'level-1', 'level-3': 'level-2' };

export const PAGE_METADATA_FAULTS = [
  inC('page-of-an-older-week-in-the-bulk-list', 'operation.served', {
    says: 'All pages of the bulk list but the first have the as-of date of the week before, although the profile promises one.',
    dialects: ['hypermedia', 'xml'],
    hooks: olderPages('products'),
  }),
  inD('page-of-an-older-week-in-sales', 'operation.served', {
    says: 'All pages of the rows of sales but the first have the as-of date of the week before, although the profile promises one.',
    dialects: ['hypermedia', 'soap', 'xml'],
    hooks: olderPages('performance'),
  }),
  inC('total-one-more', 'operation.served', {
    says: 'The total of the bulk list is one more than its rows.',
    hooks: withTotal('products', ({ rows }) => lengthOf(rows) + 1),
  }),
  inC('total-of-one-window-one-less', 'operation.served', {
    says: 'The total of the 4-week delta is one less than its rows.',
    hooks: withTotal(
      'deltas',
      ({ windows: [window] }) => lengthOf(window?.rows ?? []) - 1,
      ({ windows: [window, ...others] }) => others.length === 0 && window?.weeks === 4,
    ),
  }),
  inC('total-ignores-the-filter', 'operation.served', {
    says: 'The total of a filtered bulk list is that of the whole list.',
    hooks: withTotal('products', allProductsOf, (_, context) => isFiltered(context)),
  }),
  inC('total-of-categories-one-more', 'operation.served', {
    says: 'The total of allCategories is one more than its rows.',
    hooks: withTotal('categories', ({ categories }) =>
      categories.reduce((sum, { subCategories }) => sum + subCategories.length, 1),
    ),
  }),
  inD('total-of-sales-two-more', 'operation.served', {
    says: 'The total of the rows of sales is two more than the rows of all pages.',
    hooks: withTotal('performance', ({ rows }) => rows.length + 2),
  }),
  inB('total-of-metadata-one-less', 'operation.served', {
    says: 'The total of a list of group B is one less than its items.',
    hooks: withTotal(
      'items',
      ({ items }) => items.length - 1,
      (_, { operation }) => operation.group === 'B',
    ),
  }),
  inC('pages-one-less', 'operation.served', {
    dialects: ['tabular'],
    says: 'Each page of allCategories states one page less than there are.',
    hooks: onReplyOf('allCategories', (reply) => ({
      ...reply,
      body: String(reply.body).replace(/"pages":(\d+)/, (_, pages) => `"pages":${Number(pages) - 1}`),
    })),
  }),
  inC('products-of-a-category-one-more', 'C.categories', {
    dialects: WITH_ROW_COUNTS,
    says: 'The number of products of the last category is one more than allProducts lists.',
    hooks: onCategories(last<Category>(({ products }) => products && { products: () => products() + 1 })),
  }),
  inC('products-of-all-categories-zero', 'C.categories', {
    dialects: WITH_ROW_COUNTS,
    says: 'The number of products of every category is 0.',
    hooks: onCategories(every({ products: () => 0 })),
  }),
  inB('values-of-levels-one-more', 'B.graph', {
    dialects: WITH_ROW_COUNTS,
    says: 'The levels of each hierarchy of the second catalogue state one value more than they have.',
    hooks: recounted('hierarchyLevels', 'hierarchyLevelValues', (count) => count + 1, isOfPanel),
  }),
  inB('values-of-attributes-one-less', 'B.graph', {
    dialects: WITH_ROW_COUNTS,
    says: 'Attributes state one value less than they have.',
    hooks: recounted('dimensionAttributes', 'attributeValues', (count) => count - 1),
  }),
  inB('levels-of-a-group-of-the-catalogue', 'B.graph', {
    dialects: ['reference'],
    says: 'The number of levels of a group is that of all groups of the dimension.',
    hooks: recounted('dimensionGroups', 'groupLevels', (count, items) => lengthOf(items) * count),
  }),
  inB('hierarchies-of-a-dimension-one-less', 'B.graph', {
    dialects: ['reference'],
    says: 'Each dimension states one hierarchy less than it has; its other counts are right.',
    hooks: onItems(
      ['logicalDimensions'],
      every(({ counts }) => ({ counts: { ...counts, dimensionHierarchies: 1 } })),
    ),
  }),
  inB('echo-of-another-catalogue', 'operation.served', {
    says: 'Responses of group B say that they are for CAT-PANEL, whichever catalogue is requested.',
    hooks: onEcho('items', (echo, { operation }) =>
      operation.group === 'B' ? { ...echo, catalogueId: 'CAT-PANEL' } : echo,
    ),
  }),
  inB('echo-of-another-catalogue-in-the-last', 'operation.served', {
    says: 'RefreshDates and LogicalDimensions of the last catalogue say that they are for the second.',
    hooks: onEcho('items', (echo, { operation, query }) =>
      ['refreshDates', 'logicalDimensions'].includes(operation.name) && query.catalogueId === 'CAT-AUDIT'
        ? { ...echo, catalogueId: 'CAT-PANEL' }
        : echo,
    ),
  }),
  inB('echo-of-another-node', 'operation.served', {
    says: 'The levels of a hierarchy are said to be those of another hierarchy.',
    hooks: onEcho('items', (echo, { operation: { name } }) =>
      name === 'hierarchyLevels' ? { ...echo, hierarchy: 'another' } : echo,
    ),
  }),
  inC('echo-of-another-window', 'operation.served', {
    says: 'The 1-week delta says that it is the 4-week delta.',
    hooks: onEcho('deltas', (echo) => (echo.window === 1 ? { ...echo, window: 4 } : echo)),
  }),
  inD('echo-of-another-filter', 'operation.served', {
    says: 'A response that is filtered by category says that it is for Tea.',
    hooks: onEcho('performance', (echo, { operation: { name } }) =>
      PERFORMANCE_NAMES.some((each) => each === name) && echo.category !== undefined
        ? { ...echo, category: 'Tea' }
        : echo,
    ),
  }),
  inD('code-without-meaning', 'operation.served', {
    says: 'The last category row has a category code that no table lists.',
    hooks: onCategorySales(last<PerformanceRow>({ category: 'Miscellaneous' })),
    profile: {
      codes: { categories: Object.fromEntries(NAMES.map((name) => [name, name])) },
      ...stating(['categoryPerformance'], { response: { fields: { category: { code: 'categories' } } } }),
    },
  }),
  inD('filter-code-of-the-next', 'D.filters', {
    says: 'A filter by the code of a category selects the category with the next code.',
    hooks: byCategoryCode(1),
    profile: CATEGORIES_BY_CODE,
  }),
  inB('row-above-unknown', 'B.graph', {
    dialects: WITH_ROW_COUNTS,
    says: 'The last row of a dimension of the second catalogue names an unknown row as the one above it.',
    hooks: onItems(
      ['dimensionRows'],
      when<readonly Item[], Iterable<Item>>(({ query }) => isOfPanel(query), last({ parentItem: 'row-9' })),
    ),
  }),
  inB('value-above-of-the-same-level', 'B.graph', {
    dialects: WITH_ROW_COUNTS,
    says: 'The second value of the lowest level of a hierarchy names the first one as the one above it.',
    hooks: valuesByLevel(
      (level) => LEVEL_ABOVE[level],
      (level, at) => level === 'level-3' && at === 1 && { parentItem: 'level-3/value-1' },
    ),
  }),
  inB('values-above-of-two-levels', 'B.graph', {
    dialects: ['reference'],
    says: 'One value of the lowest level of a hierarchy names a value of the highest level as the one above it.',
    hooks: valuesByLevel((level, at) => (level === 'level-3' && at === 1 ? 'level-1' : LEVEL_ABOVE[level])),
  }),
  inB('value-twice', 'B.metadata', {
    dialects: WITH_ROW_COUNTS,
    says: 'The values of the first level of a hierarchy contain one value twice.',
    hooks: onItems(
      ['hierarchyLevelValues'],
      (items, { query }) => query.level === 'level-1' && [...items, ...items.slice(0, 1)],
    ),
  }),
  inB('parent-in-the-second-catalogue-wrong', 'B.graph', {
    says: 'The values of the last level of the second catalogue name another parent.',
    hooks: onItems(['groupLevelValues'], (items, { query }) =>
      query.dimension === 'household' ? items.map((item) => ({ ...item, parent: 'another' })) : items,
    ),
  }),
  inB('parent-of-one-item-wrong', 'B.graph', {
    says: 'One item of each list of group B names another parent than the one it is listed for.',
    hooks: onItems(
      undefined,
      last(({ parent }) => (parent === undefined ? {} : { parent: 'another' })),
    ),
  }),
];

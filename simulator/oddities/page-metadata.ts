/** Oddities of counts and echoes in responses (section 2 shows no response shape). */
import { type OperationName, operationOf, operationsOf } from '../../src/contract/index.ts';
import { combineHooks } from '../behaviors/combine-hooks.ts';
import { every, inMarket, when } from '../deviations/changes.ts';
import { isFiltered, onAnswer, onCategories, onItems, onOperations, onRequest, stating } from '../deviations/places.ts';
import { onJson, onJsonNumbers } from '../deviations/replies.ts';
import type { Hooks } from '../deviations/types.ts';
import {
  allProductsOf,
  byCategoryCode,
  CATEGORIES_BY_CODE,
  CATEGORY_CODES,
  withTotal,
} from '../faults/page-metadata.ts';
import { type Oddity, ONE_AFTER_ANOTHER, oddity, partialOddity, undeterminedOddity } from './oddity.ts';

/** The profile of these operations without counts. */
const withoutCounts = (...names: readonly OperationName[]) => stating(names, { response: { counts: null } });

/** The operations that a request can filter by category. */
const FILTERED_BY_CATEGORY: readonly OperationName[] = [
  'allProducts',
  'updateProducts',
  'categoryPerformance',
  'brandPerformance',
];

/** The lists of group C. */
const LISTS_OF_C = operationsOf('C')
  .map((key) => operationOf(key).name)
  .filter((name) => name !== 'products');

/** Changes a member of the JSON objects of group C. */
const onMemberOfProducts = (member: string, change: (value: unknown) => unknown): Hooks =>
  onJson((value, { operation }) =>
    operation?.group === 'C' && typeof value === 'object' && value !== null && member in value
      ? { ...value, [member]: change((value as Record<string, unknown>)[member]) }
      : value,
  );

/** Adds to the number of products that each category states. */
const plusProducts = (more: number) =>
  onCategories(every(({ products }) => ({ products: () => (products?.() ?? 0) + more })));

/** A page has another number of rows than requested. */
export const inPagesOf = (size: (requested: number) => number) =>
  onRequest(undefined, ({ limit }) => limit !== undefined && { limit: size(limit) });

const shouted = (text: string | undefined) => text && ` ${text.toUpperCase().replaceAll(' ', '  ')} `;

export const PAGE_METADATA_ODDITIES: readonly Oddity[] = [
  oddity('total-before-filtering', 'shapes', 'C', {
    says: 'The bulk list states the number of all products, also when it is filtered; the profile does not list it as a count.',
    dialects: ['reference', 'xml'],
    hooks: withTotal('products', allProductsOf),
    profile: withoutCounts('allProducts'),
  }),
  oddity('counts-of-other-products', 'shapes', 'C', {
    says: 'The number of products of a category includes delisted ones; the profile does not list it as a count.',
    dialects: ['reference', 'soap'],
    hooks: plusProducts(17),
    profile: withoutCounts('allCategories'),
  }),
  oddity('counts-of-other-items', 'shapes', 'B', {
    says: 'The number of values of a level counts the leaves of the whole tree; the profile does not list it as a count.',
    dialects: ['reference', 'soap'],
    hooks: onItems(
      ['groupLevels', 'hierarchyLevels'],
      every({ counts: { groupLevelValues: 70, hierarchyLevelValues: 90 } }),
    ),
    profile: withoutCounts('groupLevels', 'hierarchyLevels'),
  }),
  partialOddity('counts-limited', 'shapes', 'all', {
    says: 'Counts end at "2+", as texts.',
    dialects: ['reference'],
    hooks: onJsonNumbers(
      (name) => /Count$|^products$/.test(name),
      (count) => (count > 2 ? '2+' : count),
    ),
  }),
  undeterminedOddity('counts-of-the-week-before', 'reload', 'C', {
    says: 'allCategories is a reload behind allProducts: its counts are those of the products of the week before.',
    dialects: ['reference', 'soap'],
    profile: ONE_AFTER_ANOTHER,
    hooks: combineHooks([plusProducts(-1), onAnswer('categories', (answer) => ({ ...answer, asOf: answer.asOf - 7 }))]),
  }),
  undeterminedOddity('counts-of-lagging-replicas', 'reload', 'B', {
    says: 'Every second response of group B is a week older, and has a value less.',
    dialects: ['reference'],
    hooks() {
      let count = 0;
      return onAnswer('items', (answer, { operation }) => {
        if (operation.group !== 'B' || ++count % 2 === 0) return answer;
        const items = operation.name === 'hierarchyLevelValues' ? answer.items.slice(0, -1) : answer.items;
        return { ...answer, items, ...(answer.asOf !== undefined && { asOf: answer.asOf - 7 }) };
      });
    },
  }),
  partialOddity('total-unknown', 'shapes', 'CD', {
    says: 'Lists state the total -1, because the service has not counted them.',
    hooks: onOperations(
      undefined,
      (answer) => ('rows' in answer || 'windows' in answer || 'categories' in answer) && { ...answer, total: () => -1 },
    ),
  }),
  oddity('total-as-grouped-text', 'shapes', 'C', {
    says: 'Totals are texts such as "1.234".',
    dialects: ['reference'],
    hooks: onMemberOfProducts('total', (total) => new Intl.NumberFormat('de-DE').format(total as number)),
    profile: stating(LISTS_OF_C, { response: { counts: [{ at: '$.total', of: 'list', as: 'decimalComma' }] } }),
  }),
  oddity('pages-smaller-than-requested', 'limits', 'D', {
    says: 'A page has at most seven rows, although more are requested; the total shows that more follow.',
    dialects: ['xml'],
    hooks: inPagesOf((size) => Math.min(size, 7)),
  }),
  oddity('echoes-in-capitals', 'shapes', 'all', {
    says: 'Responses repeat names and ids in capitals, with more spaces.',
    hooks: {
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
    },
  }),
  oddity('echo-as-period', 'shapes', 'C', {
    says: 'A delta repeats its window as P1W, P4W or P13W, although the request contains a number.',
    dialects: ['reference'],
    hooks: onMemberOfProducts('weeks', (weeks) => `P${weeks}W`),
    profile: stating(['updateProducts'], {
      response: { echoes: { window: { at: '$.weeks', spellings: { 1: 'P1W', 4: 'P4W', 13: 'P13W' } } } },
    }),
  }),
  oddity('echo-of-the-default', 'shapes', 'CD', {
    says: 'A response to a request without a filter says that it is for all categories.',
    hooks: {
      answer: (answer, { operation }) =>
        'echo' in answer && FILTERED_BY_CATEGORY.includes(operation.name) && !isFiltered({ query: answer.echo ?? {} })
          ? { ...answer, echo: { ...answer.echo, category: 'ALL', categoryId: '*' } }
          : answer,
    },
  }),
  undeterminedOddity('filtered-market-in-full', 'shapes', 'D', {
    says: 'Responses filtered by a brand call the market “Total US Stores”, the others “Total US”; the profile names no market.',
    hooks: onAnswer(
      'performance',
      when(({ query }) => query.brand !== undefined, inMarket('Total US Stores')),
    ),
    profile: { markets: null },
  }),
  undeterminedOddity('two-codes-of-one-category', 'filters', 'D', {
    says: 'CategoryPerformance is filtered by codes, and Tea has two of them, of which each selects a part of its rows.',
    hooks: onRequest(undefined, (query, context) =>
      query.category === 'tea-too'
        ? { category: 'Tea', subCategory: 'Green Tea' }
        : byCategoryCode(0).query(query, context),
    ),
    profile: { ...CATEGORIES_BY_CODE, codes: { categories: { ...CATEGORY_CODES, 'tea-too': 'Tea' } } },
  }),
  oddity('items-without-parent', 'shapes', 'B', {
    says: 'Every second item of a list of group B names no parent, and the others write it in capitals.',
    // The profile of soap promises a parent in every row.
    dialects: ['reference', 'hypermedia', 'xml', 'tabular', 'terse', 'statistics'],
    hooks: onItems(undefined, (items) =>
      items.map(({ parent, ...item }, at) =>
        at % 2 === 1 || parent === undefined ? item : { ...item, parent: parent.toUpperCase() },
      ),
    ),
  }),
  undeterminedOddity('parents-by-other-ids', 'shapes', 'B', {
    says: 'Items of group B name their parent by another id than requests do.',
    hooks: onItems(
      undefined,
      every(({ parent }) => parent && { parent: `node/${parent}` }),
    ),
  }),
];

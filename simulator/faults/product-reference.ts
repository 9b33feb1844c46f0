/** Faults of the lists of group C: categories and products in bulk (sections 2, 4.3 and 8). */
import { latin1, textOfUtf8, utf8 } from '../../src/bytes.ts';
import { LIMITS } from '../../src/contract/index.ts';
import { add, drop, every, failing, inMarket, last, set, when } from '../deviations/changes.ts';
import {
  dropLast,
  filterRows,
  firstRow,
  isFiltered,
  onAnswer,
  onBulk,
  onCategories,
  onDelta,
  onFiltered,
  onProduct,
  onProductRows,
  onRequest,
  repeatLast,
} from '../deviations/places.ts';
import { bytesOf, onReplyOf, replyChunks } from '../deviations/replies.ts';
import type { Context } from '../deviations/types.ts';
import type { Chunk } from '../dialects/types.ts';
import type { ProductRow } from '../model/types.ts';
import { WITHOUT_CATEGORY } from './delta.ts';
import { type Fault, inC } from './fault.ts';

const isUnfiltered = (context: Context): boolean => !isFiltered(context);

const allProducts = ({ world }: Context): Iterable<ProductRow> => world.products.rows(world.clock.asOf());

/** The date of the last activity, by the as-of date. */
const lastActive = (weeks: number) =>
  onAnswer('products', (answer, context) => ({
    ...answer,
    rows: last<ProductRow>({ activeOn: answer.asOf - 7 * weeks })(answer.rows, context),
  }));

/** The one category whose products are changed. */
const CHANGED_CATEGORY = 'Coffee';

/** The sub-category of a listed category without products. */
const SUB_CATEGORY_WITHOUT_PRODUCTS = 'Gift Boxes';
/** The dialects whose products show a sub-category. */
const WITH_SUB_CATEGORIES = ['reference'] as const;

/** A body that fails after three chunks. The chunks are bytes, because text chunks are buffered and sent together. */
function* cutOff(body: Iterable<Chunk>): Generator<Uint8Array> {
  let sent = 0;
  for (const chunk of body) {
    if (sent === 3) throw new Error('the fault cuts off this body');
    yield typeof chunk === 'string' ? utf8(chunk) : chunk;
    sent += 1;
  }
}

/** Shows the last activity of products that are new in the last 300 days on the day before their first one. */
export const activeBeforeFirst = onProductRows((row, asOf) =>
  row.firstActiveOn > asOf - 300 ? { ...row, activeOn: row.firstActiveOn - 1 } : row,
);

/** The last product of the bulk list differs. */
const lastOfBulk = (
  name: string,
  statement: Fault['statement'],
  what: string,
  cells: Parameters<typeof last<ProductRow>>[0],
  dialects?: Fault['dialects'],
): Fault =>
  inC(name, statement, { says: `The last product of the bulk list ${what}.`, hooks: onBulk(last(cells)), dialects });
const lastUpc = (name: string, what: string, change: (upc: string) => string): Fault =>
  lastOfBulk(name, 'C.upc-12', what, ({ upc }) => ({ upc: change(upc) }));

export const PRODUCT_REFERENCE_FAULTS = [
  inC('bulk-manufacturer-not-in-metadata', 'C.bulk', {
    says: 'The last product of the bulk list has a manufacturer that the metadata of group D lacks, although the profile promises that it lists all.',
    dialects: ['reference'],
    hooks: onBulk(last(({ manufacturer }) => ({ manufacturer: `${manufacturer} Extra` }))),
  }),
  inC('bulk-sub-category-not-listed', 'C.bulk', {
    says: 'The last product of the bulk list has a sub-category that allCategories lacks, although the profile promises that it lists all.',
    dialects: ['reference'],
    hooks: onBulk(last(({ subCategory }) => ({ subCategory: `${subCategory} Extra` }))),
  }),
  inC('bulk-active-before-first-activity', 'C.bulk', {
    says: 'Recent products of the bulk list were last active before their first activity, although the profile promises another order.',
    profile: { products: { firstActiveBefore: ['activeOn'] } },
    dialects: ['reference', 'hypermedia', 'soap'],
    hooks: activeBeforeFirst,
  }),
  inC('categories-miss-one', 'C.categories', {
    says: 'allCategories lacks a category that products belong to.',
    hooks: onCategories(drop(({ name }) => name === CHANGED_CATEGORY)),
  }),
  inC('categories-one-nameless', 'C.categories', {
    says: 'One category in allCategories has neither name nor id.',
    hooks: onCategories((categories) => [
      ...categories.slice(0, -1),
      { name: undefined, id: undefined, subCategories: ['Anything'] } as never,
    ]),
  }),
  inC('categories-only-first', 'C.categories', {
    says: 'allCategories lists only its first category.',
    hooks: onCategories((categories) => categories.slice(0, 1)),
  }),
  inC('categories-miss-one-sub-category', 'C.categories', {
    says: 'allCategories lacks the last sub-category of one category, which products have.',
    dialects: WITH_SUB_CATEGORIES,
    hooks: onCategories(
      every(({ name, subCategories }) =>
        name === CHANGED_CATEGORY ? { subCategories: subCategories.slice(0, -1) } : {},
      ),
    ),
  }),
  inC('bulk-sub-category-of-another-category', 'C.categories', {
    says: 'The last product of the bulk list has a sub-category that allCategories lists below another category.',
    dialects: WITH_SUB_CATEGORIES,
    hooks: onBulk(last({ subCategory: SUB_CATEGORY_WITHOUT_PRODUCTS })),
  }),
  inC('lookup-sub-category-unlisted', 'C.categories', {
    says: 'The look-up shows a sub-category that allCategories does not list for some products.',
    dialects: WITH_SUB_CATEGORIES,
    hooks: onProduct(set(({ upc }) => Number(upc) % 5 === 0 && { subCategory: 'Miscellaneous' })),
  }),
  inC('delta-sub-category-unlisted', 'C.categories', {
    strict: true,
    says: 'The last product of each delta has a sub-category that allCategories does not list.',
    dialects: WITH_SUB_CATEGORIES,
    hooks: onDelta(last({ subCategory: 'Miscellaneous' })),
  }),
  inC('bulk-duplicate', 'C.bulk', {
    says: 'The last product of the bulk list appears twice.',
    hooks: onBulk(repeatLast),
  }),
  inC('bulk-truncated', 'C.bulk', {
    says: 'The bulk list ends after ten products; its filtered lists are complete.',
    hooks: onBulk(when(isUnfiltered, (rows) => [...rows].slice(0, 10))),
  }),
  inC('bulk-misses-one-product', 'C.bulk', {
    says: 'The bulk list lacks one product that the filtered list of its category contains.',
    hooks: onBulk(when(isUnfiltered, dropLast)),
  }),
  inC('bulk-cut-off', 'operation.served', {
    says: 'The connection breaks in the middle of the bulk list.',
    hooks: onReplyOf('allProducts', (reply) =>
      typeof reply.body === 'object' && Symbol.iterator in reply.body
        ? { ...reply, body: cutOff(replyChunks(reply)) }
        : reply,
    ),
  }),
  lastOfBulk('bulk-foreign-product', 'C.us-market', 'belongs to the Canadian market', { market: 'CA' }),
  inC('bulk-foreign-market', 'C.us-market', {
    says: 'Every product of the bulk list belongs to the Canadian market.',
    hooks: onAnswer('products', inMarket('CA')),
  }),
  inC('bulk-product-too-old', 'C.history-52', {
    says: 'The last product of the bulk list was last active 60 weeks ago.',
    hooks: lastActive(60),
  }),
  inC('bulk-product-a-day-too-old', 'C.history-52', {
    says: 'The last product of the bulk list was last active on the day before the 52-week window.',
    hooks: lastActive(LIMITS.historyWeeks),
  }),
  lastOfBulk('bulk-product-without-category', 'C.product-category', 'has no category', WITHOUT_CATEGORY),
  inC('filter-breaks-on-a-name', 'C.category-filter', {
    says: 'The bulk list filtered by one category fails with 500; other categories are answered.',
    hooks: onAnswer('products', (answer, { query: { category, categoryId }, world }) => {
      const listed = world.answer('allCategories', {});
      const changed =
        listed.kind === 'categories' ? listed.categories.find(({ name }) => name === CHANGED_CATEGORY) : undefined;
      return category === CHANGED_CATEGORY || (categoryId !== undefined && categoryId === changed?.id)
        ? failing('the name does not go into the query')()
        : answer;
    }),
  }),
  lastOfBulk('bulk-product-without-market', 'C.us-market', 'has no market; all other products have one', {
    market: undefined,
  }),
  lastOfBulk('bulk-product-undated', 'C.history-52', 'has no date of activity; all other products have one', {
    activeOn: undefined,
  }),
  lastUpc('bulk-upc-11-digits', 'has a UPC of 11 digits', (upc) => upc.slice(1)),
  lastUpc('bulk-upc-13-digits', 'has a UPC of 13 digits', (upc) => `${upc}1`),
  lastUpc('bulk-upc-letter', 'has a letter O in its UPC', (upc) => `${upc.slice(0, 6)}O${upc.slice(7)}`),
  lastUpc('bulk-upc-empty', 'has an empty UPC', () => ''),
  inC('bulk-upc-zeros-lost', 'C.upc-12', {
    says: 'UPCs in the bulk list lose their leading zeros.',
    hooks: onBulk(every(({ upc }) => ({ upc: upc.replace(/^0+/, '') }))),
  }),
  inC('filter-ignored', 'C.category-filter', {
    says: 'The category filter is ignored: the response is always the whole list.',
    hooks: onRequest(['allProducts'], () => ({ category: undefined, categoryId: undefined })),
  }),
  inC('filter-ignored-once', 'C.category-filter', {
    says: 'The category filter is ignored for the one category whose name contains a plus sign.',
    hooks: onFiltered((rows, context) => {
      const name = firstRow(rows)?.category ?? context.query.category;
      return name?.includes('+') ? allProducts(context) : rows;
    }),
  }),
  inC('filter-inverted', 'C.category-filter', {
    says: 'The category filter is inverted: it returns the products of all other categories.',
    hooks: onFiltered((rows, context) => {
      const id = context.query.categoryId ?? firstRow(rows)?.categoryId;
      return filterRows(allProducts(context), (row) => row.categoryId !== id);
    }),
  }),
  inC('filter-drops-last', 'C.category-filter', {
    says: 'A filtered list lacks its last product.',
    hooks: onFiltered(dropLast),
  }),
  inC('filter-by-prefix', 'C.category-filter', {
    says: 'The filter matches by prefix: Tea also returns the products of Tea & Infusions.',
    hooks: onFiltered(
      add((context, rows) => {
        const name = firstRow(rows)?.category;
        const isLonger = ({ category = '' }: ProductRow) =>
          name !== undefined && category !== name && category.startsWith(name);
        return filterRows(allProducts(context), isLonger);
      }),
    ),
  }),
  inC('filter-cuts-ampersand', 'C.category-filter', {
    says: 'A category name is cut off at its ampersand, so its filtered list is empty.',
    hooks: onFiltered(drop(({ category = '' }) => category.includes('&'))),
  }),
  inC('filter-loses-accents', 'C.category-filter', {
    says: 'A category whose name has non-ASCII characters is not found, so its filtered list is empty.',
    hooks: onFiltered(drop(({ category = '' }) => !/^[\x20-\x7e]*$/.test(category))),
  }),
  inC('categories-in-latin-1', 'operation.served', {
    says: 'The list of categories is JSON in ISO 8859-1.',
    dialects: ['reference'],
    hooks: onReplyOf('allCategories', (reply) => ({ ...reply, body: latin1(textOfUtf8(bytesOf(reply))) })),
  }),
  inC('filter-leaks-one', 'C.category-filter', {
    says: 'A filtered list ends with one product of another category.',
    hooks: onFiltered(
      add((context, rows) => {
        const own = firstRow(rows)?.categoryId;
        const foreign = firstRow(allProducts(context), (row) => row.categoryId !== own);
        return foreign && own !== undefined ? [foreign] : [];
      }),
    ),
  }),
];

/** Faults of the lists of group C: categories and products in bulk (sections 2, 4.3 and 8). */
import { latin1, textOfUtf8, utf8 } from '../../src/bytes.ts';
import { LIMITS } from '../../src/contract/index.ts';
import type { DialectName } from '../dialects/names.ts';
import type { Chunk } from '../dialects/types.ts';
import { mapRows } from '../model/iterable.ts';
import type { ProductRow } from '../model/types.ts';
import { bytesOf, onProductRows } from '../oddities/hooks.ts';
import { isFiltered, onAnswer, onBulk, onCategories, onDelta, onFiltered, onProduct, onRequest } from './hooks.ts';
import { changeLast, dropLast, filterRows, firstRow, joinRows, repeatLast } from './rows.ts';
import type { Fault, Hooks } from './types.ts';

const changeLastUpc = (change: (upc: string) => string): Hooks =>
  onBulk((rows) => changeLast(rows, (row) => ({ ...row, upc: change(row.upc) })));

const inLastRow = (change: (row: ProductRow) => ProductRow): Hooks => onBulk((rows) => changeLast(rows, change));

/** The one category whose products are changed. */
const CHANGED_CATEGORY = 'Coffee';

/** The sub-category of a listed category without products. */
const SUB_CATEGORY_WITHOUT_PRODUCTS = 'Gift Boxes';
/** The dialects whose products show a sub-category. */
const WITH_SUB_CATEGORIES: readonly DialectName[] = ['reference'];

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

export const PRODUCT_REFERENCE_FAULTS = [
  {
    name: 'bulk-manufacturer-not-in-metadata',
    statement: 'C.bulk',
    says: 'The last product of the bulk list has a manufacturer that the metadata of group D lacks, although the profile promises that it lists all.',
    dialects: ['reference'],
    hooks: inLastRow((row) => ({ ...row, manufacturer: `${row.manufacturer} Extra` })),
  },
  {
    name: 'bulk-sub-category-not-listed',
    statement: 'C.bulk',
    says: 'The last product of the bulk list has a sub-category that allCategories lacks, although the profile promises that it lists all.',
    dialects: ['reference'],
    hooks: inLastRow((row) => ({ ...row, subCategory: `${row.subCategory} Extra` })),
  },
  {
    name: 'bulk-active-before-first-activity',
    statement: 'C.bulk',
    says: 'Recent products of the bulk list were last active before their first activity, although the profile promises another order.',
    profile: { products: { firstActiveBefore: ['activeOn'] } },
    dialects: ['reference', 'hypermedia', 'soap'],
    hooks: activeBeforeFirst,
  },
  {
    name: 'categories-miss-one',
    statement: 'C.categories',
    says: 'allCategories lacks a category that products belong to.',
    hooks: onCategories((categories) => categories.filter(({ name }) => name !== CHANGED_CATEGORY)),
  },
  {
    name: 'categories-one-nameless',
    statement: 'C.categories',
    says: 'One category in allCategories has neither name nor id.',
    hooks: onCategories((categories) => [
      ...categories.slice(0, -1),
      { name: undefined, id: undefined, subCategories: ['Anything'] } as never,
    ]),
  },
  {
    name: 'categories-only-first',
    statement: 'C.categories',
    says: 'allCategories lists only its first category.',
    hooks: onCategories((categories) => categories.slice(0, 1)),
  },
  {
    name: 'categories-miss-one-sub-category',
    statement: 'C.categories',
    says: 'allCategories lacks the last sub-category of one category, which products have.',
    dialects: WITH_SUB_CATEGORIES,
    hooks: onCategories((categories) =>
      categories.map((each) =>
        each.name === CHANGED_CATEGORY ? { ...each, subCategories: each.subCategories.slice(0, -1) } : each,
      ),
    ),
  },
  {
    name: 'bulk-sub-category-of-another-category',
    statement: 'C.categories',
    says: 'The last product of the bulk list has a sub-category that allCategories lists below another category.',
    dialects: WITH_SUB_CATEGORIES,
    hooks: inLastRow((row) => ({ ...row, subCategory: SUB_CATEGORY_WITHOUT_PRODUCTS })),
  },
  {
    name: 'lookup-sub-category-unlisted',
    statement: 'C.categories',
    says: 'The look-up shows a sub-category that allCategories does not list for some products.',
    dialects: WITH_SUB_CATEGORIES,
    hooks: onProduct((product) =>
      Number(product.upc) % 5 === 0 ? { ...product, subCategory: 'Miscellaneous' } : product,
    ),
  },
  {
    name: 'delta-sub-category-unlisted',
    statement: 'C.categories',
    strict: true,
    says: 'The last product of each delta has a sub-category that allCategories does not list.',
    dialects: WITH_SUB_CATEGORIES,
    hooks: onDelta((rows) => changeLast(rows, (row) => ({ ...row, subCategory: 'Miscellaneous' }))),
  },
  {
    name: 'bulk-duplicate',
    statement: 'C.bulk',
    says: 'The last product of the bulk list appears twice.',
    hooks: onBulk(repeatLast),
  },
  {
    name: 'bulk-truncated',
    statement: 'C.bulk',
    says: 'The bulk list ends after ten products; its filtered lists are complete.',
    hooks: onBulk((rows, { query }) => (isFiltered(query) ? rows : [...rows].slice(0, 10))),
  },
  {
    name: 'bulk-misses-one-product',
    statement: 'C.bulk',
    says: 'The bulk list lacks one product that the filtered list of its category contains.',
    hooks: onBulk((rows, { query }) => (isFiltered(query) ? rows : dropLast(rows))),
  },
  {
    name: 'bulk-cut-off',
    statement: 'operation.served',
    group: 'C',
    says: 'The connection breaks in the middle of the bulk list.',
    hooks: {
      reply: (reply, { operation }) =>
        operation === 'allProducts' && typeof reply.body === 'object' && Symbol.iterator in reply.body
          ? { ...reply, body: cutOff(reply.body instanceof Uint8Array ? [reply.body] : reply.body) }
          : reply,
    },
  },
  {
    name: 'bulk-foreign-product',
    statement: 'C.us-market',
    says: 'The last product of the bulk list belongs to the Canadian market.',
    hooks: inLastRow((row) => ({ ...row, market: 'CA' })),
  },
  {
    name: 'bulk-foreign-market',
    statement: 'C.us-market',
    says: 'Every product of the bulk list belongs to the Canadian market.',
    hooks: onAnswer('products', (answer) => ({
      ...answer,
      market: 'CA',
      rows: mapRows(answer.rows, (row) => ({ ...row, market: 'CA' })),
    })),
  },
  {
    name: 'bulk-product-too-old',
    statement: 'C.history-52',
    says: 'The last product of the bulk list was last active 60 weeks ago.',
    hooks: onAnswer('products', (answer) => ({
      ...answer,
      rows: changeLast(answer.rows, (row) => ({ ...row, activeOn: answer.asOf - 60 * 7 })),
    })),
  },
  {
    name: 'bulk-product-a-day-too-old',
    statement: 'C.history-52',
    says: 'The last product of the bulk list was last active on the day before the 52-week window.',
    hooks: onAnswer('products', (answer) => ({
      ...answer,
      rows: changeLast(answer.rows, (row) => ({ ...row, activeOn: answer.asOf - 7 * LIMITS.historyWeeks })),
    })),
  },
  {
    name: 'bulk-product-without-category',
    statement: 'C.product-category',
    says: 'The last product of the bulk list has no category.',
    hooks: inLastRow(({ category: _, categoryId: __, ...row }) => row),
  },
  {
    name: 'filter-breaks-on-a-name',
    statement: 'C.category-filter',
    says: 'The bulk list filtered by one category fails with 500; other categories are answered.',
    hooks: onAnswer('products', (answer, { query: { category, categoryId }, world }) => {
      const listed = world.answer('allCategories', {});
      const changed =
        listed.kind === 'categories' ? listed.categories.find(({ name }) => name === CHANGED_CATEGORY) : undefined;
      return category === CHANGED_CATEGORY || (categoryId !== undefined && categoryId === changed?.id)
        ? { kind: 'internalError', why: 'the name does not go into the query' }
        : answer;
    }),
  },
  {
    name: 'bulk-product-without-market',
    statement: 'C.us-market',
    says: 'The last product of the bulk list has no market; all other products have one.',
    hooks: inLastRow(({ market: _, ...row }) => row as ProductRow),
  },
  {
    name: 'bulk-product-undated',
    statement: 'C.history-52',
    says: 'The last product of the bulk list has no date of activity; all other products have one.',
    hooks: inLastRow(({ activeOn: _, ...row }) => row as ProductRow),
  },
  {
    name: 'bulk-upc-11-digits',
    statement: 'C.upc-12',
    says: 'The last product of the bulk list has a UPC of 11 digits.',
    hooks: changeLastUpc((upc) => upc.slice(1)),
  },
  {
    name: 'bulk-upc-13-digits',
    statement: 'C.upc-12',
    says: 'The last product of the bulk list has a UPC of 13 digits.',
    hooks: changeLastUpc((upc) => `${upc}1`),
  },
  {
    name: 'bulk-upc-letter',
    statement: 'C.upc-12',
    says: 'The last product of the bulk list has a letter O in its UPC.',
    hooks: changeLastUpc((upc) => `${upc.slice(0, 6)}O${upc.slice(7)}`),
  },
  {
    name: 'bulk-upc-empty',
    statement: 'C.upc-12',
    says: 'The last product of the bulk list has an empty UPC.',
    hooks: changeLastUpc(() => ''),
  },
  {
    name: 'bulk-upc-zeros-lost',
    statement: 'C.upc-12',
    says: 'UPCs in the bulk list lose their leading zeros.',
    hooks: onBulk((rows) => mapRows(rows, (row) => ({ ...row, upc: row.upc.replace(/^0+/, '') }))),
  },
  {
    name: 'filter-ignored',
    statement: 'C.category-filter',
    says: 'The category filter is ignored: the response is always the whole list.',
    hooks: onRequest(['allProducts'], ({ category: _, categoryId: __, ...query }) => query),
  },
  {
    name: 'filter-ignored-once',
    statement: 'C.category-filter',
    says: 'The category filter is ignored for the one category whose name contains a plus sign.',
    hooks: onFiltered((rows, { query, world }) => {
      const name = firstRow(rows)?.category ?? query.category;
      return name?.includes('+') ? world.products.rows(world.clock.asOf()) : rows;
    }),
  },
  {
    name: 'filter-inverted',
    statement: 'C.category-filter',
    says: 'The category filter is inverted: it returns the products of all other categories.',
    hooks: onFiltered((rows, { query, world }) => {
      const id = query.categoryId ?? firstRow(rows)?.categoryId;
      return filterRows(world.products.rows(world.clock.asOf()), (row) => row.categoryId !== id);
    }),
  },
  {
    name: 'filter-drops-last',
    statement: 'C.category-filter',
    says: 'A filtered list lacks its last product.',
    hooks: onFiltered(dropLast),
  },
  {
    name: 'filter-by-prefix',
    statement: 'C.category-filter',
    says: 'The filter matches by prefix: Tea also returns the products of Tea & Infusions.',
    hooks: onFiltered((rows, { world }) => {
      const name = firstRow(rows)?.category;
      const others = filterRows(
        world.products.rows(world.clock.asOf()),
        (row) => name !== undefined && row.category !== name && (row.category ?? '').startsWith(name),
      );
      return joinRows(rows, others);
    }),
  },
  {
    name: 'filter-cuts-ampersand',
    statement: 'C.category-filter',
    says: 'A category name is cut off at its ampersand, so its filtered list is empty.',
    hooks: onFiltered((rows) => filterRows(rows, (row) => !row.category?.includes('&'))),
  },
  {
    name: 'filter-loses-accents',
    statement: 'C.category-filter',
    says: 'A category whose name has non-ASCII characters is not found, so its filtered list is empty.',
    hooks: onFiltered((rows) => filterRows(rows, (row) => /^[\x20-\x7e]*$/.test(row.category ?? ''))),
  },
  {
    name: 'categories-in-latin-1',
    statement: 'operation.served',
    group: 'C',
    says: 'The list of categories is JSON in ISO 8859-1.',
    dialects: ['reference'],
    hooks: {
      reply: (reply, { operation }) =>
        operation === 'allCategories' ? { ...reply, body: latin1(textOfUtf8(bytesOf(reply))) } : reply,
    },
  },
  {
    name: 'filter-leaks-one',
    statement: 'C.category-filter',
    says: 'A filtered list ends with one product of another category.',
    hooks: onFiltered((rows, { world }) => {
      const own = firstRow(rows)?.categoryId;
      const foreign = firstRow(world.products.rows(world.clock.asOf()), (row) => row.categoryId !== own);
      return foreign && own !== undefined ? joinRows(rows, [foreign]) : rows;
    }),
  },
] as const satisfies readonly Fault[];

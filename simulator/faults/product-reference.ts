/** Faults of the lists of group C: categories and products in bulk (sections 2, 4.3 and 8). */
import { LIMITS } from '../../src/contract/index.ts';
import type { Chunk } from '../dialects/types.ts';
import type { ProductRow } from '../model/types.ts';
import { isFiltered, onAnswer, onBulk, onCategories, onFiltered, onRequest } from './hooks.ts';
import { changeAll, changeLast, dropLast, firstRow, joinRows, keepRows, repeatLast } from './rows.ts';
import type { Fault, Hooks } from './types.ts';

const spoilUpc = (change: (upc: string) => string): Hooks =>
  onBulk((rows) => changeLast(rows, (row) => ({ ...row, upc: change(row.upc) })));

const inLastRow = (change: (row: ProductRow) => ProductRow): Hooks => onBulk((rows) => changeLast(rows, change));

/** Products of one category only are touched. */
const TOUCHED = 'Coffee';

/** A body that breaks off after its first chunks; as bytes, so that they are sent at once and not held together. */
function* cutOff(body: Iterable<Chunk>): Generator<Uint8Array> {
  let sent = 0;
  for (const chunk of body) {
    if (sent === 3) throw new Error('cut off on purpose');
    yield Buffer.from(chunk as string);
    sent += 1;
  }
}

export const PRODUCT_REFERENCE_FAULTS = [
  {
    name: 'categories-miss-one',
    statement: 'C.categories',
    says: 'allCategories lacks a category that products belong to.',
    hooks: onCategories((categories) => categories.filter(({ name }) => name !== TOUCHED)),
  },
  {
    name: 'categories-one-nameless',
    statement: 'C.categories',
    says: 'One category of allCategories has neither name nor id.',
    hooks: onCategories((categories) => [
      ...categories.slice(0, -1),
      { name: undefined, id: undefined, subCategories: ['Anything'] } as never,
    ]),
  },
  {
    name: 'categories-only-first',
    statement: 'C.categories',
    says: 'allCategories lists its first category only.',
    hooks: onCategories((categories) => categories.slice(0, 1)),
  },
  {
    name: 'bulk-duplicate',
    statement: 'C.bulk',
    says: 'The last product of the bulk list stands in it twice.',
    hooks: onBulk(repeatLast),
  },
  {
    name: 'bulk-truncated',
    statement: 'C.bulk',
    says: 'The bulk list ends after ten products, while its filtered lists are whole.',
    hooks: onBulk((rows, { query }) => (isFiltered(query) ? rows : [...rows].slice(0, 10))),
  },
  {
    name: 'bulk-misses-one-product',
    statement: 'C.bulk',
    says: 'The bulk list lacks one product of a category that its filtered list shows.',
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
    says: 'The last product of the bulk list is of the Canadian market.',
    hooks: inLastRow((row) => ({ ...row, market: 'CA' })),
  },
  {
    name: 'bulk-foreign-market',
    statement: 'C.us-market',
    says: 'The whole bulk list is of the Canadian market.',
    hooks: onAnswer('products', (answer) => ({
      ...answer,
      market: 'CA',
      rows: changeAll(answer.rows, (row) => ({ ...row, market: 'CA' })),
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
    says: 'The last product of the bulk list was last active on the day before the 52 weeks.',
    hooks: onAnswer('products', (answer) => ({
      ...answer,
      rows: changeLast(answer.rows, (row) => ({ ...row, activeOn: answer.asOf - 7 * LIMITS.historyWeeks })),
    })),
  },
  {
    name: 'bulk-product-without-category',
    statement: 'C.product-category',
    says: 'The last product of the bulk list belongs to no category.',
    hooks: inLastRow(({ category: _, categoryId: __, ...row }) => row),
  },
  {
    name: 'filter-breaks-on-a-name',
    statement: 'C.category-filter',
    says: 'The bulk list of one category fails with 500, every other is answered.',
    hooks: onAnswer('products', (answer, { query: { category, categoryId }, world }) => {
      const listed = world.answer('allCategories', {});
      const touched = listed.kind === 'categories' ? listed.categories.find(({ name }) => name === TOUCHED) : undefined;
      return category === TOUCHED || (categoryId !== undefined && categoryId === touched?.id)
        ? { kind: 'broken', why: 'the name does not go into the query' }
        : answer;
    }),
  },
  {
    name: 'bulk-product-without-market',
    statement: 'C.us-market',
    says: 'The last product of the bulk list names no market, where all others do.',
    hooks: inLastRow(({ market: _, ...row }) => row as ProductRow),
  },
  {
    name: 'bulk-product-undated',
    statement: 'C.history-52',
    says: 'The last product of the bulk list has no date of its activity, where all others do.',
    hooks: inLastRow(({ activeOn: _, ...row }) => row as ProductRow),
  },
  {
    name: 'bulk-upc-11-digits',
    statement: 'C.upc-12',
    says: 'The last product of the bulk list has a UPC of 11 digits.',
    hooks: spoilUpc((upc) => upc.slice(1)),
  },
  {
    name: 'bulk-upc-13-digits',
    statement: 'C.upc-12',
    says: 'The last product of the bulk list has a UPC of 13 digits.',
    hooks: spoilUpc((upc) => `${upc}1`),
  },
  {
    name: 'bulk-upc-letter',
    statement: 'C.upc-12',
    says: 'The last product of the bulk list has a letter O in its UPC.',
    hooks: spoilUpc((upc) => `${upc.slice(0, 6)}O${upc.slice(7)}`),
  },
  {
    name: 'bulk-upc-empty',
    statement: 'C.upc-12',
    says: 'The last product of the bulk list has an empty UPC.',
    hooks: spoilUpc(() => ''),
  },
  {
    name: 'bulk-upc-zeros-lost',
    statement: 'C.upc-12',
    says: 'UPCs of the bulk list that begin with zeros are short of them.',
    hooks: onBulk((rows) => changeAll(rows, (row) => ({ ...row, upc: row.upc.replace(/^0+/, '') }))),
  },
  {
    name: 'filter-ignored',
    statement: 'C.category-filter',
    says: 'The category filter is ignored: always the whole list.',
    hooks: onRequest(['allProducts'], ({ category: _, categoryId: __, ...query }) => query),
  },
  {
    name: 'filter-ignored-once',
    statement: 'C.category-filter',
    says: 'The category filter is ignored for the one category whose name holds a plus sign.',
    hooks: onFiltered((rows, { query, world }) => {
      const asked = firstRow(rows)?.category ?? query.category;
      return asked?.includes('+') ? world.products.rows(world.clock.asOf()) : rows;
    }),
  },
  {
    name: 'filter-inverted',
    statement: 'C.category-filter',
    says: 'The category filter gives the products of all other categories.',
    hooks: onFiltered((rows, { query, world }) => {
      const id = query.categoryId ?? firstRow(rows)?.categoryId;
      return keepRows(world.products.rows(world.clock.asOf()), (row) => row.categoryId !== id);
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
    says: 'The filter takes every category whose name begins with what is asked for: Tea brings Tea & Infusions too.',
    hooks: onFiltered((rows, { world }) => {
      const name = firstRow(rows)?.category;
      const others = keepRows(
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
    hooks: onFiltered((rows) => keepRows(rows, (row) => !row.category?.includes('&'))),
  },
  {
    name: 'filter-loses-accents',
    statement: 'C.category-filter',
    says: 'A category whose name goes beyond ASCII is not found, so its filtered list is empty.',
    hooks: onFiltered((rows) => keepRows(rows, (row) => /^[\x20-\x7e]*$/.test(row.category ?? ''))),
  },
  {
    name: 'filter-leaks-one',
    statement: 'C.category-filter',
    says: 'A filtered list ends with one product of another category.',
    hooks: onFiltered((rows, { world }) => {
      const own = firstRow(rows)?.categoryId;
      const stranger = firstRow(world.products.rows(world.clock.asOf()), (row) => row.categoryId !== own);
      return stranger && own !== undefined ? joinRows(rows, [stranger]) : rows;
    }),
  },
] as const satisfies readonly Fault[];

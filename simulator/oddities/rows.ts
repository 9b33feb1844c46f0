/** Oddities of products and categories: order, pages, names and texts (sections 2 and 4.3). */
import { textOfUtf8 } from '../../src/bytes.ts';
import type { DialectResponse } from '../dialects/types.ts';
import { onAnswer, onBulk, onCategories, onFiltered, onProduct } from '../faults/hooks.ts';
import { activeBeforeFirst } from '../faults/product-reference.ts';
import { filterRows } from '../faults/rows.ts';
import { mapRows } from '../model/iterable.ts';
import type { ModelAnswer, ProductRow } from '../model/types.ts';
import { always, bytesOf, jsonResponse, onProductRows, onReply } from './hooks.ts';
import type { Oddity, OddityHooks } from './types.ts';

/** Reverses the lists of an answer. */
function reversed(answer: ModelAnswer): ModelAnswer {
  switch (answer.kind) {
    case 'products':
      return { ...answer, rows: [...answer.rows].reverse() };
    case 'deltas':
      return { ...answer, windows: answer.windows.map(({ weeks, rows }) => ({ weeks, rows: [...rows].reverse() })) };
    case 'performance':
    case 'filterNames':
      return { ...answer, rows: [...answer.rows].reverse() } as ModelAnswer;
    case 'categories':
      return {
        ...answer,
        categories: answer.categories
          .map((each) => ({ ...each, subCategories: [...each.subCategories].reverse() }))
          .reverse(),
      };
    case 'items':
      return { ...answer, items: [...answer.items].reverse() };
    case 'product':
      return {
        ...answer,
        product: { ...answer.product, characteristics: [...answer.product.characteristics].reverse() },
      };
    default:
      return answer;
  }
}

const LONG = 'A very long description. '.repeat(400);

/** The name that a second category shares with the first. */
const SHARED_NAME = 'Tea';
const RENAMED = 'Coffee';

const withSharedName = <T extends ProductRow>(row: T): T =>
  row.category === RENAMED ? { ...row, category: SHARED_NAME } : row;

/** Two categories of one name: a filter by the name selects both, one by the id selects one. */
const twoOfOneName: OddityHooks = {
  answer(answer, context) {
    if (answer.kind === 'categories')
      return onCategories((categories) =>
        categories.map((each) => (each.name === RENAMED ? { ...each, name: SHARED_NAME } : each)),
      ).answer?.(answer, context) as ModelAnswer;
    const { world, query } = context;
    const renamed = onProductRows(withSharedName).answer as NonNullable<OddityHooks['answer']>;
    if (answer.kind !== 'products' || query.category !== SHARED_NAME) return renamed(answer, context);
    const { categoryId } = query;
    const rows = filterRows(
      world.products.rows(world.clock.asOf()),
      (row) =>
        (row.category === SHARED_NAME || row.category === RENAMED) &&
        (categoryId === undefined || row.categoryId === categoryId),
    );
    return renamed({ ...answer, rows }, context);
  },
};

export const ROW_ODDITIES: readonly Oddity[] = [
  {
    name: 'products-without-sub-category',
    legalBasis: 'rows',
    groups: ['C'],
    says: 'Most products have no sub-category; those of one category have one that two categories share.',
    dialects: ['reference'],
    start: always(
      onProductRows((row) => ({ ...row, subCategory: row.category === 'Tea' ? 'Organic' : null }) as never),
    ),
  },
  {
    name: 'products-with-coded-sub-category',
    legalBasis: 'rows',
    groups: ['C'],
    says: 'Products show a code of their sub-category, allCategories the names.',
    dialects: ['reference'],
    start: always(onProductRows((row) => ({ ...row, subCategory: `sub-${row.subCategory.length}` }))),
    profile: { products: null },
    weakestOutcome: 'undetermined',
  },
  {
    name: 'filtered-rows-with-fewer-members',
    legalBasis: 'rows',
    groups: ['C'],
    says: 'Rows of filtered bulk lists have no brand, and no first activity.',
    start: always(
      onFiltered((rows) => mapRows(rows, ({ brand: _, firstActiveOn: __, ...row }) => row as unknown as ProductRow)),
    ),
    dialects: ['reference'],
  },
  {
    name: 'products-active-before-their-return',
    legalBasis: 'rows',
    groups: ['C'],
    says: 'The last activity of recent products is before their first one after a gap; the profile names the change only.',
    start: always(activeBeforeFirst),
    profile: { products: { firstActiveBefore: ['changedOn'] } },
    dialects: ['hypermedia'],
  },
  {
    name: 'products-of-a-manufacturer-without-sales',
    legalBasis: 'relations',
    groups: ['C'],
    says: 'The bulk list contains products of a manufacturer that the metadata of group D lacks, because it has no sales.',
    start: always(onBulk((rows) => mapRows(rows, (row) => ({ ...row, manufacturer: `${row.manufacturer} Labs` })))),
    profile: { products: null },
    dialects: ['reference'],
  },
  {
    name: 'list-writes-brands-in-capitals',
    legalBasis: 'rows',
    groups: ['C'],
    says: 'The bulk list writes brands in capitals, the look-up does not.',
    start: always(onBulk((rows) => mapRows(rows, (row) => ({ ...row, brand: row.brand?.toUpperCase() })))),
    dialects: ['reference'],
  },
  {
    name: 'categories-of-one-name',
    legalBasis: 'rows',
    groups: ['C'],
    says: 'Two categories have one name and different ids; a filter by the name selects the products of both.',
    // A coded name would need one code.
    dialects: ['reference', 'soap', 'tabular', 'hypermedia'],
    start: always(twoOfOneName),
  },
  {
    name: 'dates-in-two-notations',
    legalBasis: 'rows',
    groups: ['C'],
    says: 'The bulk list writes the dates of some products 07.11.2026 and of others 7/11/2026; the profile demands neither.',
    start: onReply((reply, { operation }) => {
      if (operation?.name !== 'allProducts' || reply.status !== 200) return reply;
      const body = textOfUtf8(bytesOf(reply)).replace(/(?<=;US;)(\d\d)\.(\d\d)\.(\d{4})/g, (date, day, month, year) =>
        Number(day) % 2 === 0 ? date : `${Number(day)}/${Number(month)}/${year}`,
      );
      return { ...reply, body };
    }),
    dialects: ['tabular'],
  },
  {
    name: 'pages-limited-without-total',
    legalBasis: 'limits',
    groups: ['C', 'D'],
    dialects: ['xml'],
    says: 'A page never has more than 20 rows, whatever size is requested; no response states a total.',
    start: () => ({
      query: (query) => (query.limit === undefined ? query : { ...query, limit: Math.min(query.limit, 20) }),
    }),
  },
  {
    name: 'pages-clamped-by-number',
    legalBasis: 'limits',
    groups: ['C', 'D'],
    dialects: ['tabular'],
    says: 'A page after the last one is the last one again, whatever number is requested.',
    start: () => {
      const lastPages = new Map<string, DialectResponse>();
      return {
        finish(reply, { request: { path, query } }) {
          if (!query.has('page') || reply.status !== 200) return reply;
          const list = `${path}?${[...query].filter(([name]) => name !== 'page').join('&')}`;
          const isAfterLast = textOfUtf8(bytesOf(reply)).includes('"results":[]');
          if (!isAfterLast) lastPages.set(list, reply);
          return lastPages.get(list) ?? reply;
        },
      };
    },
  },
  {
    name: 'pages-of-ten-rows-at-least',
    legalBasis: 'limits',
    groups: ['C', 'D'],
    dialects: ['xml'],
    says: 'A page has ten rows at least, whatever size is requested.',
    start: always({
      query: (query) => (query.limit === undefined ? query : { ...query, limit: Math.max(query.limit, 10) }),
    }),
  },
  {
    name: 'pages-of-usual-sizes-only',
    legalBasis: 'limits',
    groups: ['C', 'D'],
    dialects: ['xml'],
    says: 'Pages of other sizes than 25, 60 and 100 rows are refused with 400.',
    start: always({
      before: ({ query }) =>
        [null, '25', '60', '100'].includes(query.get('count')) ? undefined : jsonResponse(400, { title: 'page size' }),
    }),
    weakestOutcome: 'partial',
  },
  {
    name: 'row-order-changes',
    legalBasis: 'rows',
    says: 'Every list without pages is in reverse order at every second request.',
    start: () => {
      let requests = 0;
      return {
        // The order of a paged list must not change between its pages.
        answer: (answer, { query }) => (query.limit === undefined && requests++ % 2 === 1 ? reversed(answer) : answer),
      };
    },
  },
  {
    name: 'bulk-of-active-weeks-only',
    legalBasis: 'windows',
    groups: ['C'],
    says: 'All products were last active in the newest data week.',
    start: always(
      onAnswer('products', (answer) => ({
        ...answer,
        rows: mapRows(answer.rows, (row) => ({ ...row, activeOn: answer.asOf })),
      })),
    ),
  },
  {
    name: 'some-products-without-sub-category',
    legalBasis: 'rows',
    groups: ['C'],
    says: 'Every third product has no sub-category.',
    start: always({
      ...onBulk((rows) =>
        mapRows(rows, (row) =>
          Number(row.upc) % 3 === 0 ? ({ ...row, subCategory: undefined } as unknown as ProductRow) : row,
        ),
      ),
    }),
  },
  {
    name: 'products-with-long-texts',
    legalBasis: 'rows',
    groups: ['C'],
    says: 'Descriptions are ten thousand characters long.',
    start: always(onProduct((product) => ({ ...product, description: LONG }))),
  },
  {
    name: 'products-with-one-characteristic',
    legalBasis: 'rows',
    groups: ['C'],
    says: 'Every product has one characteristic, which other products share.',
    start: always(
      onProductRows((row) =>
        row.characteristics ? { ...row, characteristics: [{ name: 'Base size', value: '1 CT' }] } : row,
      ),
    ),
    // The brand of a row is then no characteristic of the look-up.
    profile: {
      operations: {
        'GET /PLATFORMAPI/prodRef/v1/allProducts': { response: { fields: { characteristics: null } } },
      },
    },
  },
  {
    name: 'characteristics-in-any-order',
    legalBasis: 'rows',
    groups: ['C'],
    says: 'Each response lists the characteristics of a product in another order.',
    start() {
      let count = 0;
      return onProductRows((row) => {
        const { characteristics = [] } = row;
        const at = characteristics.length === 0 ? 0 : ++count % characteristics.length;
        return { ...row, characteristics: [...characteristics.slice(at), ...characteristics.slice(0, at)] };
      });
    },
  },
  {
    name: 'categories-without-products',
    legalBasis: 'emptiness',
    groups: ['C'],
    says: 'allCategories lists twenty more categories that have no products.',
    start: always(
      onCategories((categories) => [
        ...categories,
        ...Array.from({ length: 20 }, (_, at) => ({
          id: `cat-9${String(at).padStart(2, '0')}`,
          name: `Planned Category ${at + 1}`,
          subCategories: ['General'],
        })),
      ]),
    ),
  },
  {
    name: 'categories-in-capitals',
    legalBasis: 'filters',
    groups: ['C'],
    says: 'allCategories returns names in capitals, and the filter ignores case.',
    start: always({
      ...onCategories((categories) => categories.map((each) => ({ ...each, name: each.name.toUpperCase() }))),
      query(query, { world }) {
        const { category } = query;
        const own =
          category === undefined
            ? undefined
            : [...new Set(world.sales.filterNames().map((row) => row.category))].find(
                (each) => each?.toUpperCase() === category.toUpperCase(),
              );
        return own === undefined ? query : { ...query, category: own };
      },
    }),
  },
];

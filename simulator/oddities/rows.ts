/** Oddities of products and categories: order, pages, names, texts and codes (sections 2 and 4.3). */
import { textOfUtf8 } from '../../src/bytes.ts';
import { combineHooks } from '../behaviors/combine-hooks.ts';
import { add, every, set } from '../deviations/changes.ts';
import {
  changeLists,
  filterRows,
  onAnswer,
  onBulk,
  onCategories,
  onFiltered,
  onProduct,
  onProductRows,
  onRequest,
  stating,
} from '../deviations/places.ts';
import { bytesOf, jsonResponse, onReplyTo } from '../deviations/replies.ts';
import type { Hooks } from '../deviations/types.ts';
import type { DialectResponse } from '../dialects/types.ts';
import { activeBeforeFirst } from '../faults/product-reference.ts';
import { mapRows } from '../model/iterable.ts';
import { withProductCounts } from '../model/product-counts.ts';
import type { Category, ModelAnswer, ProductRow } from '../model/types.ts';
import type { World } from '../model/world.ts';
import { type Oddity, oddity, partialOddity, undeterminedOddity } from './oddity.ts';
import { inPagesOf } from './page-metadata.ts';

/** Reverses the lists of an answer. */
function reversed(answer: ModelAnswer): ModelAnswer {
  const turned = changeLists(answer, (rows) => [...rows].reverse());
  return turned.kind === 'categories'
    ? {
        ...turned,
        categories: turned.categories.map((each) => ({ ...each, subCategories: [...each.subCategories].reverse() })),
      }
    : turned;
}

const LONG = 'A very long description. '.repeat(400);

/** The name that a second category shares with the first. */
const SHARED_NAME = 'Tea';
const RENAMED = 'Coffee';

const withSharedName = <T extends ProductRow>(row: T): T =>
  row.category === RENAMED ? { ...row, category: SHARED_NAME } : row;

/** Two categories of one name: a filter by the name selects both, one by the id selects one. */
const twoOfOneName: Hooks = combineHooks([
  onCategories(every(({ name }) => name === RENAMED && { name: SHARED_NAME })),
  onAnswer('products', (answer, { world, query: { category, categoryId } }) => {
    const isListed = (row: ProductRow) =>
      (row.category === SHARED_NAME || row.category === RENAMED) &&
      (categoryId === undefined || row.categoryId === categoryId);
    return (
      category === SHARED_NAME && { ...answer, rows: filterRows(world.products.rows(world.clock.asOf()), isListed) }
    );
  }),
  onProductRows(withSharedName),
]);

/** Filters by the category whose name has the same form as the requested one. */
const filteredBy = (formOf: (name: string) => string): Hooks =>
  onRequest(undefined, ({ category: name }, { world }) => {
    const own = world.sales
      .filterNames()
      .find(({ category }) => name !== undefined && formOf(category) === formOf(name));
    return own && { category: own.category };
  });

export const ROW_ODDITIES: readonly Oddity[] = [
  oddity('products-without-sub-category', 'rows', 'C', {
    says: 'Most products have no sub-category; those of one category have one that two categories share.',
    dialects: ['reference'],
    hooks: onProductRows((row) => ({ ...row, subCategory: row.category === 'Tea' ? 'Organic' : null }) as never),
  }),
  undeterminedOddity('products-with-coded-sub-category', 'rows', 'C', {
    says: 'Products show a code of their sub-category, allCategories the names.',
    dialects: ['reference'],
    hooks: onProductRows((row) => ({ ...row, subCategory: `sub-${row.subCategory.length}` })),
    profile: { products: null },
  }),
  oddity('filtered-rows-with-fewer-members', 'rows', 'C', {
    says: 'Rows of filtered bulk lists have no brand, and no first activity.',
    hooks: onFiltered(every({ brand: undefined, firstActiveOn: undefined })),
    dialects: ['reference'],
  }),
  oddity('products-active-before-their-return', 'rows', 'C', {
    says: 'The last activity of recent products is before their first one after a gap; the profile names the change only.',
    hooks: activeBeforeFirst,
    profile: { products: { firstActiveBefore: ['changedOn'] } },
    dialects: ['hypermedia'],
  }),
  oddity('products-of-a-manufacturer-without-sales', 'relations', 'C', {
    says: 'The bulk list contains products of a manufacturer that the metadata of group D lacks, because it has no sales.',
    hooks: onBulk(every(({ manufacturer }) => ({ manufacturer: `${manufacturer} Labs` }))),
    profile: { products: null },
    dialects: ['reference'],
  }),
  oddity('list-writes-brands-in-capitals', 'rows', 'C', {
    says: 'The bulk list writes brands in capitals, the look-up does not.',
    hooks: onBulk(every(({ brand }) => ({ brand: brand?.toUpperCase() }))),
    dialects: ['reference'],
  }),
  oddity('categories-of-one-name', 'rows', 'C', {
    says: 'Two categories have one name and different ids; a filter by the name selects the products of both.',
    // A coded name would need one code.
    dialects: ['reference', 'soap', 'tabular', 'hypermedia'],
    hooks: twoOfOneName,
  }),
  oddity('dates-in-two-notations', 'rows', 'C', {
    says: 'The bulk list writes the dates of some products 07.11.2026 and of others 7/11/2026; the profile demands neither.',
    hooks: onReplyTo({ operation: 'allProducts' }, (reply) => {
      if (reply.status !== 200) return reply;
      const body = textOfUtf8(bytesOf(reply)).replace(/(?<=;US;)(\d\d)\.(\d\d)\.(\d{4})/g, (date, day, month, year) =>
        Number(day) % 2 === 0 ? date : `${Number(day)}/${Number(month)}/${year}`,
      );
      return { ...reply, body };
    }),
    dialects: ['tabular'],
  }),
  oddity('pages-limited-without-total', 'limits', 'CD', {
    says: 'A page never has more than 20 rows, whatever size is requested; no response states a total.',
    dialects: ['xml'],
    hooks: inPagesOf((size) => Math.min(size, 20)),
  }),
  oddity('pages-clamped-by-number', 'limits', 'CD', {
    says: 'A page after the last one is the last one again, whatever number is requested.',
    dialects: ['tabular'],
    hooks: () => {
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
  }),
  oddity('pages-of-ten-rows-at-least', 'limits', 'CD', {
    says: 'A page has ten rows at least, whatever size is requested.',
    dialects: ['xml'],
    hooks: inPagesOf((size) => Math.max(size, 10)),
  }),
  partialOddity('pages-of-usual-sizes-only', 'limits', 'CD', {
    says: 'Pages of other sizes than 25, 60 and 100 rows are refused with 400.',
    dialects: ['xml'],
    hooks: {
      before: ({ query }) =>
        [null, '25', '60', '100'].includes(query.get('count')) ? undefined : jsonResponse(400, { title: 'page size' }),
    },
  }),
  oddity('row-order-changes', 'rows', 'all', {
    says: 'Every list without pages is in reverse order at every second request.',
    hooks: () => {
      let requests = 0;
      return {
        // The order of a paged list must not change between its pages.
        answer: (answer, { query }) => (query.limit === undefined && requests++ % 2 === 1 ? reversed(answer) : answer),
      };
    },
  }),
  oddity('bulk-of-active-weeks-only', 'windows', 'C', {
    says: 'All products were last active in the newest data week.',
    hooks: onAnswer('products', (answer) => ({
      ...answer,
      rows: mapRows(answer.rows, (row) => ({ ...row, activeOn: answer.asOf })),
    })),
  }),
  oddity('some-products-without-sub-category', 'rows', 'C', {
    says: 'Every third product has no sub-category.',
    hooks: onBulk(every(({ upc }) => Number(upc) % 3 === 0 && { subCategory: undefined })),
  }),
  oddity('products-with-long-texts', 'rows', 'C', {
    says: 'Descriptions are ten thousand characters long.',
    hooks: onProduct(set({ description: LONG })),
  }),
  oddity('products-with-one-characteristic', 'rows', 'C', {
    says: 'Every product has one characteristic, which other products share.',
    hooks: onProductRows((row) =>
      row.characteristics ? { ...row, characteristics: [{ name: 'Base size', value: '1 CT' }] } : row,
    ),
    // The brand of a row is then no characteristic of the look-up.
    profile: stating(['allProducts'], { response: { fields: { characteristics: null } } }),
  }),
  oddity('characteristics-in-any-order', 'rows', 'C', {
    says: 'Each response lists the characteristics of a product in another order.',
    hooks() {
      let count = 0;
      return onProductRows((row) => {
        const { characteristics = [] } = row;
        const at = characteristics.length === 0 ? 0 : ++count % characteristics.length;
        return { ...row, characteristics: [...characteristics.slice(at), ...characteristics.slice(0, at)] };
      });
    },
  }),
  oddity('categories-without-products', 'emptiness', 'C', {
    says: 'allCategories lists twenty more categories that have no products.',
    hooks: onCategories(
      add(() =>
        Array.from({ length: 20 }, (_, at) => ({
          id: `cat-9${String(at).padStart(2, '0')}`,
          name: `Planned Category ${at + 1}`,
          subCategories: ['General'],
        })),
      ),
    ),
  }),
  oddity('categories-in-capitals', 'filters', 'C', {
    says: 'allCategories returns names in capitals, and the filter ignores case.',
    hooks: {
      ...onCategories(every(({ name }) => ({ name: name.toUpperCase() }))),
      ...filteredBy((name) => name.toUpperCase()),
    },
  }),
];

const NEW: Category = { id: 'cat-99', name: 'Seaweed', subCategories: ['Nori'] };

/** Moves some products to a new category with the first reload, and lists it from then on. */
const categoryAddedAt = (request: number) => (): Hooks => {
  let count = 0;
  const isAdded = () => count >= request;
  const moved = (row: ProductRow): ProductRow =>
    isAdded() && Number(row.upc) % 17 === 3
      ? { ...row, category: NEW.name, categoryId: NEW.id, subCategory: NEW.subCategories[0] as string }
      : row;
  const ofNew = ({ world }: { readonly world: World }) => mapRows(world.products.rows(world.clock.asOf()), moved);
  return {
    before(_request, world) {
      if (++count === request) world.clock.advanceWeeks(1);
      return undefined;
    },
    answer(answer, { world, query }) {
      const isWanted = ({ category, categoryId }: ProductRow) =>
        (query.category === undefined || category === query.category) &&
        (query.categoryId === undefined || categoryId === query.categoryId);
      if (!isAdded()) return answer;
      switch (answer.kind) {
        case 'categories':
          return { ...answer, categories: withProductCounts([...answer.categories, NEW], () => ofNew({ world })) };
        case 'products':
          return { ...answer, rows: [...ofNew({ world })].filter(isWanted) };
        case 'deltas':
          return {
            ...answer,
            windows: answer.windows.map(({ weeks }) => ({
              weeks,
              rows: [...mapRows(world.products.changed(answer.asOf, weeks), moved)].filter(isWanted),
            })),
          };
        case 'product':
          return { ...answer, product: { ...answer.product, ...moved(answer.product) } };
        default:
          return answer;
      }
    },
  };
};

export const CODE_ODDITIES: readonly Oddity[] = [
  undeterminedOddity('code-added-by-the-reload', 'reload', 'CD', {
    says: 'With the reload at the 40th request some products move to a new category, which allCategories lists from then on.',
    hooks: categoryAddedAt(40),
  }),
  oddity('codes-retired', 'rows', 'C', {
    says: 'allCategories also lists a retired category, which no product has.',
    hooks: onCategories(add(() => [{ id: 'cat-00', name: 'Kerosene (retired)', subCategories: ['-'] }])),
  }),
  oddity('code-meanings-in-another-spelling', 'filters', 'C', {
    says: 'allCategories writes names in capitals and with more spaces than the rows; the filter ignores both.',
    hooks: {
      ...onCategories(every(({ name }) => ({ name: ` ${name.toUpperCase().replaceAll(' ', '  ')} ` }))),
      ...filteredBy((name) => name.trim().replaceAll(/\s+/g, ' ').toUpperCase()),
    },
  }),
];

/** Oddities of codes and the tables with their meanings, which a profile may join (section 2 shows no response shape). */
import { add, every } from '../deviations/changes.ts';
import { onCategories } from '../deviations/places.ts';
import type { Hooks } from '../deviations/types.ts';
import { mapRows } from '../model/iterable.ts';
import { withProductCounts } from '../model/product-counts.ts';
import type { Category, ProductRow } from '../model/types.ts';
import type { World } from '../model/world.ts';
import { type Oddity, oddity, undeterminedOddity } from './oddity.ts';

const NEW: Category = { id: 'cat-99', name: 'Seaweed', subCategories: ['Nori'] };

/** Moves some products to a new category with the first reload, and lists it from then on. */
const categoryAddedAt = (request: number) => (): Hooks => {
  let count = 0;
  const isAdded = () => count >= request;
  const moved = (row: ProductRow): ProductRow =>
    isAdded() && Number(row.upc) % 17 === 3 ? { ...row, category: NEW.name, categoryId: NEW.id } : row;
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
      query(query, { world }) {
        const plain = (name: string | undefined) => name?.trim().replaceAll(/\s+/g, ' ').toUpperCase();
        const own = world.sales.filterNames().find(({ category }) => plain(category) === plain(query.category));
        return query.category === undefined || own?.category === undefined
          ? query
          : { ...query, category: own.category };
      },
    },
  }),
];

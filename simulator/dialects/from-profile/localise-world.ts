/** The world under the owner’s names, markets, days and percentages; everything behind it, faults too, sees it so. */
import { JOB_KINDS, JOB_STATUS, LIMITS, type OperationName, operationOf } from '../../../src/contract/index.ts';
import type { ProfileData } from '../../../src/profile/schema.ts';
import { metadataNodes } from '../../model/metadata.ts';
import type {
  Day,
  Item,
  ModelAnswer,
  PerformanceRow,
  Product,
  ProductRow,
  Query,
  SalesNames,
} from '../../model/types.ts';
import type { World } from '../../model/world.ts';
import { type Aliases, type Naming, NODES } from './example-aliases.ts';

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
/** Data weeks of the world end on Saturdays. */
const OWN_END = WEEKDAYS.indexOf('saturday');

/** What the items of an operation are the names of. */
const LISTS: Partial<Record<OperationName, Naming>> = {
  catalogues: 'catalogueId',
  logicalDimensions: 'dimension',
  dimensionAttributes: 'attribute',
  dimensionGroups: 'group',
  dimensionHierarchies: 'hierarchy',
  groupLevels: 'level',
  hierarchyLevels: 'level',
  refreshDates: 'refresh',
};
const NAMINGS = [
  'upc',
  'category',
  'categoryId',
  'subCategory',
  'manufacturer',
  'brand',
  'catalogueId',
  'dimension',
  'group',
  'hierarchy',
  'level',
  'attribute',
  'measure',
] as const satisfies (keyof Query & Naming)[];

/** The id of the node a name belongs to: who lists names only is asked for by them. */
function idOfName(naming: Naming, value: string): string {
  const kinds = NODES[naming];
  return kinds ? (nodes.find(({ kind, name }) => kinds.includes(kind) && name === value)?.id ?? value) : value;
}
const nodes = metadataNodes();

/** (of − last year) ÷ last year × 100; null without a last year. */
function changeOf(of: unknown, lastYear: unknown, decimals: number): number | null {
  if (typeof of !== 'number' || typeof lastYear !== 'number' || lastYear === 0) return null;
  return Number((((of - lastYear) / lastYear) * 100).toFixed(decimals));
}

/** Lists can be walked any number of times. */
const each = <T>(rows: Iterable<T>, change: (row: T) => T): Iterable<T> => ({
  *[Symbol.iterator]() {
    for (const row of rows) yield change(row);
  },
});

/** Settles the owner of a profile in a world of its own. */
export function localiseWorld({ dataWeek, markets, figures }: ProfileData, world: World, aliases: Aliases): World {
  const shift = dataWeek ? (WEEKDAYS.indexOf(dataWeek.endsOn) - OWN_END + 7) % 7 : 0;
  const { toWorld, toOwner, jobs } = aliases;
  const productMarket = spelled(markets?.products, LIMITS.productMarket);
  const market = spelled(markets?.performance, LIMITS.market);

  /** A day of the world as the owner counts it, seen from an as-of of the world. */
  const dayAs = (means: 'day' | 'weekEnding' | 'weekStarting' | undefined, day: Day, asOf: Day): Day => {
    if (means === undefined || means === 'day') return day + shift;
    const end = asOf - 7 * Math.floor((asOf - day) / 7);
    return (means === 'weekEnding' ? end : end - 6) + shift;
  };
  const named = <T extends SalesNames & { readonly categoryId?: string }>(row: T): T => ({
    ...row,
    ...(row.category !== undefined && { category: toOwner('category', row.category) }),
    ...(row.categoryId !== undefined && { categoryId: toOwner('categoryId', row.categoryId) }),
    ...(row.subCategory !== undefined && { subCategory: toOwner('subCategory', row.subCategory) }),
    ...(row.manufacturer !== undefined && { manufacturer: toOwner('manufacturer', row.manufacturer) }),
    ...(row.brand !== undefined && { brand: toOwner('brand', row.brand) }),
  });
  const product = <T extends ProductRow | Product>(row: T, asOf: Day): T => ({
    ...named(row),
    upc: toOwner('upc', row.upc),
    market: productMarket,
    activeOn: dayAs(dataWeek?.activeOn, row.activeOn, asOf),
    ...(row.changedOn !== undefined && { changedOn: dayAs(dataWeek?.changedOn, row.changedOn, asOf) }),
  });
  const sales = (row: PerformanceRow): PerformanceRow => {
    const declared = figures?.percentChange;
    return {
      ...named(row),
      market,
      ...(declared && { percentChange: changeOf(row[declared.of], row.salesLastYear, declared.decimals) }),
    };
  };
  const item = (naming: Naming | undefined, { id, date, ...rest }: Item): Item => ({
    ...rest,
    ...(id !== undefined && { id: naming ? toOwner(naming, id) : id }),
    ...(date !== undefined && { date: date + shift }),
  });

  const ask = (operation: OperationName, query: Query): Query => {
    const kind = JOB_KINDS.find((each) => operationOf(JOB_STATUS[each]).name === operation);
    const names = NAMINGS.flatMap((naming) => {
      const value = query[naming];
      return value === undefined ? [] : [[naming, idOfName(naming, toWorld(naming, value))]];
    });
    return {
      ...query,
      ...Object.fromEntries(names),
      ...(kind && query.jobId !== undefined && { jobId: jobs.of(kind, query.jobId) }),
    };
  };
  const tellBack = (answer: ModelAnswer, operation: OperationName, asked: Query): ModelAnswer => {
    switch (answer.kind) {
      case 'products':
        return {
          ...answer,
          asOf: answer.asOf + shift,
          market: productMarket,
          rows: each(answer.rows, (row) => product(row, answer.asOf)),
        };
      case 'product':
        return { ...answer, product: product(answer.product, world.clock.asOf()) };
      case 'deltas':
        return {
          ...answer,
          asOf: answer.asOf + shift,
          windows: answer.windows.map(({ weeks, rows }) => ({
            weeks,
            rows: each(rows, (row) => product(row, answer.asOf)),
          })),
        };
      case 'categories':
        return {
          ...answer,
          categories: answer.categories.map(({ id, name, subCategories }) => ({
            id: toOwner('categoryId', id),
            name: toOwner('category', name),
            subCategories: subCategories.map((each) => toOwner('subCategory', each)),
          })),
        };
      case 'performance':
        return { ...answer, asOf: answer.asOf + shift, market, rows: answer.rows.map(sales) };
      case 'available':
        return { ...answer, rows: answer.rows.map(named) };
      case 'items':
        return { ...answer, items: answer.items.map((each) => item(LISTS[operation], each)) };
      case 'jobStatus':
        return { ...answer, jobId: jobs.shown(answer.jobId) };
      case 'unknown': {
        const value = asked[answer.input as keyof Query];
        return value === undefined ? answer : { ...answer, value: String(value) };
      }
      default:
        return answer;
    }
  };
  const { products, sales: sold, clock } = world;
  return {
    clock: {
      asOf: () => clock.asOf() + shift,
      now: () => clock.now(),
      advanceWeeks: (weeks) => clock.advanceWeeks(weeks),
    },
    products: {
      count: products.count,
      at: (index, asOf) => product(products.at(index, asOf - shift), asOf - shift),
      byUpc(upc, asOf) {
        const found = products.byUpc(toWorld('upc', upc), asOf - shift);
        return found && product(found, asOf - shift);
      },
      rows: (asOf, keeps) =>
        each(products.rows(asOf - shift, keeps && ((shelf) => keeps(named(shelf)))), (row) =>
          product(row, asOf - shift),
        ),
      changed: (asOf, weeks, keeps) =>
        each(products.changed(asOf - shift, weeks, keeps && ((shelf) => keeps(named(shelf)))), (row) =>
          product(row, asOf - shift),
        ),
    },
    sales: {
      available: () => sold.available().map(named),
      byBrand: (asOf, query) => sold.byBrand(asOf - shift, ask('brandPerformance', query)).map(sales),
      byCategory: (asOf, query) => sold.byCategory(asOf - shift, ask('categoryPerformance', query)).map(sales),
    },
    answer: (operation, query) => tellBack(world.answer(operation, ask(operation, query)), operation, query),
  };
}

/** The owner’s spelling of a market, the document’s where it is among them. */
const spelled = (spellings: readonly string[] | undefined, own: string): string =>
  spellings === undefined || spellings.includes(own) ? own : (spellings[0] as string);

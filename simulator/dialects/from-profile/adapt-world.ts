/**
 * Adapts the world to a profile: its example names and ids, markets, days and percentages replace those of the world.
 * Faults change the adapted values.
 */
import {
  ALL_PRODUCTS,
  JOB_KINDS,
  JOB_STATUS,
  MARKET_NAMES,
  type OperationName,
  operationOf,
  PRODUCT_LOOKUP,
} from '../../../src/contract/index.ts';
import type { ProfileData } from '../../../src/profile/schema.ts';
import { mapRows } from '../../model/iterable.ts';
import { metadataNodes } from '../../model/metadata.ts';
import type { ProductValues } from '../../model/product-edits.ts';
import type { CategoryFilter } from '../../model/products.ts';
import type { Day, Item, ModelAnswer, PerformanceRow, Product, ProductRow, Query } from '../../model/types.ts';
import type { World } from '../../model/world.ts';
import { adaptJobs } from './adapt-jobs.ts';
import { type Aliases, type AliasKind, NODE_ALIASES, NODE_KINDS_BY_ALIAS, SALES_NAMES } from './aliases.ts';
import { parseQualifiedId, qualifiedId, qualifiedKinds } from './qualified-ids.ts';
import { refuseUnknownName } from './unknown-names.ts';

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
/** Data weeks of the world end on Saturdays. */
const WORLD_WEEK_END = WEEKDAYS.indexOf('saturday');

/** The kind of names that an operation lists. */
const LISTS: Partial<Record<OperationName, AliasKind>> = {
  catalogues: 'catalogueId',
  logicalDimensions: 'dimension',
  dimensionAttributes: 'attribute',
  dimensionGroups: 'group',
  dimensionHierarchies: 'hierarchy',
  groupLevels: 'level',
  hierarchyLevels: 'level',
  refreshDates: 'refresh',
};
const ALIAS_KINDS = ['upc', ...SALES_NAMES, ...NODE_ALIASES] as const satisfies (keyof Query & AliasKind)[];

/** The id of the node with this name: a profile that lists only names uses them as ids. */
function idOfName(aliasKind: AliasKind, value: string): string {
  const kinds: readonly string[] | undefined = NODE_KINDS_BY_ALIAS[aliasKind as keyof typeof NODE_KINDS_BY_ALIAS];
  return kinds ? (METADATA_NODES.find(({ kind, name }) => kinds.includes(kind) && name === value)?.id ?? value) : value;
}
const METADATA_NODES = metadataNodes();
const CATALOGUES_KEY = 'POST /data-access/v1/Catalogues';
const ANY_DIMENSION = METADATA_NODES.find(({ kind }) => kind === 'dimension')?.id ?? '';

/** Whether a product that did not change for a year needs a date of change: a field or a schema may require it. */
const needsChangedOn = ({ operations }: ProfileData): boolean =>
  ([ALL_PRODUCTS, PRODUCT_LOOKUP] as const).some((key) => {
    const { fields, schemas } = operations?.[key]?.response ?? {};
    return fields?.changedOn !== undefined && (schemas !== undefined || fields.changedOn.required === true);
  });

/** (current − last year) ÷ last year × 100; null when last year is zero or missing. */
function changeOf(current: unknown, lastYear: unknown, decimals: number): number | null {
  if (typeof current !== 'number' || typeof lastYear !== 'number' || lastYear === 0) return null;
  return Number((((current - lastYear) / lastYear) * 100).toFixed(decimals));
}

type NamesAndId = { readonly [N in (typeof SALES_NAMES)[number]]?: string };

/** A copy with other names. */
function renamed<T extends NamesAndId>(row: T, convert: Aliases['toWorld']): T {
  const result: { -readonly [N in keyof NamesAndId]: string | undefined } = { ...row };
  for (const name of SALES_NAMES) if (row[name] !== undefined) result[name] = convert(name, row[name]);
  return result as T;
}

/** Wraps a world, so that its queries and answers have the values of the profile. */
export function adaptWorld(profile: ProfileData, world: World, aliases: Aliases): World {
  const { dataWeek, markets, figures, jobs: profileJobs, catalogue } = profile;
  const qualified = qualifiedKinds(profile);
  const shift = dataWeek ? (WEEKDAYS.indexOf(dataWeek.endsOn) - WORLD_WEEK_END + 7) % 7 : 0;
  const { toWorld, toProfile, jobs } = aliases;
  const productMarket = marketNameOf(markets?.products, MARKET_NAMES.products);
  const market = marketNameOf(markets?.performance, MARKET_NAMES.performance);

  /** Converts a day of the world to the date that the profile writes for it: the day itself, or the end or start of its data week. */
  const dayAs = (meaning: 'day' | 'weekEnding' | 'weekStarting' | undefined, day: Day, asOf: Day): Day => {
    if (meaning === undefined || meaning === 'day') return day + shift;
    const end = asOf - 7 * Math.floor((asOf - day) / 7);
    return (meaning === 'weekEnding' ? end : end - 6) + shift;
  };
  const withProfileNames = <T extends NamesAndId>(row: T): T => renamed(row, toProfile);
  const withWorldNames = (values: Partial<ProductValues>): Partial<ProductValues> => renamed(values, toWorld);
  const isDated = needsChangedOn(profile);
  const adaptProduct = <T extends ProductRow | Product>(row: T, asOf: Day): T => ({
    ...withProfileNames(row),
    upc: toProfile('upc', row.upc),
    market: productMarket,
    activeOn: dayAs(dataWeek?.activeOn, row.activeOn, asOf),
    firstActiveOn: dayAs(dataWeek?.firstActiveOn, row.firstActiveOn, asOf),
    ...((row.changedOn !== undefined || isDated) && {
      changedOn: dayAs(dataWeek?.changedOn, row.changedOn ?? row.firstActiveOn, asOf),
    }),
  });
  const listsCharacteristics = profile.operations?.[ALL_PRODUCTS]?.response?.fields?.characteristics !== undefined;
  /** A row of the bulk list, with characteristics if the profile reads them there: the world has them in look-ups and deltas. */
  const inBulkList = (row: ProductRow, asOf: Day): ProductRow => {
    const characteristics = listsCharacteristics ? world.products.byUpc(row.upc, asOf)?.characteristics : undefined;
    return characteristics ? { ...row, characteristics } : row;
  };
  const adaptSales = (row: PerformanceRow): PerformanceRow => {
    const declared = figures?.percentChange;
    return {
      ...withProfileNames(row),
      market,
      ...(declared && { percentChange: changeOf(row[declared.of], row.salesLastYear, declared.decimals) }),
    };
  };
  /** The id of a node of the world, and its dimension if the id of the profile names it. */
  const nodeOf = (aliasKind: AliasKind, value: string): { readonly dimension?: string; readonly id: string } => {
    const id = idOfName(aliasKind, toWorld(aliasKind, value));
    return qualified.has(aliasKind) ? parseQualifiedId(id) : { id };
  };
  const parentAs = (parent: string, query: Query): string => {
    const requested = ALIAS_KINDS.findLast((aliasKind) => {
      const value = query[aliasKind];
      return value !== undefined && nodeOf(aliasKind, value).id === parent;
    });
    return requested === undefined ? parent : String(query[requested]);
  };

  const toWorldQuery = (operation: OperationName, query: Query): Query => {
    const kind = JOB_KINDS.find((each) => operationOf(JOB_STATUS[each]).name === operation);
    const nodes = ALIAS_KINDS.flatMap((aliasKind) => {
      const value = query[aliasKind];
      return value === undefined ? [] : [[aliasKind, nodeOf(aliasKind, value)] as const];
    });
    // An unknown id names no dimension, and is unknown in every dimension.
    const isQualified = nodes.some(([aliasKind]) => qualified.has(aliasKind));
    const dimension = nodes.map(([, node]) => node.dimension).find((each) => each !== undefined);
    return {
      ...query,
      ...(isQualified && { dimension: dimension ?? ANY_DIMENSION }),
      ...Object.fromEntries(nodes.map(([aliasKind, { id }]) => [aliasKind, id])),
      ...(kind && query.jobId !== undefined && { jobId: jobs.toWorld(kind, query.jobId) }),
    };
  };
  const listsRequestedOnly = catalogue?.distinguishing?.includes(CATALOGUES_KEY) ?? false;
  /** The items of an answer: of the catalogues only the requested one, if the profile says that it decides. */
  const itemsOf = (operation: OperationName, query: Query, items: readonly Item[]): readonly Item[] => {
    const { catalogueId, dimension, group, hierarchy } = toWorldQuery(operation, query);
    const isOfOne = operation === 'catalogues' && listsRequestedOnly && catalogueId !== undefined;
    // Names show the parent only; those of a profile that distinguishes its ancestors show these, too.
    const ancestors =
      catalogue?.distinguishes && !isOfOne ? [group ?? hierarchy, dimension].filter((each) => each !== undefined) : [];
    const aliasKind = LISTS[operation];
    const needsDimension = aliasKind !== undefined && qualified.has(aliasKind);
    const idAs = (id: string): string => {
      const whole = needsDimension && dimension !== undefined ? qualifiedId(dimension, id) : id;
      return aliasKind ? toProfile(aliasKind, whole) : whole;
    };
    return (isOfOne ? items.filter(({ id }) => id === catalogueId) : items).map(
      ({ id, name, parent, date, ...rest }) => ({
        ...rest,
        ...(id !== undefined && { id: idAs(id) }),
        ...(name !== undefined && { name: [name, ...ancestors].join(', ') }),
        // The parent is the requested node, which may have an id of the profile.
        ...(parent !== undefined && { parent: parentAs(parent, query) }),
        ...(date !== undefined && { date: date + shift }),
      }),
    );
  };
  const withProfileValues = (answer: ModelAnswer, operation: OperationName, profileQuery: Query): ModelAnswer => {
    switch (answer.kind) {
      case 'products': {
        const rows = mapRows(answer.rows, (row) => adaptProduct(inBulkList(row, answer.asOf), answer.asOf));
        return { ...answer, market: productMarket, rows };
      }
      case 'product':
        return { ...answer, product: adaptProduct(answer.product, answer.asOf) };
      case 'deltas': {
        const adapted = (rows: Iterable<ProductRow>) => mapRows(rows, (row) => adaptProduct(row, answer.asOf));
        return { ...answer, windows: answer.windows.map(({ weeks, rows }) => ({ weeks, rows: adapted(rows) })) };
      }
      case 'categories': {
        const categories = answer.categories.map(({ id, name, subCategories, ...counts }) => ({
          ...counts,
          id: toProfile('categoryId', id),
          name: toProfile('category', name),
          subCategories: subCategories.map((each) => toProfile('subCategory', each)),
        }));
        return { ...answer, categories };
      }
      case 'performance':
        return { ...answer, market, rows: answer.rows.map(adaptSales) };
      case 'filterNames':
        return { ...answer, rows: answer.rows.map(withProfileNames), markets: [...new Set([productMarket, market])] };
      case 'items':
        return { ...answer, items: itemsOf(operation, profileQuery, answer.items) };
      case 'jobStatus':
        return { ...answer, jobId: jobs.toProfile(answer.jobId) };
      case 'unknown': {
        const value = profileQuery[answer.input as keyof Query];
        return value === undefined ? answer : { ...answer, value: String(value) };
      }
      default:
        return answer;
    }
  };
  const { products, sales: worldSales, clock } = world;
  const named = (matches: CategoryFilter | undefined): CategoryFilter | undefined =>
    matches && ((entry) => matches(withProfileNames(entry)));
  return {
    clock: {
      asOf: () => clock.asOf() + shift,
      now: () => clock.now(),
      advanceWeeks: (weeks) => clock.advanceWeeks(weeks),
      set: (to) => clock.set(to),
    },
    products: {
      count: products.count,
      at: (index, asOf) => adaptProduct(products.at(index, asOf - shift), asOf - shift),
      byUpc(upc, asOf) {
        const found = products.byUpc(toWorld('upc', upc), asOf - shift);
        return found && adaptProduct(found, asOf - shift);
      },
      rows: (asOf, matches) =>
        mapRows(products.rows(asOf - shift, named(matches)), (row) => adaptProduct(row, asOf - shift)),
      changed: (asOf, weeks, matches) =>
        mapRows(products.changed(asOf - shift, weeks, named(matches)), (row) => adaptProduct(row, asOf - shift)),
      revision: () => products.revision(),
      edits: {
        add: (upc, values = {}) =>
          adaptProduct(products.edits.add(toWorld('upc', upc), withWorldNames(values)), clock.asOf()),
        change: (upc, values) =>
          adaptProduct(products.edits.change(toWorld('upc', upc), withWorldNames(values)), clock.asOf()),
        delist: (upc) => products.edits.delist(toWorld('upc', upc)),
      },
    },
    jobs: adaptJobs(world.jobs, profileJobs, jobs),
    sales: {
      filterNames: () => worldSales.filterNames().map(withProfileNames),
      byBrand: (asOf, query) =>
        worldSales.byBrand(asOf - shift, toWorldQuery('brandPerformance', query)).map(adaptSales),
      byCategory: (asOf, query) =>
        worldSales.byCategory(asOf - shift, toWorldQuery('categoryPerformance', query)).map(adaptSales),
    },
    answer(operation, query) {
      const ownQuery = toWorldQuery(operation, query);
      const answer = refuseUnknownName(world.answer(operation, ownQuery), {
        operation,
        query: ownQuery,
        world,
        profile,
      });
      const adapted = withProfileValues(answer, operation, query);
      return 'asOf' in adapted && adapted.asOf !== undefined ? { ...adapted, asOf: adapted.asOf + shift } : adapted;
    },
  };
}

/** The market name in responses: that of the document if the profile allows it, otherwise the first that the profile lists. */
const marketNameOf = (names: readonly string[] | undefined, documented: string): string =>
  names === undefined || names.includes(documented) ? documented : (names[0] as string);

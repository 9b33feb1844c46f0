/** A consistent, seeded data model that answers neutral queries for all 41 operations. */
import {
  type DeltaWeeks,
  isUpc,
  JOB_KINDS,
  JOB_STATUS,
  type JobKind,
  LIMITS,
  MARKET_NAMES,
  type OperationName,
  operationOf,
} from '../../src/contract/index.ts';
import { createAssortment } from './assortment.ts';
import { answerCatalogue, type CatalogueOperation } from './catalogue.ts';
import type { Clock } from './clock.ts';
import { createJobs, JOB_STARTERS, type JobControl } from './jobs.ts';
import { withProductCounts } from './product-counts.ts';
import { type EditableProducts, makeEditable } from './product-edits.ts';
import { type CategoryFilter, createProducts } from './products.ts';
import { createSales, type Sales } from './sales.ts';
import { createStore } from './store.ts';
import type { ModelAnswer, Query } from './types.ts';
import { MAX_PRODUCTS } from './upc.ts';

export interface World {
  readonly clock: Clock;
  readonly products: EditableProducts;
  readonly jobs: JobControl;
  readonly sales: Sales;
  /** Answers an operation. Equal queries return equal answers, except for jobs and surveys, which get consecutive ids. */
  answer(operation: OperationName, query: Query): ModelAnswer;
}

export interface WorldOptions {
  readonly seed: number;
  readonly products: number;
  readonly clock: Clock;
  /** Whether a delta lists removed products. Default: no. */
  readonly listsRemovals?: boolean | undefined;
}

const isDeltaWindow = (weeks: number): weeks is DeltaWeeks => (LIMITS.deltaWeeks as readonly number[]).includes(weeks);

/** The names by which lists can be filtered, as the lists of a world show them; some occur several times. */
export function listedNames({ answer, sales }: Pick<World, 'answer' | 'sales'>) {
  const listed = answer('allCategories', {});
  const categories = listed.kind === 'categories' ? listed.categories : [];
  const rows = sales.filterNames();
  return {
    category: [...categories.map(({ name }) => name), ...rows.map(({ category }) => category)],
    categoryId: categories.map(({ id }) => id),
    subCategory: [...categories.flatMap(({ subCategories }) => subCategories), ...rows.map((row) => row.subCategory)],
    manufacturer: rows.map(({ manufacturer }) => manufacturer),
    brand: rows.map(({ brand }) => brand),
  } satisfies { readonly [N in keyof Query]?: readonly (string | undefined)[] };
}

/** The one map that is saved. */
const SAVED_MAP = 'map-000001';

/** Creates a world. Two worlds with equal options return equal answers. */
export function createWorld({ seed, products: count, clock, listsRemovals = false }: WorldOptions): World {
  if (!Number.isInteger(count) || count < 0 || count > MAX_PRODUCTS) {
    throw new Error(`products must be a whole number from 0 to ${MAX_PRODUCTS}, not ${count}`);
  }
  const state = createStore();
  const firstDay = clock.asOf();
  const assortment = createAssortment(state.categories(), state.brands());
  const products = makeEditable(createProducts(seed, count, firstDay, assortment), {
    asOf: () => clock.asOf(),
    categories: state.categories,
    assortment,
    listsRemovals,
  });
  const jobs = createJobs();
  const sales = createSales(seed, firstDay, assortment);

  const inCategory = ({ category, categoryId }: Query) =>
    category === undefined && categoryId === undefined
      ? undefined
      : (entry: Parameters<CategoryFilter>[0]) =>
          (category === undefined || entry.category === category) &&
          (categoryId === undefined || entry.categoryId === categoryId);

  const lookUp = ({ upc }: Query): ModelAnswer => {
    if (upc === undefined || !isUpc(upc)) {
      return { kind: 'rejected', reason: 'malformed', input: 'upc', detail: 'a UPC is a string of 12 digits' };
    }
    const asOf = clock.asOf();
    const product = products.byUpc(upc, asOf);
    return product ? { kind: 'product', asOf, product } : { kind: 'unknown', input: 'upc', value: upc };
  };
  const deltas = (query: Query): ModelAnswer => {
    const { window } = query;
    if (window !== undefined && !isDeltaWindow(window)) {
      return { kind: 'rejected', reason: 'malformed', input: 'window', detail: 'the windows are 1, 4 and 13 weeks' };
    }
    const asOf = clock.asOf();
    const weeks = window === undefined ? LIMITS.deltaWeeks : [window];
    return {
      kind: 'deltas',
      asOf,
      windows: weeks.map((each) => ({ weeks: each, rows: products.changed(asOf, each, inCategory(query)) })),
    };
  };
  const startJob = (kind: JobKind) => (): ModelAnswer => ({
    kind: 'jobStarted',
    jobId: jobs.start(kind).id,
    jobKind: kind,
  });
  const readJob =
    (kind: JobKind) =>
    ({ jobId }: Query): ModelAnswer => {
      if (jobId === undefined)
        return { kind: 'rejected', reason: 'missing', input: 'jobId', detail: 'jobId is needed' };
      const job = jobs.read(jobId, kind);
      if (!job) return { kind: 'unknown', input: 'jobId', value: jobId };
      return { kind: 'jobStatus', jobId, jobKind: kind, state: job.state, statusRequests: job.statusRequests };
    };
  const salesAnswer = (rows: Sales['byBrand']) => (query: Query) => {
    const asOf = clock.asOf();
    return {
      kind: 'performance',
      asOf,
      market: MARKET_NAMES.performance,
      rows: rows(asOf, query),
    } satisfies ModelAnswer;
  };

  type QueryHandler = (query: Query) => ModelAnswer;
  const otherOperations: Record<
    Exclude<OperationName, CatalogueOperation | keyof typeof JOB_STARTERS | StatusName>,
    QueryHandler
  > = {
    createSurvey: () => ({ kind: 'savedItem', id: state.storeSurvey() }),
    getAllProspectFilters: () => ({ kind: 'items', items: state.filters() }),
    getSaveMap: ({ mapId = SAVED_MAP }) =>
      mapId === SAVED_MAP ? { kind: 'savedItem', id: mapId } : { kind: 'unknown', input: 'mapId', value: mapId },
    getSaveThematicId: () => ({ kind: 'savedItem', id: 'thematic-000001' }),
    testService: () => ({ kind: 'serviceOk' }),
    allCategories: () => ({
      kind: 'categories',
      asOf: clock.asOf(),
      categories: withProductCounts(state.categories(), () => products.rows(clock.asOf())),
    }),
    allProducts: (query) => ({
      kind: 'products',
      asOf: clock.asOf(),
      market: MARKET_NAMES.products,
      rows: products.rows(clock.asOf(), inCategory(query)),
    }),
    products: lookUp,
    updateProducts: deltas,
    performanceMetadata: () => ({ kind: 'filterNames', asOf: clock.asOf(), rows: sales.filterNames() }),
    categoryPerformance: salesAnswer(sales.byCategory),
    brandPerformance: salesAnswer(sales.byBrand),
  };
  const operations = new Map<OperationName, QueryHandler>([
    ...Object.entries(otherOperations).map(([name, answer]) => [name as OperationName, answer] as const),
    ...Object.entries(JOB_STARTERS).map(([name, kind]) => [name as OperationName, startJob(kind)] as const),
    ...JOB_KINDS.map((kind) => [operationOf(JOB_STATUS[kind]).name, readJob(kind)] as const),
  ]);
  return {
    clock,
    products,
    jobs: jobs.control,
    sales,
    answer: (operation, query) =>
      operations.get(operation)?.(query) ??
      answerCatalogue(state, operation as CatalogueOperation, query, clock.asOf()),
  };
}
type StatusName = Extract<OperationName, `get${string}JobStatus`>;

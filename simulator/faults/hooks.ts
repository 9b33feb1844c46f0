/** Builders of the hooks that most faults use, so that a fault is one expression. */
import type { DeltaWeeks, OperationName } from '../../src/contract/index.ts';
import type {
  Category,
  Item,
  ModelAnswer,
  PerformanceRow,
  Product,
  ProductRow,
  Query,
  SalesNames,
} from '../model/types.ts';
import type { FaultContext, Hooks } from './types.ts';

export interface Context extends FaultContext {
  readonly query: Query;
}

/** Changes every answer of one kind, for all operations. */
export const onAnswer = <K extends ModelAnswer['kind']>(
  kind: K,
  change: (answer: Extract<ModelAnswer, { kind: K }>, context: Context) => ModelAnswer,
): Hooks => ({
  answer: (answer, context) =>
    answer.kind === kind ? change(answer as Extract<ModelAnswer, { kind: K }>, context) : answer,
});

/** Changes the query of these operations. */
export const onRequest = (names: readonly OperationName[], change: (query: Query) => Query): Hooks => ({
  query: (query, { operation }) => (names.includes(operation.name) ? change(query) : query),
});

/** Changes the UPC of a look-up before the model validates it. */
export const onLookup = (change: (upc: string) => string): Hooks =>
  onRequest(['products'], (query) => ({ ...query, upc: change(query.upc ?? '') }));

export const onProduct = (change: (product: Product, context: Context) => Product): Hooks =>
  onAnswer('product', (answer, context) => ({ ...answer, product: change(answer.product, context) }));

export const onBulk = (change: (rows: Iterable<ProductRow>, context: Context) => Iterable<ProductRow>): Hooks =>
  onAnswer('products', (answer, context) => ({ ...answer, rows: change(answer.rows, context) }));

/** Changes the bulk list when it is filtered by a category. */
export const onFiltered = (change: (rows: Iterable<ProductRow>, context: Context) => Iterable<ProductRow>): Hooks =>
  onBulk((rows, context) => (isFiltered(context.query) ? change(rows, context) : rows));

export const isFiltered = ({ category, categoryId }: Query): boolean =>
  category !== undefined || categoryId !== undefined;

/** Changes the rows of each delta window. */
export const onDelta = (
  change: (rows: Iterable<ProductRow>, weeks: DeltaWeeks, context: Context) => Iterable<ProductRow>,
): Hooks =>
  onAnswer('deltas', (answer, context) => ({
    ...answer,
    windows: answer.windows.map(({ weeks, rows }) => ({ weeks, rows: change(rows, weeks, context) })),
  }));

export const onCategories = (change: (categories: readonly Category[]) => readonly Category[]): Hooks =>
  onAnswer('categories', (answer) => ({ ...answer, categories: change(answer.categories) }));

export const onAvailable = (change: (rows: readonly SalesNames[]) => readonly SalesNames[]): Hooks =>
  onAnswer('filterNames', (answer) => ({ ...answer, rows: change(answer.rows) }));

export const PERFORMANCE_NAMES = ['categoryPerformance', 'brandPerformance'] as const satisfies OperationName[];

/** Changes the rows of these performance operations. */
export const onPerformance = (
  names: readonly OperationName[],
  change: (rows: readonly PerformanceRow[], context: Context) => readonly PerformanceRow[],
): Hooks =>
  onAnswer('performance', (answer, context) =>
    names.includes(context.operation.name) ? { ...answer, rows: change(answer.rows, context) } : answer,
  );

/** Changes the items that these operations list. */
export const onItems = (
  names: readonly OperationName[],
  change: (items: readonly Item[], context: Context) => readonly Item[],
): Hooks =>
  onAnswer('items', (answer, context) =>
    names.includes(context.operation.name) ? { ...answer, items: change(answer.items, context) } : answer,
  );

/** The answer of the world without faults to the same query, a number of reloads earlier. */
export function answerBefore(reloads: number, { world, operation, query }: Context): ModelAnswer {
  world.clock.advanceWeeks(-reloads);
  try {
    return world.answer(operation.name, query);
  } finally {
    world.clock.advanceWeeks(reloads);
  }
}

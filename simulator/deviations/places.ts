/** The places of a change, the rows of lists among them: most faults and oddities are one expression, `place(change)`. */
import {
  type DeltaWeeks,
  type JobKind,
  type OperationName,
  operationNamed,
  operationOf,
  PERFORMANCE_OPERATIONS,
} from '../../src/contract/index.ts';
import { iterable, mapRows } from '../model/iterable.ts';
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
import type { Context, Hooks, ProfilePatch, QueryContext } from './types.ts';

/** Every row together with whether it is the last. */
function* withLast<T>(rows: Iterable<T>): Generator<readonly [row: T, last: boolean]> {
  let previous: readonly [T] | undefined;
  for (const row of rows) {
    if (previous) yield [previous[0], false];
    previous = [row];
  }
  if (previous) yield [previous[0], true];
}

/** Changes the last row, which only a client that reads all rows receives. */
export const changeLast = <T>(rows: Iterable<T>, change: (row: T) => T): Iterable<T> =>
  iterable(function* () {
    for (const [row, last] of withLast(rows)) yield last ? change(row) : row;
  });

export const dropLast = <T>(rows: Iterable<T>): Iterable<T> =>
  iterable(function* () {
    for (const [row, last] of withLast(rows)) if (!last) yield row;
  });

/** Repeats the last row. */
export const repeatLast = <T>(rows: Iterable<T>): Iterable<T> =>
  iterable(function* () {
    for (const [row, last] of withLast(rows)) {
      yield row;
      if (last) yield row;
    }
  });

export const filterRows = <T>(rows: Iterable<T>, matches: (row: T) => boolean): Iterable<T> =>
  iterable(function* () {
    for (const row of rows) if (matches(row)) yield row;
  });

export const joinRows = <T>(...lists: readonly Iterable<T>[]): Iterable<T> =>
  iterable(function* () {
    for (const list of lists) yield* list;
  });

/** The first row that matches, or undefined. */
export function firstRow<T>(rows: Iterable<T>, matches: (row: T) => boolean = () => true): T | undefined {
  for (const row of rows) if (matches(row)) return row;
  return undefined;
}

/** What a change returns that leaves the value as it is. */
type Nothing = false | undefined | '';
/** Returns the changed value. */
export type Change<T, R = T> = (value: T, context: Context) => R;
/** Returns the changed value, or nothing. */
export type Revision<T, R = T> = Change<T, R | Nothing>;
/** Changes the rows of a list. */
export type RowsChange<T> = Change<Iterable<T>>;
export type AnswerOf<K extends ModelAnswer['kind']> = Extract<ModelAnswer, { kind: K }>;

/** Changes the answers of these operations, of any kind; without names those of all operations. */
export const onOperations = (
  names: readonly OperationName[] | undefined,
  change: Revision<ModelAnswer>,
): Required<Pick<Hooks, 'answer'>> => ({
  answer: (answer, context) =>
    ((!names || names.includes(context.operation.name)) && change(answer, context)) || answer,
});

/** Changes every answer of one kind, or those of these operations. */
export const onAnswer = <K extends ModelAnswer['kind']>(
  kind: K,
  change: Revision<AnswerOf<K>, ModelAnswer>,
  names?: readonly OperationName[],
) => onOperations(names, (answer, context) => answer.kind === kind && change(answer as AnswerOf<K>, context));

/** Changes inputs of the query of these operations; without names, of all operations. */
export const onRequest = (
  names: readonly OperationName[] | undefined,
  change: (query: Query, context: QueryContext) => Query | Nothing,
): Required<Pick<Hooks, 'query'>> => ({
  query: (query, context) =>
    !names || names.includes(context.operation.name) ? { ...query, ...(change(query, context) || {}) } : query,
});

/** Changes the UPC of a look-up before the model validates it. */
export const onLookup = (change: (upc: string) => string): Hooks =>
  onRequest(['products'], ({ upc = '' }) => ({ upc: change(upc) }));

export const onProduct = (change: Change<Product>): Hooks =>
  onAnswer('product', (answer, context) => ({ ...answer, product: change(answer.product, context) }));

export const onBulk = (change: RowsChange<ProductRow>): Hooks =>
  onAnswer('products', (answer, context) => ({ ...answer, rows: change(answer.rows, context) }));

export const isFiltered = ({ query: { category, categoryId } }: Pick<Context, 'query'>): boolean =>
  category !== undefined || categoryId !== undefined;

/** Changes the bulk list when it is filtered by a category. */
export const onFiltered = (change: RowsChange<ProductRow>): Hooks =>
  onBulk((rows, context) => (isFiltered(context) ? change(rows, context) : rows));

type Windows = AnswerOf<'deltas'>['windows'];
const changeWindows = (
  windows: Windows,
  change: (rows: Iterable<ProductRow>, weeks: DeltaWeeks) => Iterable<ProductRow>,
) => windows.map(({ weeks, rows }) => ({ weeks, rows: change(rows, weeks) }));

/** Changes the rows of each delta window. */
export const onDelta = (
  change: (rows: Iterable<ProductRow>, context: Context, weeks: DeltaWeeks) => Iterable<ProductRow>,
) =>
  onAnswer('deltas', (answer, context) => ({
    ...answer,
    windows: changeWindows(answer.windows, (rows, weeks) => change(rows, context, weeks)),
  }));

/** Changes the rows of one delta window. */
export const onWindow = (window: DeltaWeeks, change: RowsChange<ProductRow>): Hooks =>
  onDelta((rows, context, weeks) => (weeks === window ? change(rows, context) : rows));

/** Changes the rows of the bulk list, of deltas and of look-ups. */
export const onProductRows = (change: <T extends ProductRow>(row: T, asOf: number) => T): Hooks => ({
  answer(answer, { world }) {
    const asOf = world.clock.asOf();
    return answer.kind === 'product'
      ? { ...answer, product: change(answer.product, asOf) }
      : changeProductLists(answer, (rows) => mapRows(rows, (row) => change(row, asOf)));
  },
});

/** Changes the rows of a bulk list or of deltas; other answers stay unchanged. */
export function changeProductLists(
  answer: ModelAnswer,
  change: (rows: Iterable<ProductRow>) => Iterable<ProductRow>,
): ModelAnswer {
  if (answer.kind === 'products') return { ...answer, rows: change(answer.rows) };
  return answer.kind === 'deltas' ? { ...answer, windows: changeWindows(answer.windows, change) } : answer;
}

/** Changes each list of an answer, whatever its rows are. */
export function changeLists(answer: ModelAnswer, change: <T>(rows: Iterable<T>) => Iterable<T>): ModelAnswer {
  switch (answer.kind) {
    case 'performance':
    case 'filterNames':
      return { ...answer, rows: [...change<unknown>(answer.rows)] } as ModelAnswer;
    case 'categories':
      return { ...answer, categories: [...change(answer.categories)] };
    case 'items':
      return { ...answer, items: [...change(answer.items)] };
    case 'product': {
      const { product } = answer;
      return { ...answer, product: { ...product, characteristics: [...change(product.characteristics)] } };
    }
    default:
      return changeProductLists(answer, change);
  }
}

export const onCategories = (change: Change<readonly Category[], Iterable<Category>>) =>
  onAnswer('categories', (answer, context) => ({ ...answer, categories: [...change(answer.categories, context)] }));

/** Changes the metadata of sales. */
export const onAvailable = (change: Change<readonly SalesNames[], Iterable<SalesNames>>): Hooks =>
  onAnswer('filterNames', (answer, context) => ({ ...answer, rows: [...change(answer.rows, context)] }));

export const PERFORMANCE_NAMES = PERFORMANCE_OPERATIONS.map((key) => operationOf(key).name);

/** Changes the rows of sales of both performance operations, or of one. */
export const onSales = (
  change: Change<readonly PerformanceRow[], Iterable<PerformanceRow>>,
  names?: readonly OperationName[],
): Hooks =>
  onAnswer('performance', (answer, context) => ({ ...answer, rows: [...change(answer.rows, context)] }), names);
export const onCategorySales = (change: Parameters<typeof onSales>[0]): Hooks =>
  onSales(change, ['categoryPerformance']);
export const onBrandSales = (change: Parameters<typeof onSales>[0]): Hooks => onSales(change, ['brandPerformance']);

/** Changes the items that these operations list; without names, those of all operations. */
export const onItems = (
  names: readonly OperationName[] | undefined,
  change: Revision<readonly Item[], Iterable<Item>>,
): Hooks =>
  onAnswer(
    'items',
    (answer, context) => ({ ...answer, items: [...(change(answer.items, context) || answer.items)] }),
    names,
  );

/** Changes the answers about jobs of one kind: their start, or the reads of their status. */
export const onJob = <K extends 'jobStarted' | 'jobStatus'>(
  kind: K,
  job: JobKind,
  change: Revision<AnswerOf<K>, ModelAnswer>,
): Hooks =>
  onAnswer(kind, (answer, context) => 'jobKind' in answer && answer.jobKind === job && change(answer, context));

/** The same statement of a profile about each of these operations. */
export const stating = (names: readonly OperationName[], statement: ProfilePatch) => ({
  operations: Object.fromEntries(names.map((name) => [operationNamed(name).key, statement])),
});

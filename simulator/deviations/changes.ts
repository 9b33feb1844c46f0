/** The changes: what a fault or an oddity does at a place. */
import { SALES_FILTERS } from '../../src/contract/index.ts';
import { mapRows } from '../model/iterable.ts';
import type { ModelAnswer, PerformanceRow, Query } from '../model/types.ts';
import type { World } from '../model/world.ts';
import {
  type AnswerOf,
  type Change,
  changeLast,
  filterRows,
  joinRows,
  type Revision,
  type RowsChange,
} from './places.ts';
import type { Context, Hooks, QueryContext } from './types.ts';

/** New cells of a row: `undefined` removes one, and a fault may write a value of another type. */
export type CellsOf<T> = { readonly [K in keyof T]?: unknown };
type Cells<T> = CellsOf<T> | Revision<T, CellsOf<T>>;

const withCells = <T>(row: T, cells: Cells<T>, context: Context): T => ({
  ...row,
  ...(((typeof cells === 'function' ? cells(row, context) : cells) || {}) as Partial<T>),
});

/** Changes cells of the last row, which only a client that reads all rows receives. */
export const last =
  <T>(cells: Cells<NoInfer<T>>): RowsChange<T> =>
  (rows, context) =>
    changeLast(rows, (row) => withCells(row, cells, context));

/** Changes cells of every row. */
export const every =
  <T>(cells: Cells<NoInfer<T>>): RowsChange<T> =>
  (rows, context) =>
    mapRows(rows, (row) => withCells(row, cells, context));

/** Changes cells of a single object, such as a product. */
export const set =
  <T>(cells: Cells<NoInfer<T>>): Change<T> =>
  (row, context) =>
    withCells(row, cells, context);

/** Removes the rows that match. */
export const drop =
  <T>(matches: (row: NoInfer<T>, context: Context) => boolean): RowsChange<T> =>
  (rows, context) =>
    filterRows(rows, (row) => !matches(row, context));

/** Adds rows at the end. */
export const add =
  <T>(added: (context: Context, rows: Iterable<NoInfer<T>>) => Iterable<NoInfer<T>>): RowsChange<T> =>
  (rows, context) =>
    joinRows(rows, added(context, rows));

/** Changes a value under a condition. */
export const when =
  <T, R>(holds: (context: Context) => boolean, change: Change<T, R>): Change<T, T | R> =>
  (value, context) =>
    holds(context) ? change(value, context) : value;

/** Adds to a figure, unless it is none. */
export const plus =
  (name: 'sales4Weeks' | 'sales12Weeks' | 'sales52Weeks' | 'percentChange', amount: number) =>
  (row: PerformanceRow) => ({
    [name]: typeof row[name] === 'number' ? row[name] + amount : row[name],
  });

/** Fails with 500. */
export const failing = (why: string) => (): ModelAnswer => ({ kind: 'internalError', why });

/** Refuses the request as malformed. */
export const refusing = (detail: string, input?: AnswerOf<'unknown'>['input']) => (): ModelAnswer => ({
  kind: 'rejected',
  reason: 'malformed',
  ...(input && { input }),
  detail,
});

export const asUnknownProduct = ({ product: { upc } }: AnswerOf<'product'>): ModelAnswer => ({
  kind: 'unknown',
  input: 'upc',
  value: upc,
});
export const asUnknownJob = ({ jobId }: AnswerOf<'jobStatus'>): ModelAnswer => ({
  kind: 'unknown',
  input: 'jobId',
  value: jobId,
});

/** The filters of sales that a request has. */
export const salesFiltersOf = ({ query }: Pick<Context, 'query'>) =>
  SALES_FILTERS.filter((each) => query[each] !== undefined);

export const isFilteredSales = (context: Pick<Context, 'query'>): boolean => salesFiltersOf(context).length > 0;

/** The answer of the world without deviations to the same query, a number of reloads earlier. */
export const before =
  (reloads: number) =>
  (_answer: ModelAnswer, { world, operation, query }: Context): ModelAnswer => {
    world.clock.advanceWeeks(-reloads);
    try {
      return world.answer(operation.name, query);
    } finally {
      world.clock.advanceWeeks(reloads);
    }
  };

/** A state for each world, so that two simulators never share it. */
export function perWorld<S>(create: () => S): (context: { readonly world: World }) => S {
  const states = new WeakMap<World, S>();
  return ({ world }) => {
    const state = states.get(world) ?? create();
    states.set(world, state);
    return state;
  };
}

const counts = perWorld(() => new Map<string, number>());

/** Counts the requests with the same operation and query; the first is 1. */
export function nthOf(context: Context): number {
  const key = JSON.stringify([context.operation.name, context.query]);
  const nth = (counts(context).get(key) ?? 0) + 1;
  counts(context).set(key, nth);
  return nth;
}
export const isSecond = (context: Context): boolean => nthOf(context) === 2;
export const isEven = (context: Context): boolean => nthOf(context) % 2 === 0;
export const isRepeated = (context: Context): boolean => nthOf(context) > 1;

const queries = perWorld(() => new Map<string, Query>());

/** Stores the query of an operation and returns the one before. */
export function queryBefore(query: Query, context: QueryContext): Query | undefined {
  const found = queries(context).get(context.operation.name);
  queries(context).set(context.operation.name, query);
  return found;
}

/** States another market, in the list and in every row. */
export const inMarket =
  (market: string) =>
  (answer: AnswerOf<'products' | 'performance'>): ModelAnswer =>
    ({
      ...answer,
      market,
      rows: Array.from<object, object>(answer.rows, (row) => ({ ...row, market })),
    }) as ModelAnswer;

/** Counts the requests of one server. */
export const countingRequests = (make: (next: () => number) => Hooks) => (): Hooks => {
  let count = 0;
  return make(() => ++count);
};

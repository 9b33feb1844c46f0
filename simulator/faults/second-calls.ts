/** Faults that only a second request or a second filter reveals (sections 4.3, 4.4 and 8). */
import { SALES_FILTERS } from '../../src/contract/index.ts';
import type { World } from '../model/world.ts';
import { type Context, onBulk, onDelta, onPerformance, PERFORMANCE_NAMES } from './hooks.ts';
import { changeLast, dropLast } from './rows.ts';
import type { Fault } from './types.ts';

/** The number of equal requests per world, so that each simulator has a state of its own. */
const countsByWorld = new WeakMap<World, Map<string, number>>();

/** Whether this is the second request with the same operation and query. */
function isSecond({ world, operation, query }: Context): boolean {
  const counts = countsByWorld.get(world) ?? new Map<string, number>();
  countsByWorld.set(world, counts);
  const key = JSON.stringify([operation.name, query]);
  counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts.get(key) === 2;
}

const filters = (query: Context['query']) => SALES_FILTERS.filter((each) => query[each] !== undefined);

export const SECOND_CALL_FAULTS = [
  {
    name: 'bulk-second-call-misses-one',
    statement: 'C.bulk',
    says: 'The bulk list lacks its last product when it is requested a second time.',
    hooks: onBulk((rows, context) => (isSecond(context) ? dropLast(rows) : rows)),
  },
  {
    name: 'delta-second-call-misses-one',
    statement: 'C.delta-weekly',
    says: 'The 13-week delta lacks its last row when it is requested a second time within one data week.',
    hooks: onDelta((rows, weeks, context) => (weeks === 13 && isSecond(context) ? dropLast(rows) : rows)),
  },
  {
    name: 'sales-second-call-differ',
    statement: 'D.windows',
    says: 'The sales of 52 weeks in the last row are one dollar higher when they are requested a second time.',
    hooks: onPerformance(PERFORMANCE_NAMES, (rows, context) =>
      isSecond(context)
        ? [
            ...changeLast(rows, (row) => ({
              ...row,
              sales52Weeks: typeof row.sales52Weeks === 'number' ? row.sales52Weeks + 1 : row.sales52Weeks,
            })),
          ]
        : rows,
    ),
  },
  {
    name: 'second-filter-ignored',
    statement: 'D.filters',
    says: 'Of two filters in one request, only the first is applied.',
    hooks: onPerformance(PERFORMANCE_NAMES, (rows, { query, world, operation }) => {
      const [first, second] = filters(query);
      if (first === undefined || second === undefined) return rows;
      const sales = operation.name === 'brandPerformance' ? world.sales.byBrand : world.sales.byCategory;
      return sales(world.clock.asOf(), { [first]: query[first] });
    }),
  },
  {
    name: 'two-filters-find-nothing',
    statement: 'D.filters',
    says: 'Two filters in one request return no row.',
    hooks: onPerformance(PERFORMANCE_NAMES, (rows, { query }) => (filters(query).length > 1 ? [] : rows)),
  },
] as const satisfies readonly Fault[];

/** Faults that only a second call, or a second filter, shows (sections 4.3, 4.4 and 8). */
import { SALES_FILTERS } from '../../src/contract/index.ts';
import type { World } from '../model/world.ts';
import { type Context, onBulk, onDelta, onPerformance, PERFORMANCE_NAMES } from './hooks.ts';
import { changeLast, dropLast } from './rows.ts';
import type { Fault } from './types.ts';

/** How often each question was asked of a world: the state of these faults lives and dies with its simulator. */
const asked = new WeakMap<World, Map<string, number>>();

/** Whether a question is asked for the second time. */
function isSecond({ world, operation, query }: Context): boolean {
  const counts = asked.get(world) ?? new Map<string, number>();
  asked.set(world, counts);
  const key = JSON.stringify([operation.name, query]);
  counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts.get(key) === 2;
}

const filters = (query: Context['query']) => SALES_FILTERS.filter((each) => query[each] !== undefined);

export const SECOND_CALL_FAULTS = [
  {
    name: 'bulk-second-call-misses-one',
    statement: 'C.bulk',
    says: 'The bulk list lacks its last product when it is asked for a second time.',
    hooks: onBulk((rows, context) => (isSecond(context) ? dropLast(rows) : rows)),
  },
  {
    name: 'delta-second-call-misses-one',
    statement: 'C.delta-weekly',
    says: 'The 13-week delta lacks its last row when it is asked for a second time within one data week.',
    hooks: onDelta((rows, weeks, context) => (weeks === 13 && isSecond(context) ? dropLast(rows) : rows)),
  },
  {
    name: 'sales-second-call-differ',
    statement: 'D.windows',
    says: 'The last row shows a dollar more in 52 weeks when the sales are asked for a second time.',
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
    says: 'Of two filters at once only the first counts.',
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
    says: 'Two filters at once find no row.',
    hooks: onPerformance(PERFORMANCE_NAMES, (rows, { query }) => (filters(query).length > 1 ? [] : rows)),
  },
] as const satisfies readonly Fault[];

/** Oddities of the rows of group D: their names and granularity (section 4.4). */
import { type OperationName, SALES_FILTERS } from '../../src/contract/index.ts';
import { onAnswer, onAvailable, onPerformance, PERFORMANCE_NAMES } from '../faults/hooks.ts';
import { salesTotals } from '../model/sales-totals.ts';
import type { PerformanceRow } from '../model/types.ts';
import { always } from './hooks.ts';
import type { Oddity, OddityHooks } from './types.ts';

const padded = (name: string | undefined): string | undefined => name?.padEnd(40, ' ');

const byCategory = (rows: readonly PerformanceRow[]): PerformanceRow[] => salesTotals(rows, ['category']);

const onOperation = (name: OperationName, hooks: OddityHooks): OddityHooks => ({
  answer: (answer, context) => (context.operation.name === name ? (hooks.answer?.(answer, context) ?? answer) : answer),
});

export const SALES_ROW_ODDITIES: readonly Oddity[] = [
  {
    name: 'metadata-of-single-columns',
    legalBasis: 'shapes',
    groups: ['D'],
    says: 'A row of the metadata has the next category, sub-category, manufacturer and brand in alphabetical order, which do not belong together.',
    start: always(
      onAvailable((rows) => {
        const columns = SALES_FILTERS.map((name) => [...new Set(rows.map((row) => row[name]))].sort());
        const length = Math.max(...columns.map((column) => column.length));
        return Array.from({ length }, (_, at) =>
          Object.fromEntries(SALES_FILTERS.map((name, nth) => [name, columns[nth]?.[at]])),
        );
      }),
    ),
    profile: { metadata: null },
    weakestOutcome: 'partial',
  },
  {
    name: 'names-padded',
    legalBasis: 'filters',
    groups: ['D'],
    says: 'Names in performance rows are padded with spaces to forty characters, and filters ignore the padding.',
    start: always({
      ...onPerformance(PERFORMANCE_NAMES, (rows) =>
        rows.map((row) => ({
          ...row,
          ...(row.manufacturer !== undefined && { manufacturer: padded(row.manufacturer) as string }),
          ...(row.brand !== undefined && { brand: padded(row.brand) as string }),
        })),
      ),
      query: (query) => ({
        ...query,
        ...(query.manufacturer !== undefined && { manufacturer: query.manufacturer.trim() }),
        ...(query.brand !== undefined && { brand: query.brand.trim() }),
      }),
    }),
  },
  {
    name: 'filter-changes-grain',
    legalBasis: 'filters',
    groups: ['D'],
    says: 'CategoryPerformance returns one row per category; with a filter it returns sub-categories.',
    start: always(
      onOperation(
        'categoryPerformance',
        onAnswer('performance', (answer, { query }) =>
          query.category === undefined &&
          query.subCategory === undefined &&
          query.manufacturer === undefined &&
          query.brand === undefined
            ? { ...answer, rows: byCategory(answer.rows) }
            : answer,
        ),
      ),
    ),
    profile: {
      operations: {
        'GET /RetailMeasurement/v1/CategoryPerformance': {
          response: { fields: { subCategory: { nullable: true, required: false } } },
        },
      },
    },
    weakestOutcome: 'partial',
  },
  {
    name: 'category-totals-among-rows',
    legalBasis: 'filters',
    groups: ['D'],
    says: 'CategoryPerformance also returns one row per category, without a sub-category.',
    start: always(
      onPerformance(['categoryPerformance'], (rows, { query }) =>
        query.subCategory === undefined ? [...rows, ...byCategory(rows)] : rows,
      ),
    ),
    profile: {
      operations: {
        'GET /RetailMeasurement/v1/CategoryPerformance': {
          response: { fields: { subCategory: { nullable: true, required: false } } },
        },
      },
    },
  },
  {
    name: 'brand-totals-among-rows',
    legalBasis: 'filters',
    groups: ['D'],
    says: 'BrandPerformance also returns one row per category and sub-category, the total of the rows with these names.',
    start: always(
      onPerformance(['brandPerformance'], (rows, { query }) =>
        query.manufacturer === undefined && query.brand === undefined
          ? [...rows, ...salesTotals(rows, ['category', 'subCategory'])]
          : rows,
      ),
    ),
    profile: {
      operations: {
        'GET /RetailMeasurement/v1/BrandPerformance': {
          response: {
            fields: {
              manufacturer: { nullable: true, required: false },
              brand: { nullable: true, required: false },
            },
          },
        },
      },
    },
  },
  {
    name: 'totals-of-the-requested-rows',
    legalBasis: 'filters',
    groups: ['D'],
    says: 'CategoryPerformance begins with one row per category, the total of the rows that follow: of all sub-categories, or of the requested one.',
    start: always(onPerformance(['categoryPerformance'], (rows) => [...byCategory(rows), ...rows])),
    profile: {
      operations: {
        'GET /RetailMeasurement/v1/CategoryPerformance': {
          response: { fields: { subCategory: { nullable: true, required: false } } },
        },
      },
    },
  },
];

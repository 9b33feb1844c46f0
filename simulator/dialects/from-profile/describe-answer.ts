/** From the world’s answers to rows and values in the words of the contract’s fields. */
import type { Category, ModelAnswer, PerformanceRow, ProductRow, SalesNames } from '../../model/types.ts';
import type { NeutralRow } from './value.ts';

/** What an answer holds when it is no refusal. */
export interface DescribeOptions {
  /** Rows per delta window where there are windows; else one list under the empty name. */
  readonly lists: readonly { readonly window: string; readonly rows: Iterable<NeutralRow> }[];
  readonly values: NeutralRow;
  /** A single thing, not a list of one. */
  readonly one: boolean;
}

/** Lists can be walked any number of times, row by row. */
const each = <T>(rows: Iterable<T>, tell: (row: T) => NeutralRow): Iterable<NeutralRow> => ({
  *[Symbol.iterator]() {
    for (const row of rows) yield tell(row);
  },
});

const list = (rows: Iterable<NeutralRow>, values: NeutralRow = {}): DescribeOptions => ({
  lists: [{ window: '', rows }],
  values,
  one: false,
});
const single = (told: NeutralRow): DescribeOptions => ({
  lists: [{ window: '', rows: [told] }],
  values: told,
  one: true,
});

const productOf = ({ upc, category, categoryId, market, activeOn, changedOn }: ProductRow): NeutralRow => ({
  upc,
  category,
  categoryId,
  market,
  activeOn,
  changedOn,
});

/** A row for each sub-category; who binds no sub-category sees each category once. */
const categoryRows = (categories: readonly Category[]): NeutralRow[] =>
  categories.flatMap(({ id, name, subCategories }) =>
    (subCategories.length === 0 ? [undefined] : subCategories).map((subCategory) => ({
      category: name,
      categoryId: id,
      subCategory,
    })),
  );

const namesOf = ({ category, subCategory, manufacturer, brand }: SalesNames): NeutralRow => ({
  category,
  subCategory,
  manufacturer,
  brand,
});
const salesOf = (row: PerformanceRow): NeutralRow => ({
  ...namesOf(row),
  market: row.market,
  sales4Weeks: row.sales4Weeks,
  sales12Weeks: row.sales12Weeks,
  sales52Weeks: row.sales52Weeks,
  salesLastYear: row.salesLastYear,
  percentChange: row.percentChange,
});

/** Undefined for every answer that says no. */
export function describeAnswer(answer: ModelAnswer): DescribeOptions | undefined {
  switch (answer.kind) {
    case 'products': {
      const { asOf, market } = answer;
      return list(
        each(answer.rows, (row) => ({ ...productOf(row), asOf })),
        { asOf, market },
      );
    }
    case 'product': {
      const { characteristics } = answer.product;
      return single({ ...productOf(answer.product), characteristics });
    }
    case 'deltas': {
      const { asOf, windows } = answer;
      const lists = windows.map(({ weeks, rows }) => ({
        window: String(weeks),
        rows: each(rows, (row) => ({ ...productOf(row), asOf })),
      }));
      return { lists, values: { asOf }, one: false };
    }
    case 'categories':
      return list(categoryRows(answer.categories));
    case 'performance': {
      const { asOf, market } = answer;
      return list(
        each(answer.rows, (row) => ({ ...salesOf(row), asOf })),
        { asOf, market },
      );
    }
    case 'available':
      return list(each(answer.rows, namesOf));
    case 'items':
      return list(each(answer.items, ({ id, name, date }) => ({ id, name, date })));
    case 'jobStarted':
      return single({ jobId: answer.jobId });
    case 'jobStatus':
      return single({ jobId: answer.jobId, state: answer.state });
    case 'thing':
      return single({ id: answer.id });
    case 'working':
      return single({});
    default:
      return undefined;
  }
}

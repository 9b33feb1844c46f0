import { ALL_PRODUCTS, type OperationName, operationNamed } from '../../../src/contract/index.ts';
import { mapRows } from '../../model/iterable.ts';
import type { Category, Item, ModelAnswer, PerformanceRow, ProductRow, SalesNames } from '../../model/types.ts';
import type { NeutralRow } from './value.ts';

/** The rows and values of a successful answer. */
export interface AnswerContent {
  /** One list per delta window; other answers have one list with an empty window name. */
  readonly lists: readonly { readonly window: string; readonly rows: Iterable<NeutralRow> }[];
  readonly values: NeutralRow;
  /** The answer is a single object, not a list. */
  readonly isSingle: boolean;
}

const list = (rows: Iterable<NeutralRow>, values: NeutralRow = {}): AnswerContent => ({
  lists: [{ window: '', rows }],
  values,
  isSingle: false,
});
const single = (values: NeutralRow): AnswerContent => ({
  lists: [{ window: '', rows: [values] }],
  values,
  isSingle: true,
});

const productOf = ({
  upc,
  category,
  categoryId,
  subCategory,
  manufacturer,
  brand,
  market,
  activeOn,
  changedOn,
  firstActiveOn,
  changeKind,
  characteristics,
}: ProductRow): NeutralRow => ({
  upc,
  category,
  categoryId,
  subCategory,
  manufacturer,
  brand,
  market,
  activeOn,
  changedOn,
  firstActiveOn,
  changeKind,
  characteristics,
});

/** One row per sub-category. A profile without sub-categories gets each category once. */
const categoryRows = (categories: readonly Category[]): NeutralRow[] =>
  categories.flatMap(({ id, name, subCategories, products }) =>
    (subCategories.length === 0 ? [undefined] : subCategories).map((subCategory) => ({
      category: name,
      categoryId: id,
      subCategory,
      counts: () => ({ [ALL_PRODUCTS]: products?.() }),
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

const itemOf = ({ id, name, parent, parentItem, date, counts = {} }: Item): NeutralRow => ({
  id,
  name,
  parent,
  parentItem,
  date,
  counts: () =>
    Object.fromEntries(
      Object.entries(counts).map(([each, count]) => [operationNamed(each as OperationName).key, count]),
    ),
});

/** The content of an answer, or undefined for refusals, unknown values and errors. */
export function describeAnswer(answer: ModelAnswer): AnswerContent | undefined {
  switch (answer.kind) {
    case 'products': {
      const { asOf, market } = answer;
      return list(
        mapRows(answer.rows, (row) => ({ ...productOf(row), asOf })),
        { asOf, market },
      );
    }
    case 'product': {
      const { characteristics } = answer.product;
      return single({ ...productOf(answer.product), characteristics, asOf: answer.asOf });
    }
    case 'deltas': {
      const { asOf, windows } = answer;
      const lists = windows.map(({ weeks, rows }) => ({
        window: String(weeks),
        rows: mapRows(rows, (row) => ({ ...productOf(row), asOf })),
      }));
      return { lists, values: { asOf }, isSingle: false };
    }
    case 'categories':
      return list(categoryRows(answer.categories), { asOf: answer.asOf });
    case 'performance': {
      const { asOf, market } = answer;
      return list(
        mapRows(answer.rows, (row) => ({ ...salesOf(row), asOf })),
        { asOf, market },
      );
    }
    case 'filterNames': {
      const { asOf, rows, markets = [] } = answer;
      return list(
        rows.map((row, at) => ({ ...namesOf(row), market: markets[at % markets.length] })),
        { asOf },
      );
    }
    case 'items':
      return list(mapRows(answer.items, itemOf), answer.asOf === undefined ? {} : { asOf: answer.asOf });
    case 'jobStarted':
      return single({ jobId: answer.jobId });
    case 'jobStatus':
      return single({ jobId: answer.jobId, state: answer.state });
    case 'savedItem':
      return single({ id: answer.id });
    case 'serviceOk':
      return single({});
    default:
      return undefined;
  }
}

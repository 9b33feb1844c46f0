/** What an answer contains, as rows and values of fields. */
import { ALL_PRODUCTS, type OperationName, operationNamed } from '../../../src/contract/index.ts';
import type { ProfileData } from '../../../src/profile/schema.ts';
import { mapRows } from '../../model/iterable.ts';
import type { Category, Item, ListStatement, ModelAnswer } from '../../model/types.ts';
import { stateAs } from './adapt-jobs.ts';
import type { NeutralRow } from './value.ts';

interface ContentList {
  /** One list per delta window; other answers have one list with an empty window name. */
  readonly window: string;
  readonly rows: Iterable<NeutralRow>;
  /** The number of rows of all pages; absent: those of this list. */
  readonly total?: (() => number) | undefined;
}

/** The rows and values of a successful answer. */
export interface AnswerContent extends Pick<ListStatement, 'page' | 'next'> {
  readonly lists: readonly ContentList[];
  readonly values: NeutralRow;
  /** The answer is a single object, not a list. */
  readonly isSingle: boolean;
  /** The rows are a set: equal ones count once, and the writer cuts the page. */
  readonly isSet?: boolean;
}

const single = (values: NeutralRow): AnswerContent => ({
  lists: [{ window: '', rows: [values] }],
  values,
  isSingle: true,
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

const itemOf = ({ counts = {}, ...item }: Item): NeutralRow => ({
  ...item,
  counts: () =>
    Object.fromEntries(
      Object.entries(counts).map(([each, count]) => [operationNamed(each as OperationName).key, count]),
    ),
});

/** The text of a profile for a kind of change. A service without changes of a kind shows another one in its place. */
function kindText({ delta }: ProfileData, kind: string): string {
  const kinds = delta?.kinds || {};
  const [other] = Object.values(kinds).flat();
  const texts = kinds[kind as keyof typeof kinds];
  return texts ? (texts[0] ?? other ?? kind) : kind;
}

/** The content of an answer in the words of a profile, or undefined for refusals, unknown values and errors. */
export function describeAnswer(answer: ModelAnswer, profile: ProfileData): AnswerContent | undefined {
  const list = (rows: Iterable<NeutralRow>, values: NeutralRow): AnswerContent => {
    const { total, page, next } = answer as ListStatement;
    const range = { ...(page && { page }), ...(next !== undefined && { next }) };
    return { lists: [{ window: '', rows, total }], values, isSingle: false, ...range };
  };
  switch (answer.kind) {
    case 'products':
    case 'performance': {
      const { asOf, market } = answer;
      return list(
        mapRows<NeutralRow, NeutralRow>(answer.rows, (row) => ({ ...row, asOf })),
        { asOf, market },
      );
    }
    case 'product':
      return single({ ...answer.product, asOf: answer.asOf });
    case 'deltas': {
      const { asOf, windows } = answer;
      const lists = windows.map(({ weeks, rows, total = answer.total }) => ({
        window: String(weeks),
        rows: mapRows(rows, ({ changeKind, ...row }) => ({
          ...row,
          asOf,
          changeKind: changeKind === undefined ? undefined : kindText(profile, changeKind),
        })),
        total,
      }));
      return { ...list([], { asOf }), lists };
    }
    case 'categories':
      return { ...list(categoryRows(answer.categories), { asOf: answer.asOf }), isSet: true };
    case 'filterNames': {
      const { asOf, rows, markets = [] } = answer;
      const named = rows.map((row, at) => ({ ...row, market: markets[at % markets.length] }));
      return { ...list(named, { asOf }), isSet: true };
    }
    case 'items':
      return list(mapRows(answer.items, itemOf), answer.asOf === undefined ? {} : { asOf: answer.asOf });
    case 'jobStarted':
      return single({ jobId: answer.jobId });
    case 'jobStatus':
      return single({ jobId: answer.jobId, state: stateAs(answer.state, profile.jobs?.[answer.jobKind]) });
    case 'savedItem':
      return single({ id: answer.id });
    case 'serviceOk':
      return single({});
    default:
      return undefined;
  }
}

/** The template of rules about counts in rows that count what another operation returns for the row (section 2). */

import { countableFor, isOperationKey, type OperationKey, operationOf } from '../contract/index.ts';
import { areOfOneAsOf } from './data-weeks.ts';
import {
  type Declarations,
  findingIn,
  isWhole,
  needsOf,
  type PageMetadata,
  type Reading,
  type Rule,
  type RuleLiteral,
  type Steps,
} from './index.ts';
import { receivedLists } from './list-requests.ts';
import { evidenceOfLists, type ListComparison, listsRule, statedNumbers, withPages } from './lists-rule.ts';

/** The ids and names of a row that states a count. */
type RowNames = NonNullable<PageMetadata['rowCounts']>[number]['names'];

/** The rows that a response contains for a row of another list. */
export interface CountedRows {
  readonly reading: Reading;
  /** The number of rows, and of different items: a count may mean either. */
  readonly numbers: readonly number[];
}

/** Finds the readings that contain all rows for a row of a list. */
type FindCounted = (list: Reading, names: RowNames) => readonly CountedRows[];

interface RowCountsRule
  extends Pick<RuleLiteral<Steps>, 'id' | 'statement' | 'subjects' | 'demands' | 'how' | 'looksLike'> {
  /** What the rows are, in the plural, for the coverage. */
  readonly of: string;
  /** The requests of the lists, and of what their rows count. */
  readonly requests: (subject: OperationKey, counted: OperationKey, declarations: Declarations) => Steps;
  /** The folds of a counted list. */
  readonly folds: (declarations: Declarations) => NonNullable<Steps[string]['folds']>;
  /** Indexes the readings of a counted operation. */
  readonly index: (counted: readonly Reading[], subject: OperationKey, declarations: Declarations) => FindCounted;
}

const stepOf = (counted: OperationKey): string => `all of ${counted}`;

/** The operations whose rows the rows of a list count, as the profile states. */
const countedBy = (subject: OperationKey, declarations: Declarations): readonly OperationKey[] =>
  declarations.counts(subject).filter((of) => isOperationKey(of));

/** A comparison with the row that states the count. */
interface RowComparison extends ListComparison {
  readonly stated: number;
  /** The numbers that the counted lists show. */
  readonly actual: readonly number[];
}

/** Several counts that are too low and equal to the greatest one stated may be limited to that number. */
function withoutLimited(ofList: readonly RowComparison[]): readonly RowComparison[] {
  const limit = Math.max(...ofList.map(({ stated }) => stated));
  const wrong = ofList.filter(({ findings }) => findings !== undefined);
  const isLimited =
    limit > 0 &&
    wrong.length > 1 &&
    wrong.length < ofList.length &&
    wrong.every(({ stated, actual }) => stated === limit && actual.every((each) => each > limit));
  if (!isLimited) return ofList;
  return ofList.map(({ findings, ...each }) =>
    findings ? { ...each, doubt: `no row states more than ${limit}, so the counts may be limited to it` } : each,
  );
}

function compareList(
  list: Reading,
  { at, of }: { readonly at: number; readonly of: OperationKey },
  find: FindCounted,
  declarations: Declarations,
): readonly RowComparison[] {
  const isSameWeek = (page: PageMetadata, { observation }: Reading) =>
    areOfOneAsOf([page.asOf, observation?.values.asOf ?? []], [list.operation, of], declarations);
  const ofList = (list.observation?.pageMetadata ?? []).flatMap((page) =>
    (page.rowCounts ?? []).flatMap(({ row, names, counts }): RowComparison[] => {
      const [stated, ...others] = statedNumbers(counts[at] ?? []);
      if (stated === undefined || others.length > 0) return [];
      const all = find(list, names);
      const [first] = all;
      if (!first) return [];
      const sameWeek = all.filter(({ reading }) => isSameWeek(page, reading));
      const compared = sameWeek.length > 0 ? sameWeek : all;
      const name = names.name ?? names.category ?? names.id ?? names.categoryId;
      const about = JSON.stringify([list.inputs, names, of]);
      const shown = (compared[0] ?? first).numbers;
      const comparison = { reading: list, rows: Math.max(...shown), about, stated, actual: shown };
      if (compared.some(({ numbers }) => numbers.includes(stated))) return [comparison];
      const expected = `the number of rows of ${of} for ${JSON.stringify(name)}, which is ${[...new Set(shown)].join(' or ')}`;
      const actual = `row ${row} states ${stated}`;
      if (sameWeek.length === 0)
        return [
          { ...comparison, doubt: `${actual} instead of ${expected}, but both are not shown to be of one data week` },
        ];
      return [{ ...comparison, findings: [findingIn(list, 'row-count', expected, actual, { row })] }];
    }),
  );
  return withoutLimited(ofList);
}

/** The numbers of counts that the rows of a list state, by what they count. */
const statedIn = ({ inputs, observation }: Reading, counts: readonly string[]): string[] =>
  (observation?.pageMetadata ?? [])
    .flatMap(({ rowCounts = [] }) => rowCounts)
    .flatMap(({ names, counts: ofRow }) =>
      ofRow.flatMap((cells, at) =>
        statedNumbers(cells).length === 1 ? [JSON.stringify([inputs, names, counts[at]])] : [],
      ),
    );

/** The coverage is that of the counts, not of the requests. */
function withoutCoverage(steps: Steps): Steps {
  const entries = Object.entries(steps).map(([name, { each, ...rest }]) => {
    const { of: _, ...others } = each ?? { of: '' };
    return [name, each ? { ...rest, each: others as typeof each } : rest];
  });
  return Object.fromEntries(entries);
}

/** A rule: a row states how many rows another operation returns for it. */
export function rowCountsRule({ of, requests, folds, index, ...rule }: RowCountsRule): Rule {
  return listsRule({
    ...rule,
    needs: (subject) => {
      const counts = countableFor(subject).map((each) => `rowCounts.${operationOf(each).name}`);
      return needsOf(subject, counts, 'request', 'rows');
    },
    repeat: 'pass',
    requests: (subject, declarations) =>
      Object.assign(
        {},
        ...countedBy(subject, declarations).map((each) => ({
          ...withoutCoverage(requests(subject, each, declarations)),
          [stepOf(each)]: receivedLists(each, folds(declarations)),
        })),
      ),
    accepts: isWhole,
    isSteady: true,
    compare: (lists, { subject, declarations }, seen) =>
      declarations.counts(subject).flatMap((counted, at) => {
        if (!isOperationKey(counted)) return [];
        const find = index((seen[stepOf(counted)] ?? []).filter(isWhole), subject, declarations);
        return lists.flatMap((list) => compareList(list, { at, of: counted }, find, declarations));
      }),
    nothing: 'no row states a count of rows that were requested',
    evidence(compared, lists, { subject, declarations }) {
      const known = new Set(lists.flatMap((each) => statedIn(each, declarations.counts(subject)))).size;
      const evidence = evidenceOfLists(compared);
      return { ...evidence, coverage: [{ of, looked: evidence.distinct, known }] };
    },
    counterexample: withPages(({ rowCounts = [], ...page }) => ({
      ...page,
      rowCounts: rowCounts.map(({ counts, ...row }) => ({
        ...row,
        counts: counts.map((cells) => cells.map((cell) => (typeof cell === 'number' ? cell + 1000 : cell))),
      })),
    })),
  });
}

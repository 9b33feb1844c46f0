/** The template of rules about every list of an operation that any rule of the run received. */
import {
  countableFor,
  isOperationKey,
  listOperations,
  type ObservableStatementId,
  type OperationKey,
  operationOf,
} from '../contract/index.ts';
import { areOfOneAsOf } from './data-weeks.ts';
import {
  type Declarations,
  decide,
  defineRule,
  type EditableReading,
  type Evidence,
  type Finding,
  type FoldMap,
  findingIn,
  isReadable,
  isWhole,
  type JudgeContext,
  type Need,
  needsOf,
  type PageMetadata,
  type Reading,
  type Rule,
  type RuleLiteral,
  type Steps,
} from './index.ts';
import { listRequests, receivedLists } from './list-requests.ts';

/** The comparison of a list, or of one statement of a response. */
export interface ListComparison {
  readonly reading: Reading;
  /** The number of rows or values that are compared. */
  readonly rows: number;
  /** What is compared, e.g. the request; equal ones count once in the evidence. */
  readonly about?: string;
  readonly findings?: readonly Finding[] | undefined;
  /** Why a difference is no proof. */
  readonly doubt?: string | undefined;
  /** Nothing could be compared, or why; the reason matters only if nothing could be in any list. */
  readonly unread?: string | true | undefined;
}

const isWrong = ({ findings = [], doubt }: ListComparison): boolean => findings.length > 0 || doubt !== undefined;

/** The comparisons of equal requests, where a list that is right in one response proves nothing about the others. */
export function withSteadyFindings<C extends ListComparison>(compared: readonly C[]): readonly C[] {
  return [...Map.groupBy(compared, ({ about }) => about).values()].flatMap((ofRequest) => {
    const wrong = new Set(ofRequest.filter(isWrong).map(({ reading }) => reading));
    if (ofRequest.every(({ reading }) => wrong.has(reading))) return ofRequest;
    return ofRequest.map((each) => {
      const [first] = each.findings ?? [];
      if (!first) return each;
      const doubt = `${first.actual} instead of ${first.expected}, but not in each response to the request`;
      return { ...each, findings: undefined, doubt };
    });
  });
}

/** The numbers of a count. It is never negative; services write -1 for an unknown one. */
export const statedNumbers = (cells: readonly unknown[]): number[] =>
  cells.filter((each): each is number => typeof each === 'number' && each >= 0);

/** The evidence of comparisons: their lists, rows and requests. */
export function evidenceOfLists(compared: readonly ListComparison[], of?: string): Evidence {
  const about = new Set(compared.flatMap((each) => each.about ?? [])).size;
  return {
    exchanges: new Set(compared.map(({ reading }) => reading)).size,
    rows: compared.reduce((sum, { rows }) => sum + rows, 0),
    distinct: about,
    ...(of !== undefined && { coverage: [{ of, looked: about }] }),
  };
}

/** The first comparison of each request. */
export const firstOfRequests = <C extends ListComparison>(compared: readonly C[]): readonly C[] =>
  [...new Map(compared.toReversed().map((each) => [each.about, each])).values()].toReversed();

interface ListsRule<F extends FoldMap, C extends ListComparison>
  extends Pick<RuleLiteral<Steps>, 'id' | 'demands' | 'how' | 'looksLike' | 'repeat' | 'isStated' | 'unjudged'>,
    Partial<Pick<Rule, 'basis' | 'since'>> {
  readonly statement?: ObservableStatementId;
  /** Default: all operations of the document with a list. */
  readonly subjects?: readonly OperationKey[];
  readonly needs: (subject: OperationKey) => readonly Need[];
  /** The requests of its own; default: the plain requests of the list. */
  readonly requests?: (subject: OperationKey, declarations: Declarations) => Steps;
  readonly folds?: (subject: OperationKey, declarations: Declarations) => F;
  /** Which lists are compared; default: 2xx without a problem of the body. */
  readonly accepts?: (reading: Reading) => boolean;
  readonly compare: (
    lists: readonly Reading<F>[],
    context: JudgeContext,
    seen: { readonly [step: string]: readonly Reading[] },
  ) => readonly C[];
  /** A finding counts if each response to an equal request, by `about`, has one. */
  readonly isSteady?: true;
  /** The basis of the findings, if it differs from that of the rule. */
  readonly basisOfFindings?: 'profile';
  /** The reason if nothing was compared. */
  readonly nothing: string;
  /** What the requests are about, in the plural, for the coverage. */
  readonly of?: string;
  readonly evidence?: (
    compared: readonly C[],
    lists: readonly Reading<F>[],
    context: JudgeContext,
  ) => Partial<Evidence>;
  /** Changes a list so that it is wrong. */
  readonly counterexample: (list: EditableReading, context: JudgeContext) => EditableReading;
}

/** Changes the metadata of each page of a reading. */
export const withPages =
  (change: (page: PageMetadata) => PageMetadata) =>
  (reading: EditableReading): EditableReading => ({
    ...reading,
    ...(reading.observation?.pageMetadata && {
      observation: { ...reading.observation, pageMetadata: reading.observation.pageMetadata.map(change) },
    }),
  });

/**
 * A rule about every list that any rule of the run received.
 *
 * @example listsRule({ id: 'every.counts', needs, compare: (lists, { declarations }) => lists.flatMap(…), … })
 */
export function listsRule<F extends FoldMap, C extends ListComparison = ListComparison>({
  subjects = listOperations(),
  requests = listRequests,
  folds,
  accepts = isReadable,
  compare,
  isSteady,
  basisOfFindings,
  nothing,
  of,
  evidence = (compared) => evidenceOfLists(compared, of),
  counterexample,
  ...rule
}: ListsRule<F, C>): Rule {
  return defineRule<Steps>({
    statement: 'operation.served',
    ...rule,
    subjects,
    probe: (subject, declarations): Steps => ({
      ...requests(subject, declarations),
      all: receivedLists(subject, folds?.(subject, declarations)),
    }),
    counterexample: ({ all = [] }, context) => ({ all: all.map((each) => counterexample(each, context)) }),
    judge(seen, context) {
      const lists = ((seen.all ?? []) as readonly Reading<F>[]).filter(accepts);
      const found = compare(lists, context, seen);
      const compared = isSteady ? withSteadyFindings(found) : found;
      const decided = compared.filter((each) => each.unread === undefined);
      const unread = compared.find((each) => typeof each.unread === 'string')?.unread;
      const findings = compared.flatMap((each) => each.findings ?? []);
      const doubt = compared.find((each) => each.doubt !== undefined)?.doubt;
      const because = doubt ?? (decided.length === 0 && typeof unread === 'string' ? unread : undefined);
      return decide(
        { findings, basis: basisOfFindings, doubt: because, compared: decided.length },
        { nothing, evidence: decided.length > 0 ? evidence(decided, lists, context) : {} },
      );
    },
  });
}

/** The ids and names of a row that states a count. */
type RowNames = NonNullable<PageMetadata['rowCounts']>[number]['names'];

/** The rows that a response contains for a row of another list. */
interface CountedRows {
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

/** The template of rules about every list of an operation that any rule of the run received. */
import { listOperations, type ObservableStatementId, type OperationKey } from '../contract/index.ts';
import {
  type Declarations,
  decide,
  defineRule,
  type EditableReading,
  type Evidence,
  type Finding,
  type FoldMap,
  isReadable,
  type JudgeContext,
  type Need,
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
  extends Pick<RuleLiteral<Steps>, 'id' | 'demands' | 'how' | 'looksLike' | 'repeat' | 'unjudged' | 'promise'>,
    Partial<Pick<Rule, 'basis' | 'since'>> {
  readonly statement?: ObservableStatementId;
  /** Default: all operations of the document with a list. */
  readonly subjects?: readonly OperationKey[];
  readonly needs: (subject: OperationKey) => readonly Need[];
  /** Whether the profile states anything that the rule compares. Default: it does where `needs` are filled. */
  readonly isBound?: (subject: OperationKey, declarations: Declarations) => boolean;
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
  isBound = () => true,
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
    probe: (subject, declarations): Steps =>
      isBound(subject, declarations)
        ? { ...requests(subject, declarations), all: receivedLists(subject, folds?.(subject, declarations)) }
        : {},
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

/** The template of rules that compare what a page states about itself with its rows, its request or another response. */
import { listOperations, type OperationKey } from '../contract/index.ts';
import {
  type Declarations,
  defineRule,
  type EditableReading,
  type Finding,
  failed,
  inconclusive,
  isOk,
  type Need,
  type PageMetadata,
  passed,
  type Reading,
  type Rule,
  type Steps,
  step,
  untested,
} from './index.ts';
import { listRequests } from './list-requests.ts';
import { requiredInputs } from './served-steps.ts';

/** The comparison of one statement of a response. */
export interface PageComparison {
  readonly reading: Reading;
  /** The number of rows or values that are compared. */
  readonly rows: number;
  /** What is compared, e.g. the request; equal ones count once in the evidence. */
  readonly about?: string;
  readonly findings?: readonly Finding[];
  /** Why a difference is no proof. */
  readonly doubt?: string;
  /** Why the statement could not be compared; it matters only if no statement could be. */
  readonly unread?: string;
}

/** The comparisons of equal requests, where a count that is right in one response proves nothing about the others. */
export function withSteadyFindings(ofRequest: readonly PageComparison[]): readonly PageComparison[] {
  const isWrong = ({ findings, doubt }: PageComparison) => findings !== undefined || doubt !== undefined;
  const wrong = new Set(ofRequest.filter(isWrong).map(({ reading }) => reading));
  if (ofRequest.every(({ reading }) => wrong.has(reading))) return ofRequest;
  return ofRequest.map(({ findings: [first] = [], ...each }) =>
    first
      ? { ...each, doubt: `${first.actual} instead of ${first.expected}, but not in each response to the request` }
      : each,
  );
}

/** The numbers of a count. It is never negative; services write -1 for an unknown one. */
export const statedNumbers = (cells: readonly unknown[]): number[] =>
  cells.filter((each): each is number => typeof each === 'number' && each >= 0);

interface PageMetadataRule extends Pick<Rule, 'id' | 'demands' | 'how' | 'looksLike' | 'repeat' | 'unjudged'> {
  /** Default: all operations of the document with a list. */
  readonly subjects?: readonly OperationKey[];
  readonly needs: (subject: OperationKey) => readonly Need[];
  /** Whether the profile states anything that the rule compares. Default: it does where `needs` are filled. */
  readonly isBound?: (subject: OperationKey, declarations: Declarations) => boolean;
  /** The comparisons of all responses of the operation to valid requests. */
  readonly compare: (readings: readonly Reading[], declarations: Declarations) => readonly PageComparison[];
  /** The verdict's reason if nothing was compared. */
  readonly nothing: string;
  /** Changes the statements of a page, so that each is wrong. */
  readonly counterexample: (page: PageMetadata) => PageMetadata;
}

/** Changes the metadata of each page of a reading. */
export const withPages = (reading: EditableReading, change: (page: PageMetadata) => PageMetadata): EditableReading => ({
  ...reading,
  ...(reading.observation?.pageMetadata && {
    observation: { ...reading.observation, pageMetadata: reading.observation.pageMetadata.map(change) },
  }),
});

/**
 * A rule about what every response of an operation states, in any list that a rule of the run received.
 *
 * @example pageMetadataRule({ id: 'every.counts', needs, compare: (readings, declarations) => readings.flatMap(…), … })
 */
export function pageMetadataRule({
  subjects = listOperations(),
  isBound = () => true,
  compare,
  nothing,
  counterexample,
  ...rule
}: PageMetadataRule): Rule {
  return defineRule<Steps>({
    ...rule,
    statement: 'operation.served',
    basis: 'profile',
    since: '0.2.0',
    subjects,
    probe(subject, declarations): Steps {
      if (!isBound(subject, declarations)) return {};
      const inputs = requiredInputs(subject);
      return {
        ...listRequests(subject, declarations),
        all: step({ operation: subject, inputs, accepts: 'any', fromAllRules: 'lists' }),
      };
    },
    counterexample: ({ all = [] }) => ({ all: all.map((each) => withPages(each, counterexample)) }),
    judge(seen, { declarations }) {
      const readings = (seen.all ?? []).filter((each) => isOk(each) && !each.observation?.problem);
      const compared = compare(readings, declarations);
      const findings = compared.flatMap((each) => each.findings ?? []);
      if (findings.length > 0) return failed(findings);
      const doubt = compared.find((each) => each.doubt !== undefined)?.doubt;
      if (doubt !== undefined) return inconclusive(doubt);
      const decided = compared.filter((each) => each.unread === undefined);
      const unread = compared.find((each) => each.unread !== undefined)?.unread;
      if (decided.length === 0) return unread === undefined ? untested(nothing) : inconclusive(unread);
      const about = new Set(decided.flatMap((each) => each.about ?? []));
      return passed({
        exchanges: new Set(decided.map(({ reading }) => reading)).size,
        rows: decided.reduce((sum, { rows }) => sum + rows, 0),
        ...(about.size > 0 && { distinct: about.size }),
      });
    },
  });
}

/** The template of rules about the jobs of each kind (section 2). */
import { JOB_STATUS, type JobKind, type OperationKey } from '../../src/contract/index.ts';
import type { JobDeclarations } from '../../src/rule/declarations.ts';
import {
  type Declarations,
  defineRule,
  type EditableReadings,
  type Evidence,
  editAll,
  type JudgeContext,
  type Judgement,
  type Need,
  needsOf,
  type Rule,
  type RuleLiteral,
  type Seen,
  type Steps,
} from '../../src/rule/index.ts';
import type { ReadState } from '../../src/rule/job-end.ts';
import { jobKindOf } from '../../src/rule/job-status.ts';

type Omitted = 'statement' | 'subjects' | 'needs' | 'judge' | 'basis' | 'since' | 'probe';

interface JobRule extends Omit<RuleLiteral<Steps>, Omitted>, Partial<Pick<RuleLiteral<Steps>, 'basis' | 'since'>> {
  /** What the profile states about the kind. */
  readonly facts?: readonly ('jobStates' | 'jobFinal' | 'jobOrder' | 'jobIds' | 'jobLocation')[];
  /** The openings of the status operation. */
  readonly status?: readonly string[];
  readonly probe: (subject: OperationKey, declarations: Declarations, job: JobDeclarations) => Steps;
  readonly judge: (
    seen: Seen<Steps>,
    context: JudgeContext & { readonly kind: JobKind; readonly job: JobDeclarations },
  ) => Judgement;
}

/** A rule about the jobs of each kind; default: on basis `profile`, since 0.2.0. */
export const jobRule = ({ facts = [], status = [], probe, judge, ...rule }: JobRule): Rule =>
  defineRule<Steps>({
    ...rule,
    statement: 'A.job-status',
    subjects: Object.values(JOB_STATUS),
    needs: (subject) => [
      ...['job', ...facts].map((fact) => `${fact}.${jobKindOf(subject)}` as Need),
      ...needsOf(subject, ...status),
    ],
    probe: (subject, declarations) => probe(subject, declarations, declarations.job(jobKindOf(subject))),
    judge(seen, context) {
      const kind = jobKindOf(context.subject);
      return judge(seen, { ...context, kind, job: context.declarations.job(kind) });
    },
  });

/** The evidence of responses that each show one thing. */
export const evidenceOfJobs = (exchanges: number, distinct = exchanges): Evidence => ({
  exchanges,
  rows: exchanges,
  distinct,
});

/** Changes the states of some steps, whose jobs then never end. */
export const editStates = (seen: EditableReadings, isEdited: (name: string) => boolean, state: string) =>
  Object.fromEntries(
    Object.entries(seen).flatMap(([name, readings]) =>
      isEdited(name)
        ? [[name, editAll(readings, { state }).map((each) => ({ ...each, exhausted: true as const }))]]
        : [],
    ),
  );

export const quotedState = ({ state }: ReadState): string => `the state ${JSON.stringify(state)}`;

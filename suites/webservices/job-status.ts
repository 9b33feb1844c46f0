/** The status of a job can be read for each of the seven job kinds: section 2. */

import { JOB_STATUS, type JobKind, type OperationKey } from '../../src/contract/index.ts';
import type { JobDeclarations } from '../../src/rule/declarations.ts';
import {
  type Declarations,
  defineRule,
  describeResponse,
  type EditableReadings,
  type Evidence,
  editAll,
  failed,
  failedByProfile,
  findingIn,
  firstOfEachKind,
  inconclusive,
  isOk,
  type JudgeContext,
  type Judgement,
  kindOfStatus,
  type Need,
  needsOf,
  onlyReading,
  passed,
  quoteSelector,
  type Rule,
  type RuleLiteral,
  respondWith,
  type Seen,
  type Steps,
  untested,
} from '../../src/rule/index.ts';
import {
  isEmpty,
  jobIds,
  jobKindOf,
  jobStates,
  type ReadState,
  STATUS_REQUESTS,
  startStep,
  statusesAmong,
  statusRequests,
} from '../../src/rule/job-status.ts';
import { errorNowAndThen } from '../../src/rule/judge-server-errors.ts';

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

export const jobStatus = jobRule({
  id: 'A.job-status',
  basis: 'stated',
  since: '0.1.0',
  demands: 'The status of a job of this kind can be read, and read again.',
  how: [
    'A job is started with the POST that the profile binds to the kind, or the example job is used.',
    'Its status is requested three times, and once more after about 16 s or Retry-After before the rule fails.',
    'At least two requests must get a status, not empty where another response contains a state, and of the same job where a response contains a job id.',
  ],
  status: ['request'],
  repeat: 'inconclusive',
  probe(subject, declarations) {
    const requests = statusRequests(subject, declarations);
    const { first } = requests;
    return { ...requests, ...(first && { all: { ...first, accepts: 'any', fromAllRules: true, optional: true } }) };
  },
  counterexample: ({ second, third }) => ({ second: respondWith(second), third: respondWith(third) }),
  judge(seen, { subject, declarations, job }) {
    const requests = STATUS_REQUESTS.flatMap((name) => seen[name] ?? []);
    const [first] = requests;
    if (!first) return untested('no job was started');
    const found = statusesAmong(requests);
    const wanted = String(first.inputs.jobId ?? '');
    const isOther = (ids: readonly string[]) => ids.length > 0 && !ids.includes(wanted);
    const readsId = declarations.binds(subject, 'fields.jobId');
    const findings = (readsId ? found.filter((each) => isOther(jobIds(each))) : [])
      .slice(0, 1)
      .map((each) =>
        findingIn(each, 'other-job', `the status of job ${wanted}`, `the status of job ${jobIds(each)[0]}`),
      );
    const isStarted = job.example === undefined;
    if (isStarted && found.length === 1 && found[0] === requests[2])
      return inconclusive('the job was unknown until the last request of its status');
    if (found.length < 2) {
      const retryLater = requests.find(({ head }) => head?.headers.some(([name]) => /^retry-after$/i.test(name)));
      // Retry-After does not mean that the job is unknown.
      if (retryLater && found.length === 0) return inconclusive(`${describeResponse(retryLater)}, with Retry-After`);
      const expected = `the status of job ${wanted}, each of ${requests.length} times`;
      const unanswered = requests
        .filter((each) => !found.includes(each))
        .map((each) => {
          const actual = `${found.length} times; another time ${describeResponse(each)}`;
          return findingIn(each, isOk(each) ? 'empty' : kindOfStatus(each), expected, actual);
        });
      // Only the profile states that the POST starts a job of this kind.
      const basis = isStarted && found.length === 0 ? 'profile' : undefined;
      return failed([...firstOfEachKind(unanswered, 1), ...findings], basis);
    }
    const broken = found.find(({ observation }) => observation?.problem)?.observation?.problem;
    if (broken) return inconclusive(broken.message);
    if (findings.length > 0) return failed(findings);
    const sometimes = errorNowAndThen(seen.all ?? []);
    if (sometimes !== undefined) return { ...inconclusive(sometimes), since: '0.2.0' };
    return passed({ exchanges: requests.length, rows: found.length, distinct: 1 });
  },
});

export const jobStarted = jobRule({
  id: 'A.job-started',
  since: '0.1.0',
  demands: 'The POST that starts a job of this kind, as the profile states, returns the id of the job.',
  how: [
    'The POST is sent, and its response must contain the id where the profile reads it.',
    'A missing id is a failure if the profile marks it required, otherwise inconclusive.',
  ],
  repeat: 'inconclusive',
  probe(_subject, { selector }, { starts: [start] }): Steps {
    return start && selector(start.operation, 'jobId') !== undefined ? { start: startStep(start) } : {};
  },
  counterexample: ({ start }) => ({ start: editAll(start, { jobId: null }) }),
  judge(seen, { declarations: { selector, required } }) {
    const start = onlyReading(seen.start ?? []);
    const { operation } = start;
    const found = jobIds(start);
    if (found.length > 0) return passed({ exchanges: 1, rows: 1, distinct: found.length });
    const expected = `the id of a job at ${quoteSelector(operation, selector(operation, 'jobId'))}`;
    const actual = describeResponse(start);
    return required(operation, 'jobId')
      ? failed([findingIn(start, 'job-id-missing', expected, actual)])
      : inconclusive(`${actual} without ${expected}. If each start returns an id, mark fields.jobId as required`);
  },
});

export const jobState = jobRule({
  id: 'A.job-state',
  since: '0.1.0',
  demands: 'The response of a status operation contains a state where the profile reads it.',
  how: 'The status of a started or example job is requested up to three times; it must contain a state.',
  status: ['request', 'fields.state'],
  repeat: 'inconclusive',
  probe: statusRequests,
  counterexample: (seen) =>
    Object.fromEntries(STATUS_REQUESTS.map((name) => [name, editAll(seen[name], { state: null })])),
  judge(seen, { subject, declarations }) {
    const requests = STATUS_REQUESTS.flatMap((name) => seen[name] ?? []);
    const [first] = requests;
    if (!first) return untested('no job was started');
    // A job may be unknown at first: the first response with a state is used.
    const status = requests.find((each) => isOk(each) && jobStates(each).length > 0) ?? requests.find(isOk);
    // A.job-status judges whether a status can be read at all.
    if (!status) return inconclusive(`the request of the status got ${describeResponse(first)}`);
    const broken = status.observation?.problem;
    if (broken) return inconclusive(broken.message);
    const expected = `a state at ${quoteSelector(subject, declarations.selector(subject, 'state'))}`;
    const { length } = jobStates(status);
    if (length === 0) return failedByProfile(status, 'state-missing', expected, 'it is missing');
    const without = requests.find((each) => isOk(each) && !isEmpty(each) && jobStates(each).length === 0);
    return without && declarations.required(subject, 'state')
      ? failedByProfile(without, 'state-missing', `${expected}, each time`, 'it is missing')
      : passed({ exchanges: 1, rows: 1, distinct: length });
  },
});

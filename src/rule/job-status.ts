/** The vocabulary of rules about jobs: start one, request its status, read ids and states (sections 2 and 4.1). */
import { JOB_KINDS, JOB_STATUS, type JobKind, type OperationKey } from '../contract/index.ts';
import type { JobStart } from './declarations.ts';
import { collect, type Declarations, isOk, type Reading, type Row, type Step, type Steps, step } from './index.ts';

export const jobKindOf = (subject: OperationKey): JobKind =>
  JOB_KINDS.find((kind) => JOB_STATUS[kind] === subject) as JobKind;

const jobIdFold = collect(['jobId'], 10);

/** Every text of a field of a response, in the rows of a fold or once per response. */
const textsOf = ({ folds, observation }: Reading, fold: string, field: 'jobId' | 'state'): string[] => {
  const { rows = [] } = (folds[fold] ?? {}) as { readonly rows?: readonly Row[] };
  return [...rows.map((row) => row[field]), ...(observation?.values[field] ?? [])].filter(
    (value) => typeof value === 'string',
  );
};

/** Every job id of a response. */
export const jobIds = (reading: Reading): string[] => textsOf(reading, 'ids', 'jobId');

/** Every job state of a response. */
export const jobStates = (reading: Reading): string[] =>
  textsOf(reading, 'jobStates', 'state').filter((state) => state.trim() !== '');

/** Whether a readable response contains no value, such as a 204. */
export const isEmpty = ({ observation }: Reading): boolean =>
  observation?.problem === undefined &&
  observation?.rows === 0 &&
  Object.values(observation.values).every((values) => values.length === 0);

/** The responses that are a status: some servers return an empty 2xx for an unknown job, while others contain a state. */
export function statusesAmong(readings: readonly Reading[]): Reading[] {
  const hasState = readings.some((reading) => isOk(reading) && jobStates(reading).length > 0);
  return readings.filter((reading) => isOk(reading) && !(hasState && isEmpty(reading)));
}

/** A step that starts a job. */
export const startStep = ({ operation, request }: JobStart, more: Partial<Step> = {}): Step =>
  step({
    operation,
    inputs: {},
    accepts: 'content',
    ...(request && { variant: { request } }),
    ...more,
    folds: { ids: jobIdFold },
  });

/** A step that requests the status of the job that another step started. */
export const statusStep = (subject: OperationKey, from: string, more: Partial<Step> = {}): Step =>
  step({
    operation: subject,
    accepts: 'response',
    each: { from, fold: 'ids', as: { jobId: 'jobId' }, max: 1 },
    ...more,
    folds: { ids: jobIdFold, jobStates: collect(['state'], 10) },
  });

/**
 * The status requests of a first job, and then the starts of further jobs: `one` by the same POST, `other0`, `other1`, … by
 * each further POST that the profile lists, or by the same one. At
 * depth `quick` there is no further start. Empty if the response to no start contains an id.
 */
export function furtherStarts(subject: OperationKey, declarations: Declarations): Steps {
  const starts = declarations
    .job(jobKindOf(subject))
    .starts.filter(({ operation }) => declarations.selector(operation, 'jobId') !== undefined);
  const [first] = starts;
  if (!first) return {};
  if (declarations.draw('jobPairs') === 0) return { start: startStep(first) };
  // The job of the other rules comes first: a further start may end its status.
  const before = statusRequests(subject, declarations);
  const further = starts.slice(1, declarations.draw('jobStarters'));
  return {
    ...before,
    one: startStep(first, { accepts: 'any', repetition: 1, after: Object.keys(before) }),
    ...Object.fromEntries(
      (further.length > 0 ? further : [first]).map((each, at) => [
        `other${at}`,
        startStep(each, { accepts: 'any', repetition: 2, after: ['one'] }),
      ]),
    ),
  };
}

/** The numbers of the jobs that were started after `one`, in the order of their steps. */
export const otherJobNumbers = (steps: object): string[] =>
  Object.keys(steps).flatMap((name) => /^other(\d+)$/.exec(name)?.[1] ?? []);

export const STATUS_REQUESTS = ['first', 'second', 'third'] as const;

/**
 * Delays before the requests of a repetition, in ms: the document does not state how soon a started job is known (section
 * 3). The last two are close together, so that a job known at the second is read twice, even if the service soon drops it.
 */
const REPEAT_DELAYS_MS = { first: 1000, second: 14_000, third: 1000 };

/** Starts a job, or uses the example job of the profile, and requests its status three times: it may be unknown at first. */
export function statusRequests(subject: OperationKey, declarations: Declarations): Steps {
  const { example, starts } = declarations.job(jobKindOf(subject));
  const [start] = starts;
  const read = (name: (typeof STATUS_REQUESTS)[number], after: readonly string[] = []): Step => {
    const timing = { repetition: STATUS_REQUESTS.indexOf(name), after, repeatDelayMs: REPEAT_DELAYS_MS[name] };
    if (example === undefined) return statusStep(subject, 'start', timing);
    const { each: _, ...ofExample } = statusStep(subject, '', timing);
    return step({ ...ofExample, inputs: { jobId: { value: example } } });
  };
  const reads = { first: read('first'), second: read('second', ['first']), third: read('third', ['second']) };
  if (example !== undefined) return reads;
  return start ? { start: startStep(start), ...reads } : {};
}

/** The vocabulary of rules about jobs: start one, request its status, read ids and states (sections 2 and 4.1). */
import { JOB_KINDS, JOB_STATUS, type JobKind, type OperationKey } from '../contract/index.ts';
import { collect, type Declarations, type Reading, type Step, type Steps, step } from './index.ts';

export const jobKindOf = (subject: OperationKey): JobKind =>
  JOB_KINDS.find((kind) => JOB_STATUS[kind] === subject) as JobKind;

export const jobIdFold = collect(['jobId'], 10);

/** Every job id of a response, in its rows or once per response. */
export const jobIds = (reading: Reading): string[] => {
  const collected = (reading.folds.ids as { rows: readonly { jobId?: unknown }[] } | undefined)?.rows ?? [];
  return [...collected.map((row) => row.jobId), ...(reading.observation?.values.jobId ?? [])].filter(
    (value): value is string => typeof value === 'string',
  );
};

/** Every job state of a response. */
export const jobStates = ({ folds, observation }: Reading): string[] => {
  const collected = (folds.jobStates as { rows: readonly { state?: unknown }[] } | undefined)?.rows ?? [];
  return [...collected.map((row) => row.state), ...(observation?.values.state ?? [])].filter(
    (value): value is string => typeof value === 'string' && value.trim() !== '',
  );
};

/** Whether a readable response contains no value, such as a 204. */
export const isEmpty = ({ observation }: Reading): boolean =>
  observation?.problem === undefined &&
  observation?.rows === 0 &&
  Object.values(observation.values).every((values) => values.length === 0);

export const STATUS_REQUESTS = ['first', 'second', 'third'] as const;

/**
 * Delays before the requests of a repetition, in ms: the document does not state how soon a started job is known (section
 * 3). The last two are close together, so that a job known at the second is read twice, even if the service soon drops it.
 */
const REPEAT_DELAYS_MS = { first: 1000, second: 14_000, third: 1000 };

/** Starts a job, or uses the example job of the profile, and requests its status three times: it may be unknown at first. */
export function statusRequests(subject: OperationKey, declarations: Declarations): Steps {
  const job = declarations.job(jobKindOf(subject));
  const folds = { ids: jobIdFold, jobStates: collect(['state'], 10) };
  const read = (name: (typeof STATUS_REQUESTS)[number], after: readonly string[] = []): Step => {
    const repetition = STATUS_REQUESTS.indexOf(name);
    const shared = {
      operation: subject,
      accepts: 'response',
      folds,
      repetition,
      after,
      repeatDelayMs: REPEAT_DELAYS_MS[name],
    } as const;
    if (job?.example !== undefined) return step({ ...shared, inputs: { jobId: { value: job.example } } });
    return step({ ...shared, each: { from: 'start', fold: 'jobs', as: { jobId: 'jobId' }, max: 1 } });
  };
  const reads = { first: read('first'), second: read('second', ['first']), third: read('third', ['second']) };
  if (job?.example !== undefined) return reads;
  if (!job?.start) return {};
  return {
    start: step({ operation: job.start, inputs: {}, accepts: 'content', folds: { jobs: jobIdFold } }),
    ...reads,
  };
}

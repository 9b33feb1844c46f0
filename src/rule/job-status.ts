/** The vocabulary of rules about jobs: starting one, reading its status, what an answer says of it (sections 2 and 4.1). */
import { JOB_KINDS, JOB_STATUS, type JobKind, type OperationKey } from '../contract/index.ts';
import { collect, type Declarations, type Reading, type Step, type Steps, step } from './index.ts';

export const jobKindOf = (subject: OperationKey): JobKind =>
  JOB_KINDS.find((kind) => JOB_STATUS[kind] === subject) as JobKind;

export const jobIdFold = collect(['jobId'], 10);

/** Every job id an answer holds, in its rows or once for all of it. */
export const jobIds = (reading: Reading): string[] => {
  const kept = (reading.folds.ids as { rows: readonly { jobId?: unknown }[] } | undefined)?.rows ?? [];
  return [...kept.map((row) => row.jobId), ...(reading.observation?.values.jobId ?? [])].filter(
    (value): value is string => typeof value === 'string',
  );
};

/** Every state an answer tells. */
export const states = ({ folds, observation }: Reading): string[] => {
  const kept = (folds.states as { rows: readonly { state?: unknown }[] } | undefined)?.rows ?? [];
  return [...kept.map((row) => row.state), ...(observation?.values.state ?? [])].filter(
    (value): value is string => typeof value === 'string' && value.trim() !== '',
  );
};

/** Whether an answer that could be read holds nothing, such as a 204. */
export const isEmpty = ({ observation }: Reading): boolean =>
  observation?.problem === undefined &&
  observation?.rows === 0 &&
  Object.values(observation.values).every((values) => values.length === 0);

export const READS = ['first', 'second', 'third'] as const;

/**
 * How long the repetition waits before each, in ms: nothing says how soon a job that was started is known (section 3). The
 * last two follow each other closely, so that a job known by the second is read twice, whatever its service keeps.
 */
const SETTLE_MS = { first: 1000, second: 14_000, third: 1000 };

/** A job is had as the profile says, and its status is read three times: it may not be known at once. */
export function statusReads(subject: OperationKey, declares: Declarations): Steps {
  const job = declares.job(jobKindOf(subject));
  const folds = { ids: jobIdFold, states: collect(['state'], 10) };
  const read = (name: (typeof READS)[number], after: readonly string[] = []): Step => {
    const occasion = READS.indexOf(name);
    const shared = { operation: subject, wants: 'answer', folds, occasion, after, settleMs: SETTLE_MS[name] } as const;
    if (job?.example !== undefined) return step({ ...shared, inputs: { jobId: { value: job.example } } });
    return step({ ...shared, each: { from: 'start', fold: 'jobs', as: { jobId: 'jobId' }, max: 1 } });
  };
  const reads = { first: read('first'), second: read('second', ['first']), third: read('third', ['second']) };
  if (job?.example !== undefined) return reads;
  if (!job?.start) return {};
  return { start: step({ operation: job.start, inputs: {}, wants: 'content', folds: { jobs: jobIdFold } }), ...reads };
}

/** The vocabulary of rules about jobs: start one, request its status until it has ended, read ids and states (sections 2, 3, 4.1: not shown). */
import { JOB_KINDS, JOB_STATUS, type JobKind, type OperationKey } from '../contract/index.ts';
import type { JobStart } from './declarations.ts';
import {
  collect,
  type Declarations,
  isOk,
  type Poll,
  type Reading,
  type ReadingsOf,
  type Row,
  type Step,
  type Steps,
  step,
} from './index.ts';

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

/** The longest time that a run waits for a final state, in ms. */
const LONGEST_WAIT = { quick: 0, standard: 120_000, thorough: 3_600_000 };
/** The requests after a final state was left, or a job was forgotten. */
const FURTHER_REQUESTS = 3;
/** Each request of a poll has a number of its own below 1000. */
const MAX_REQUESTS = 800;

export interface ReadState {
  readonly state: string;
  readonly reading: Reading;
}

/** The states of the requested job in the order of the requests; a list may contain further jobs. */
export function statesOf(readings: readonly Reading[]): ReadState[] {
  return readings.flatMap((reading) => {
    const wanted = String(reading.inputs.jobId ?? '');
    const isOther = jobIds(reading).length > 0 && (jobIds(reading).length > 1 || jobIds(reading)[0] !== wanted);
    if (!isOk(reading) || isOther || reading.observation?.problem) return [];
    const [state] = jobStates(reading);
    return state === undefined ? [] : [{ state: state.trim(), reading }];
  });
}

/** All requests of the status, in their order. */
export const requestsOf = (of: ReadingsOf): readonly Reading[] =>
  [...STATUS_REQUESTS, 'later', 'again', 'kept'].flatMap((name) => of(name));

const isUnknown = (reading: Reading): boolean => !isOk(reading) || isEmpty(reading);

/** Whether a job had a state, and is unknown in the last two requests. */
export const isForgotten = (readings: readonly Reading[]): boolean =>
  statesOf(readings).length > 0 && readings.length > 1 && readings.slice(-2).every(isUnknown);

/** Whether the last state is not final, although an earlier one was. */
export function hasLeftFinal(readings: readonly Reading[], final: readonly string[]): boolean {
  const states = statesOf(readings).map(({ state }) => state);
  return states.some((state) => final.includes(state)) && !final.includes(states.at(-1) ?? '');
}

/** Whether the job was read again in its final state, or is no longer known. */
function isSettled(readings: readonly Reading[], final: readonly string[]): boolean {
  const states = statesOf(readings).map(({ state }) => state);
  const at = states.findIndex((state) => final.includes(state));
  if (at >= 0 && at < states.length - 1 && final.includes(states.at(-1) ?? '')) return true;
  return isForgotten(readings);
}

/**
 * How long a run waits for a final state, and whether that is the whole patience of the profile.
 * @param times how often the longest wait is divided: 2 if the repetition of a failure must not exceed it
 */
export const waitOf = (subject: OperationKey, declarations: Declarations, times = 1) => {
  const { patienceMs = 0, pollMs } = declarations.job(jobKindOf(subject));
  const limitMs = Math.min(patienceMs, LONGEST_WAIT[declarations.depth] / times);
  return { limitMs, intervalMs: Math.max(pollMs, limitMs / MAX_REQUESTS), isWhole: limitMs >= patienceMs };
};

/**
 * The first requests of the status, and further ones until the job is settled. Where the profile promises that a job that
 * has ended stays known, it is requested again afterwards, and once more after a pause.
 */
export function requestsUntilFinal(subject: OperationKey, declarations: Declarations): Steps {
  const first = statusRequests(subject, declarations);
  const { final = [], starts, example, keepsFinal } = declarations.job(jobKindOf(subject));
  if (starts.length === 0 || example !== undefined || final.length === 0) return first;
  const { limitMs, intervalMs } = waitOf(subject, declarations);
  const furtherMs = FURTHER_REQUESTS * intervalMs;
  const hasLeft = (of: ReadingsOf) => hasLeftFinal(requestsOf(of), final);
  const isLost = (of: ReadingsOf) => isForgotten(requestsOf(of));
  const hasReached = (of: ReadingsOf) => statesOf(requestsOf(of)).some(({ state }) => final.includes(state));
  const later = statusStep(subject, 'start', {
    repetition: 100,
    after: ['third'],
    repeatDelayMs: 14_000,
    poll: { isDone: (_, of) => isSettled(requestsOf(of), final), limitMs, intervalMs },
  });
  // A replica that lags behind returns an earlier state, or knows no job; the final state then returns.
  const again = statusStep(subject, 'start', {
    repetition: 900,
    after: ['later'],
    optional: true,
    when: (of) => hasLeft(of) || isLost(of),
    poll: { isDone: (_, of) => !hasLeft(of) && !isLost(of), limitMs: furtherMs, intervalMs },
  });
  if (!keepsFinal || declarations.depth === 'quick') return { ...first, later, again };
  const isDone: Poll['isDone'] = (readings, of) =>
    readings.length > 1 && !isUnknown(readings.at(-1) as Reading) && !hasLeft(of);
  const kept = statusStep(subject, 'start', {
    repetition: 950,
    after: ['again'],
    optional: true,
    when: (of) => hasReached(of) && !isLost(of),
    poll: { isDone, limitMs: furtherMs, intervalMs },
  });
  return { ...first, later, again, kept };
}

/** Ids of jobs that a service may have issued before another one (the format of ids: not shown, section 2). */

/** Shorter ids may all be in use. */
const MIN_RANDOM_CHARACTERS = 8;

/**
 * Whether a service may have issued the id before another one: ids of a sequence differ in their last number only, and two
 * kinds of jobs may count separately.
 * @example mayPrecede('17', '19') // true
 * @example mayPrecede('job-1-17', 'job-3-19') // false
 */
export function mayPrecede(id: string, issued: string): boolean {
  const prefixOf = (text: string): string => text.replace(/\d.*$/s, '');
  if (prefixOf(id) !== prefixOf(issued)) return false;
  const characters = (text: string): number => text.replace(/[^A-Za-z0-9]/g, '').length;
  const [runs, issuedRuns] = [id.split(/(\d+)/), issued.split(/(\d+)/)];
  const isNumber = (run: string): boolean => /^\d+$/.test(run);
  const isSameForm =
    runs.length === issuedRuns.length && runs.every((run, at) => isNumber(run) || run === issuedRuns[at]);
  const at = runs.findLastIndex(isNumber);
  if (isSameForm && at >= 0) {
    const isSequence = runs.every((run, index) => index === at || run === issuedRuns[index]);
    return isSequence && BigInt(runs[at] as string) <= BigInt(issuedRuns[at] as string);
  }
  return Math.min(characters(id), characters(issued)) < MIN_RANDOM_CHARACTERS;
}

/** Requests the status of a job until it has ended, and reads its states (section 3: not shown). */
import type { OperationKey } from '../contract/index.ts';
import { type Declarations, isOk, type Poll, type Reading, type ReadingsOf, type Steps } from './index.ts';
import { isEmpty, jobIds, jobKindOf, jobStates, STATUS_REQUESTS, statusRequests, statusStep } from './job-status.ts';

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

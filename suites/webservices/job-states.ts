/** The states of jobs that a profile declares: which there are, which are final, and when one is reached (section 3). */
import { JOB_STATUS, type OperationKey } from '../../src/contract/index.ts';
import {
  type Declarations,
  defineRule,
  describeResponse,
  type EditableReadings,
  editAll,
  failed,
  inconclusive,
  isOk,
  openingOf,
  passed,
  type Reading,
  type ReadingsOf,
  type Steps,
  untested,
} from '../../src/rule/index.ts';
import {
  isEmpty,
  jobIds,
  jobKindOf,
  jobStates,
  STATUS_REQUESTS,
  statusRequests,
  statusStep,
} from '../../src/rule/job-status.ts';

/** The longest time that a run waits for a final state, in ms. */
const LONGEST_WAIT = { quick: 0, standard: 120_000, thorough: 3_600_000 };
/** The requests after a final state was left, or a job was forgotten. */
const FURTHER_REQUESTS = 3;
/** Each request of a poll has a number of its own below 1000. */
const MAX_REQUESTS = 800;

interface ReadState {
  readonly state: string;
  readonly reading: Reading;
}

/** The states of the requested job in the order of the requests; a list may contain further jobs. */
function statesOf(readings: readonly Reading[]): ReadState[] {
  return readings.flatMap((reading) => {
    const wanted = String(reading.inputs.jobId ?? '');
    const isOther = jobIds(reading).length > 0 && (jobIds(reading).length > 1 || jobIds(reading)[0] !== wanted);
    if (!isOk(reading) || isOther || reading.observation?.problem) return [];
    return jobStates(reading)
      .slice(0, 1)
      .map((state) => ({ state: state.trim(), reading }));
  });
}

const requestsOf = (of: ReadingsOf): readonly Reading[] =>
  [...STATUS_REQUESTS, 'later', 'again'].flatMap((name) => of(name));

const isUnknown = (reading: Reading): boolean => !isOk(reading) || isEmpty(reading);

/** Whether a job had a state, and is unknown in the last two requests. */
const isForgotten = (readings: readonly Reading[]): boolean =>
  statesOf(readings).length > 0 && readings.length > 1 && readings.slice(-2).every(isUnknown);

/** Whether the last state is not final, although an earlier one was. */
function hasLeftFinal(readings: readonly Reading[], final: readonly string[]): boolean {
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

const waitOf = (subject: OperationKey, declarations: Declarations) => {
  const { patienceMs = 0, pollMs } = declarations.job(jobKindOf(subject));
  const limitMs = Math.min(patienceMs, LONGEST_WAIT[declarations.depth]);
  return { limitMs, intervalMs: Math.max(pollMs, limitMs / MAX_REQUESTS), isWhole: limitMs >= patienceMs };
};

/** The first requests of the status, and further ones until the job is settled. */
function requestsUntilFinal(subject: OperationKey, declarations: Declarations): Steps {
  const first = statusRequests(subject, declarations);
  const { final = [], starts, example } = declarations.job(jobKindOf(subject));
  if (starts.length === 0 || example !== undefined || final.length === 0) return first;
  const { limitMs, intervalMs } = waitOf(subject, declarations);
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
    when: (of) => hasLeftFinal(requestsOf(of), final) || isForgotten(requestsOf(of)),
    poll: {
      isDone: (_, of) => !hasLeftFinal(requestsOf(of), final) && !isForgotten(requestsOf(of)),
      limitMs: FURTHER_REQUESTS * intervalMs,
      intervalMs,
    },
  });
  return { ...first, later, again };
}

const editStates = (seen: EditableReadings, state: string): Partial<EditableReadings> =>
  Object.fromEntries(
    Object.entries(seen)
      .filter(([name]) => name !== 'start')
      .map(([name, readings]) => [
        name,
        editAll(readings, { state }).map((reading) => ({ ...reading, exhausted: true as const })),
      ]),
  );

export const stateListed = defineRule<Steps>({
  id: 'A.state-listed',
  statement: 'A.job-status',
  basis: 'profile',
  since: '0.2.0',
  demands: 'The state of a job is one of those that the profile lists in jobs.KIND.states.',
  how: 'The status of a started or example job is requested up to three times, and until a final state where the profile lists some. Each state must be in the list, as the service writes it.',
  looksLike:
    'A service that adds a state in a later version is legal; its profile then lists the state, and nothing else changes.',
  subjects: Object.values(JOB_STATUS),
  needs: (subject) => [
    `job.${jobKindOf(subject)}`,
    `jobStates.${jobKindOf(subject)}`,
    openingOf(subject, 'request'),
    openingOf(subject, 'fields.state'),
  ],
  repeat: 'inconclusive',
  probe: requestsUntilFinal,
  counterexample: (seen) => editStates(seen, 'no such state'),
  judge(seen, { subject, declarations }) {
    const { states = [] } = declarations.job(jobKindOf(subject));
    const found = statesOf(requestsOf((name) => seen[name] ?? []));
    if (found.length === 0) return untested('no status contains a state');
    const unlisted = found.find(({ state }) => !states.includes(state));
    if (!unlisted)
      return passed({
        exchanges: found.length,
        rows: found.length,
        distinct: new Set(found.map(({ state }) => state)).size,
      });
    return failed([
      {
        kind: 'state-unlisted',
        expected: `one of the states ${states.join(', ')}, which the profile lists in jobs.${jobKindOf(subject)}.states`,
        actual: `the state ${JSON.stringify(unlisted.state)}`,
        exchange: unlisted.reading.exchange,
      },
    ]);
  },
});

export const jobEnds = defineRule<Steps>({
  id: 'A.job-ends',
  statement: 'A.job-status',
  basis: 'profile',
  since: '0.2.0',
  demands:
    'A started job reaches a final state of the profile within jobs.KIND.patienceSeconds, and a final state does not change again.',
  how: 'A job is started and its status is requested until it was read twice in a final state, with pauses of pollSeconds or Retry-After. The rule fails if the patience ends before, or if the state changes after a final one and does not return to it in two or more requests. Where the profile states that jobs stay known (jobs.KIND.keepsFinal: true), it also fails if the job becomes unknown; where it states that they do not (false), that proves nothing, and otherwise it is inconclusive. A state that changes and returns is inconclusive.',
  looksLike:
    'Replicas that lag behind each other are legal and return an earlier state after the final one; the final state returns when they are requested again. A service that drops a job once it has ended is legal, too: its profile says so (keepsFinal: false), or does not promise the opposite.',
  subjects: Object.values(JOB_STATUS),
  needs: (subject) => [
    `job.${jobKindOf(subject)}`,
    `jobFinal.${jobKindOf(subject)}`,
    openingOf(subject, 'request'),
    openingOf(subject, 'fields.state'),
  ],
  repeat: 'inconclusive',
  probe: requestsUntilFinal,
  counterexample: (seen) => editStates(seen, 'never ending'),
  judge(seen, { subject, declarations }) {
    const kind = jobKindOf(subject);
    const { final = [], patienceMs } = declarations.job(kind);
    const readings = requestsOf((name) => seen[name] ?? []);
    const found = statesOf(readings);
    const last = found.at(-1);
    if (!last) return untested('no status contains a state');
    const isExhausted = readings.at(-1)?.exhausted === true;
    const at = found.findIndex(({ state }) => final.includes(state));
    const pattern = found
      .map(({ state }) => state)
      .filter((state, index, all) => state !== all[index - 1])
      .join(', ');
    const { keepsFinal } = declarations.job(kind);
    if (isForgotten(readings) && keepsFinal !== false && !(at >= 0 && hasLeftFinal(readings, final))) {
      const lost = readings.at(-1) as Reading;
      const actual = `after the state ${JSON.stringify(last.state)} it is unknown: ${describeResponse(lost)}`;
      if (keepsFinal === undefined || (lost.head?.status ?? 500) >= 500)
        return inconclusive(`${actual}. State in jobs.${kind}.keepsFinal whether jobs that have ended stay known`);
      const expected = `the status of job ${lost.inputs.jobId}, as the profile states in jobs.${kind}.keepsFinal`;
      return failed([{ kind: 'forgotten', expected, actual, exchange: lost.exchange }]);
    }
    if (at < 0) {
      const { isWhole, limitMs } = waitOf(subject, declarations);
      const isKnown = last.reading === readings.at(-1);
      if (!isExhausted || !isKnown) return untested(`no final state was read: ${pattern}`);
      if (patienceMs === undefined)
        return untested(`no final state was read, and jobs.${kind}.patienceSeconds is not set: ${pattern}`);
      if (!isWhole)
        return untested(
          `no final state within ${limitMs / 1000} s, the longest wait at depth ${declarations.depth}; jobs.${kind}.patienceSeconds is ${patienceMs / 1000}`,
        );
      return failed([
        {
          kind: 'not-ended',
          expected: `one of the final states ${final.join(', ')} within ${patienceMs / 1000} s, as the profile states in jobs.${kind}.patienceSeconds`,
          actual: `the state ${JSON.stringify(last.state)} after ${found.length} requests`,
          exchange: last.reading.exchange,
        },
      ]);
    }
    const later = found.slice(at + 1);
    const reached = found[at]?.state ?? '';
    const changed = later.find(({ state }) => state !== reached);
    if (!changed) {
      if (later.length === 0 && patienceMs === undefined)
        return untested(`the final state ${reached} was read once only`);
      return passed({ exchanges: found.length, rows: found.length, distinct: 1 });
    }
    const expected = `the final state ${JSON.stringify(reached)} does not change again`;
    const toOtherFinal = later.find(({ state }) => state !== reached && final.includes(state));
    // One earlier state may be that of a replica, and at depth quick there is no further request.
    const mayReturn = !isExhausted || found.slice(-2).some(({ state }) => state === reached);
    if (!toOtherFinal && mayReturn)
      return inconclusive(
        `the state changed after the final one and may return to it, as with lagging replicas: ${pattern}`,
      );
    const wrong = toOtherFinal ?? changed;
    return failed([
      {
        kind: 'final-changed',
        expected,
        actual: `the states were ${pattern}`,
        exchange: wrong.reading.exchange,
      },
    ]);
  },
});

/** The final states that a profile declares: when one is reached, and that it stays (section 3). */
import {
  decide,
  describeResponse,
  editAll,
  failed,
  findingIn,
  inconclusive,
  type Reading,
  type Step,
  type Steps,
  untested,
} from '../../src/rule/index.ts';
import {
  furtherStarts,
  hasLeftFinal,
  isForgotten,
  jobIds,
  jobKindOf,
  otherJobNumbers,
  type ReadState,
  requestsOf,
  requestsUntilFinal,
  statesOf,
  statusStep,
  waitOf,
} from '../../src/rule/job-status.ts';
import { editStates, evidenceOfJobs, jobRule, quotedState } from './job-status.ts';

/** The states of the requests of `requestsUntilFinal`. */
const statesIn = (seen: { readonly [name: string]: readonly Reading[] }): readonly ReadState[] =>
  statesOf(requestsOf((name) => seen[name] ?? []));

const evidenceOfStates = (found: readonly ReadState[]) =>
  evidenceOfJobs(found.length, new Set(found.map(({ state }) => state)).size);

export const stateListed = jobRule({
  id: 'A.state-listed',
  demands: 'The state of a job is one of those that the profile lists in jobs.KIND.states.',
  how: [
    'The status of a started or example job is requested up to three times, and until a final state where the profile lists some.',
    'Each state must be in the list, as the service writes it.',
    'One state that is not listed is enough: a received status is not repeated.',
  ],
  looksLike: [
    'A service that adds a state in a later version is legal; its profile then lists the state, and nothing else changes.',
    'A service that answers 200 and NOT FOUND for a job that is not known yet is legal, too; its profile calls that a refusal (`refusal`).',
  ],
  facts: ['jobStates'],
  status: ['request', 'fields.state'],
  probe: requestsUntilFinal,
  counterexample: (seen) => editStates(seen, (name) => name !== 'start', 'no such state'),
  judge(seen, { kind, job: { states = [] } }) {
    const found = statesIn(seen);
    const expected = `one of the states ${states.join(', ')}, which the profile lists in jobs.${kind}.states`;
    const findings = found
      .filter(({ state }) => !states.includes(state))
      .slice(0, 1)
      .map((each) => findingIn(each.reading, 'state-unlisted', expected, quotedState(each)));
    const nothing = 'no status contains a state';
    return decide({ compared: found.length, findings }, { nothing, evidence: evidenceOfStates(found) });
  },
});

export const statesInOrder = jobRule({
  id: 'A.states-in-order',
  demands:
    'A job never returns to an earlier state: the profile promises the order of jobs.KIND.states (statesInOrder).',
  how: [
    'The status of a started or example job is requested up to three times, and until a final state where the profile lists some.',
    'A state that comes before an earlier one in the list is a failure, also if the later state returns.',
    'States may be left out.',
  ],
  looksLike:
    'Replicas that lag behind each other are legal and return an earlier state after a later one; a profile that promises the order of the states excludes them, and without the promise nothing is demanded.',
  facts: ['jobOrder'],
  status: ['request', 'fields.state'],
  probe: requestsUntilFinal,
  counterexample: (seen, { subject, declarations }) => ({
    third: editAll(seen.third, { state: declarations.job(jobKindOf(subject)).states?.[0] ?? '' }),
  }),
  judge(seen, { kind, job: { states = [] } }) {
    const found = statesIn(seen).filter(({ state }) => states.includes(state));
    const pairs = found.slice(1).map((each, at) => [found[at] as ReadState, each] as const);
    const expected = `states in the order ${states.join(', ')}, as the profile promises in jobs.${kind}.statesInOrder`;
    const findings = pairs
      .filter(([before, after]) => states.indexOf(after.state) < states.indexOf(before.state))
      .slice(0, 1)
      .map(([before, after]) => {
        const actual = `${quotedState(after)} after ${JSON.stringify(before.state)}`;
        return findingIn(after.reading, 'state-earlier', expected, actual);
      });
    const nothing = 'fewer than two statuses contain a state of the list';
    return decide({ compared: pairs.length, findings }, { nothing, evidence: evidenceOfStates(found) });
  },
});

/** A job that does not reach a final state. */
const notEnded = (last: ReadState, requests: number, expected: string, final: readonly string[], patienceMs: number) =>
  findingIn(
    last.reading,
    'not-ended',
    `one of the final states ${final.join(', ')} within ${patienceMs / 1000} s${expected}.patienceSeconds`,
    `${quotedState(last)} after ${requests} requests`,
  );

export const jobEnds = jobRule({
  id: 'A.job-ends',
  demands:
    'A started job reaches a final state of the profile within jobs.KIND.patienceSeconds, and a final state does not change again.',
  how: [
    'A job is started and its status is requested until it was read twice in a final state, with pauses of pollSeconds or Retry-After.',
    'The rule fails if the patience ends before, or if the state changes after a final one and does not return to it in two or more requests.',
    'Where the profile states that jobs stay known (jobs.KIND.keepsFinal: true), the status is requested twice more, with a pause, and the rule also fails if the job becomes unknown or leaves its final state once.',
    'Where it states that they do not (false), an unknown job proves nothing, and otherwise it is inconclusive.',
    'Without that promise, a state that changes and returns is inconclusive, unless the profile promises the order of the states (A.states-in-order).',
  ],
  looksLike: [
    'Replicas that lag behind each other are legal and return an earlier state after the final one; the final state returns when they are requested again, and the profile promises neither keepsFinal nor statesInOrder.',
    'A service that drops a job once it has ended is legal, too: its profile says so (keepsFinal: false), or does not promise the opposite.',
  ],
  reads: ['jobs.….patienceSeconds', 'jobs.….keepsFinal'],
  facts: ['jobFinal'],
  status: ['request', 'fields.state'],
  repeat: 'inconclusive',
  probe: requestsUntilFinal,
  counterexample: (seen) => editStates(seen, (name) => name !== 'start', 'never ending'),
  judge(seen, { subject, declarations, kind, job: { final = [], patienceMs, keepsFinal } }) {
    const readings = requestsOf((name) => seen[name] ?? []);
    const found = statesOf(readings);
    const last = found.at(-1);
    const lastReading = readings.at(-1);
    if (!last || !lastReading) return untested('no status contains a state');
    const isExhausted = lastReading.exhausted === true;
    const at = found.findIndex(({ state }) => final.includes(state));
    const pattern = found
      .map(({ state }) => state)
      .filter((state, index, all) => state !== all[index - 1])
      .join(', ');
    if (isForgotten(readings) && keepsFinal !== false && !(at >= 0 && hasLeftFinal(readings, final))) {
      const actual = `after ${quotedState(last)} it is unknown: ${describeResponse(lastReading)}`;
      if (keepsFinal === undefined || (lastReading.head?.status ?? 500) >= 500)
        return inconclusive(`${actual}. State in jobs.${kind}.keepsFinal whether jobs that have ended stay known`);
      const expected = `the status of job ${lastReading.inputs.jobId}, as the profile states in jobs.${kind}.keepsFinal`;
      return failed([findingIn(lastReading, 'forgotten', expected, actual)]);
    }
    if (at < 0) {
      const { isWhole, limitMs } = waitOf(subject, declarations);
      if (!isExhausted || last.reading !== lastReading) return untested(`no final state was read: ${pattern}`);
      if (patienceMs === undefined)
        return untested(`no final state was read, and jobs.${kind}.patienceSeconds is not set: ${pattern}`);
      if (!isWhole)
        return untested(
          `no final state within ${limitMs / 1000} s, the longest wait at depth ${declarations.depth}; jobs.${kind}.patienceSeconds is ${patienceMs / 1000}`,
        );
      return failed([notEnded(last, found.length, `, as the profile states in jobs.${kind}`, final, patienceMs)]);
    }
    const later = found.slice(at + 1);
    const reached = found[at]?.state ?? '';
    const changed = later.filter(({ state }) => state !== reached);
    const toOtherFinal = changed.find(({ state }) => final.includes(state));
    const wrong = toOtherFinal ?? changed[0];
    if (!wrong) {
      const isOnce = later.length === 0 && patienceMs === undefined;
      const nothing = `the final state ${reached} was read once only`;
      return decide({ compared: isOnce ? 0 : 1 }, { nothing, evidence: evidenceOfJobs(found.length, 1) });
    }
    // One earlier state may be that of a replica, and at depth quick there is no further request.
    const mayReturn = !keepsFinal && (!isExhausted || found.slice(-2).some(({ state }) => state === reached));
    if (!toOtherFinal && mayReturn)
      return inconclusive(
        `the state changed after the final one and may return to it, as with lagging replicas: ${pattern}`,
      );
    const promised = keepsFinal ? `, as the profile states in jobs.${kind}.keepsFinal` : '';
    const expected = `the final state ${JSON.stringify(reached)} does not change again${promised}`;
    return failed([findingIn(wrong.reading, 'final-changed', expected, `the states were ${pattern}`)]);
  },
});

/** The prefix of the steps that read the status of jobs of further starts. */
const ENDS = 'ends';

/** A job that does not end is waited for twice, in the run and in its repetition, together for the longest wait. */
const waitOfEach = (...[subject, declarations]: Parameters<typeof waitOf>) => waitOf(subject, declarations, 2);

/** The first job is not judged here: its repetition needs no delays, which would make the run longer. */
const withoutDelays = (steps: Steps): Record<string, Step> =>
  Object.fromEntries(Object.entries(steps).map(([name, { repeatDelayMs: _, ...each }]) => [name, each]));

export const furtherJobsEnd = jobRule({
  id: 'A.further-jobs-end',
  demands:
    'A job that a further POST of its kind starts reaches a final state of the profile within jobs.KIND.patienceSeconds, too.',
  how: [
    'Each further POST that the profile lists in jobs.KIND.start is sent, and the status of its job is requested until it is final, with pauses of pollSeconds or Retry-After.',
    'The rule fails if the patience ends before, in the repetition, too.',
    'A job that becomes unknown proves nothing.',
  ],
  looksLike:
    'A service that works on one job at a time is legal, and a job waits for those before it; the patience of the profile includes that time, and the repetition starts with no job that waits.',
  facts: ['jobFinal'],
  status: ['request', 'fields.state'],
  repeat: 'inconclusive',
  probe(subject, declarations, { final = [], starts }) {
    // A.job-ends judges the job of the first POST.
    if (starts.length < 2) return {};
    const steps = withoutDelays(furtherStarts(subject, declarations));
    const { limitMs, intervalMs } = waitOfEach(subject, declarations);
    const isDone = (readings: readonly Reading[]) =>
      isForgotten(readings) || statesOf(readings).some(({ state }) => final.includes(state));
    const poll = { isDone, limitMs, intervalMs };
    for (const at of otherJobNumbers(steps))
      steps[`${ENDS}${at}`] = statusStep(subject, `other${at}`, { repetition: 1000, optional: true, poll });
    return steps;
  },
  counterexample: (seen) => editStates(seen, (name) => name.startsWith(ENDS), 'never ending'),
  judge(seen, { subject, declarations, kind, job: { final = [], patienceMs } }) {
    const { isWhole, limitMs } = waitOfEach(subject, declarations);
    const ofFirst = new Set((seen.start ?? []).flatMap(jobIds));
    const jobs = Object.entries(seen).flatMap(([name, readings]) => {
      const found = statesOf(readings);
      const last = found.at(-1);
      // A service may return the job of the first POST again.
      if (!name.startsWith(ENDS) || !last || ofFirst.has(String(last.reading.inputs.jobId))) return [];
      const starter = seen[`other${name.slice(ENDS.length)}`]?.[0]?.operation ?? 'another POST';
      return [{ readings, found, last, starter, isEnded: found.some(({ state }) => final.includes(state)) }];
    });
    const running = jobs.filter(({ isEnded }) => !isEnded);
    const ofStarter = (starter: string) =>
      ` for the job that ${starter} started, as the profile states in jobs.${kind}`;
    const findings = running
      .filter(({ readings, last }) => isWhole && readings.at(-1)?.exhausted && last.reading === readings.at(-1))
      .flatMap(({ last, found, starter }) =>
        patienceMs === undefined ? [] : notEnded(last, found.length, ofStarter(starter), final, patienceMs),
      );
    const open = running.at(-1);
    const requests = jobs.reduce((sum, { readings }) => sum + readings.length, 0);
    const ended = jobs.length - running.length;
    const quick = declarations.depth === 'quick' ? ': run with --depth standard' : '';
    const nothing = open
      ? `no final state was read: ${quotedState(open.last)} after ${limitMs / 1000} s; jobs.${kind}.patienceSeconds and the depth decide how long a run waits`
      : `at depth ${declarations.depth} no status of a job that another POST started was read${quick}`;
    return decide({ compared: ended, findings }, { nothing, evidence: evidenceOfJobs(requests, ended) });
  },
});

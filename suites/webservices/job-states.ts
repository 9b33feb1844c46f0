/** The states of jobs that a profile declares: which there are, which are final, and when one is reached (section 3). */
import { JOB_STATUS } from '../../src/contract/index.ts';
import {
  defineRule,
  describeResponse,
  type EditableReadings,
  editAll,
  failed,
  inconclusive,
  openingOf,
  passed,
  type Reading,
  type Steps,
  untested,
} from '../../src/rule/index.ts';
import { hasLeftFinal, isForgotten, requestsOf, requestsUntilFinal, statesOf, waitOf } from '../../src/rule/job-end.ts';
import { jobKindOf } from '../../src/rule/job-status.ts';

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
  how: 'The status of a started or example job is requested up to three times, and until a final state where the profile lists some. Each state must be in the list, as the service writes it. One state that is not listed is enough: a received status is not repeated.',
  looksLike:
    'A service that adds a state in a later version is legal; its profile then lists the state, and nothing else changes. A service that answers 200 and NOT FOUND for a job that is not known yet is legal, too; its profile calls that a refusal (`refusal`).',
  subjects: Object.values(JOB_STATUS),
  needs: (subject) => [
    `job.${jobKindOf(subject)}`,
    `jobStates.${jobKindOf(subject)}`,
    openingOf(subject, 'request'),
    openingOf(subject, 'fields.state'),
  ],
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

export const statesInOrder = defineRule<Steps>({
  id: 'A.states-in-order',
  statement: 'A.job-status',
  basis: 'profile',
  since: '0.2.0',
  demands:
    'A job never returns to an earlier state: the profile promises the order of jobs.KIND.states (statesInOrder).',
  how: 'The status of a started or example job is requested up to three times, and until a final state where the profile lists some. A state that comes before an earlier one in the list is a failure, also if the later state returns. States may be left out.',
  looksLike:
    'Replicas that lag behind each other are legal and return an earlier state after a later one; a profile that promises the order of the states excludes them, and without the promise nothing is demanded.',
  subjects: Object.values(JOB_STATUS),
  needs: (subject) => [
    `job.${jobKindOf(subject)}`,
    `jobOrder.${jobKindOf(subject)}`,
    openingOf(subject, 'request'),
    openingOf(subject, 'fields.state'),
  ],
  probe: requestsUntilFinal,
  counterexample: (seen, { subject, declarations }) => ({
    third: editAll(seen.third, { state: declarations.job(jobKindOf(subject)).states?.[0] ?? '' }),
  }),
  judge(seen, { subject, declarations }) {
    const { states = [] } = declarations.job(jobKindOf(subject));
    const found = statesOf(requestsOf((name) => seen[name] ?? [])).filter(({ state }) => states.includes(state));
    if (found.length < 2) return untested('fewer than two statuses contain a state of the list');
    const at = found.findIndex(
      ({ state }, index) => index > 0 && states.indexOf(state) < states.indexOf(found[index - 1]?.state ?? ''),
    );
    if (at < 0)
      return passed({
        exchanges: found.length,
        rows: found.length,
        distinct: new Set(found.map(({ state }) => state)).size,
      });
    return failed([
      {
        kind: 'state-earlier',
        expected: `states in the order ${states.join(', ')}, as the profile promises in jobs.${jobKindOf(subject)}.statesInOrder`,
        actual: `the state ${JSON.stringify(found[at]?.state)} after ${JSON.stringify(found[at - 1]?.state)}`,
        exchange: found[at]?.reading.exchange ?? '',
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
  how: 'A job is started and its status is requested until it was read twice in a final state, with pauses of pollSeconds or Retry-After. The rule fails if the patience ends before, or if the state changes after a final one and does not return to it in two or more requests. Where the profile states that jobs stay known (jobs.KIND.keepsFinal: true), the status is requested twice more, with a pause, and the rule also fails if the job becomes unknown or leaves its final state once; where it states that they do not (false), an unknown job proves nothing, and otherwise it is inconclusive. Without that promise, a state that changes and returns is inconclusive, unless the profile promises the order of the states (A.states-in-order).',
  looksLike:
    'Replicas that lag behind each other are legal and return an earlier state after the final one; the final state returns when they are requested again, and the profile promises neither keepsFinal nor statesInOrder. A service that drops a job once it has ended is legal, too: its profile says so (keepsFinal: false), or does not promise the opposite.',
  subjects: Object.values(JOB_STATUS),
  reads: ['jobs.….patienceSeconds', 'jobs.….keepsFinal'],
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
    const expected = `the final state ${JSON.stringify(reached)} does not change again${keepsFinal ? `, as the profile states in jobs.${kind}.keepsFinal` : ''}`;
    const toOtherFinal = later.find(({ state }) => state !== reached && final.includes(state));
    // One earlier state may be that of a replica, and at depth quick there is no further request.
    const mayReturn = !keepsFinal && (!isExhausted || found.slice(-2).some(({ state }) => state === reached));
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

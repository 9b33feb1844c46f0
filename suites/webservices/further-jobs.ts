/** The ends of jobs that further POSTs of a kind start, such as updateLocation beside importLocation (sections 2 and 3). */
import { JOB_STATUS } from '../../src/contract/index.ts';
import {
  defineRule,
  editAll,
  type Finding,
  failed,
  openingOf,
  passed,
  type Step,
  type Steps,
  untested,
} from '../../src/rule/index.ts';
import { isForgotten, statesOf, waitOf } from '../../src/rule/job-end.ts';
import { furtherStarts, jobIds, jobKindOf, otherJobNumbers, statusStep } from '../../src/rule/job-status.ts';

const ENDS = 'ends';

/** The first job is not judged here: its repetition needs no delays, which would make the run longer. */
const withoutDelays = (steps: Steps): Steps =>
  Object.fromEntries(Object.entries(steps).map(([name, { repeatDelayMs: _, ...each }]) => [name, each]));

/** A job that does not end is waited for twice, in the run and in its repetition, together for the longest wait. */
const waitOfEach = (...[subject, declarations]: Parameters<typeof waitOf>) => waitOf(subject, declarations, 2);

export const furtherJobsEnd = defineRule<Steps>({
  id: 'A.further-jobs-end',
  statement: 'A.job-status',
  basis: 'profile',
  since: '0.2.0',
  demands:
    'A job that a further POST of its kind starts reaches a final state of the profile within jobs.KIND.patienceSeconds, too.',
  how: 'Each further POST that the profile lists in jobs.KIND.start is sent, and the status of its job is requested until it is final, with pauses of pollSeconds or Retry-After. The rule fails if the patience ends before, in the repetition, too. A job that becomes unknown proves nothing.',
  looksLike:
    'A service that works on one job at a time is legal, and a job waits for those before it; the patience of the profile includes that time, and the repetition starts with no job that waits.',
  subjects: Object.values(JOB_STATUS),
  needs: (subject) => [
    `job.${jobKindOf(subject)}`,
    `jobFinal.${jobKindOf(subject)}`,
    openingOf(subject, 'request'),
    openingOf(subject, 'fields.state'),
  ],
  repeat: 'inconclusive',
  probe(subject, declarations): Steps {
    const { final = [], starts } = declarations.job(jobKindOf(subject));
    // A.job-ends judges the job of the first POST.
    if (starts.length < 2) return {};
    const steps: { [name: string]: Step } = { ...withoutDelays(furtherStarts(subject, declarations)) };
    const { limitMs, intervalMs } = waitOfEach(subject, declarations);
    for (const at of otherJobNumbers(steps))
      steps[`${ENDS}${at}`] = statusStep(subject, `other${at}`, {
        repetition: 1000,
        optional: true,
        poll: {
          isDone: (readings) => isForgotten(readings) || statesOf(readings).some(({ state }) => final.includes(state)),
          limitMs,
          intervalMs,
        },
      });
    return steps;
  },
  counterexample: (seen) =>
    Object.fromEntries(
      Object.entries(seen)
        .filter(([name]) => name.startsWith(ENDS))
        .map(([name, readings]) => [
          name,
          editAll(readings, { state: 'never ending' }).map((reading) => ({ ...reading, exhausted: true as const })),
        ]),
    ),
  judge(seen, { subject, declarations }) {
    const kind = jobKindOf(subject);
    const { final = [], patienceMs } = declarations.job(kind);
    const { isWhole, limitMs } = waitOfEach(subject, declarations);
    const ofFirst = new Set((seen.start ?? []).flatMap(jobIds));
    const findings: Finding[] = [];
    let ended = 0;
    let requests = 0;
    let open: string | undefined;
    for (const [name, readings] of Object.entries(seen)) {
      const found = statesOf(readings);
      const last = found.at(-1);
      // A service may return the job of the first POST again.
      if (!name.startsWith(ENDS) || !last || ofFirst.has(String(last.reading.inputs.jobId))) continue;
      requests += readings.length;
      if (found.some(({ state }) => final.includes(state))) {
        ended++;
        continue;
      }
      const isKnown = last.reading === readings.at(-1);
      if (!readings.at(-1)?.exhausted || !isKnown || patienceMs === undefined || !isWhole) {
        open = `the state ${JSON.stringify(last.state)} after ${limitMs / 1000} s`;
        continue;
      }
      const starter = seen[`other${name.slice(ENDS.length)}`]?.[0]?.operation ?? 'another POST';
      findings.push({
        kind: 'not-ended',
        expected: `one of the final states ${final.join(', ')} within ${patienceMs / 1000} s for the job that ${starter} started, as the profile states in jobs.${kind}.patienceSeconds`,
        actual: `the state ${JSON.stringify(last.state)} after ${found.length} requests`,
        exchange: last.reading.exchange,
      });
    }
    if (findings.length > 0) return failed(findings);
    if (ended > 0) return passed({ exchanges: requests, rows: requests, distinct: ended });
    return untested(
      open === undefined
        ? `at depth ${declarations.depth} no status of a job that another POST started was read${declarations.depth === 'quick' ? ': run with --depth standard' : ''}`
        : `no final state was read: ${open}; jobs.${kind}.patienceSeconds and the depth decide how long a run waits`,
    );
  },
});

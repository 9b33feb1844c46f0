/** Each job has a status of its own, whichever POST started it and whatever was started after it: section 2. */
import { JOB_STATUS } from '../../src/contract/index.ts';
import {
  defineRule,
  describeResponse,
  editAll,
  type Finding,
  failed,
  inconclusive,
  isOk,
  openingOf,
  passed,
  type Reading,
  type Step,
  type Steps,
  untested,
} from '../../src/rule/index.ts';
import {
  furtherStarts,
  isEmpty,
  jobIds,
  jobKindOf,
  otherJobNumbers,
  statusesAmong,
  statusStep,
} from '../../src/rule/job-status.ts';

/** A job may be unknown at its first request. */
const POLL_TWICE = {
  isDone: (readings: readonly Reading[]) => readings.some((reading) => isOk(reading) && !isEmpty(reading)),
  intervalMs: 1000,
  limitMs: 1000,
};

export const twoJobs = defineRule<Steps>({
  id: 'A.two-jobs',
  statement: 'A.job-status',
  basis: 'profile',
  since: '0.2.0',
  demands:
    'Each job keeps a status of its own, also after further jobs of its kind were started, by whichever POST the profile lists.',
  how: 'A job is started, then another one by each further POST that the profile lists for the kind, or by the same POST. The status of the first job is requested after that, and must be known and of that job. A job that another POST started must be known, too. If a request fails, the status of the other job shows whether the service knows jobs at all, and the rule runs once more with pauses of about 15 s. A start that is refused, or that returns the same id again, proves nothing.',
  looksLike:
    'A service that returns the same job for equal requests, or refuses a second job while the first one runs, is legal and has one job only; the ids and the statuses of the starts tell them apart.',
  subjects: Object.values(JOB_STATUS),
  needs: (subject) => [`job.${jobKindOf(subject)}`, openingOf(subject, 'request'), openingOf(subject, 'inputs.jobId')],
  repeat: 'inconclusive',
  probe(subject, declarations): Steps {
    const steps: { [name: string]: Step } = { ...furtherStarts(subject, declarations) };
    const numbers = otherJobNumbers(steps);
    if (!steps.one) return steps;
    const { one, other0 } = steps;
    const isOnlyStarter = other0?.operation === one.operation && other0.variant?.request === one.variant?.request;
    const timing = { poll: POLL_TWICE, repetition: 20, repeatDelayMs: 14_000, optional: true } as const;
    steps.ofOne = statusStep(subject, 'one', { ...timing, after: numbers.map((at) => `other${at}`) });
    for (const at of numbers)
      steps[`ofOther${at}`] = statusStep(subject, `other${at}`, {
        ...timing,
        after: ['ofOne'],
        when: (of) => !isOnlyStarter || !POLL_TWICE.isDone(of('ofOne')),
      });
    return steps;
  },
  counterexample: ({ ofOne }) => ({ ofOne: editAll(ofOne, { jobId: 'another job' }) }),
  judge(seen, { subject, declarations }) {
    if (declarations.draw('jobPairs') === 0)
      return untested(`no second job is started at depth ${declarations.depth}: use --depth standard`);
    const started = seen.one?.[0];
    const [first] = started ? jobIds(started) : [];
    if (!started || !isOk(started) || first === undefined)
      return untested(`the first job was not started: ${started ? describeResponse(started) : 'no request'}`);
    const { starts } = declarations.job(jobKindOf(subject));
    const jobs = otherJobNumbers(seen).flatMap((at) => {
      const start = seen[`other${at}`]?.[0];
      const id = start && isOk(start) ? jobIds(start)[0] : undefined;
      return start ? [{ at, start, id, readings: seen[`ofOther${at}`] ?? [] }] : [];
    });
    const distinct = jobs.filter(({ id }) => id !== undefined && id !== first);
    if (distinct.length === 0) {
      const refused = jobs.find(({ id }) => id === undefined);
      return untested(
        refused
          ? `no second job was started: ${refused.start.operation} returned ${describeResponse(refused.start)}`
          : `both requests returned job ${first}: list two different requests under jobs.${jobKindOf(subject)}.start`,
      );
    }
    const own = (seen.ofOne ?? []).filter(({ inputs }) => String(inputs.jobId) === first);
    const statuses = statusesAmong([...own, ...distinct.flatMap(({ readings }) => readings)]);
    const wrongJobFindings = (readings: readonly Reading[], wanted: string): Finding[] =>
      readings
        .filter((reading) => statuses.includes(reading))
        .filter((reading) => jobIds(reading).length > 0 && !jobIds(reading).includes(wanted))
        .slice(0, 1)
        .map((reading) => ({
          kind: 'other-job',
          expected: `the status of job ${wanted}, after ${distinct.length + 1} jobs of the kind were started`,
          actual: `the status of job ${jobIds(reading)[0]}`,
          exchange: reading.exchange,
        }));
    const unknown = (kind: string, readings: readonly Reading[], wanted: string, start: Reading): Finding[] =>
      readings.slice(-1).map((reading) => ({
        kind,
        expected: `the status of job ${wanted}, which ${start.operation} started`,
        actual: `${describeResponse(reading)}, while the status of another job of this kind is known`,
        exchange: reading.exchange,
      }));
    const isKnown = own.some((reading) => statuses.includes(reading));
    const known = distinct.filter(({ readings }) => readings.some((reading) => statuses.includes(reading)));
    const hasFurtherStarts = Math.min(starts.length, declarations.draw('jobStarters')) > 1;
    const findings = [
      ...wrongJobFindings(own, first),
      ...distinct.flatMap(({ readings, id = '' }) => wrongJobFindings(readings, id)),
      ...(!isKnown && known.length > 0 ? unknown('first-job-lost', own, first, started) : []),
      ...distinct.flatMap(({ readings, id = '', start }) =>
        isKnown && hasFurtherStarts && !readings.some((reading) => statuses.includes(reading))
          ? unknown('started-job-unknown', readings, id, start)
          : [],
      ),
    ];
    if (findings.length > 0) return failed(findings);
    if (!isKnown) return inconclusive(`neither job is known: ${own[0] ? describeResponse(own[0]) : 'no request'}`);
    return passed({
      exchanges: own.length + distinct.length + 1,
      distinct: distinct.length + 1,
      coverage: [{ of: 'starters', looked: Math.min(starts.length, distinct.length + 1), known: starts.length }],
    });
  },
});

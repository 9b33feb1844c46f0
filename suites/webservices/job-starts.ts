import {
  copyResponse,
  type Declarations,
  decide,
  describeResponse,
  type EditableReading,
  editAll,
  type Finding,
  failed,
  findingIn,
  inconclusive,
  isOk,
  passed,
  type Reading,
  type Seen,
  type Step,
  type Steps,
  untested,
} from '../../src/rule/index.ts';
import {
  furtherStarts,
  isEmpty,
  jobIds,
  otherJobNumbers,
  statusesAmong,
  statusStep,
} from '../../src/rule/job-status.ts';
import { evidenceOfJobs, jobRule } from './job-status.ts';

/** The steps of all starts of a kind. Observed traffic needs the first one only. */
const startSteps = (...[subject, declarations]: Parameters<typeof furtherStarts>): Steps => {
  const { start, ...others } = furtherStarts(subject, declarations);
  const optional = Object.entries(others).map(([name, step]) => [name, { ...step, optional: true }]);
  return { ...(start && { start }), ...Object.fromEntries(optional) };
};

const NO_ID = 'no start of this kind binds response.fields.jobId';

/** The steps with the starts of all rules. */
const ALL = 'all: ';

/** The accepted starts, in their order. */
const acceptedStarts = (seen: Seen<Steps>): Reading[] =>
  ['start', 'one', ...otherJobNumbers(seen).map((at) => `other${at}`)].flatMap((name) => seen[name] ?? []).filter(isOk);

const noSecondJob = ({ depth }: Declarations) =>
  untested(`no second job is started at depth ${depth}: use --depth standard`);

export const jobIdsDistinct = jobRule({
  id: 'A.job-ids-distinct',
  demands: 'Each accepted start of a job returns an id of its own: the profile promises it (jobs.KIND.distinctIds).',
  how: [
    'The POST that starts a job is sent several times, and each further POST that the profile lists for the kind at least once.',
    'Two accepted starts of the run with one id are a failure.',
    'A start that is refused, or whose response contains no id, proves nothing.',
  ],
  looksLike:
    'A service that returns the running job for equal requests is legal; a profile that promises an id for each start excludes it, and without the promise nothing is demanded.',
  facts: ['jobIds'],
  unjudged: () => NO_ID,
  probe(subject, declarations) {
    const steps = startSteps(subject, declarations);
    const starts = Object.values(steps).filter(({ each, variant }) => !each && !variant);
    const ofAllRules = starts.map((start): [string, Step] => [
      ALL + start.operation,
      { ...start, accepts: 'any', repetition: 0, after: [], fromAllRules: true, optional: true },
    ]);
    return { ...steps, ...Object.fromEntries(ofAllRules) };
  },
  counterexample: ({ one, other0 }) => ({ other0: copyResponse(other0, one) }),
  judge(seen, { declarations, kind }) {
    if (declarations.draw('jobPairs') === 0) return noSecondJob(declarations);
    const all = Object.keys(seen).flatMap((name) => (name.startsWith(ALL) ? (seen[name] ?? []).filter(isOk) : []));
    const accepted = new Map([...all, ...acceptedStarts(seen)].map((reading) => [reading.exchange, reading]));
    const started = [...accepted.values()].filter((reading) => jobIds(reading).length > 0);
    const ids = started.map((reading) => jobIds(reading)[0]);
    const other = seen.other0?.[0];
    if (started.length < 2)
      return untested(`fewer than two starts returned an id: ${other ? describeResponse(other) : 'no request'}`);
    const expected = `an id of its own for each start, as the profile promises in jobs.${kind}.distinctIds`;
    const findings = started
      .filter((_, at) => ids.indexOf(ids[at]) < at)
      .slice(0, 1)
      .map((each) => findingIn(each, 'same-id', expected, `job ${jobIds(each)[0]}, which an earlier start returned`));
    return decide({ compared: 1, findings }, { nothing: '', evidence: evidenceOfJobs(started.length) });
  },
});

const locationIn = ({ head }: Pick<Reading, 'head'>): string | undefined =>
  head?.headers.find(([name]) => name.toLowerCase() === 'location')?.[1];

/** The path to which the Location of a response leads, relative to the request; undefined if it is no address. */
function locatedPath({ operation }: Reading, location: string): string | undefined {
  const base = `http://host${operation.slice(operation.indexOf(' ') + 1)}`;
  return URL.canParse(location, base) ? new URL(location, base).pathname.replace(/\/$/, '') : undefined;
}

const withoutLocation = ({ head, ...reading }: EditableReading): EditableReading => ({
  ...reading,
  ...(head && { head: { ...head, headers: head.headers.filter(([name]) => !/^location$/i.test(name)) } }),
});

export const jobLocation = jobRule({
  id: 'A.job-location',
  demands:
    'The Location header of a start is the address of the status of the job: the profile promises it (jobs.KIND.locationIsStatus).',
  how: [
    'A job is started, also by each further POST that the profile lists for the kind.',
    'Each 2xx response must have a Location header whose path ends with that of the status operation.',
    'Host, prefix and query are not compared.',
  ],
  looksLike: [
    'A service behind a gateway names its internal host or prefix in Location, which is legal; only the end of the path, which the document fixes, is compared.',
    'A service whose Location is an address of another kind does not promise this.',
  ],
  facts: ['jobLocation'],
  unjudged: () => NO_ID,
  probe: startSteps,
  counterexample: ({ start = [] }) => ({ start: start.map(withoutLocation) }),
  judge(seen, { subject, kind }) {
    const path = subject.slice(subject.indexOf(' ') + 1);
    const started = acceptedStarts(seen);
    const expected = `a Location header that leads to ${path}, as the profile promises in jobs.${kind}.locationIsStatus`;
    const findings = started.flatMap((reading): Finding[] => {
      const location = locationIn(reading);
      if (location === undefined) return [findingIn(reading, 'location-missing', expected, 'no Location header')];
      if (locatedPath(reading, location)?.endsWith(path)) return [];
      return [findingIn(reading, 'location-elsewhere', expected, `the Location ${JSON.stringify(location)}`)];
    });
    const compared = started.length;
    const nothing = 'no job was started';
    return decide({ compared, findings: findings.slice(0, 1) }, { nothing, evidence: evidenceOfJobs(compared) });
  },
});

/** A job may be unknown at its first request. */
const POLL_TWICE = {
  isDone: (readings: readonly Reading[]) => readings.some((reading) => isOk(reading) && !isEmpty(reading)),
  intervalMs: 1000,
  limitMs: 1000,
};

export const twoJobs = jobRule({
  id: 'A.two-jobs',
  demands:
    'Each job keeps a status of its own, also after further jobs of its kind were started, by whichever POST the profile lists.',
  how: [
    'A job is started, then another one by each further POST that the profile lists for the kind, or by the same POST.',
    'The status of the first job is requested after that, and must be known and of that job.',
    'A job that another POST started must be known, too.',
    'If a request fails, the status of the other job shows whether the service knows jobs at all, and the rule runs once more with pauses of about 15 s.',
    'A start that is refused, or that returns the same id again, proves nothing.',
  ],
  looksLike:
    'A service that returns the same job for equal requests, or refuses a second job while the first one runs, is legal and has one job only; the ids and the statuses of the starts tell them apart.',
  status: ['request', 'inputs.jobId'],
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
  judge(seen, { declarations, kind, job: { starts } }) {
    if (declarations.draw('jobPairs') === 0) return noSecondJob(declarations);
    const started = seen.one?.[0];
    const [first] = started ? jobIds(started) : [];
    if (!started || !isOk(started) || first === undefined)
      return untested(`the first job was not started: ${started ? describeResponse(started) : 'no request'}`);
    const jobs = otherJobNumbers(seen).flatMap((at) =>
      (seen[`other${at}`] ?? []).slice(0, 1).map((start) => {
        const id = isOk(start) ? jobIds(start)[0] : undefined;
        return { start, id, readings: seen[`ofOther${at}`] ?? [] };
      }),
    );
    const others = jobs.flatMap(({ id, ...job }) => (id === undefined || id === first ? [] : [{ id, ...job }]));
    if (others.length === 0) {
      const refused = jobs.find(({ id }) => id === undefined)?.start;
      return untested(
        refused
          ? `no second job was started: ${refused.operation} returned ${describeResponse(refused)}`
          : `both requests returned job ${first}: list two different requests under jobs.${kind}.start`,
      );
    }
    const ofFirst = (seen.ofOne ?? []).filter(({ inputs }) => String(inputs.jobId) === first);
    const own = { id: first, start: started, readings: ofFirst };
    const statuses = statusesAmong([own, ...others].flatMap(({ readings }) => readings));
    type Job = (typeof others)[number];
    const isKnown = ({ readings }: Job) => readings.some((each) => statuses.includes(each));
    const ofAnotherJob = ({ id, readings }: Job): Finding[] => {
      const isOther = (ids: readonly string[]) => ids.length > 0 && !ids.includes(id);
      const other = readings.find((each) => statuses.includes(each) && isOther(jobIds(each)));
      const expected = `the status of job ${id}, after ${others.length + 1} jobs of the kind were started`;
      return other ? [findingIn(other, 'other-job', expected, `the status of job ${jobIds(other)[0]}`)] : [];
    };
    const unknown = (kindOfFinding: string, { id, start, readings }: Job): Finding[] =>
      readings.slice(-1).map((each) => {
        const actual = `${describeResponse(each)}, while the status of another job of this kind is known`;
        return findingIn(each, kindOfFinding, `the status of job ${id}, which ${start.operation} started`, actual);
      });
    const hasFurtherStarts = Math.min(starts.length, declarations.draw('jobStarters')) > 1;
    const findings = [
      ...[own, ...others].flatMap(ofAnotherJob),
      ...(!isKnown(own) && others.some(isKnown) ? unknown('first-job-lost', own) : []),
      ...(isKnown(own) && hasFurtherStarts ? others : []).flatMap((job) =>
        isKnown(job) ? [] : unknown('started-job-unknown', job),
      ),
    ];
    if (findings.length > 0) return failed(findings);
    if (!isKnown(own))
      return inconclusive(`neither job is known: ${ofFirst[0] ? describeResponse(ofFirst[0]) : 'no request'}`);
    const distinct = others.length + 1;
    const coverage = [{ of: 'starters', looked: Math.min(starts.length, distinct), known: starts.length }];
    return passed({ exchanges: ofFirst.length + distinct, distinct, coverage });
  },
});

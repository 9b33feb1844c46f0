/** The status of a job can be read for each of the seven job kinds: section 2. */
import { JOB_STATUS } from '../../src/contract/index.ts';
import {
  defineRule,
  describeResponse,
  editAll,
  type Finding,
  failed,
  failedByProfile,
  firstOfEachKind,
  inconclusive,
  isOk,
  kindOfStatus,
  onlyReading,
  openingOf,
  passed,
  quoteSelector,
  respondWith,
  type Steps,
  untested,
} from '../../src/rule/index.ts';
import {
  isEmpty,
  jobIds,
  jobKindOf,
  jobStates,
  STATUS_REQUESTS,
  startStep,
  statusesAmong,
  statusRequests,
} from '../../src/rule/job-status.ts';
import { errorNowAndThen } from '../../src/rule/judge-server-errors.ts';

export const jobStatus = defineRule({
  id: 'A.job-status',
  statement: 'A.job-status',
  basis: 'stated',
  since: '0.1.0',
  demands: 'The status of a job of this kind can be read, and read again.',
  how: 'A job is started with the POST that the profile binds to the kind, or the example job is used. Its status is requested three times, and once more after about 16 s or Retry-After before the rule fails. At least two requests must get a status, not empty where another response contains a state, and of the same job where a response contains a job id.',
  subjects: Object.values(JOB_STATUS),
  needs: (subject) => [`job.${jobKindOf(subject)}`, openingOf(subject, 'request')],
  repeat: 'inconclusive',
  probe(subject, declarations): Steps {
    const requests = statusRequests(subject, declarations);
    if (!requests.first) return requests;
    return { ...requests, all: { ...requests.first, accepts: 'any', fromAllRules: true, optional: true } };
  },
  counterexample: ({ second, third }) => ({ second: respondWith(second), third: respondWith(third) }),
  judge(seen, { subject, declarations }) {
    const requests = STATUS_REQUESTS.flatMap((name) => seen[name] ?? []);
    const [first] = requests;
    if (!first) return untested('no job was started');
    const successful = statusesAmong(requests);
    const wanted = String(first.inputs.jobId ?? '');
    const other = declarations.isFilled(openingOf(subject, 'fields.jobId'))
      ? successful.find((reading) => jobIds(reading).length > 0 && !jobIds(reading).includes(wanted))
      : undefined;
    const findings: Finding[] = other
      ? [
          {
            kind: 'other-job',
            expected: `the status of job ${wanted}`,
            actual: `the status of job ${jobIds(other)[0]}`,
            exchange: other.exchange,
          },
        ]
      : [];
    const isStarted = declarations.job(jobKindOf(subject)).example === undefined;
    if (isStarted && successful.length === 1 && successful[0] === requests[2])
      return inconclusive('the job was unknown until the last request of its status');
    if (successful.length < 2) {
      const unanswered = requests.filter((reading) => !successful.includes(reading));
      const retryLater = requests.find(({ head }) => head?.headers.some(([name]) => /^retry-after$/i.test(name)));
      // Retry-After does not mean that the job is unknown.
      if (retryLater && successful.length === 0)
        return inconclusive(`${describeResponse(retryLater)}, with Retry-After`);
      const unansweredFindings = unanswered.map((reading) => ({
        kind: isOk(reading) ? 'empty' : kindOfStatus(reading),
        expected: `the status of job ${wanted}, each of ${requests.length} times`,
        actual: `${successful.length} times; another time ${describeResponse(reading)}`,
        exchange: reading.exchange,
      }));
      // Only the profile states that the POST starts a job of this kind.
      return failed(
        [...firstOfEachKind(unansweredFindings, 1), ...findings],
        isStarted && successful.length === 0 ? 'profile' : undefined,
      );
    }
    const broken = successful.find((reading) => reading.observation?.problem);
    if (broken) return inconclusive(broken.observation?.problem?.message ?? '');
    if (findings.length > 0) return failed(findings);
    const sometimes = errorNowAndThen(seen.all ?? []);
    if (sometimes !== undefined) return { ...inconclusive(sometimes), since: '0.2.0' };
    return passed({ exchanges: requests.length, rows: successful.length, distinct: 1 });
  },
});

export const jobStarted = defineRule({
  id: 'A.job-started',
  statement: 'A.job-status',
  basis: 'profile',
  since: '0.1.0',
  demands: 'The POST that starts a job of this kind, as the profile states, returns the id of the job.',
  how: 'The POST is sent, and its response must contain the id where the profile reads it. A missing id is a failure if the profile marks it required, otherwise inconclusive.',
  subjects: Object.values(JOB_STATUS),
  needs: (subject) => [`job.${jobKindOf(subject)}`],
  repeat: 'inconclusive',
  probe(subject, declarations): Steps {
    const [start] = declarations.job(jobKindOf(subject)).starts;
    if (!start || declarations.selector(start.operation, 'jobId') === undefined) return {};
    return { start: startStep(start) };
  },
  counterexample: ({ start }) => ({ start: editAll(start, { jobId: null }) }),
  judge(seen, { declarations }) {
    const start = onlyReading(seen.start ?? []);
    const found = jobIds(start);
    if (found.length > 0) return passed({ exchanges: 1, rows: 1, distinct: found.length });
    const expected = `the id of a job at ${quoteSelector(start.operation, declarations.selector(start.operation, 'jobId'))}`;
    if (!declarations.required(start.operation, 'jobId'))
      return inconclusive(
        `${describeResponse(start)} without ${expected}. If each start returns an id, mark fields.jobId as required`,
      );
    return failed([{ kind: 'job-id-missing', expected, actual: describeResponse(start), exchange: start.exchange }]);
  },
});

export const jobState = defineRule({
  id: 'A.job-state',
  statement: 'A.job-status',
  basis: 'profile',
  since: '0.1.0',
  demands: 'The response of a status operation contains a state where the profile reads it.',
  how: 'The status of a started or example job is requested up to three times; it must contain a state.',
  subjects: Object.values(JOB_STATUS),
  needs: (subject) => [`job.${jobKindOf(subject)}`, openingOf(subject, 'request'), openingOf(subject, 'fields.state')],
  repeat: 'inconclusive',
  probe: statusRequests,
  counterexample: (seen) =>
    Object.fromEntries(STATUS_REQUESTS.map((name) => [name, editAll(seen[name], { state: null })])),
  judge(seen, { subject, declarations }) {
    const requests = STATUS_REQUESTS.flatMap((name) => seen[name] ?? []);
    const [unsuccessful] = requests;
    if (!unsuccessful) return untested('no job was started');
    // A job may be unknown at first: the first response with a state is used.
    const status = requests.find((reading) => isOk(reading) && jobStates(reading).length > 0) ?? requests.find(isOk);
    // A.job-status judges whether a status can be read at all.
    if (!status) return inconclusive(`the request of the status got ${describeResponse(unsuccessful)}`);
    const broken = status.observation?.problem;
    if (broken) return inconclusive(broken.message);
    const withoutState = requests.find(
      (reading) => isOk(reading) && !isEmpty(reading) && jobStates(reading).length === 0,
    );
    const found = jobStates(status);
    const expected = `a state at ${quoteSelector(subject, declarations.selector(subject, 'state'))}`;
    if (found.length > 0 && withoutState && declarations.required(subject, 'state')) {
      return failedByProfile(withoutState, 'state-missing', `${expected}, each time`, 'it is missing');
    }
    if (found.length > 0) return passed({ exchanges: 1, rows: 1, distinct: found.length });
    return failedByProfile(status, 'state-missing', expected, 'it is missing');
  },
});

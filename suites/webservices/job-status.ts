/** The status of a job can be read for each of the seven job kinds: section 2. */
import { JOB_STATUS } from '../../src/contract/index.ts';
import {
  answerWith,
  defineRule,
  describeResponse,
  editAll,
  failed,
  isOk,
  nothingToJudge,
  onlyReading,
  openingOf,
  passed,
  quoteSelector,
  type Reading,
  type Steps,
  step,
  undecided,
} from '../../src/rule/index.ts';
import { isEmpty, jobIdFold, jobIds, jobKindOf, READS, states, statusReads } from '../../src/rule/job-status.ts';

export const jobStatus = defineRule({
  id: 'A.job-status',
  statement: 'A.job-status',
  basis: 'stated',
  since: '0.1.0',
  demands: 'The status of a job of this kind can be read, and read again.',
  how: 'A job is started with the POST the profile binds to the kind (or its example job is taken), and its status is read three times, and once more over some 16 s or as long as Retry-After says before it fails; it must be answered at least twice, not emptily where another answer tells a state, and name that job where the answer carries a job id.',
  subjects: Object.values(JOB_STATUS),
  needs: (subject) => [`job.${jobKindOf(subject)}`, openingOf(subject, 'request')],
  repeat: 'inconclusive',
  probe: statusReads,
  counterexample: ({ second, third }) => ({ second: answerWith(second), third: answerWith(third) }),
  judge(seen, { subject, declares }) {
    const reads = READS.flatMap((name) => seen[name] ?? []);
    const [first] = reads;
    if (!first) return nothingToJudge('no job to ask about');
    // Some say “there is no such job” with an empty 2xx: beside an answer that tells a state it is no status.
    const isTold = reads.some((reading) => isOk(reading) && states(reading).length > 0);
    const answered = reads.filter((reading) => isOk(reading) && !(isTold && isEmpty(reading)));
    const wanted = String(first.inputs.jobId ?? '');
    const isStarted = declares.job(jobKindOf(subject))?.example === undefined;
    if (isStarted && answered.length === 1 && answered[0] === reads[2])
      return undecided('the job was not known before its status was read for the last time');
    if (answered.length < 2) {
      const odd = reads.find((reading) => !answered.includes(reading)) as Reading;
      const later = reads.find(({ head }) => head?.headers.some(([name]) => /^retry-after$/i.test(name)));
      // Who asks to come back later has not said that there is no such job.
      if (later && answered.length === 0) return undecided(`${describeResponse(later)}, which asks to come back later`);
      const finding = {
        expected: `the status of job ${wanted}, each of ${reads.length} times`,
        actual: `${answered.length} times; otherwise ${describeResponse(odd)}`,
        exchange: odd.exchange,
      };
      // That the POST starts a job of this kind is the profile’s word.
      return failed([finding], isStarted && answered.length === 0 ? 'profile' : undefined);
    }
    const broken = answered.find((reading) => reading.observation?.problem);
    if (broken) return undecided(broken.observation?.problem?.message ?? '');
    const other = answered.find((reading) => jobIds(reading).length > 0 && !jobIds(reading).includes(wanted));
    if (other && declares.isFilled(openingOf(subject, 'fields.jobId'))) {
      return failed([
        {
          expected: `the status of job ${wanted}`,
          actual: `the status of job ${jobIds(other)[0]}`,
          exchange: other.exchange,
        },
      ]);
    }
    return passed({ exchanges: reads.length, rows: answered.length, distinct: 1 });
  },
});

export const jobStarted = defineRule({
  id: 'A.job-started',
  statement: 'A.job-status',
  basis: 'profile',
  since: '0.1.0',
  demands: 'The POST that the profile says starts a job of this kind answers with the id of a job.',
  how: 'The POST is sent, and the id is looked for where the profile reads it. None there is a failure where the profile marks the id required, else inconclusive.',
  subjects: Object.values(JOB_STATUS),
  needs: (subject) => [`job.${jobKindOf(subject)}`],
  repeat: 'inconclusive',
  probe(subject, declares): Steps {
    const { start } = declares.job(jobKindOf(subject)) ?? {};
    if (!start || declares.selector(start, 'jobId') === undefined) return {};
    return { start: step({ operation: start, wants: 'content', folds: { ids: jobIdFold } }) };
  },
  counterexample: ({ start }) => ({ start: editAll(start, { jobId: null }) }),
  judge(seen, { declares }) {
    const start = onlyReading(seen.start ?? []);
    const found = jobIds(start);
    if (found.length > 0) return passed({ exchanges: 1, rows: 1, distinct: found.length });
    const expected = `the id of a job at ${quoteSelector(start.operation, declares.selector(start.operation, 'jobId'))}`;
    if (!declares.required(start.operation, 'jobId'))
      return undecided(`${describeResponse(start)} without ${expected}`);
    return failed([{ expected, actual: describeResponse(start), exchange: start.exchange }]);
  },
});

export const jobState = defineRule({
  id: 'A.job-state',
  statement: 'A.job-status',
  basis: 'profile',
  since: '0.1.0',
  demands: 'The answer of a status operation holds a state where the profile reads one.',
  how: 'The state is looked for in the status of a started or example job, which is read up to three times.',
  subjects: Object.values(JOB_STATUS),
  needs: (subject) => [`job.${jobKindOf(subject)}`, openingOf(subject, 'request'), openingOf(subject, 'fields.state')],
  repeat: 'inconclusive',
  probe: statusReads,
  counterexample: (seen) => Object.fromEntries(READS.map((name) => [name, editAll(seen[name], { state: null })])),
  judge(seen, { subject, declares }) {
    const reads = READS.flatMap((name) => seen[name] ?? []);
    const [refused] = reads;
    if (!refused) return nothingToJudge('no job to ask about');
    // A job may not be known at once: the first answer that tells a state will do.
    const status = reads.find((reading) => isOk(reading) && states(reading).length > 0) ?? reads.find(isOk);
    // Whether a status can be read at all is the question of A.job-status.
    if (!status) return undecided(`the status was answered with ${describeResponse(refused)}`);
    const broken = status.observation?.problem;
    if (broken) return undecided(broken.message);
    const silent = reads.find((reading) => isOk(reading) && !isEmpty(reading) && states(reading).length === 0);
    const told = states(status);
    if (told.length > 0 && silent && declares.required(subject, 'state')) {
      const expected = `a state at ${quoteSelector(subject, declares.selector(subject, 'state'))}, each time`;
      return failed([{ expected, actual: 'none', exchange: silent.exchange }], 'profile');
    }
    if (told.length > 0) return passed({ exchanges: 1, rows: 1, distinct: told.length });
    return failed(
      [
        {
          expected: `a state at ${quoteSelector(subject, declares.selector(subject, 'state'))}`,
          actual: 'none',
          exchange: status.exchange,
        },
      ],
      'profile',
    );
  },
});

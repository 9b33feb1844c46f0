/** Demands on group A, job-oriented web services: sections 1, 2 and 4.1. */
import {
  JOB_KINDS,
  JOB_STATUS,
  type JobKind,
  type OpeningId,
  type OperationKey,
  operationOf,
} from '../src/contract/index.ts';
import {
  answerWith,
  anything,
  collect,
  type Declarations,
  defineRule,
  editAll,
  failed,
  findingsAt,
  isOk,
  isValue,
  nothingSeen,
  passed,
  presenceOf,
  quoteSelector,
  type Reading,
  type Rule,
  type Step,
  type Steps,
  step,
  tally,
  tellAnswer,
  undecided,
} from '../src/rule/index.ts';
import { servedSteps } from './every-operation.ts';

const one = <R extends Reading>(readings: readonly R[]): R => readings[0] as R;
const kindOf = (subject: OperationKey): JobKind => JOB_KINDS.find((kind) => JOB_STATUS[kind] === subject) as JobKind;
const opening = (subject: OperationKey, part: string): OpeningId => `${operationOf(subject).name}.${part}` as OpeningId;
const ids = collect(['jobId'], 10);

/** Every job id an answer holds, in its rows or once for all of it. */
const jobIds = (reading: Reading): string[] => {
  const kept = (reading.folds.ids as { rows: readonly { jobId?: unknown }[] } | undefined)?.rows ?? [];
  return [...kept.map((row) => row.jobId), ...(reading.observation?.values.jobId ?? [])].filter(
    (value): value is string => typeof value === 'string',
  );
};

/** Every state an answer tells. */
const states = ({ folds, observation }: Reading): string[] => {
  const kept = (folds.states as { rows: readonly { state?: unknown }[] } | undefined)?.rows ?? [];
  return [...kept.map((row) => row.state), ...(observation?.values.state ?? [])].filter(
    (value): value is string => typeof value === 'string' && value.trim() !== '',
  );
};

/** Whether an answer that could be read holds nothing, such as a 204. */
const isEmpty = ({ observation }: Reading): boolean =>
  observation?.problem === undefined &&
  observation?.rows === 0 &&
  Object.values(observation.values).every((values) => values.length === 0);

const READS = ['first', 'second', 'third'] as const;
/**
 * How long the repetition waits before each, in ms: nothing says how soon a job that was started is known (section 3). The
 * last two follow each other closely, so that a job known by the second is read twice, whatever its service keeps.
 */
const SETTLE_MS = { first: 1000, second: 14_000, third: 1000 };

/** A job is had as the profile says, and its status is read three times: it may not be known at once. */
function statusReads(subject: OperationKey, declares: Declarations): Steps {
  const job = declares.job(kindOf(subject));
  const folds = { ids, states: collect(['state'], 10) };
  const read = (name: (typeof READS)[number], after: readonly string[] = []): Step => {
    const occasion = READS.indexOf(name);
    const shared = { operation: subject, wants: 'answer', folds, occasion, after, settleMs: SETTLE_MS[name] } as const;
    if (job?.example !== undefined) return step({ ...shared, inputs: { jobId: { value: job.example } } });
    return step({ ...shared, each: { from: 'start', fold: 'jobs', as: { jobId: 'jobId' }, max: 1 } });
  };
  const reads = { first: read('first'), second: read('second', ['first']), third: read('third', ['second']) };
  if (job?.example !== undefined) return reads;
  if (!job?.start) return {};
  return { start: step({ operation: job.start, inputs: {}, wants: 'content', folds: { jobs: ids } }), ...reads };
}

const jobStatus = defineRule({
  id: 'A.job-status',
  statement: 'A.job-status',
  basis: 'stated',
  since: '0.1.0',
  demands: 'The status of a job of this kind can be read, and read again.',
  how: 'A job is started with the POST the profile binds to the kind (or its example job is taken), and its status is read three times, and once more over some 16 s or as long as Retry-After says before it fails; it must be answered at least twice, not emptily where another answer tells a state, and name that job where the answer carries a job id.',
  subjects: Object.values(JOB_STATUS),
  needs: (subject) => [`job.${kindOf(subject)}`, opening(subject, 'request')],
  repeat: 'inconclusive',
  probe: statusReads,
  counterexample: ({ second, third }) => ({ second: answerWith(second), third: answerWith(third) }),
  judge(seen, { subject, declares }) {
    const reads = READS.flatMap((name) => seen[name] ?? []);
    const [first] = reads;
    if (!first) return nothingSeen('no job to ask about');
    // Some say “there is no such job” with an empty 2xx: beside an answer that tells a state it is no status.
    const isTold = reads.some((reading) => isOk(reading) && states(reading).length > 0);
    const answered = reads.filter((reading) => isOk(reading) && !(isTold && isEmpty(reading)));
    const wanted = String(first.inputs.jobId ?? '');
    const isStarted = declares.job(kindOf(subject))?.example === undefined;
    if (isStarted && answered.length === 1 && answered[0] === reads[2])
      return undecided('the job was not known before its status was read for the last time');
    if (answered.length < 2) {
      const odd = reads.find((reading) => !answered.includes(reading)) as Reading;
      const later = reads.find(({ head }) => head?.headers.some(([name]) => /^retry-after$/i.test(name)));
      // Who asks to come back later has not said that there is no such job.
      if (later && answered.length === 0) return undecided(`${tellAnswer(later)}, which asks to come back later`);
      const finding = {
        expected: `the status of job ${wanted}, each of ${reads.length} times`,
        actual: `${answered.length} times; otherwise ${tellAnswer(odd)}`,
        exchange: odd.exchange,
      };
      // That the POST starts a job of this kind is the profile’s word.
      return failed([finding], isStarted && answered.length === 0 ? 'profile' : undefined);
    }
    const broken = answered.find((reading) => reading.observation?.problem);
    if (broken) return undecided(broken.observation?.problem?.message ?? '');
    const other = answered.find((reading) => jobIds(reading).length > 0 && !jobIds(reading).includes(wanted));
    if (other && declares.isFilled(opening(subject, 'fields.jobId'))) {
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

const jobStarted = defineRule({
  id: 'A.job-started',
  statement: 'A.job-status',
  basis: 'profile',
  since: '0.1.0',
  demands: 'The POST that the profile says starts a job of this kind answers with the id of a job.',
  how: 'The POST is sent, and the id is looked for where the profile reads it. None there is a failure where the profile marks the id required, else inconclusive.',
  subjects: Object.values(JOB_STATUS),
  needs: (subject) => [`job.${kindOf(subject)}`],
  repeat: 'inconclusive',
  probe(subject, declares): Steps {
    const { start } = declares.job(kindOf(subject)) ?? {};
    if (!start || declares.selector(start, 'jobId') === undefined) return {};
    return { start: step({ operation: start, wants: 'content', folds: { ids } }) };
  },
  counterexample: ({ start }) => ({ start: editAll(start, { jobId: null }) }),
  judge(seen, { declares }) {
    const start = one(seen.start ?? []);
    const found = jobIds(start);
    if (found.length > 0) return passed({ exchanges: 1, rows: 1, distinct: found.length });
    const expected = `the id of a job at ${quoteSelector(start.operation, declares.selector(start.operation, 'jobId'))}`;
    if (!declares.required(start.operation, 'jobId')) return undecided(`${tellAnswer(start)} without ${expected}`);
    return failed([{ expected, actual: tellAnswer(start), exchange: start.exchange }]);
  },
});

const jobState = defineRule({
  id: 'A.job-state',
  statement: 'A.job-status',
  basis: 'profile',
  since: '0.1.0',
  demands: 'The answer of a status operation holds a state where the profile reads one.',
  how: 'The state is looked for in the status of a started or example job, which is read up to three times.',
  subjects: Object.values(JOB_STATUS),
  needs: (subject) => [`job.${kindOf(subject)}`, opening(subject, 'request'), opening(subject, 'fields.state')],
  repeat: 'inconclusive',
  probe: statusReads,
  counterexample: (seen) => Object.fromEntries(READS.map((name) => [name, editAll(seen[name], { state: null })])),
  judge(seen, { subject, declares }) {
    const reads = READS.flatMap((name) => seen[name] ?? []);
    const [refused] = reads;
    if (!refused) return nothingSeen('no job to ask about');
    // A job may not be known at once: the first answer that tells a state will do.
    const status = reads.find((reading) => isOk(reading) && states(reading).length > 0) ?? reads.find(isOk);
    // Whether a status can be read at all is the question of A.job-status.
    if (!status) return undecided(`the status was answered with ${tellAnswer(refused)}`);
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

const FILTERS = 'GET /webservices/getAllProspectFilters';
const filtersListed = defineRule({
  id: 'A.filters-listed',
  statement: 'A.content',
  basis: 'profile',
  since: '0.1.0',
  demands: 'The prospect filters are listed where the profile reads them.',
  how: 'Each row must carry the id or name the profile binds.',
  subjects: [FILTERS],
  needs: () => [
    'getAllProspectFilters.request',
    'getAllProspectFilters.rows',
    ['getAllProspectFilters.fields.id', 'getAllProspectFilters.fields.name'],
  ],
  repeat: 'inconclusive',
  probe: () => ({
    list: step({
      operation: FILTERS,
      observes: anything,
      wants: 'content',
      folds: { id: tally('id'), name: tally('name') },
    }),
  }),
  counterexample: ({ list }) => ({ list: editAll(list, { id: null, name: null }) }),
  judge(seen, { declares }) {
    const list = one(seen.list);
    const rows = list.observation?.rows ?? 0;
    if (rows === 0) return nothingSeen('the list of filters is empty');
    const values = list.folds.id.values + list.folds.name.values;
    for (const field of ['id', 'name'] as const) {
      const { firstGaps } = list.folds[field];
      if (values === 0 || firstGaps.length === 0 || !declares.required(FILTERS, field)) continue;
      const expected = `${field} at ${quoteSelector(FILTERS, declares.selector(FILTERS, field))}, in every row`;
      return failed(findingsAt(list, expected, firstGaps), 'profile');
    }
    if (values > 0)
      return passed({ exchanges: 1, rows, distinct: Math.max(list.folds.id.distinct, list.folds.name.distinct) });
    const selector = declares.selector(FILTERS, 'name') ?? declares.selector(FILTERS, 'id');
    return failed(
      [
        {
          expected: `an id or name at ${quoteSelector(FILTERS, selector)}`,
          actual: `none in ${rows} rows`,
          exchange: list.exchange,
        },
      ],
      'profile',
    );
  },
});

const savedThing = defineRule({
  id: 'A.saved-id',
  statement: 'A.content',
  basis: 'profile',
  since: '0.1.0',
  demands: 'The saved map or thematic id is answered where the profile reads it.',
  how: 'The id the profile binds must be found in the answer.',
  subjects: ['GET /webservices/getSaveMap', 'GET /webservices/getSaveThematicId'],
  needs: (subject) => [opening(subject, 'request'), opening(subject, 'fields.id')],
  repeat: 'inconclusive',
  probe: (subject) => ({ answer: step({ operation: subject, wants: 'content', folds: { ids: collect(['id'], 10) } }) }),
  counterexample: ({ answer }) => ({ answer: editAll(answer, { id: null }) }),
  judge(seen, { subject, declares }) {
    const answer = one(seen.answer);
    const found = [...answer.folds.ids.rows.map((row) => row.id), ...(answer.observation?.values.id ?? [])].filter(
      isValue,
    );
    if (found.length > 0) return passed({ exchanges: 1, rows: found.length, distinct: found.length });
    return failed(
      [
        {
          expected: `an id at ${quoteSelector(subject, declares.selector(subject, 'id'))}`,
          actual: 'none',
          exchange: answer.exchange,
        },
      ],
      'profile',
    );
  },
});

const TEST = 'GET /webservices/testService';
const testService = defineRule({
  id: 'A.test-service',
  statement: 'A.content',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'The service test answers 2xx to a valid request.',
  how: 'The request the profile declares is sent; a 2xx passes when paths that cannot exist are answered otherwise.',
  subjects: [TEST],
  needs: () => ['testService.request'],
  repeat: 'inconclusive',
  probe() {
    const { before, pair, after } = servedSteps(TEST);
    return { before, first: pair, pair: step({ ...pair, follow: true }), after };
  },
  counterexample: ({ pair }) => ({ pair: answerWith(pair, 500) }),
  judge(seen, { declares }) {
    const answer = one(seen.pair);
    const presence = presenceOf(one(seen.first), one(seen.before), one(seen.after), declares.statuses(TEST));
    if (presence.is === 'hidden') return undecided(presence.by);
    if (isOk(answer)) return passed({ exchanges: 3, distinct: 1 }, tellAnswer(answer));
    return failed([{ expected: 'a 2xx', actual: tellAnswer(answer), exchange: answer.exchange }]);
  },
});

export const webservices: readonly Rule[] = [jobStarted, jobStatus, jobState, filtersListed, savedThing, testService];

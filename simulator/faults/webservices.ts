/** Faults of group A: its content, and jobs: their starts, ids, statuses and states (sections 1 to 3 and 4.1). */
import { JOB_KINDS, JOB_STATUS, type JobKind, type OperationName, operationOf } from '../../src/contract/index.ts';
import { asUnknownJob, failing, perWorld, refusing } from '../deviations/changes.ts';
import {
  type AnswerOf,
  type Change,
  onAnswer,
  onItems,
  onJob,
  onOperations,
  type Revision,
} from '../deviations/places.ts';
import type { Hooks } from '../deviations/types.ts';
import type { DialectResponse } from '../dialects/types.ts';
import { JOB_STARTERS } from '../model/jobs.ts';
import type { ModelAnswer } from '../model/types.ts';
import { inA } from './fault.ts';

const withoutId = (answer: ModelAnswer): ModelAnswer => (answer.kind === 'savedItem' ? { kind: 'savedItem' } : answer);

type Status = AnswerOf<'jobStatus'>;

/** The kind of job whose status an operation returns. */
export const kindOfStatusOperation = (operation: OperationName): JobKind | undefined =>
  JOB_KINDS.find((kind) => operationOf(JOB_STATUS[kind]).name === operation);

/** What is known of the jobs of a world: the last one of each kind, those of updateLocation, and whether a status was read. */
const known = perWorld(() => ({ newest: new Map<JobKind, string>(), updates: new Set<string>(), wasRead: false }));

/** Changes the status of a job after another one of its kind was started. */
const onOlderJob = (change: (answer: Status, newestId: string) => ModelAnswer): Hooks => ({
  answer(answer, context) {
    const { newest } = known(context);
    if (answer.kind === 'jobStarted') newest.set(answer.jobKind, answer.jobId);
    const last = answer.kind === 'jobStatus' ? newest.get(answer.jobKind) : undefined;
    return answer.kind === 'jobStatus' && last !== undefined && last !== answer.jobId ? change(answer, last) : answer;
  },
});

/** Changes the status of a job of one kind at some of its reads. */
const atReads = (job: JobKind, isChanged: (nth: number) => boolean, change: Change<Status, ModelAnswer>): Hooks =>
  onJob('jobStatus', job, (answer, context) => isChanged(answer.statusRequests) && change(answer, context));

const inState = (state: string | undefined) => (answer: Status) => ({ ...answer, state }) as Status;

/** Changes the headers of the response to a start of a job. */
const onStartedReply = (change: (headers: DialectResponse['headers']) => DialectResponse['headers']): Hooks => ({
  reply: (reply, { operation }) => (operation in JOB_STARTERS ? { ...reply, headers: change(reply.headers) } : reply),
});

/** Changes the status of an unknown job. */
const onUnknownStatus = (change: Revision<Pick<Status, 'jobId' | 'jobKind'>, ModelAnswer>): Hooks =>
  onAnswer('unknown', ({ value: jobId }, context) => {
    const jobKind = kindOfStatusOperation(context.operation.name);
    return jobKind && change({ jobId, jobKind }, context);
  });

/** Each status operation, or that of one kind, returns the status of the jobs of other kinds. */
const knowingJobsOf = (kinds: readonly JobKind[], at: readonly JobKind[] = JOB_KINDS): Hooks =>
  onUnknownStatus(({ jobKind }, { world, query }) => {
    const others = at.includes(jobKind) ? kinds.filter((each) => each !== jobKind) : [];
    const found = others
      .map((kind) => world.answer(operationOf(JOB_STATUS[kind]).name, query))
      .find(({ kind }) => kind === 'jobStatus');
    return found && ({ ...found, jobKind } as Status);
  });
export const knowingJobsOfAllKinds = knowingJobsOf(JOB_KINDS);

const KEPT_WHEN_FINAL = { jobs: { mapExport: { keepsFinal: true } } };

export const WEBSERVICES_FAULTS = [
  inA('test-service-fails', 'A.content', {
    says: 'testService fails with 500.',
    strict: true,
    hooks: onAnswer('serviceOk', failing('the service does not work')),
  }),
  inA('prospect-filters-without-names', 'A.content', {
    says: 'getAllProspectFilters lists filters with neither ids nor names.',
    hooks: onItems(['getAllProspectFilters'], (items) => items.map(() => ({}))),
  }),
  inA('saved-map-without-id', 'A.content', {
    says: 'The response of getSaveMap contains no map.',
    hooks: onOperations(['getSaveMap'], withoutId),
  }),
  inA('thematic-without-id', 'A.content', {
    says: 'The response of getSaveThematicId contains no id.',
    hooks: onOperations(['getSaveThematicId'], withoutId),
  }),
  inA('unknown-map-found', 'A.content', {
    says: 'A map that was never saved is returned as the saved one, although the profile states what an unknown id gets.',
    dialects: ['reference'],
    hooks: onAnswer('unknown', (_, { world }) => world.answer('getSaveMap', {}), ['getSaveMap']),
  }),
  inA('job-status-unknown-drive', 'A.job-status', {
    says: 'The status of a drive job that was just started is unknown.',
    hooks: onJob('jobStatus', 'drive', asUnknownJob),
  }),
  inA('job-status-fails-report', 'A.job-status', {
    says: 'The status of a known report job fails with 500; the status of an unknown job does not.',
    hooks: onJob('jobStatus', 'report', failing('the report has no state')),
  }),
  inA('job-status-of-another', 'A.job-status', {
    says: 'The status of a map export job has the id of another job.',
    hooks: onJob('jobStatus', 'mapExport', (answer) => ({ ...answer, jobId: `${answer.jobId}0` })),
  }),
  inA('job-status-once', 'A.job-status', {
    says: 'The status of a job can be read once; afterwards the job is unknown.',
    hooks: onAnswer('jobStatus', (answer) => answer.statusRequests > 1 && asUnknownJob(answer)),
  }),
  inA('job-start-without-id-prospect', 'A.job-status', {
    says: 'A business count starts a job and returns a wrong job id, so the status cannot be read.',
    hooks: onJob('jobStarted', 'prospect', (answer) => ({ ...answer, jobId: 'job-unknown' })),
  }),
  inA('job-start-without-any-id', 'A.job-status', {
    says: 'A map export succeeds, but its response has no job id.',
    hooks: onJob('jobStarted', 'mapExport', () => ({ kind: 'serviceOk' })),
  }),
  inA('job-state-missing-variable-pull', 'A.job-status', {
    says: 'The status of a variable pull has no state.',
    hooks: onJob('jobStatus', 'variablePull', inState(undefined)),
  }),
  inA('job-lost-after-another', 'A.job-status', {
    says: 'The service keeps the last job of each kind only: an older one is unknown.',
    hooks: onOlderJob(asUnknownJob),
  }),
  inA('job-status-of-newest', 'A.job-status', {
    says: 'The status of a job is that of the last job of its kind.',
    hooks: onOlderJob((answer, jobId) => ({ ...answer, jobId })),
  }),
  inA('job-of-second-starter-unknown', 'A.job-status', {
    says: 'The status of the job that updateLocation or createlist starts is unknown.',
    hooks: onAnswer('jobStarted', (answer, { operation }) =>
      ['updateLocation', 'createlist'].includes(operation.name) ? { ...answer, jobId: 'job-unknown' } : answer,
    ),
  }),
  inA('job-never-started-known', 'A.job-status', {
    says: 'A job that was never started is done.',
    hooks: onUnknownStatus((job) => ({ kind: 'jobStatus', ...job, state: 'done', statusRequests: 3 })),
  }),
  inA('job-of-another-kind-known', 'A.job-status', {
    says: 'The status operation of each kind returns the status of the jobs of all kinds, although the profile states what an unknown job gets.',
    hooks: knowingJobsOfAllKinds,
  }),
  inA('job-of-update-location-never-ends', 'A.job-status', {
    says: 'A job that updateLocation started is running for ever, although the profile states that jobs end.',
    hooks: {
      answer(answer, context) {
        const { updates } = known(context);
        if (answer.kind === 'jobStarted' && context.operation.name === 'updateLocation') updates.add(answer.jobId);
        return answer.kind === 'jobStatus' && updates.has(answer.jobId) ? inState('running')(answer) : answer;
      },
    },
  }),
  inA('job-of-one-other-kind-known', 'A.job-status', {
    says: 'The status operation of reports returns the status of location jobs, too, although the profile states what an unknown job gets.',
    hooks: knowingJobsOf(['location'], ['report']),
  }),
  inA('job-unknown-fails-drive', 'A.job-status', {
    says: 'The status of an unknown drive job is 500, although the profile states another status.',
    hooks: onUnknownStatus(({ jobKind }) => jobKind === 'drive' && failing('no such job')()),
  }),
  inA('job-unknown-of-the-form-known', 'A.job-status', {
    says: 'A drive job that was never started is queued if its id has the form of the others, and refused as malformed otherwise.',
    hooks: onUnknownStatus((job) => {
      if (job.jobKind !== 'drive') return undefined;
      return /^job-1-\d{6}$/.test(job.jobId)
        ? { kind: 'jobStatus', ...job, state: 'queued', statusRequests: 1 }
        : refusing('no id of a job', 'jobId')();
    }),
  }),
  inA('job-state-unlisted-report', 'A.job-status', {
    says: 'A report job has a state that the profile does not list.',
    hooks: atReads('report', (nth) => nth === 2, inState('suspended')),
  }),
  inA('job-passing-state-unlisted', 'A.job-status', {
    says: 'The first job whose status is read has a state that the profile does not list, at one read.',
    hooks: onAnswer('jobStatus', (answer, context) => {
      const { wasRead } = known(context);
      known(context).wasRead = true;
      return wasRead ? answer : inState('waiting')(answer);
    }),
  }),
  inA('job-runs-again-before-it-is-done', 'A.job-status', {
    says: 'A drive job that is done is running at the next read and then done again, although the profile promises the order of the states.',
    hooks: atReads('drive', (nth) => nth === 4, inState('running')),
  }),
  inA('job-starts-queued-again', 'A.job-status', {
    says: 'A running report is queued again, although the profile promises the order of the states.',
    hooks: atReads(
      'report',
      (nth) => nth < 3,
      (answer) => inState(answer.statusRequests === 1 ? 'running' : 'queued')(answer),
    ),
  }),
  inA('job-id-issued-twice', 'A.job-status', {
    says: 'Two starts of a map export return one id, although the profile promises an id for each.',
    hooks: onJob('jobStarted', 'mapExport', (answer, context) => {
      const { newest } = known(context);
      const jobId = newest.get('mapExport') ?? answer.jobId;
      newest.set('mapExport', jobId);
      return { ...answer, jobId };
    }),
  }),
  inA('job-location-missing', 'A.job-status', {
    says: 'The start of a job has no Location header, although the profile promises one.',
    dialects: ['tabular'],
    hooks: onStartedReply(({ location: _, ...headers }) => headers),
  }),
  inA('job-location-of-another-kind', 'A.job-status', {
    says: 'The Location header of the start of a drive job is the address of the status of a report.',
    dialects: ['tabular'],
    hooks: onStartedReply((headers) => ({
      ...headers,
      location: String(headers.location).replace('getDriveJobStatus', 'getReportJobStatus'),
    })),
  }),
  inA('job-never-ends-prospect', 'A.job-status', {
    says: 'A prospect job stays running.',
    hooks: atReads('prospect', (nth) => nth > 1, inState('running')),
  }),
  inA('job-forgotten-when-final', 'A.job-status', {
    says: 'A map export is unknown after its final state was read once, although the profile says that it stays known.',
    profile: KEPT_WHEN_FINAL,
    hooks: atReads('mapExport', (nth) => nth > 3, asUnknownJob),
  }),
  inA('job-forgotten-after-further-reads', 'A.job-status', {
    says: 'A map export is unknown after its final state was read twice, although the profile says that it stays known.',
    profile: KEPT_WHEN_FINAL,
    hooks: atReads('mapExport', (nth) => nth > 4, asUnknownJob),
  }),
  inA('job-forgotten-while-running', 'A.job-status', {
    says: 'A report is unknown after two reads of its status, before it has ended.',
    profile: { jobs: { report: { keepsFinal: true } } },
    hooks: atReads('report', (nth) => nth > 2, asUnknownJob),
  }),
  inA('job-final-state-left-once', 'A.job-status', {
    says: 'A map export that is done is running once more, although the profile says that it stays final; the order of the states is not promised.',
    profile: { jobs: { mapExport: { keepsFinal: true, statesInOrder: null } } },
    hooks: atReads('mapExport', (nth) => nth === 4, inState('running')),
  }),
  inA('job-final-state-changes', 'A.job-status', {
    says: 'A map export that is done is running again, and stays so.',
    hooks: atReads('mapExport', (nth) => nth > 3, inState('running')),
  }),
];

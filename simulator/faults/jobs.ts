/** Faults of jobs: their starts, ids, statuses and states (sections 2 and 3). */
import { JOB_KINDS, JOB_STATUS, type JobKind, type OperationName, operationOf } from '../../src/contract/index.ts';
import type { DialectResponse } from '../dialects/types.ts';
import { JOB_STARTERS } from '../model/job-starters.ts';
import type { ModelAnswer } from '../model/types.ts';
import type { World } from '../model/world.ts';
import { onAnswer } from './hooks.ts';
import type { Fault, Hooks } from './types.ts';

const kindOfStatus = (operation: OperationName): JobKind | undefined =>
  JOB_KINDS.find((kind) => operationOf(JOB_STATUS[kind]).name === operation);

/** The last job of each kind that was started, by world. */
const newest = new WeakMap<World, Map<JobKind, string>>();

/** The jobs that updateLocation started, by world. */
const updates = new WeakMap<World, Set<string>>();

/** The worlds in which the status of a job was read. */
const firstRead = new WeakSet<World>();

/** Changes the status of a job after another one of its kind was started. */
const onOlderJob = (
  change: (answer: Extract<ModelAnswer, { kind: 'jobStatus' }>, newestId: string) => ModelAnswer,
): Hooks => ({
  answer(answer, { world }) {
    const ids = newest.get(world) ?? new Map<JobKind, string>();
    newest.set(world, ids);
    if (answer.kind === 'jobStarted') ids.set(answer.jobKind, answer.jobId);
    const last = answer.kind === 'jobStatus' ? ids.get(answer.jobKind) : undefined;
    return answer.kind === 'jobStatus' && last !== undefined && last !== answer.jobId ? change(answer, last) : answer;
  },
});

/** Changes the headers of the response to a start of a job. */
const onStartedReply = (change: (headers: DialectResponse['headers']) => DialectResponse['headers']): Hooks => ({
  reply: (reply, { operation }) => (operation in JOB_STARTERS ? { ...reply, headers: change(reply.headers) } : reply),
});

/** Changes the status of an unknown job. */
const onUnknownStatus = (change: (jobId: string, jobKind: JobKind) => ModelAnswer | undefined): Hooks => ({
  answer(answer, { operation }) {
    const kind = kindOfStatus(operation.name);
    return answer.kind === 'unknown' && kind !== undefined ? (change(answer.value, kind) ?? answer) : answer;
  },
});

/** Each status operation returns the status of the jobs of all kinds. */
export const knowingJobsOfAllKinds: Hooks = {
  answer(answer, { operation, world, query }) {
    const own = kindOfStatus(operation.name);
    if (answer.kind !== 'unknown' || own === undefined) return answer;
    for (const kind of JOB_KINDS.filter((each) => each !== own)) {
      const found = world.answer(operationOf(JOB_STATUS[kind]).name, query);
      if (found.kind === 'jobStatus') return { ...found, jobKind: own };
    }
    return answer;
  },
};

export const JOB_FAULTS = [
  {
    name: 'job-status-unknown-drive',
    statement: 'A.job-status',
    says: 'The status of a drive job that was just started is unknown.',
    hooks: onAnswer('jobStatus', (answer) =>
      answer.jobKind === 'drive' ? { kind: 'unknown', input: 'jobId', value: answer.jobId } : answer,
    ),
  },
  {
    name: 'job-status-fails-report',
    statement: 'A.job-status',
    says: 'The status of a known report job fails with 500; the status of an unknown job does not.',
    hooks: onAnswer('jobStatus', (answer) =>
      answer.jobKind === 'report' ? { kind: 'internalError', why: 'the report has no state' } : answer,
    ),
  },
  {
    name: 'job-status-of-another',
    statement: 'A.job-status',
    says: 'The status of a map export job has the id of another job.',
    hooks: onAnswer('jobStatus', (answer) =>
      answer.jobKind === 'mapExport' ? { ...answer, jobId: `${answer.jobId}0` } : answer,
    ),
  },
  {
    name: 'job-status-once',
    statement: 'A.job-status',
    says: 'The status of a job can be read once; afterwards the job is unknown.',
    hooks: onAnswer('jobStatus', (answer) =>
      answer.statusRequests > 1 ? { kind: 'unknown', input: 'jobId', value: answer.jobId } : answer,
    ),
  },
  {
    name: 'job-start-without-id-prospect',
    statement: 'A.job-status',
    says: 'A business count starts a job and returns a wrong job id, so the status cannot be read.',
    hooks: onAnswer('jobStarted', (answer) =>
      answer.jobKind === 'prospect' ? { ...answer, jobId: 'job-unknown' } : answer,
    ),
  },
  {
    name: 'job-start-without-any-id',
    statement: 'A.job-status',
    says: 'A map export succeeds, but its response has no job id.',
    hooks: onAnswer('jobStarted', (answer) => (answer.jobKind === 'mapExport' ? { kind: 'serviceOk' } : answer)),
  },
  {
    name: 'job-state-missing-variable-pull',
    statement: 'A.job-status',
    says: 'The status of a variable pull has no state.',
    hooks: onAnswer('jobStatus', (answer) =>
      answer.jobKind === 'variablePull' ? ({ ...answer, state: undefined } as unknown as typeof answer) : answer,
    ),
  },
  {
    name: 'job-lost-after-another',
    statement: 'A.job-status',
    says: 'The service keeps the last job of each kind only: an older one is unknown.',
    hooks: onOlderJob(({ jobId }) => ({ kind: 'unknown', input: 'jobId', value: jobId })),
  },
  {
    name: 'job-status-of-newest',
    statement: 'A.job-status',
    says: 'The status of a job is that of the last job of its kind.',
    hooks: onOlderJob((answer, jobId) => ({ ...answer, jobId })),
  },
  {
    name: 'job-of-second-starter-unknown',
    statement: 'A.job-status',
    says: 'The status of the job that updateLocation or createlist starts is unknown.',
    hooks: onAnswer('jobStarted', (answer, { operation }) =>
      ['updateLocation', 'createlist'].includes(operation.name) ? { ...answer, jobId: 'job-unknown' } : answer,
    ),
  },
  {
    name: 'job-never-started-known',
    statement: 'A.job-status',
    says: 'A job that was never started is done.',
    hooks: onUnknownStatus((jobId, jobKind) => ({
      kind: 'jobStatus',
      jobId,
      jobKind,
      state: 'done',
      statusRequests: 3,
    })),
  },
  {
    name: 'job-of-another-kind-known',
    statement: 'A.job-status',
    says: 'The status operation of each kind returns the status of the jobs of all kinds, although the profile states what an unknown job gets.',
    hooks: knowingJobsOfAllKinds,
  },
  {
    name: 'job-of-update-location-never-ends',
    statement: 'A.job-status',
    says: 'A job that updateLocation started is running for ever, although the profile states that jobs end.',
    hooks: {
      answer(answer, { operation, world }) {
        const ids = updates.get(world) ?? new Set<string>();
        updates.set(world, ids);
        if (answer.kind === 'jobStarted' && operation.name === 'updateLocation') ids.add(answer.jobId);
        return answer.kind === 'jobStatus' && ids.has(answer.jobId) ? { ...answer, state: 'running' } : answer;
      },
    },
  },
  {
    name: 'job-of-one-other-kind-known',
    statement: 'A.job-status',
    says: 'The status operation of reports returns the status of location jobs, too, although the profile states what an unknown job gets.',
    hooks: {
      answer(answer, { operation, world, query }) {
        if (answer.kind !== 'unknown' || kindOfStatus(operation.name) !== 'report') return answer;
        const found = world.answer(operationOf(JOB_STATUS.location).name, query);
        return found.kind === 'jobStatus' ? { ...found, jobKind: 'report' } : answer;
      },
    },
  },
  {
    name: 'job-unknown-fails-drive',
    statement: 'A.job-status',
    says: 'The status of an unknown drive job is 500, although the profile states another status.',
    hooks: onUnknownStatus((_, jobKind) =>
      jobKind === 'drive' ? { kind: 'internalError', why: 'no such job' } : undefined,
    ),
  },
  {
    name: 'job-unknown-of-the-form-known',
    statement: 'A.job-status',
    says: 'A drive job that was never started is queued if its id has the form of the others, and refused as malformed otherwise.',
    hooks: onUnknownStatus((jobId, jobKind) => {
      if (jobKind !== 'drive') return undefined;
      return /^job-1-\d{6}$/.test(jobId)
        ? { kind: 'jobStatus', jobId, jobKind, state: 'queued', statusRequests: 1 }
        : { kind: 'rejected', reason: 'malformed', input: 'jobId', detail: 'no id of a job' };
    }),
  },
  {
    name: 'job-state-unlisted-report',
    statement: 'A.job-status',
    says: 'A report job has a state that the profile does not list.',
    hooks: onAnswer('jobStatus', (answer) =>
      answer.jobKind === 'report' && answer.statusRequests === 2
        ? { ...answer, state: 'suspended' as typeof answer.state }
        : answer,
    ),
  },
  {
    name: 'job-passing-state-unlisted',
    statement: 'A.job-status',
    says: 'The first job whose status is read has a state that the profile does not list, at one read.',
    hooks: onAnswer('jobStatus', (answer, { world }) => {
      if (firstRead.has(world)) return answer;
      firstRead.add(world);
      return { ...answer, state: 'waiting' as typeof answer.state };
    }),
  },
  {
    name: 'job-runs-again-before-it-is-done',
    statement: 'A.job-status',
    says: 'A drive job that is done is running at the next read and then done again, although the profile promises the order of the states.',
    hooks: onAnswer('jobStatus', (answer) =>
      answer.jobKind === 'drive' && answer.statusRequests === 4 ? { ...answer, state: 'running' } : answer,
    ),
  },
  {
    name: 'job-starts-queued-again',
    statement: 'A.job-status',
    says: 'A running report is queued again, although the profile promises the order of the states.',
    hooks: onAnswer('jobStatus', (answer) =>
      answer.jobKind === 'report' && answer.statusRequests < 3
        ? { ...answer, state: answer.statusRequests === 1 ? 'running' : 'queued' }
        : answer,
    ),
  },
  {
    name: 'job-id-issued-twice',
    statement: 'A.job-status',
    says: 'Two starts of a map export return one id, although the profile promises an id for each.',
    hooks: {
      answer(answer, { world }) {
        if (answer.kind !== 'jobStarted' || answer.jobKind !== 'mapExport') return answer;
        const ids = newest.get(world) ?? new Map<JobKind, string>();
        newest.set(world, ids);
        const jobId = ids.get(answer.jobKind) ?? answer.jobId;
        ids.set(answer.jobKind, jobId);
        return { ...answer, jobId };
      },
    },
  },
  {
    name: 'job-location-missing',
    statement: 'A.job-status',
    says: 'The start of a job has no Location header, although the profile promises one.',
    dialects: ['tabular'],
    hooks: onStartedReply(({ location: _, ...headers }) => headers),
  },
  {
    name: 'job-location-of-another-kind',
    statement: 'A.job-status',
    says: 'The Location header of the start of a drive job is the address of the status of a report.',
    dialects: ['tabular'],
    hooks: onStartedReply((headers) => ({
      ...headers,
      location: String(headers.location).replace('getDriveJobStatus', 'getReportJobStatus'),
    })),
  },
  {
    name: 'job-never-ends-prospect',
    statement: 'A.job-status',
    says: 'A prospect job stays running.',
    hooks: onAnswer('jobStatus', (answer) =>
      answer.jobKind === 'prospect' && answer.statusRequests > 1 ? { ...answer, state: 'running' } : answer,
    ),
  },
  {
    name: 'job-forgotten-when-final',
    statement: 'A.job-status',
    says: 'A map export is unknown after its final state was read once, although the profile says that it stays known.',
    profile: { jobs: { mapExport: { keepsFinal: true } } },
    hooks: onAnswer('jobStatus', (answer) =>
      answer.jobKind === 'mapExport' && answer.statusRequests > 3
        ? { kind: 'unknown', input: 'jobId', value: answer.jobId }
        : answer,
    ),
  },
  {
    name: 'job-forgotten-after-further-reads',
    statement: 'A.job-status',
    says: 'A map export is unknown after its final state was read twice, although the profile says that it stays known.',
    profile: { jobs: { mapExport: { keepsFinal: true } } },
    hooks: onAnswer('jobStatus', (answer) =>
      answer.jobKind === 'mapExport' && answer.statusRequests > 4
        ? { kind: 'unknown', input: 'jobId', value: answer.jobId }
        : answer,
    ),
  },
  {
    name: 'job-forgotten-while-running',
    statement: 'A.job-status',
    says: 'A report is unknown after two reads of its status, before it has ended.',
    profile: { jobs: { report: { keepsFinal: true } } },
    hooks: onAnswer('jobStatus', (answer) =>
      answer.jobKind === 'report' && answer.statusRequests > 2
        ? { kind: 'unknown', input: 'jobId', value: answer.jobId }
        : answer,
    ),
  },
  {
    name: 'job-final-state-left-once',
    statement: 'A.job-status',
    says: 'A map export that is done is running once more, although the profile says that it stays final; the order of the states is not promised.',
    profile: { jobs: { mapExport: { keepsFinal: true, statesInOrder: null } } },
    hooks: onAnswer('jobStatus', (answer) =>
      answer.jobKind === 'mapExport' && answer.statusRequests === 4 ? { ...answer, state: 'running' } : answer,
    ),
  },
  {
    name: 'job-final-state-changes',
    statement: 'A.job-status',
    says: 'A map export that is done is running again, and stays so.',
    hooks: onAnswer('jobStatus', (answer) =>
      answer.jobKind === 'mapExport' && answer.statusRequests > 3 ? { ...answer, state: 'running' } : answer,
    ),
  },
] as const satisfies readonly Fault[];

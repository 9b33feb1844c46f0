/** Oddities of jobs: their ids, starts, states, how long they run and are kept, and unknown ones (sections 1, 2 and 3). */
import { JOB_KINDS, JOB_STATUS, type JobKind, type OperationName, operationOf } from '../../src/contract/index.ts';
import { asUnknownJob } from '../deviations/changes.ts';
import { type AnswerOf, onAnswer, onItems, stating } from '../deviations/places.ts';
import { empty, jsonResponse, onReply, onReplyTo, replacingReply, withStatus } from '../deviations/replies.ts';
import type { Hooks, ProfilePatch } from '../deviations/types.ts';
import type { DialectResponse } from '../dialects/types.ts';
import { kindOfStatusOperation, knowingJobsOfAllKinds } from '../faults/webservices.ts';
import type { ModelAnswer } from '../model/types.ts';
import { type Oddity, oddity, partialOddity, undeterminedOddity } from './oddity.ts';

const STATUS_OPERATIONS: readonly OperationName[] = Object.values(JOB_STATUS).map((key) => operationOf(key).name);

const onUnknownJob = (change: (reply: DialectResponse) => DialectResponse): Hooks =>
  onReplyTo({ kind: 'unknown' }, (reply, { operation }) =>
    operation && STATUS_OPERATIONS.includes(operation.name) ? change(reply) : reply,
  );

/** Replaces the state of a job, by the number of status requests for it. */
const withJobStates = (stateAt: (nth: number) => string): Hooks =>
  onAnswer('jobStatus', (answer) => ({ ...answer, state: stateAt(answer.statusRequests) as typeof answer.state }));

/** Answers some of the status requests for a job as if it were unknown. */
const withUnknownJob = (isUnknownAt: (nth: number) => boolean): Hooks =>
  onAnswer('jobStatus', (answer) => (isUnknownAt(answer.statusRequests) ? asUnknownJob(answer) : answer));

/** Patches the profile of each kind of job with the same keys. */
const ofEachKind = (keys: object): ProfilePatch => ({
  jobs: Object.fromEntries(JOB_KINDS.map((kind) => [kind, keys])),
});

/** Removes the states of jobs from a profile. */
const WITHOUT_JOB_STATES = ofEachKind({ states: null, statesInOrder: null, final: null, patienceSeconds: null });

/** Removes the HTTP status of unknown jobs from a profile. */
const WITHOUT_UNKNOWN_JOB_STATUS = stating(STATUS_OPERATIONS, { statuses: null });

/** Replaces the job ids of the world by others in responses, and these by job ids of the world in requests. */
const withJobIds = (
  toWire: (id: string, kind: JobKind) => string,
  toWorld: (id: string, operation: OperationName) => string,
): Hooks => ({
  query: (query, { operation }) =>
    query.jobId === undefined ? query : { ...query, jobId: toWorld(query.jobId, operation.name) },
  answer: (answer) =>
    answer.kind === 'jobStarted' || answer.kind === 'jobStatus'
      ? { ...answer, jobId: toWire(answer.jobId, answer.jobKind) }
      : answer,
});

/** The first job id of each kind in `job-ids-counted-per-kind`. */
const FIRST_ID = 17;

/** Characters that a URL, a header, a form, JSON and XML write in different ways. */
const UNUSUAL = ' %2F+/?&=#;,"<\'>\\é中';

/** Replaces every second reply to these requests. */
const everySecond =
  (...[reply, isCounted]: Parameters<typeof replacingReply>) =>
  () => {
    let count = 0;
    return replacingReply(reply, (answer, context) => isCounted(answer, context) && ++count % 2 === 0);
  };

/** Observes the jobs of each kind that run: from their start until their status is done. */
function runningJobs() {
  const running = new Map<JobKind, string>();
  return {
    of: (kind: JobKind) => running.get(kind),
    start: ({ jobKind, jobId }: AnswerOf<'jobStarted'>) => running.set(jobKind, jobId),
    read({ jobKind, jobId, state }: AnswerOf<'jobStatus'>) {
      if (state === 'done' && running.get(jobKind) === jobId) running.delete(jobKind);
    },
  };
}

export const JOB_ODDITIES: readonly Oddity[] = [
  oddity('job-done-at-once', 'jobs', 'A', {
    says: 'A job is done at the first read of its status.',
    hooks: withJobStates(() => 'done'),
  }),
  oddity('job-goes-back', 'jobs', 'A', {
    says: 'A running job becomes queued again.',
    hooks: withJobStates((nth) => (nth === 1 ? 'running' : nth === 2 ? 'queued' : 'done')),
    profile: ofEachKind({ statesInOrder: null }),
  }),
  oddity('job-leaves-out-a-state', 'jobs', 'A', {
    says: 'A job is done right after it was queued; its profile promises the order of the states.',
    hooks: withJobStates((nth) => (nth < 2 ? 'queued' : 'done')),
  }),
  oddity('job-location-of-internal-host', 'headers', 'A', {
    says: 'The Location of a start names an internal host and prefix, with the status operation at the end of the path.',
    hooks: onReplyTo({ kind: 'jobStarted' }, (reply) => ({
      ...reply,
      headers: { ...reply.headers, location: `http://jobs.internal:8080/v7${reply.headers.location}` },
    })),
    dialects: ['tabular'],
  }),
  partialOddity('job-state-changes-spelling', 'jobs', 'A', {
    says: 'States are undocumented codes.',
    hooks: withJobStates((nth) => `S-0${nth}/IN_PROGRESS`),
    profile: WITHOUT_JOB_STATES,
  }),
  oddity('job-fails', 'jobs', 'A', {
    says: 'Every job fails.',
    hooks: withJobStates(() => 'failed'),
    profile: ofEachKind({ states: ['failed', 'FAILED', 'Failed'], final: ['failed', 'FAILED', 'Failed'] }),
  }),
  // At thorough, the status that shows the credentials may be read once only.
  partialOddity('job-known-late', 'jobs', 'A', {
    says: 'A job is unknown at the first read of its status.',
    hooks: withUnknownJob((nth) => nth === 1),
  }),
  undeterminedOddity('job-forgotten', 'jobs', 'A', {
    says: 'A job is unknown after two reads of its status.',
    hooks: withUnknownJob((nth) => nth > 2),
  }),
  partialOddity('job-dropped-when-final', 'jobs', 'A', {
    says: 'A job is unknown once its final state was read, as the profile states.',
    hooks: withUnknownJob((nth) => nth > 3),
    profile: ofEachKind({ keepsFinal: false }),
  }),
  oddity('job-unknown-200-empty', 'jobs', 'A', {
    says: 'The status of an unknown job is answered 200 with an empty object.',
    hooks: onUnknownJob(() => jsonResponse(200, {})),
    profile: WITHOUT_UNKNOWN_JOB_STATUS,
  }),
  oddity('job-unknown-500', 'jobs', 'A', {
    says: 'The status of an unknown job is answered 500.',
    hooks: onUnknownJob(withStatus(500)),
    profile: WITHOUT_UNKNOWN_JOB_STATUS,
  }),
  oddity('job-start-200', 'statuses', 'A', {
    says: 'A POST that starts a job is answered 200.',
    hooks: onReplyTo({ kind: 'jobStarted' }, withStatus(200)),
    dialects: ['reference'],
  }),
  oddity('job-start-201-location', 'statuses', 'A', {
    says: 'A POST that starts a job is answered 201, with a Location that does not exist.',
    hooks: onReply(({ headers, ...reply }, { answer }) =>
      answer.kind === 'jobStarted'
        ? {
            ...reply,
            status: 201,
            headers: { ...(!('location' in headers) && { Location: `/jobs/${answer.jobId}` }), ...headers },
          }
        : { ...reply, headers },
    ),
  }),
  oddity('job-ids-of-any-characters', 'jobs', 'A', {
    says: 'Ids of jobs contain spaces, slashes, percent signs, quotes and letters beyond ASCII.',
    hooks: withJobIds(
      (id) => `${id}${UNUSUAL}`,
      (id) => (id.endsWith(UNUSUAL) ? id.slice(0, -UNUSUAL.length) : id),
    ),
    dialects: ['reference', 'xml'],
  }),
  oddity('job-ids-counted-per-kind', 'jobs', 'A', {
    says: 'Ids of jobs are numbers that each kind counts for itself, so that two kinds have jobs of the same id.',
    hooks() {
      const ids = new Map(JOB_KINDS.map((kind): [JobKind, Set<string>] => [kind, new Set()]));
      return withJobIds(
        (id, kind) => String([...(ids.get(kind)?.add(id) ?? [])].indexOf(id) + FIRST_ID),
        (id, operation) =>
          [...(ids.get(kindOfStatusOperation(operation) as JobKind) ?? [])][Number(id) - FIRST_ID] ?? id,
      );
    },
    dialects: ['reference', 'xml'],
  }),
  oddity('job-known-to-every-kind', 'jobs', 'A', {
    says: 'The status operation of each kind returns the status of the jobs of all kinds.',
    hooks: knowingJobsOfAllKinds,
    profile: WITHOUT_UNKNOWN_JOB_STATUS,
  }),
  partialOddity('job-start-idempotent', 'jobs', 'A', {
    says: 'Equal requests to a POST start one job.',
    hooks() {
      const started = new Map<string, ModelAnswer>();
      return {
        answer(answer, { operation }) {
          if (answer.kind !== 'jobStarted') return answer;
          const first = started.get(operation.name) ?? answer;
          started.set(operation.name, first);
          return first;
        },
      };
    },
    profile: ofEachKind({ distinctIds: null }),
  }),
  undeterminedOddity('job-one-at-a-time', 'jobs', 'A', {
    says: 'A POST starts one job; further starts are refused with 409.',
    hooks() {
      const started = new Set<string>();
      return replacingReply(
        () => empty(409),
        (answer) => answer.kind === 'jobStarted' && (started.has(answer.jobKind) || !started.add(answer.jobKind)),
      );
    },
  }),
  undeterminedOddity('saved-map-not-always-there', 'jobs', 'A', {
    says: 'Every second request for a saved map is answered 404, because no map is left.',
    hooks: everySecond(
      () => empty(404),
      (answer, { operation }) => operation.name === 'getSaveMap' && answer.kind === 'savedItem',
    ),
  }),
  undeterminedOddity('prospect-filter-added-meanwhile', 'jobs', 'A', {
    says: 'Somebody adds a prospect filter after the second request for all of them.',
    hooks() {
      let count = 0;
      return onItems(['getAllProspectFilters'], (items) => (++count < 3 ? items.slice(0, -1) : items));
    },
  }),
  undeterminedOddity('job-status-of-lagging-replica', 'jobs', 'A', {
    says: 'The fourth read of a status comes from a replica that lags behind, so that a job that is done is running once more.',
    hooks: withJobStates((nth) => (nth === 1 ? 'queued' : nth === 2 || nth === 4 ? 'running' : 'done')),
    profile: ofEachKind({ statesInOrder: null }),
  }),
  oddity('jobs-slow', 'jobs', 'A', {
    says: 'A job is done at the twentieth read of its status.',
    hooks: withJobStates((nth) => (nth < 3 ? 'queued' : nth < 20 ? 'running' : 'done')),
    // Further jobs of a kind have one minute at depth standard.
    profile: ofEachKind({ patienceSeconds: 600, pollSeconds: 2 }),
  }),
  partialOddity('jobs-never-end', 'jobs', 'A', {
    says: 'Jobs wait in a queue for days; the profile states no patience.',
    hooks: withJobStates(() => 'queued'),
    profile: ofEachKind({ patienceSeconds: null }),
  }),
  oddity('jobs-one-after-another', 'jobs', 'A', {
    says: 'A second job of a kind waits until the first one is done.',
    hooks() {
      const queue = new Map<JobKind, string[]>();
      const reads = new Map<JobKind, number>();
      return {
        answer(answer) {
          if (answer.kind === 'jobStarted')
            queue.set(answer.jobKind, [...(queue.get(answer.jobKind) ?? []), answer.jobId]);
          if (answer.kind !== 'jobStatus') return answer;
          const count = (reads.get(answer.jobKind) ?? 0) + 1;
          reads.set(answer.jobKind, count);
          const before = 3 * Math.max(0, (queue.get(answer.jobKind) ?? []).indexOf(answer.jobId));
          return { ...answer, state: count <= before ? 'queued' : count <= before + 2 ? 'running' : 'done' };
        },
      };
    },
  }),
  partialOddity('job-kept-for-one-read', 'jobs', 'A', {
    says: 'A job is unknown once its final state was read.',
    hooks() {
      const read = new Set<string>();
      return onAnswer('jobStatus', (answer) => {
        const isFirst = answer.state !== 'done' || (!read.has(answer.jobId) && read.add(answer.jobId));
        return isFirst ? answer : asUnknownJob(answer);
      });
    },
    profile: ofEachKind({ keepsFinal: false }),
  }),
  partialOddity('job-running-is-shared', 'jobs', 'A', {
    says: 'While a job of a kind runs, every POST that starts one returns its id.',
    hooks() {
      const running = runningJobs();
      return {
        answer(answer) {
          if (answer.kind === 'jobStatus') running.read(answer);
          if (answer.kind !== 'jobStarted') return answer;
          const jobId = running.of(answer.jobKind) ?? answer.jobId;
          running.start({ ...answer, jobId });
          return { ...answer, jobId };
        },
      };
    },
    profile: ofEachKind({ distinctIds: null }),
  }),
  undeterminedOddity('job-refused-while-another-runs', 'jobs', 'A', {
    says: 'While a job of a kind runs, every POST that starts one is refused with 409, and accepted again afterwards.',
    hooks() {
      const running = runningJobs();
      return replacingReply(
        () => jsonResponse(409, { title: 'another job is running', status: 409 }),
        (answer) => {
          const isDuplicate = answer.kind === 'jobStarted' && running.of(answer.jobKind) !== undefined;
          if (answer.kind === 'jobStatus') running.read(answer);
          if (answer.kind === 'jobStarted' && !isDuplicate) running.start(answer);
          return isDuplicate;
        },
      );
    },
  }),
  undeterminedOddity('jobs-limited-to-one-start-each', 'limits', 'A', {
    says: 'Every second start of a job is refused with 429 and Retry-After; the next one is accepted.',
    hooks: everySecond(
      () => jsonResponse(429, { title: 'one job a minute' }, { 'Retry-After': '60' }),
      ({ kind }) => kind === 'jobStarted',
    ),
  }),
];

/** Oddities of jobs: their ids, starts, states, and the responses for unknown ones (sections 1, 2 and 3). */
import { JOB_KINDS, JOB_STATUS, operationOf } from '../../src/contract/index.ts';
import type { DialectResponse } from '../dialects/types.ts';
import { onAnswer } from '../faults/hooks.ts';
import { knowingJobsOfAllKinds } from '../faults/jobs.ts';
import type { ProfilePatch } from '../faults/types.ts';
import type { ModelAnswer } from '../model/types.ts';
import { always, jsonResponse, onReply } from './hooks.ts';
import type { Oddity, OddityHooks } from './types.ts';

const STATUS_OPERATIONS = Object.values(JOB_STATUS).map((key) => operationOf(key).name) as readonly string[];

const onUnknownJob = (change: (reply: DialectResponse) => DialectResponse) =>
  onReply((reply, { operation, answer }) =>
    answer.kind === 'unknown' && STATUS_OPERATIONS.includes(operation?.name ?? '') ? change(reply) : reply,
  );

/** Replaces the state of a job, by the number of status requests for it. */
const withJobStates = (stateAt: (statusRequests: number) => string) =>
  always(
    onAnswer('jobStatus', (answer) => ({ ...answer, state: stateAt(answer.statusRequests) as typeof answer.state })),
  );

/** Answers some of the status requests for a job as if it were unknown. */
const withUnknownJob = (isUnknownAt: (statusRequests: number) => boolean) =>
  always(
    onAnswer('jobStatus', (answer) =>
      isUnknownAt(answer.statusRequests) ? { kind: 'unknown', input: 'jobId', value: answer.jobId } : answer,
    ),
  );

/** Patches the profile of each kind of job with the same keys. */
const patchEachKind = (keys: object): ProfilePatch => ({
  jobs: Object.fromEntries(JOB_KINDS.map((kind) => [kind, keys])),
});

/** Removes the states of jobs from a profile. */
const WITHOUT_JOB_STATES = patchEachKind({ states: null, statesInOrder: null, final: null, patienceSeconds: null });

/** Removes the HTTP status of unknown jobs from a profile. */
const WITHOUT_UNKNOWN_JOB_STATUS: ProfilePatch = {
  operations: Object.fromEntries(Object.values(JOB_STATUS).map((key) => [key, { statuses: null }])),
};

/** Replaces the job ids of the world by others in responses, and these by job ids of the world in requests. */
function withJobIds({
  toWire,
  toWorld,
}: {
  readonly toWire: (id: string, kind: string) => string;
  readonly toWorld: (id: string, operation: string) => string;
}) {
  return {
    query: (query, { operation }) =>
      query.jobId === undefined ? query : { ...query, jobId: toWorld(query.jobId, operation.name) },
    answer: (answer) =>
      answer.kind === 'jobStarted' || answer.kind === 'jobStatus'
        ? { ...answer, jobId: toWire(answer.jobId, answer.jobKind) }
        : answer,
  } satisfies OddityHooks;
}

/** The first job id of each kind in `job-ids-counted-per-kind`. */
const FIRST_ID = 17;

/** Characters that a URL, a header, a form, JSON and XML write in different ways. */
const UNUSUAL = ' %2F+/?&=#;,"<\'>\\é中';

export const JOB_ODDITIES: readonly Oddity[] = [
  {
    name: 'job-done-at-once',
    legalBasis: 'jobs',
    groups: ['A'],
    says: 'A job is done at the first read of its status.',
    start: withJobStates(() => 'done'),
  },
  {
    name: 'job-goes-back',
    legalBasis: 'jobs',
    groups: ['A'],
    says: 'A running job becomes queued again.',
    start: withJobStates((statusRequests) =>
      statusRequests === 1 ? 'running' : statusRequests === 2 ? 'queued' : 'done',
    ),
    profile: patchEachKind({ statesInOrder: null }),
  },
  {
    name: 'job-leaves-out-a-state',
    legalBasis: 'jobs',
    groups: ['A'],
    says: 'A job is done right after it was queued; its profile promises the order of the states.',
    start: withJobStates((statusRequests) => (statusRequests < 2 ? 'queued' : 'done')),
  },
  {
    name: 'job-location-of-internal-host',
    legalBasis: 'headers',
    groups: ['A'],
    says: 'The Location of a start names an internal host and prefix, with the status operation at the end of the path.',
    start: onReply((reply, { answer }) =>
      answer.kind === 'jobStarted'
        ? { ...reply, headers: { ...reply.headers, location: `http://jobs.internal:8080/v7${reply.headers.location}` } }
        : reply,
    ),
    dialects: ['tabular'],
  },
  {
    name: 'job-state-changes-spelling',
    legalBasis: 'jobs',
    groups: ['A'],
    says: 'States are undocumented codes.',
    start: withJobStates((statusRequests) => `S-0${statusRequests}/IN_PROGRESS`),
    profile: WITHOUT_JOB_STATES,
    weakestOutcome: 'partial',
  },
  {
    name: 'job-fails',
    legalBasis: 'jobs',
    groups: ['A'],
    says: 'Every job fails.',
    start: withJobStates(() => 'failed'),
    profile: patchEachKind({ states: ['failed', 'FAILED', 'Failed'], final: ['failed', 'FAILED', 'Failed'] }),
  },
  {
    name: 'job-known-late',
    legalBasis: 'jobs',
    groups: ['A'],
    says: 'A job is unknown at the first read of its status.',
    start: withUnknownJob((statusRequests) => statusRequests === 1),
    // At thorough, the status that shows the credentials may be read once only.
    weakestOutcome: 'partial',
  },
  {
    name: 'job-forgotten',
    legalBasis: 'jobs',
    groups: ['A'],
    says: 'A job is unknown after two reads of its status.',
    start: withUnknownJob((statusRequests) => statusRequests > 2),
    weakestOutcome: 'undetermined',
  },
  {
    name: 'job-dropped-when-final',
    legalBasis: 'jobs',
    groups: ['A'],
    says: 'A job is unknown once its final state was read, as the profile states.',
    start: withUnknownJob((statusRequests) => statusRequests > 3),
    profile: patchEachKind({ keepsFinal: false }),
    weakestOutcome: 'partial',
  },
  {
    name: 'job-unknown-200-empty',
    legalBasis: 'jobs',
    groups: ['A'],
    says: 'The status of an unknown job is answered 200 with an empty object.',
    start: onUnknownJob(() => jsonResponse(200, {})),
    profile: WITHOUT_UNKNOWN_JOB_STATUS,
  },
  {
    name: 'job-unknown-500',
    legalBasis: 'jobs',
    groups: ['A'],
    says: 'The status of an unknown job is answered 500.',
    start: onUnknownJob((reply) => ({ ...reply, status: 500 })),
    profile: WITHOUT_UNKNOWN_JOB_STATUS,
  },
  {
    name: 'job-start-200',
    legalBasis: 'statuses',
    groups: ['A'],
    says: 'A POST that starts a job is answered 200.',
    start: onReply((reply, { answer }) => (answer.kind === 'jobStarted' ? { ...reply, status: 200 } : reply)),
    dialects: ['reference'],
  },
  {
    name: 'job-start-201-location',
    legalBasis: 'statuses',
    groups: ['A'],
    says: 'A POST that starts a job is answered 201, with a Location that does not exist.',
    start: onReply((reply, { answer }) =>
      answer.kind === 'jobStarted'
        ? {
            ...reply,
            status: 201,
            headers:
              'location' in reply.headers ? reply.headers : { Location: `/jobs/${answer.jobId}`, ...reply.headers },
          }
        : reply,
    ),
  },
  {
    name: 'job-ids-of-any-characters',
    legalBasis: 'jobs',
    groups: ['A'],
    says: 'Ids of jobs contain spaces, slashes, percent signs, quotes and letters beyond ASCII.',
    start: always(
      withJobIds({
        toWire: (id) => `${id}${UNUSUAL}`,
        toWorld: (id) => (id.endsWith(UNUSUAL) ? id.slice(0, -UNUSUAL.length) : id),
      }),
    ),
    dialects: ['reference', 'xml'],
  },
  {
    name: 'job-ids-counted-per-kind',
    legalBasis: 'jobs',
    groups: ['A'],
    says: 'Ids of jobs are numbers that each kind counts for itself, so that two kinds have jobs of the same id.',
    start() {
      const ids = new Map<string, string[]>();
      const idsOf = (kind: string): string[] => {
        const known = ids.get(kind) ?? [];
        ids.set(kind, known);
        return known;
      };
      return withJobIds({
        toWire(id, kind) {
          if (!idsOf(kind).includes(id)) idsOf(kind).push(id);
          return String(idsOf(kind).indexOf(id) + FIRST_ID);
        },
        toWorld(id, operation) {
          const kind = JOB_KINDS.find((each) => operationOf(JOB_STATUS[each]).name === operation) ?? '';
          return idsOf(kind)[Number(id) - FIRST_ID] ?? id;
        },
      });
    },
    dialects: ['reference', 'xml'],
  },
  {
    name: 'job-known-to-every-kind',
    legalBasis: 'jobs',
    groups: ['A'],
    says: 'The status operation of each kind returns the status of the jobs of all kinds.',
    start: always(knowingJobsOfAllKinds),
    profile: WITHOUT_UNKNOWN_JOB_STATUS,
  },
  {
    name: 'job-start-idempotent',
    legalBasis: 'jobs',
    groups: ['A'],
    says: 'Equal requests to a POST start one job.',
    start() {
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
    profile: patchEachKind({ distinctIds: null }),
    weakestOutcome: 'partial',
  },
  {
    name: 'job-one-at-a-time',
    legalBasis: 'jobs',
    groups: ['A'],
    says: 'A POST starts one job; further starts are refused with 409.',
    start() {
      const started = new Set<string>();
      return {
        finish(reply, { answer, operation }) {
          if (answer.kind !== 'jobStarted' || operation === undefined) return reply;
          if (started.has(answer.jobKind)) return { status: 409, headers: {}, body: '' };
          started.add(answer.jobKind);
          return reply;
        },
      };
    },
    weakestOutcome: 'undetermined',
  },
  {
    name: 'saved-map-not-always-there',
    legalBasis: 'jobs',
    groups: ['A'],
    says: 'Every second request for a saved map is answered 404, because no map is left.',
    start() {
      let count = 0;
      return {
        finish: (reply, { operation, answer }) =>
          operation?.name === 'getSaveMap' && answer.kind === 'savedItem' && ++count % 2 === 0
            ? { status: 404, headers: {}, body: '' }
            : reply,
      };
    },
    weakestOutcome: 'undetermined',
  },
  {
    name: 'prospect-filter-added-meanwhile',
    legalBasis: 'jobs',
    groups: ['A'],
    says: 'Somebody adds a prospect filter after the second request for all of them.',
    start() {
      let count = 0;
      return onAnswer('items', (answer, { operation }) =>
        operation.name === 'getAllProspectFilters' && ++count < 3
          ? { ...answer, items: answer.items.slice(0, -1) }
          : answer,
      );
    },
    weakestOutcome: 'undetermined',
  },
  {
    name: 'job-status-of-lagging-replica',
    legalBasis: 'jobs',
    groups: ['A'],
    says: 'The fourth read of a status comes from a replica that lags behind, so that a job that is done is running once more.',
    start: withJobStates((statusRequests) =>
      statusRequests === 1 ? 'queued' : statusRequests === 2 || statusRequests === 4 ? 'running' : 'done',
    ),
    profile: patchEachKind({ statesInOrder: null }),
    weakestOutcome: 'undetermined',
  },
];

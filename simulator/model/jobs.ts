/** The jobs of group A (sections 1 and 3). Each operation takes constant time, whatever the number of jobs. */
import { JOB_KINDS, type JobKind } from '../../src/contract/index.ts';
import { JOB_STATES, type JobState } from './job-states.ts';
import { numberedId } from './numbered-id.ts';

export interface Job {
  readonly id: string;
  readonly kind: JobKind;
  readonly state: JobState;
  readonly statusRequests: number;
  /** Whether it keeps its state, whatever the number of status requests. */
  readonly held: boolean;
}

export interface Jobs {
  start(kind: JobKind): Job;
  /** Counts a status request, which moves the job to its next state. Undefined when no job of this kind has this id. */
  read(id: string, kind: JobKind): Job | undefined;
  list(): readonly Job[];
  get(id: string): Job | undefined;
  /** Keeps the state of a job until it is released. Undefined when no job has this id. */
  hold(id: string): Job | undefined;
  /** Lets a held job continue. Undefined when no job has this id. */
  release(id: string): Job | undefined;
  /** Puts a job into a state, which it keeps if it is final. Undefined when no job has this id. */
  setState(id: string, state: JobState): Job | undefined;
}

const next = (state: JobState): JobState =>
  JOB_STATES[JOB_STATES.indexOf(state as (typeof JOB_STATES)[number]) + 1] ?? state;

/** Creates an empty list of jobs. */
export function createJobs(): Jobs {
  const byId = new Map<string, Job>();
  const update = (id: string, change: (job: Job) => Partial<Job>): Job | undefined => {
    const job = byId.get(id);
    if (!job) return undefined;
    const updated = { ...job, ...change(job) };
    byId.set(id, updated);
    return updated;
  };
  return {
    start(kind) {
      // The index of the kind in the contract distinguishes ids of different kinds.
      const id = numberedId(`job-${JOB_KINDS.indexOf(kind) + 1}`, byId.size + 1, 6);
      const job: Job = { id, kind, state: JOB_STATES[0], statusRequests: 0, held: false };
      byId.set(id, job);
      return job;
    },
    read: (id, kind) =>
      byId.get(id)?.kind === kind
        ? update(id, ({ state, statusRequests, held }) => ({
            statusRequests: statusRequests + 1,
            // The first request shows the first state.
            state: held || statusRequests === 0 || state === 'failed' ? state : next(state),
          }))
        : undefined,
    list: () => [...byId.values()],
    get: (id) => byId.get(id),
    hold: (id) => update(id, () => ({ held: true })),
    release: (id) => update(id, () => ({ held: false })),
    setState: (id, state) => update(id, () => ({ state, held: false })),
  };
}

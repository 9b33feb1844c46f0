/** The jobs of group A (sections 1 and 3). Each operation takes constant time, whatever the number of jobs. */
import { JOB_KINDS, type JobKind, type OperationName } from '../../src/contract/index.ts';
import { didYouMean } from '../../src/profile/did-you-mean.ts';
import { numberedId } from './names.ts';

/** The states of a job that succeeds. Each status request moves it to the next, and the last one stays. */
export const JOB_STATES = ['queued', 'running', 'done'] as const;

/** A job fails only if a user of the simulator asks for it. */
export type JobState = (typeof JOB_STATES)[number] | 'failed';

const FINAL_STATES: readonly JobState[] = ['done', 'failed'];

/** Whether a job in this state has ended. */
const isFinal = (state: JobState): boolean => FINAL_STATES.includes(state);

/** The place of a state in the life of a job: a job never returns to a lower one. */
const stageOf = (state: JobState): number =>
  isFinal(state) ? JOB_STATES.length : JOB_STATES.indexOf(state as (typeof JOB_STATES)[number]);

/** The states that follow a state in a job that succeeds. */
const statesAfter = (state: JobState): readonly JobState[] => JOB_STATES.slice(stageOf(state) + 1);

/** The kind of job that each POST starts. This is our interpretation: section 2 names the kinds, section 4.1 the operations. */
export const JOB_STARTERS = {
  businesscount: 'prospect',
  createlist: 'prospect',
  drive: 'drive',
  executeReport: 'report',
  fileenhancement: 'fileEnhancement',
  importLocation: 'location',
  mapExport: 'mapExport',
  pullVariable: 'variablePull',
  updateLocation: 'location',
} as const satisfies Partial<Record<OperationName, JobKind>>;

export interface Job {
  readonly id: string;
  readonly kind: JobKind;
  readonly state: JobState;
  readonly statusRequests: number;
  /** Whether it keeps its state, whatever the number of status requests. */
  readonly held: boolean;
}

/** What cannot be done with a job, in one sentence. */
export class JobError extends Error {
  override readonly name = 'JobError';
}

/** What a user of the simulator does with jobs. A final state (`done`, `failed`) never changes. */
export interface JobControl {
  list(): readonly Job[];
  get(id: string): Job | undefined;
  /** Keeps the state of a job until it is released. @throws JobError if no job has this id, or it has ended */
  hold(id: string): Job;
  /** Lets a held job continue. @throws JobError if no job has this id, or it has ended */
  release(id: string): Job;
  /** Puts a job into a state, which the next status request shows. @throws JobError if the job cannot get there from its state */
  setState(id: string, state: JobState): Job;
  /**
   * Arms the next job of a kind that has no states yet: each status request shows the next of these states. The last one
   * stays; if it is not final, until the job is released.
   *
   * @example
   * jobs.setNext('drive', ['failed']); // fails at once
   * jobs.setNext('drive', ['queued', 'running', 'running', 'failed']);
   * @throws JobError if the states are no possible life of a job
   */
  setNext(kind: JobKind, states: readonly JobState[]): void;
}

/** The jobs of one simulator: how clients start and read them, and how a user changes them. */
export interface Jobs {
  start(kind: JobKind): Job;
  /** Counts a status request, which moves the job to its next state. Undefined when no job of this kind has this id. */
  read(id: string, kind: JobKind): Job | undefined;
  readonly control: JobControl;
}

interface Entry {
  readonly job: Job;
  /** The states that follow, one for each status request. */
  readonly next: readonly JobState[];
  /** Whether a status request showed the present state. */
  readonly shown: boolean;
}

const quoted = (text: unknown): string => `“${String(text).slice(0, 60)}”`;

function checkState(state: JobState): void {
  if (stageOf(state) < 0)
    throw new JobError(`there is no state ${quoted(state)}; the states are ${JOB_STATES.join(', ')}, failed`);
}
/** @throws JobError if it is no kind of job, or the states are no possible life of a job */
export function checkNext(kind: JobKind, states: readonly JobState[]): void {
  if (!JOB_KINDS.includes(kind))
    throw new JobError(
      `there is no kind of job ${quoted(kind)}${didYouMean(String(kind), JOB_KINDS)}; the kinds are ${JOB_KINDS.join(', ')}`,
    );
  if (!Array.isArray(states) || states.length === 0)
    throw new JobError('a list of at least one state is needed, e.g. ["failed"]');
  states.forEach(checkState);
  for (const [at, state] of states.slice(1).entries()) {
    const before = states[at] as JobState;
    if (isFinal(before)) throw new JobError(`${before} is final: no state can follow it`);
    if (stageOf(state) < stageOf(before)) throw new JobError(`a job that is ${before} cannot become ${state}`);
  }
}

/** Creates an empty list of jobs. */
export function createJobs(): Jobs {
  const entries = new Map<string, Entry>();
  const armed = new Map<JobKind, (readonly JobState[])[]>();
  const put = (entry: Entry): Job => {
    entries.set(entry.job.id, entry);
    return entry.job;
  };
  /** Returns a job that has not ended. */
  const running = (id: string): Entry => {
    const entry = entries.get(id);
    if (!entry) throw new JobError(`there is no job ${quoted(id)}; jobs.list() returns the jobs that clients started`);
    if (isFinal(entry.job.state))
      throw new JobError(`job ${quoted(id)} is ${entry.job.state}: this state is final and does not change`);
    return entry;
  };
  const setHeld = (id: string, held: boolean): Job => {
    const { job, next, shown } = running(id);
    const following = held || next.length > 0 ? next : statesAfter(job.state);
    return put({ job: { ...job, held }, next: following, shown });
  };
  return {
    start(kind) {
      // The index of the kind in the contract distinguishes ids of different kinds.
      const id = numberedId(`job-${JOB_KINDS.indexOf(kind) + 1}`, entries.size + 1, 6);
      const [state, ...next] = (armed.get(kind)?.shift() ?? JOB_STATES) as [JobState, ...JobState[]];
      const held = next.length === 0 && !isFinal(state);
      return put({ job: { id, kind, state, statusRequests: 0, held }, next, shown: false });
    },
    read(id, kind) {
      const entry = entries.get(id);
      if (entry?.job.kind !== kind) return undefined;
      const { job, next, shown } = entry;
      const statusRequests = job.statusRequests + 1;
      const [state, ...following] = next;
      // The first request after a change shows the state that was set.
      if (!shown || job.held || state === undefined) return put({ job: { ...job, statusRequests }, next, shown: true });
      const held = following.length === 0 && !isFinal(state);
      return put({ job: { ...job, state, statusRequests, held }, next: following, shown: true });
    },
    control: {
      list: () => [...entries.values()].map(({ job }) => job),
      get: (id) => entries.get(id)?.job,
      hold: (id) => setHeld(id, true),
      release: (id) => setHeld(id, false),
      setState(id, state) {
        checkState(state);
        const { job } = running(id);
        if (stageOf(state) < stageOf(job.state))
          throw new JobError(`job ${quoted(id)} is ${job.state}: it cannot become ${state}`);
        return put({ job: { ...job, state, held: false }, next: statesAfter(state), shown: false });
      },
      setNext(kind, states) {
        checkNext(kind, states);
        armed.set(kind, [...(armed.get(kind) ?? []), [...states]]);
      },
    },
  };
}

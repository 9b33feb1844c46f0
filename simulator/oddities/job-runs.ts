/** Oddities of how long jobs run, which requests share one, and how long its status is kept (sections 1 to 3). */
import { JOB_KINDS, type JobKind } from '../../src/contract/index.ts';
import { onAnswer } from '../faults/hooks.ts';
import type { ProfilePatch } from '../faults/types.ts';
import type { ModelAnswer } from '../model/types.ts';
import { always, jsonResponse } from './hooks.ts';
import type { Oddity } from './types.ts';

type Started = Extract<ModelAnswer, { kind: 'jobStarted' }>;
type Status = Extract<ModelAnswer, { kind: 'jobStatus' }>;

const ofEachKind = (statements: object): ProfilePatch => ({
  jobs: Object.fromEntries(JOB_KINDS.map((kind) => [kind, statements])),
});

/** Observes the jobs of each kind that run: from their start until their status is done. */
function runningJobs() {
  const running = new Map<JobKind, string>();
  return {
    of: (kind: JobKind) => running.get(kind),
    start: ({ jobKind, jobId }: Started) => running.set(jobKind, jobId),
    read({ jobKind, jobId, state }: Status) {
      if (state === 'done' && running.get(jobKind) === jobId) running.delete(jobKind);
    },
  };
}

export const JOB_RUN_ODDITIES: readonly Oddity[] = [
  {
    name: 'jobs-slow',
    legalBasis: 'jobs',
    groups: ['A'],
    says: 'A job is done at the twentieth read of its status.',
    start: always(
      onAnswer('jobStatus', (answer) => ({
        ...answer,
        state: answer.statusRequests < 3 ? 'queued' : answer.statusRequests < 20 ? 'running' : 'done',
      })),
    ),
    // Further jobs of a kind have one minute at depth standard.
    profile: ofEachKind({ patienceSeconds: 600, pollSeconds: 2 }),
  },
  {
    name: 'jobs-never-end',
    legalBasis: 'jobs',
    groups: ['A'],
    says: 'Jobs wait in a queue for days; the profile states no patience.',
    start: always(onAnswer('jobStatus', (answer) => ({ ...answer, state: 'queued' }))),
    profile: ofEachKind({ patienceSeconds: null }),
    weakestOutcome: 'partial',
  },
  {
    name: 'jobs-one-after-another',
    legalBasis: 'jobs',
    groups: ['A'],
    says: 'A second job of a kind waits until the first one is done.',
    start() {
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
  },
  {
    name: 'job-kept-for-one-read',
    legalBasis: 'jobs',
    groups: ['A'],
    says: 'A job is unknown once its final state was read.',
    start() {
      const read = new Set<string>();
      return onAnswer('jobStatus', (answer) => {
        if (answer.state !== 'done' || (!read.has(answer.jobId) && read.add(answer.jobId))) return answer;
        return { kind: 'unknown', input: 'jobId', value: answer.jobId };
      });
    },
    profile: ofEachKind({ keepsFinal: false }),
    weakestOutcome: 'partial',
  },
  {
    name: 'job-running-is-shared',
    legalBasis: 'jobs',
    groups: ['A'],
    says: 'While a job of a kind runs, every POST that starts one returns its id.',
    start() {
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
    weakestOutcome: 'partial',
  },
  {
    name: 'job-refused-while-another-runs',
    legalBasis: 'jobs',
    groups: ['A'],
    says: 'While a job of a kind runs, every POST that starts one is refused with 409, and accepted again afterwards.',
    start() {
      const running = runningJobs();
      let isDuplicate = false;
      return {
        answer(answer) {
          isDuplicate = answer.kind === 'jobStarted' && running.of(answer.jobKind) !== undefined;
          if (answer.kind === 'jobStatus') running.read(answer);
          if (answer.kind === 'jobStarted' && !isDuplicate) running.start(answer);
          return answer;
        },
        finish(reply) {
          const refused = isDuplicate;
          isDuplicate = false;
          return refused ? jsonResponse(409, { title: 'another job is running', status: 409 }) : reply;
        },
      };
    },
    weakestOutcome: 'undetermined',
  },
  {
    name: 'jobs-limited-to-one-start-each',
    legalBasis: 'limits',
    groups: ['A'],
    says: 'Every second start of a job is refused with 429 and Retry-After; the next one is accepted.',
    start() {
      let [count, isRefused] = [0, false];
      return {
        answer(answer) {
          isRefused = answer.kind === 'jobStarted' && ++count % 2 === 0;
          return answer;
        },
        finish(reply) {
          const refused = isRefused;
          isRefused = false;
          return refused ? jsonResponse(429, { title: 'one job a minute' }, { 'Retry-After': '60' }) : reply;
        },
      };
    },
    weakestOutcome: 'undetermined',
  },
];

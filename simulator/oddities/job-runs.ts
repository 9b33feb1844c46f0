/** Oddities of how long jobs run, which requests share one, and how long its status is kept (sections 1 to 3). */

import type { JobKind } from '../../src/contract/index.ts';
import { asUnknownJob } from '../deviations/changes.ts';
import { type AnswerOf, onAnswer } from '../deviations/places.ts';
import { jsonResponse, replacingReply } from '../deviations/replies.ts';
import { ofEachKind, withJobStates } from './jobs.ts';
import { type Oddity, oddity, partialOddity, undeterminedOddity } from './oddity.ts';

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

export const JOB_RUN_ODDITIES: readonly Oddity[] = [
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
    hooks() {
      let count = 0;
      return replacingReply(
        () => jsonResponse(429, { title: 'one job a minute' }, { 'Retry-After': '60' }),
        (answer) => answer.kind === 'jobStarted' && ++count % 2 === 0,
      );
    },
  }),
];

import { expect, test } from 'vitest';
import { createJobs } from './jobs.ts';

test('each status request moves a job to its next state, and the last one stays', () => {
  const jobs = createJobs();
  const { id } = jobs.start('drive');
  const read = () => jobs.read(id, 'drive');
  expect([read(), read(), read(), read()].map((job) => [job?.state, job?.statusRequests])).toEqual([
    ['queued', 1],
    ['running', 2],
    ['done', 3],
    ['done', 4],
  ]);
});

test('a job has an id of its own, is known to its kind only, and belongs to one list', () => {
  const jobs = createJobs();
  const { id } = jobs.start('drive');
  expect(jobs.read(id, 'report')).toBeUndefined();
  expect(createJobs().read(id, 'drive')).toBeUndefined();
  expect(jobs.start('drive').id).not.toBe(id);
  expect(jobs.list().map(({ kind }) => kind)).toEqual(['drive', 'drive']);
});

test('a held job keeps its state until it is released; a finished or failed one for ever', () => {
  const jobs = createJobs();
  const { id } = jobs.start('report');
  const states = (count: number) => Array.from({ length: count }, () => jobs.read(id, 'report')?.state);
  jobs.hold(id);
  expect(states(4)).toEqual(['queued', 'queued', 'queued', 'queued']);
  jobs.release(id);
  expect(states(1)).toEqual(['running']);
  jobs.setState(id, 'failed');
  expect(states(2)).toEqual(['failed', 'failed']);
  jobs.setState(id, 'done');
  expect(states(2)).toEqual(['done', 'done']);
  expect([jobs.hold('none'), jobs.setState('none', 'done'), jobs.get('none')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

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
  expect(jobs.control.list().map(({ kind }) => kind)).toEqual(['drive', 'drive']);
});

test('a held job keeps its state until it is released; a finished or failed one for ever', () => {
  const jobs = createJobs();
  const { control } = jobs;
  const { id } = jobs.start('report');
  const states = (count: number) => Array.from({ length: count }, () => jobs.read(id, 'report')?.state);
  control.hold(id);
  expect(states(4)).toEqual(['queued', 'queued', 'queued', 'queued']);
  control.release(id);
  expect(states(1)).toEqual(['running']);
  control.setState(id, 'failed');
  expect(states(2)).toEqual(['failed', 'failed']);
  const other = jobs.start('report').id;
  control.setState(other, 'running');
  expect([jobs.read(other, 'report')?.state, jobs.read(other, 'report')?.state]).toEqual(['running', 'done']);
});

test('what a job cannot do is refused with a sentence', () => {
  const { start, control } = createJobs();
  const [failed, done] = [start('drive').id, start('drive').id];
  control.setState(failed, 'failed');
  control.setState(done, 'done');
  expect(() => control.setState(failed, 'done')).toThrow(`job “${failed}” is failed: this state is final`);
  expect(() => control.setState(done, 'failed')).toThrow('is done: this state is final');
  expect(() => control.hold(done)).toThrow('is done: this state is final');
  expect(() => control.release(failed)).toThrow('is failed: this state is final');
  for (const change of [control.hold, control.release, (id: string) => control.setState(id, 'done')])
    expect(() => change('none')).toThrow('there is no job “none”');
  const running = start('drive').id;
  control.setState(running, 'running');
  expect(() => control.setState(running, 'queued')).toThrow('is running: it cannot become queued');
  expect(() => control.setState(running, 'ended' as 'done')).toThrow(
    'there is no state “ended”; the states are queued',
  );
  expect(control.list().map(({ state }) => state)).toEqual(['failed', 'done', 'running']);
});

test('the next jobs of a kind have the states that were set before they started', () => {
  const jobs = createJobs();
  const { control } = jobs;
  control.setNext('drive', ['failed']);
  control.setNext('drive', ['running', 'running', 'done']);
  control.setNext('drive', ['queued', 'running']);
  const statesOf = (id: string, count: number) => Array.from({ length: count }, () => jobs.read(id, 'drive')?.state);
  expect(jobs.read(jobs.start('report').id, 'report')?.state).toBe('queued');
  expect(statesOf(jobs.start('drive').id, 2)).toEqual(['failed', 'failed']);
  expect(statesOf(jobs.start('drive').id, 4)).toEqual(['running', 'running', 'done', 'done']);
  const held = jobs.start('drive').id;
  expect(statesOf(held, 4)).toEqual(['queued', 'running', 'running', 'running']);
  expect(control.get(held)?.held).toBe(true);
  control.release(held);
  expect(statesOf(held, 2)).toEqual(['done', 'done']);
  expect(statesOf(jobs.start('drive').id, 3)).toEqual(['queued', 'running', 'done']);
  expect(() => control.setNext('driv' as 'drive', ['failed'])).toThrow('no kind of job “driv” (did you mean “drive”?)');
  expect(() => control.setNext('drive', [])).toThrow('at least one state');
  expect(() => control.setNext('drive', ['failed', 'done'])).toThrow('failed is final: no state can follow it');
  expect(() => control.setNext('drive', ['running', 'queued'])).toThrow('that is running cannot become queued');
});

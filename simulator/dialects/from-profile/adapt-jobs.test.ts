import { expect, test } from 'vitest';
import { createJobs } from '../../model/jobs.ts';
import { adaptJobs, stateAs } from './adapt-jobs.ts';

const STATES = ['queued', 'running', 'done', 'failed'] as const;

test.each([
  [{}, ['queued', 'running', 'done', 'failed']],
  [
    { states: ['NEW', 'BUSY', 'ABORTED', 'FAILED', 'OK'], final: ['ABORTED', 'FAILED', 'OK'] },
    ['NEW', 'BUSY', 'OK', 'FAILED'],
  ],
  [{ states: [0, 1, 2, 3], final: [2, 3] }, ['0', '1', '2', '3']],
  [{ states: ['WAIT', 'RUN', 'END', 'ERROR'] }, ['WAIT', 'RUN', 'END', 'ERROR']],
  [{ states: ['RUNNING', 'DONE'], final: ['DONE'] }, ['RUNNING', 'RUNNING', 'DONE', 'failed']],
  [{ final: ['CANCELLED', 'SUCCEEDED'] }, ['queued', 'running', 'SUCCEEDED', 'CANCELLED']],
])('%j names its states by what they mean, or else by their order', (declared, expected) => {
  expect(STATES.map((state) => stateAs(state, declared))).toEqual(expected);
});

test('a job fails only where the profile lists a state for it', () => {
  const jobs = createJobs();
  const ids = { toWorld: (_: string, id: string) => id, toProfile: (id: string) => `acme-${id}` };
  const drive = { states: ['QUEUED', 'RUNNING', 'DONE'], final: ['DONE'] };
  const control = adaptJobs(jobs.control, { drive, report: { states: false } }, ids);
  const id = `acme-${jobs.start('drive').id}`;
  const sentence =
    'no drive job can fail here: the profile lists no state for it (jobs.drive: states and final are QUEUED, RUNNING, DONE and DONE)';
  expect(() => control.setState(id, 'failed')).toThrow(sentence);
  expect(() => control.setNext('drive', ['running', 'failed'])).toThrow(sentence);
  expect(() => control.hold('other')).toThrow('there is no job “other”');
  expect(control.setState(id, 'done')).toMatchObject({ id, state: 'done' });
  control.setNext('report', ['failed']);
  expect(jobs.start('report').state).toBe('failed');
  expect(control.get(id)?.state).toBe('done');
});

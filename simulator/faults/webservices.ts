/** Faults of group A (sections 1, 2 and 4.1). */
import { onAnswer, onItems } from './hooks.ts';
import type { Fault } from './types.ts';

export const WEBSERVICES_FAULTS = [
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
      answer.reads > 1 ? { kind: 'unknown', input: 'jobId', value: answer.jobId } : answer,
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
    name: 'test-service-fails',
    statement: 'A.content',
    says: 'testService fails with 500.',
    strict: true,
    hooks: onAnswer('serviceOk', () => ({ kind: 'internalError', why: 'the service does not work' })),
  },
  {
    name: 'prospect-filters-without-names',
    statement: 'A.content',
    says: 'getAllProspectFilters lists filters with neither ids nor names.',
    hooks: onItems(['getAllProspectFilters'], (items) => items.map(() => ({}))),
  },
  {
    name: 'saved-map-without-id',
    statement: 'A.content',
    says: 'The response of getSaveMap contains no map.',
    hooks: {
      answer: (answer, { operation }) =>
        operation.name === 'getSaveMap' && answer.kind === 'savedItem' ? { kind: 'savedItem' } : answer,
    },
  },
  {
    name: 'thematic-without-id',
    statement: 'A.content',
    says: 'The response of getSaveThematicId contains no id.',
    hooks: {
      answer: (answer, { operation }) =>
        operation.name === 'getSaveThematicId' && answer.kind === 'savedItem' ? { kind: 'savedItem' } : answer,
    },
  },
] as const satisfies readonly Fault[];

/** Faults of group A (sections 1, 2 and 4.1). */
import { onAnswer, onItems } from './hooks.ts';
import type { Fault } from './types.ts';

export const WEBSERVICES_FAULTS = [
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
  {
    name: 'unknown-map-found',
    statement: 'A.content',
    says: 'A map that was never saved is returned as the saved one, although the profile states what an unknown id gets.',
    dialects: ['reference'],
    hooks: {
      answer: (answer, { operation, world }) =>
        answer.kind === 'unknown' && operation.name === 'getSaveMap' ? world.answer(operation.name, {}) : answer,
    },
  },
] as const satisfies readonly Fault[];

/** Faults of group A (sections 1, 2 and 4.1). */
import { failing } from '../deviations/changes.ts';
import { onAnswer, onItems, onOperations } from '../deviations/places.ts';
import type { ModelAnswer } from '../model/types.ts';
import { inA } from './fault.ts';

const withoutId = (answer: ModelAnswer): ModelAnswer => (answer.kind === 'savedItem' ? { kind: 'savedItem' } : answer);

export const WEBSERVICES_FAULTS = [
  inA('test-service-fails', 'A.content', {
    says: 'testService fails with 500.',
    strict: true,
    hooks: onAnswer('serviceOk', failing('the service does not work')),
  }),
  inA('prospect-filters-without-names', 'A.content', {
    says: 'getAllProspectFilters lists filters with neither ids nor names.',
    hooks: onItems(['getAllProspectFilters'], (items) => items.map(() => ({}))),
  }),
  inA('saved-map-without-id', 'A.content', {
    says: 'The response of getSaveMap contains no map.',
    hooks: onOperations(['getSaveMap'], withoutId),
  }),
  inA('thematic-without-id', 'A.content', {
    says: 'The response of getSaveThematicId contains no id.',
    hooks: onOperations(['getSaveThematicId'], withoutId),
  }),
  inA('unknown-map-found', 'A.content', {
    says: 'A map that was never saved is returned as the saved one, although the profile states what an unknown id gets.',
    dialects: ['reference'],
    hooks: onOperations(['getSaveMap'], (answer, { world }) =>
      answer.kind === 'unknown' ? world.answer('getSaveMap', {}) : answer,
    ),
  }),
];

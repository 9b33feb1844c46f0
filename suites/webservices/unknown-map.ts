/** The id of a map that was never saved, where the profile states what a request with it gets (section 7: not shown). */
import { collect, openingOf, step } from '../../src/rule/index.ts';
import { requiredInputs } from '../../src/rule/served-steps.ts';
import { unknownValueRule } from '../../src/rule/unknown-value-rule.ts';

const SAVED_MAP = 'GET /webservices/getSaveMap';

export const unknownMap = unknownValueRule({
  id: 'A.unknown-map',
  statement: 'A.content',
  demands:
    'A request for a map that was never saved gets a status that the profile states in the statuses.unknown of the operation itself.',
  how: 'The example map of the profile is requested, and then a map with an id of the same form. The rule fails if two such ids get a map, no content, or an error that the profile does not state. A refusal of the format and an overload prove nothing.',
  looksLike:
    'A server on which another client saved a map with such an id is legal and looks like this violation; two ids of a random form that both get a map tell them apart.',
  subjects: [SAVED_MAP],
  needs: () => [openingOf(SAVED_MAP, 'inputs.mapId'), openingOf(SAVED_MAP, 'request')],
  inputs: () => ['mapId'],
  draw: 'unknownValues',
  isEmptyWrong: () => true,
  requests: () => ({
    lists: {},
    listed: step({
      operation: SAVED_MAP,
      inputs: requiredInputs(SAVED_MAP),
      accepts: 'any',
      folds: { items: collect(['id'], 10) },
    }),
  }),
});

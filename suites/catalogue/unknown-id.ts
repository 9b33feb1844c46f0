/** An id of group B that no list contains, where the profile states what a request with it gets (section 7: not shown). */
import { CATALOGUES, type Input, type OperationKey, operationOf, operationsOf } from '../../src/contract/index.ts';
import { ITEMS, nodeSteps } from '../../src/rule/catalogue-walk.ts';
import { type Declarations, openingOf, step } from '../../src/rule/index.ts';
import { exampleRequest } from '../../src/rule/list-requests.ts';
import { seededHash } from '../../src/rule/seeded-hash.ts';
import { unknownValueRule } from '../../src/rule/unknown-value-rule.ts';

/** The ids of a request: the catalogue or the last id first, by hash, then the others. */
function judgedInputs(subject: OperationKey, declarations: Declarations): readonly Input[] {
  const sent = operationOf(subject).inputs.filter((input) =>
    declarations.isFilled(openingOf(subject, `inputs.${input}`)),
  );
  const [catalogue, ...ids] = sent;
  const last = ids.pop();
  const ends = [catalogue, last].filter((each) => each !== undefined);
  const isReversed = seededHash(subject, declarations.seed) % 2 === 1;
  return [...(isReversed ? ends.toReversed() : ends), ...ids];
}

export const unknownId = unknownValueRule({
  id: 'B.unknown-id',
  statement: 'B.metadata',
  demands:
    'A request with an id that no list contains gets a status that the profile states in the statuses.unknown of the operation itself.',
  how: [
    'In a request that gets rows with listed ids, one id is replaced by one of the same form that no list contains: at `standard` the id of the catalogue or the last id, at `thorough` each.',
    'The rule fails if two such ids get rows, or an error that the profile does not state, or, where each id of the request was replaced, empty lists.',
    'A refusal of the format and an overload prove nothing, nor does an empty list of Catalogues.',
    'Where the profile reads no rows, a 2xx counts as an empty list.',
  ],
  looksLike:
    'A server that knows more ids than it lists, such as those of catalogues for other clients, is legal and looks like this violation; two ids of a random form that both get rows tell them apart. Without `statuses.unknown` of the operation itself nothing is sent.',
  subjects: operationsOf('B'),
  needs: (subject) => [openingOf(subject, 'request')],
  inputs: judgedInputs,
  draw: 'unknownValues',
  isEmptyWrong: (subject) => subject !== CATALOGUES,
  requests(subject, declarations) {
    const { walk, request } = exampleRequest(subject, declarations);
    return {
      lists: { ...walk, ...nodeSteps(subject, declarations) },
      listed: step({ ...request, folds: { items: ITEMS } }),
    };
  },
});

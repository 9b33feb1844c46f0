/** An item that names its parent is in the list of that parent: section 2. */
import { type Input, OPEN_PARTS, type OperationKey, operationOf, operationsOf } from '../../src/contract/index.ts';
import { normaliseName } from '../../src/rule/choose-names.ts';
import {
  anything,
  type Declarations,
  defineRule,
  editRow,
  everyRow,
  isValue,
  judgeRowFailures,
  openingOf,
  step,
} from '../../src/rule/index.ts';
import { requiredInputs } from '../../src/rule/served-steps.ts';

/** The input that names the parent of the listed items: the last one, e.g. the level of level values. */
const parentInput = (subject: OperationKey): Input => OPEN_PARTS[operationOf(subject).name].inputs.at(-1) as Input;

const parentFold = (subject: OperationKey, declarations: Declarations) => {
  const input = parentInput(subject);
  return everyRow(`parent:${subject}`, ({ parent }, inputs) => {
    const requested = inputs[input];
    if (!isValue(parent) || requested === undefined) return undefined;
    const spellings = declarations.echoSpellings(subject, input, requested);
    return (
      spellings.some((each) => normaliseName(each) === normaliseName(String(parent))) || {
        kind: 'other-parent',
        message: `the parent is ${JSON.stringify(parent)}; requested: ${input} ${JSON.stringify(requested)}`,
      }
    );
  });
};

export const parents = defineRule({
  id: 'B.parents',
  statement: 'B.graph',
  basis: 'profile',
  since: '0.2.0',
  demands: 'An item that names its parent is listed for that parent.',
  how: 'In each row with a parent (`fields.parent`), the parent is compared with the node that the request names last: the dimension of its attributes, the level of its values. Rows without a parent are not judged.',
  looksLike:
    'A server whose items name another relation, such as the row above in a tree of rows, is legal; its profile does not bind it as the parent. Nodes of two dimensions may share an id: only the requested id is compared.',
  subjects: operationsOf('B').filter((key) => operationOf(key).name !== 'catalogues'),
  needs: (subject) => [
    openingOf(subject, 'fields.parent'),
    openingOf(subject, 'request'),
    openingOf(subject, 'rows'),
    openingOf(subject, `inputs.${parentInput(subject)}`),
  ],
  repeat: 'inconclusive',
  probe: (subject, declarations) => ({
    list: step({
      operation: subject,
      inputs: requiredInputs(subject),
      alsoMatches: anything,
      accepts: 'content',
      folds: { found: parentFold(subject, declarations) },
    }),
  }),
  counterexample: ({ list }) => ({ list: editRow(list, { parent: 'another' }) }),
  judge: (seen) => judgeRowFailures(seen.list, ({ folds }) => folds.found, 'the parent for which the item is listed'),
});

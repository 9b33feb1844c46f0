/** An item that names its parent is in the list of that parent: section 2. */
import { type Input, OPEN_PARTS, type OperationKey, operationOf, operationsOf } from '../../src/contract/index.ts';
import { nodeKey } from '../../src/rule/catalogue-walk.ts';
import { normaliseName } from '../../src/rule/choose-names.ts';
import {
  type Breaches,
  type Declarations,
  defineRule,
  editRow,
  everyRow,
  failed,
  findingsAt,
  inconclusive,
  isOk,
  isValue,
  openingOf,
  passed,
  type Reading,
  type Steps,
  step,
  untested,
} from '../../src/rule/index.ts';
import { nodeListRequests } from '../../src/rule/list-requests.ts';
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

const breachesOf = ({ folds }: Reading) => folds.found as Breaches;

export const parents = defineRule<Steps>({
  id: 'B.parents',
  statement: 'B.graph',
  basis: 'profile',
  since: '0.2.0',
  demands: 'An item that names its parent is listed for that parent.',
  how: 'In each list that any rule received, the parent of each row (`fields.parent`) is compared with the node that the request names last: the dimension of its attributes, the level of its values. Rows without a parent are not judged.',
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
    ...nodeListRequests(subject, declarations),
    all: step({
      operation: subject,
      inputs: requiredInputs(subject),
      accepts: 'any',
      fromAllRules: 'lists',
      folds: { found: parentFold(subject, declarations) },
    }),
  }),
  counterexample: ({ all = [] }) => ({ all: all.map((each) => editRow([each], { parent: 'another' })[0] ?? each) }),
  judge(seen) {
    const judged = (seen.all ?? []).filter((each) => isOk(each) && breachesOf(each).checked > 0);
    const ofRequests = [...Map.groupBy(judged, nodeKey).values()];
    const isWrong = (each: Reading) => breachesOf(each).count > 0;
    const wrong = ofRequests.filter((each) => each.some(isWrong));
    const findings = wrong
      .filter((each) => each.every(isWrong))
      .flat()
      .flatMap((each) => findingsAt(each, 'the parent for which the item is listed', breachesOf(each).first));
    if (findings.length > 0) return failed(findings);
    const [unsteady] = wrong.flat().filter(isWrong);
    if (unsteady)
      return inconclusive(`${breachesOf(unsteady).first[0]?.message}, but not in each response to the request`);
    if (ofRequests.length === 0) return untested('no row of any response contains a parent');
    const lists = ofRequests.flatMap((each) => each.slice(0, 1));
    return passed({
      exchanges: lists.length,
      rows: lists.reduce((sum, each) => sum + breachesOf(each).checked, 0),
      distinct: lists.length,
      coverage: [{ of: 'catalogue nodes', looked: lists.length }],
    });
  },
});

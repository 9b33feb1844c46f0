/** A node states how many items another operation lists for it: section 2, where the profile states it. */
import {
  CATALOGUE_GRAPH,
  countableFor,
  type Input,
  type OperationKey,
  operationsOf,
} from '../../src/contract/index.ts';
import { ITEMS, isId, itemsOf, nodeKey, nodeSteps } from '../../src/rule/catalogue-walk.ts';
import type { Reading } from '../../src/rule/index.ts';
import { listRequests } from '../../src/rule/list-requests.ts';
import { rowCountsRule } from '../../src/rule/row-counts-rule.ts';

/** The input that names a row of a list in the requests of another operation. */
const inputFor = (parent: OperationKey, child: OperationKey): Input =>
  CATALOGUE_GRAPH.find((each) => each.parent === parent && each.child === child)?.as ?? 'catalogueId';

/** The number of items of a list, and of different ones. */
function numbersOf(reading: Reading): readonly number[] {
  const rows = reading.observation?.rows ?? 0;
  const items = itemsOf(reading);
  const names = items.map(({ id, name }) => id ?? name).filter((each) => each !== undefined && each !== null);
  return names.length === rows ? [...new Set([rows, new Set(names).size])] : [rows];
}

export const nodeCounts = rowCountsRule({
  id: 'B.counts-below',
  statement: 'B.graph',
  of: 'counts of catalogue nodes',
  subjects: operationsOf('B').filter((key) => countableFor(key).length > 0),
  demands: 'A count in a row is the number of items that another operation lists for this row.',
  how: 'In each list that any rule received, each count of `response.counts` with an operation is compared with the list that this operation returns for the id of the row, in the same catalogue, read to its end. A list with an item twice has two numbers, and the count may be either. A difference fails only if both lists contain the same as-of date; a count that is right in another response to the same request is inconclusive. What is no number, such as "100+", is not judged.',
  looksLike:
    'A server that is reloaded between two lists looks like this violation, which is legal; the as-of dates of both tell them apart. So does a server that counts something else, such as the leaves of a tree or items of other rights: its profile does not list that count. Several counts that equal the greatest one stated may be limited to it, and are inconclusive.',
  requests: (subject, counted, declarations) => ({
    ...listRequests(subject, declarations),
    ...nodeSteps(counted, declarations),
  }),
  folds: () => ({ items: ITEMS }),
  index(counted, subject) {
    const [first] = counted;
    const as = first ? inputFor(subject, first.operation) : 'catalogueId';
    const ofNodes = Map.groupBy(counted, nodeKey);
    return ({ inputs }, { id, name }) => {
      const nodes = new Set([id, name].filter(isId).map((each) => nodeKey({ inputs: { ...inputs, [as]: each } })));
      const readings = [...nodes].flatMap((node) => ofNodes.get(node) ?? []);
      return readings.map((reading) => ({ reading, numbers: numbersOf(reading) }));
    };
  },
});

/** A list of group B contains each item once: section 2, where the profile states it. */
import { operationsOf } from '../../src/contract/index.ts';
import { ITEMS, isId, itemsOf, nodeKey } from '../../src/rule/catalogue-walk.ts';
import { addRow, type Finding, isReadable, isValue, listNeeds, type Reading } from '../../src/rule/index.ts';
import { nodeListRequests } from '../../src/rule/list-requests.ts';
import { listsRule } from '../../src/rule/lists-rule.ts';

/** Whether all rows of a list have one id, but different names. */
const hasOneId = (list: Reading): boolean =>
  new Set(itemsOf(list).map(({ id }) => id)).size === 1 && new Set(itemsOf(list).map(({ name }) => name)).size > 1;

/** The first row that repeats the id, or else the name, of an earlier one. */
function findingsFor(list: Reading): Finding[] {
  const seen = new Set<string>();
  const items = itemsOf(list).map(({ id, name }) => id ?? name);
  const row = items.findIndex((item) => {
    if (!isId(item)) return false;
    const isRepeated = seen.has(String(item));
    seen.add(String(item));
    return isRepeated;
  });
  if (row < 0) return [];
  const actual = `row ${row}: ${JSON.stringify(items[row])} occurs a second time`;
  return [{ kind: 'repeated', expected: 'each item once', actual, exchange: list.exchange, row }];
}

export const itemsOnce = listsRule({
  id: 'B.items-once',
  statement: 'B.metadata',
  demands: 'A list contains each item once.',
  how: 'In each list that any rule received of an operation of `catalogue.itemsOnce`, the ids of the rows, or the names where the profile reads no id, are compared as they are written. A list whose pages contain several as-of dates is not judged.',
  looksLike:
    'A server that lists an item once for each language, parent or unit is legal; its profile does not state that items occur once. Items of two parents may have equal names: with ids, names are not compared.',
  subjects: operationsOf('B'),
  needs: (subject) => ['itemsOnce', ...listNeeds(subject, ['id', 'name'])],
  repeat: 'pass',
  isBound: (subject, { itemsOnce }) => itemsOnce(subject),
  requests: nodeListRequests,
  folds: () => ({ items: ITEMS }),
  accepts: (list) =>
    isReadable(list) &&
    itemsOf(list).some(({ id, name }) => isValue(id) || isValue(name)) &&
    new Set(list.observation?.values.asOf).size < 2,
  isSteady: true,
  compare(lists) {
    const mayReadOther = lists.every((list) => itemsOf(list).length < 2 || hasOneId(list));
    return lists.map((reading) => {
      const findings = findingsFor(reading);
      const compared = { reading, rows: itemsOf(reading).length, about: nodeKey(reading) };
      if (findings[0] === undefined || !mayReadOther) return { ...compared, findings };
      const doubt = `${findings[0].actual}, with another name; the profile may read another value as the id`;
      return { ...compared, doubt };
    });
  },
  nothing: 'no list with items was received',
  of: 'catalogue nodes',
  counterexample: (list) => addRow([list], {})[0] ?? list,
});

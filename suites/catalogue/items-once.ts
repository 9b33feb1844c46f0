/** A list of group B contains each item once: section 2, where the profile states it. */
import { operationsOf } from '../../src/contract/index.ts';
import { ITEMS, isId, itemsOf } from '../../src/rule/catalogue-list.ts';
import { nodeKey } from '../../src/rule/catalogue-walk.ts';
import {
  addRow,
  defineRule,
  type Finding,
  failed,
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

/** Whether all rows of a list have one id, but different names. */
const hasOneId = (list: Reading): boolean =>
  new Set(itemsOf(list).map(({ id }) => id)).size === 1 && new Set(itemsOf(list).map(({ name }) => name)).size > 1;

/** The first row that repeats the id, or else the name, of an earlier one. */
function repeatedIn(list: Reading): { readonly index: number; readonly item: string } | undefined {
  const seen = new Set<string>();
  const rows = itemsOf(list);
  const index = rows.findIndex(({ id, name }) => {
    const item = id ?? name;
    if (!isId(item)) return false;
    const isRepeated = seen.has(String(item));
    seen.add(String(item));
    return isRepeated;
  });
  return index < 0 ? undefined : { index, item: JSON.stringify(rows[index]?.id ?? rows[index]?.name) };
}

function findingFor(list: Reading): Finding | undefined {
  const repeated = repeatedIn(list);
  return (
    repeated && {
      kind: 'repeated',
      expected: 'each item once',
      actual: `row ${repeated.index}: ${repeated.item} occurs a second time`,
      exchange: list.exchange,
      row: repeated.index,
    }
  );
}

export const itemsOnce = defineRule<Steps>({
  id: 'B.items-once',
  statement: 'B.metadata',
  basis: 'profile',
  since: '0.2.0',
  demands: 'A list contains each item once.',
  how: 'In each list that any rule received of an operation of `catalogue.itemsOnce`, the ids of the rows, or the names where the profile reads no id, are compared as they are written. A list whose pages contain several as-of dates is not judged.',
  looksLike:
    'A server that lists an item once for each language, parent or unit is legal; its profile does not state that items occur once. Items of two parents may have equal names: with ids, names are not compared.',
  subjects: operationsOf('B'),
  needs: (subject) => [
    'itemsOnce',
    openingOf(subject, 'request'),
    openingOf(subject, 'rows'),
    [openingOf(subject, 'fields.id'), openingOf(subject, 'fields.name')],
  ],
  repeat: 'pass',
  probe: (subject, declarations): Steps =>
    declarations.itemsOnce(subject)
      ? {
          ...nodeListRequests(subject, declarations),
          all: step({
            operation: subject,
            inputs: requiredInputs(subject),
            accepts: 'any',
            fromAllRules: 'lists',
            folds: { items: ITEMS },
          }),
        }
      : {},
  counterexample: ({ all = [] }) => ({ all: all.flatMap((each) => addRow([each], {})) }),
  judge(seen) {
    const lists = (seen.all ?? []).filter(
      (each) =>
        isOk(each) &&
        !each.observation?.problem &&
        itemsOf(each).some(({ id, name }) => isValue(id) || isValue(name)) &&
        new Set(each.observation?.values.asOf).size < 2,
    );
    const ofRequests = [...Map.groupBy(lists, nodeKey).values()].map((readings) => ({
      readings,
      findings: readings.flatMap((each) => findingFor(each) ?? []),
    }));
    const findings = ofRequests
      .filter((each) => each.findings.length === each.readings.length)
      .flatMap((each) => each.findings);
    if (findings.length > 0 && lists.every((each) => itemsOf(each).length < 2 || hasOneId(each)))
      return inconclusive(`${findings[0]?.actual}, with another name; the profile may read another value as the id`);
    if (findings.length > 0) return failed(findings);
    const [unsteady] = ofRequests.flatMap((each) => each.findings);
    if (unsteady) return inconclusive(`${unsteady.actual}, but not in each response to the request`);
    if (lists.length === 0) return untested('no list with items was received');
    return passed({
      exchanges: lists.length,
      rows: lists.reduce((sum, each) => sum + itemsOf(each).length, 0),
      distinct: ofRequests.length,
      coverage: [{ of: 'catalogue nodes', looked: ofRequests.length }],
    });
  },
});

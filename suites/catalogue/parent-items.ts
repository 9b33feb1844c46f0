/** An item of a tree names an item of the tree as the one above it: section 2, where the profile states it. */

import { operationOf, operationsOf } from '../../src/contract/index.ts';
import {
  ITEMS,
  isId,
  itemsOf,
  levelsListOf,
  levelTreeSteps,
  nodeKey,
  nodeSteps,
} from '../../src/rule/catalogue-walk.ts';
import { normaliseName } from '../../src/rule/choose-names.ts';
import { areOfOneAsOf } from '../../src/rule/data-weeks.ts';
import {
  collect,
  type Declarations,
  editRow,
  type Finding,
  findingIn,
  isValue,
  isWhole,
  needsOf,
  type Reading,
  type Row,
} from '../../src/rule/index.ts';
import { nodeListRequests, receivedLists } from '../../src/rule/list-requests.ts';
import { type ListComparison, listsRule } from '../../src/rule/lists-rule.ts';

const items = collect(['id', 'name', 'parentItem'], 10_000);

type List = Reading<{ found: typeof items }>;

const textOf = (value: unknown): string => normaliseName(String(value));

/** The ids and names by which a row can be named. */
const namesOf = ({ id, name }: Row): string[] => [id, name].filter(isValue).map(textOf);

const namesIn = (lists: readonly List[]): Set<string> =>
  new Set(lists.flatMap(({ folds }) => folds.found.rows.flatMap(namesOf)));

interface NamedRow {
  readonly index: number;
  readonly above: string;
  readonly shown: string;
  /** The row names itself, or an item of another level with its id. */
  readonly isSelf: boolean;
}

/** The rows of a list that name an item; not those that name a requested node, as a root may. */
function rowsBelow({ folds, inputs }: List): readonly NamedRow[] {
  const requested = new Set(Object.values(inputs).flat().map(textOf));
  return folds.found.rows.flatMap((row, index) => {
    if (!isValue(row.parentItem)) return [];
    const above = textOf(row.parentItem);
    const isSelf = namesOf(row).includes(above);
    return requested.has(above) ? [] : [{ index, above, isSelf, shown: JSON.stringify(row.parentItem) }];
  });
}

const UNKNOWN_PARENTS =
  'no item that a row names as the one above it is known: the profile may read another id, or the rows are roots';

const findingsFor = (list: List, rows: readonly NamedRow[], kind: string, expected: string): readonly Finding[] =>
  rows
    .slice(0, 3)
    .map(({ index: row, shown }) =>
      findingIn(list, kind, expected, `row ${row}: the item above it is ${shown}`, { row }),
    );

/** Judges a list that is a tree by itself. */
function judgeTree(list: List): ListComparison {
  // A root may name itself.
  const below = rowsBelow(list).filter(({ isSelf }) => !isSelf);
  const known = namesIn([list]);
  const missing = below.filter(({ above }) => !known.has(above));
  const compared = below.length - missing.length;
  const judged = { reading: list, rows: compared, about: nodeKey(list) };
  if (missing.length === 0) return { ...judged, ...(compared === 0 && { unread: true }) };
  if (compared === 0) return { ...judged, unread: UNKNOWN_PARENTS };
  // Roots may name one item that no list contains, such as 0.
  const hasRoots = below.length < list.folds.found.rows.length;
  if (!hasRoots && new Set(missing.map(({ above }) => above)).size === 1) return judged;
  const asOf = new Set(list.observation?.values.asOf);
  if (asOf.size > 1) return { ...judged, doubt: 'the pages of the list are of several data weeks' };
  const findings = findingsFor(list, missing, 'unknown-parent', 'the id or name of an item of this list');
  return { ...judged, findings };
}

const asOfOf = ({ observation }: Reading) => observation?.values.asOf ?? [];

/** Judges the values of a level by those of the other levels of the same node. */
function judgeLevel(list: List, others: readonly List[], isRead: boolean, declarations: Declarations): ListComparison {
  const byLevel = others.map((each) => ({ names: namesIn([each]) }));
  const below = rowsBelow(list).filter(({ above, isSelf }) => !isSelf || byLevel.some(({ names }) => names.has(above)));
  const missing = below.filter(({ above }) => !byLevel.some(({ names }) => names.has(above)));
  const compared = below.length - missing.length;
  const judged = { reading: list, rows: compared, about: nodeKey(list) };
  if (below.length === 0) return { ...judged, unread: true };
  if (compared === 0) return { ...judged, unread: UNKNOWN_PARENTS };
  const fits = byLevel.some(({ names }) => below.every(({ above }) => names.has(above)));
  if (fits) return judged;
  const best = byLevel.toSorted((x, y) => countIn(below, y.names) - countIn(below, x.names))[0];
  const elsewhere = missing.length > 0 ? missing : below.filter(({ above }) => !best?.names.has(above));
  const findings = findingsFor(list, elsewhere, 'other-level', 'the id or name of a value of the level above');
  const actual = findings[0]?.actual;
  if (missing.length > 0 && !isRead)
    return { ...judged, doubt: `${actual}, but the values of some levels were not read` };
  if (!areOfOneAsOf([list, ...others].map(asOfOf), [list.operation], declarations))
    return { ...judged, doubt: `${actual}, but the levels are not shown to be of one data week` };
  return { ...judged, findings };
}

const countIn = (rows: readonly NamedRow[], names: ReadonlySet<string>): number =>
  rows.filter(({ above }) => names.has(above)).length;

const withoutLevel = ({ inputs: { level: _, ...node } }: Pick<Reading, 'inputs'>): string => nodeKey({ inputs: node });

/** Judges lists of levels with those of the same node and, where several readings exist, of the same data week. */
function judgeLevels(lists: readonly List[], levels: readonly Reading[], declarations: Declarations): ListComparison[] {
  const levelsOf = Map.groupBy(levels, nodeKey);
  return [...Map.groupBy(lists, withoutLevel)].flatMap(([node, ofNode]) => {
    const listed = (levelsOf.get(node) ?? []).flatMap(itemsOf);
    return ofNode.map((list) => {
      const sameWeek = ofNode.filter((each) =>
        areOfOneAsOf([asOfOf(list), asOfOf(each)], [list.operation], declarations),
      );
      const isOther = (each: List) => nodeKey(each) !== nodeKey(list);
      const others = sameWeek.some(isOther) ? sameWeek.filter(isOther) : ofNode.filter(isOther);
      const read = new Set([list, ...others].map(({ inputs }) => textOf(inputs.level)));
      const isRead =
        listed.length > 0 &&
        listed.every(({ id, name }) => [id, name].filter(isId).some((each) => read.has(textOf(each))));
      return judgeLevel(list, others, isRead, declarations);
    });
  });
}

const LEVELS = 'lists of levels';

export const parentItems = listsRule({
  id: 'B.parent-items',
  statement: 'B.graph',
  demands: 'The item that a row names as the one above it is in the same list, or among the values of the level above.',
  how: 'In each list that any rule received, the item above each row (`fields.parentItem`) is looked up by id and name where `catalogue.parentItems` states it is: in the same list, or in the list of one other level of the same group or hierarchy. Of some groups and hierarchies the values of all levels are requested. A row without such an item, or that names itself or the requested node, is a root. With `levelAbove` a difference fails only if the lists contain one as-of date and the values of all levels were read. An error in one of several responses to a request is inconclusive.',
  looksLike:
    'A server whose lists are parts of a tree, such as the children of one node or the items of the credentials, is legal; its profile does not state that the list contains the items above. A tree whose branches skip levels is legal, too; its profile states `list` for an operation that lists the whole tree. Roots that name one item that is in no list, such as 0, are told apart by the fact that no other row is a root.',
  subjects: operationsOf('B').filter((key) => operationOf(key).fields.includes('parentItem')),
  needs: (subject) => [
    'parentItems',
    ...needsOf(subject, 'fields.parentItem', 'request', 'rows', ['fields.id', 'fields.name']),
  ],
  repeat: 'pass',
  isBound: (subject, declarations) => declarations.parentItems(subject) !== undefined,
  requests(subject, declarations) {
    const levels = declarations.parentItems(subject) === 'levelAbove' ? levelsListOf(subject) : undefined;
    return {
      ...nodeListRequests(subject, declarations),
      ...(levels && {
        ...levelTreeSteps(subject, nodeSteps(subject, declarations), declarations),
        [LEVELS]: receivedLists(levels, { items: ITEMS }),
      }),
    };
  },
  folds: () => ({ found: items }),
  accepts: isWhole,
  isSteady: true,
  compare(received, { subject, declarations }, { [LEVELS]: levels = [] }) {
    const lists = received.filter(({ folds }) => folds.found.complete);
    return declarations.parentItems(subject) === 'list'
      ? lists.map(judgeTree)
      : judgeLevels(lists, levels.filter(isWhole), declarations);
  },
  nothing: 'no row of any list names an item above it',
  of: 'catalogue nodes',
  counterexample: (list) => editRow([list], { parentItem: 'another' }, (row) => isValue(row.parentItem))[0] ?? list,
});

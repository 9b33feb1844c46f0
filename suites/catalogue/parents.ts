/** An item that names its parent is in the list of that parent: section 2. */
import { chainTo, type Input, type OperationKey, operationOf, operationsOf } from '../../src/contract/index.ts';
import { quoted } from '../../src/format-values.ts';
import { CatalogueLists } from '../../src/rule/catalogue-responses.ts';
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
  findingsAt,
  isOk,
  isValue,
  isWhole,
  needsOf,
  type Reading,
  type Row,
} from '../../src/rule/index.ts';
import { nodeListRequests, receivedLists } from '../../src/rule/list-requests.ts';
import { evidenceOfLists, firstOfRequests, type ListComparison, listsRule } from '../../src/rule/lists-rule.ts';

/** The input that names the parent of the listed items: the last one, e.g. the level of level values. */
const parentInput = (subject: OperationKey): Input => operationOf(subject).inputs.at(-1) as Input;

/** The most rows of a list whose parents are judged. */
const MAX_ROWS = 10_000;

const parentRows = collect(['id', 'name', 'parent'], MAX_ROWS);

type List = Reading<{ found: typeof parentRows }>;

/** Whether a node that a row names is the requested one. */
function isRequested({ operation, inputs }: List, parent: string | number, declarations: Declarations): boolean {
  const input = parentInput(operation);
  return declarations
    .echoSpellings(operation, input, inputs[input] ?? '')
    .some((each) => normaliseName(each) === normaliseName(String(parent)));
}

const isSameItem = (one: Row, other: Row): boolean => (one.id ?? one.name) === (other.id ?? other.name);

interface Judged extends ListComparison {
  /** The parents that its rows name, and whether one is the requested node. */
  readonly parents: ReadonlySet<string>;
  readonly namesRequested: boolean;
}

/**
 * Compares the parents of a list with the requested node. An item may have several parents of which it names one: the list
 * of that one then contains it, too. A second comparison contains the doubt about a node that was not requested.
 */
function compareParents(
  list: List,
  all: readonly List[],
  lists: CatalogueLists,
  declarations: Declarations,
): readonly Judged[] {
  const { operation, inputs, folds } = list;
  const input = parentInput(operation);
  const named = folds.found.rows.flatMap((row, index) =>
    isId(row.parent) ? [{ row, index, parent: row.parent }] : [],
  );
  if (named.length === 0) return [];
  const others = named.filter(({ parent }) => !isRequested(list, parent, declarations));
  let doubt: string | undefined;
  const breaches = others.filter(({ row, parent }) => {
    // The catalogue above the first lists is the requested one.
    if (chainTo(operation).length === 0) return true;
    const ofNamed = { ...inputs, [input]: parent };
    const listsOfNamed = all.filter((each) => nodeKey(each) === nodeKey({ inputs: ofNamed }));
    if (listsOfNamed.some((each) => each.folds.found.rows.some((other) => isSameItem(row, other)))) return false;
    if (listsOfNamed.length > 0 || lists.listsIds(String(inputs.catalogueId), operation, ofNamed) === false)
      return true;
    doubt = `the parent is ${JSON.stringify(parent)}, which may list the item, too`;
    return false;
  });
  const first = breaches.map(({ index, parent }) => ({
    index,
    kind: 'other-parent',
    message: `row ${index}: the parent is ${JSON.stringify(parent)}; requested: ${input} ${JSON.stringify(inputs[input])}`,
  }));
  const judged = {
    reading: list,
    parents: new Set(named.map(({ parent }) => normaliseName(String(parent)))),
    namesRequested: others.length < named.length,
  };
  const findings = findingsAt(list, 'the parent for which the item is listed', first);
  return [
    { ...judged, rows: named.length, about: nodeKey(list), findings },
    ...(doubt === undefined ? [] : [{ ...judged, rows: 0, doubt }]),
  ];
}

/**
 * Whether no list names a requested node, and the lists of each node name one parent of their own, all lists the same, or
 * the rows of each list different ones: the service may write the ids of nodes in two ways, or the profile reads another value.
 */
function mayNameOtherwise(judged: readonly Judged[]): boolean {
  const requestedBy = ({ reading: { operation, inputs } }: Judged) =>
    normaliseName(String(inputs[parentInput(operation)]));
  const ofNodes = Map.groupBy(judged, requestedBy);
  const named = [...ofNodes.values()].map((lists) => new Set(lists.flatMap(({ parents: each }) => [...each])));
  const all = new Set(named.flatMap((each) => [...each]));
  const isOneEach =
    named.every(({ size }) => size === 1) && (all.size === ofNodes.size || (all.size === 1 && judged.length > 2));
  const long = judged.filter(({ rows }) => rows > 1);
  return (
    judged.every(({ namesRequested }) => !namesRequested) &&
    (isOneEach || (long.length > 0 && long.every(({ parents: each }) => each.size > 1))) &&
    [...ofNodes.keys()].every((requested) => !all.has(requested))
  );
}

export const parents = listsRule({
  id: 'B.parents',
  statement: 'B.graph',
  demands: 'An item that names its parent is listed for that parent.',
  how: 'In each list that any rule received, the parent of each row (`fields.parent`) is compared with the node that the request names last: the dimension of its attributes, the level of its values. An item that names another node must be in the list of that node, too. Rows without a parent are not judged.',
  looksLike:
    'A server whose items name another relation, such as the row above in a tree of rows, is legal; its profile does not bind it as the parent. An item of two parents that names one of them is legal, too; the list of that parent contains it. A server that names nodes by another id than requests do is not judged: none of its lists then names a requested node. Nodes of two dimensions may share an id: only the requested id is compared.',
  subjects: operationsOf('B').filter((key) => operationOf(key).name !== 'catalogues'),
  needs: (subject) => needsOf(subject, 'fields.parent', 'request', 'rows', `inputs.${parentInput(subject)}`),
  repeat: 'inconclusive',
  requests: nodeListRequests,
  folds: () => ({ found: parentRows }),
  accepts: isOk,
  isSteady: true,
  compare(all, { declarations }, seen) {
    const lists = new CatalogueLists(Object.values(seen).flat(), declarations);
    const judged = all.flatMap((each) => compareParents(each, all, lists, declarations));
    const [first] = judged;
    if (!first || !mayNameOtherwise(judged.filter(({ doubt }) => doubt === undefined))) return judged;
    const doubt = `no list names a node that was requested, but ${quoted([...first.parents][0] ?? '')}: the profile may read another value as the parent`;
    return [{ ...first, findings: [], doubt }];
  },
  nothing: 'no row of any response contains a parent',
  evidence: (compared) => evidenceOfLists(firstOfRequests(compared), 'catalogue nodes'),
  counterexample: (list) => editRow([list], { parent: 'another' })[0] ?? list,
});

const treeRows = collect(['id', 'name', 'parentItem'], 10_000);

type TreeList = Reading<{ found: typeof treeRows }>;

const textOf = (value: unknown): string => normaliseName(String(value));

/** The ids and names by which a row can be named. */
const namesOf = ({ id, name }: Row): string[] => [id, name].filter(isValue).map(textOf);

const namesIn = (lists: readonly TreeList[]): Set<string> =>
  new Set(lists.flatMap(({ folds }) => folds.found.rows.flatMap(namesOf)));

interface NamedRow {
  readonly index: number;
  readonly above: string;
  readonly shown: string;
  /** The row names itself, or an item of another level with its id. */
  readonly isSelf: boolean;
}

/** The rows of a list that name an item; not those that name a requested node, as a root may. */
function rowsBelow({ folds, inputs }: TreeList): readonly NamedRow[] {
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

const findingsFor = (list: TreeList, rows: readonly NamedRow[], kind: string, expected: string): readonly Finding[] =>
  rows
    .slice(0, 3)
    .map(({ index: row, shown }) =>
      findingIn(list, kind, expected, `row ${row}: the item above it is ${shown}`, { row }),
    );

/** Judges a list that is a tree by itself. */
function judgeTree(list: TreeList): ListComparison {
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
function judgeLevel(
  list: TreeList,
  others: readonly TreeList[],
  isRead: boolean,
  declarations: Declarations,
): ListComparison {
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
function judgeLevels(
  lists: readonly TreeList[],
  levels: readonly Reading[],
  declarations: Declarations,
): ListComparison[] {
  const levelsOf = Map.groupBy(levels, nodeKey);
  return [...Map.groupBy(lists, withoutLevel)].flatMap(([node, ofNode]) => {
    const listed = (levelsOf.get(node) ?? []).flatMap(itemsOf);
    return ofNode.map((list) => {
      const sameWeek = ofNode.filter((each) =>
        areOfOneAsOf([asOfOf(list), asOfOf(each)], [list.operation], declarations),
      );
      const isOther = (each: TreeList) => nodeKey(each) !== nodeKey(list);
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
  isStated: ({ parentItems: placeOf }, subject) => placeOf(subject) !== undefined,
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
  folds: () => ({ found: treeRows }),
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

/** An item that names its parent is in the list of that parent: section 2. */
import { chainTo, type Input, type OperationKey, operationOf, operationsOf } from '../../src/contract/index.ts';
import { quoted } from '../../src/format-values.ts';
import { CatalogueLists } from '../../src/rule/catalogue-responses.ts';
import { isId, nodeKey } from '../../src/rule/catalogue-walk.ts';
import { normaliseName } from '../../src/rule/choose-names.ts';
import {
  collect,
  type Declarations,
  editRow,
  findingsAt,
  isOk,
  needsOf,
  type Reading,
  type Row,
} from '../../src/rule/index.ts';
import { nodeListRequests } from '../../src/rule/list-requests.ts';
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

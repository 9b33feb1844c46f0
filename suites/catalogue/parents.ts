/** An item that names its parent is in the list of that parent: section 2. */
import { chainTo, type Input, type OperationKey, operationOf, operationsOf } from '../../src/contract/index.ts';
import { quoted } from '../../src/format-values.ts';
import { CatalogueLists } from '../../src/rule/catalogue-responses.ts';
import { nodeKey } from '../../src/rule/catalogue-walk.ts';
import { normaliseName } from '../../src/rule/choose-names.ts';
import {
  type Breaches,
  collect,
  type Declarations,
  defineRule,
  editRow,
  failed,
  findingsAt,
  inconclusive,
  isOk,
  isValue,
  openingOf,
  passed,
  type Reading,
  type Row,
  type Steps,
  step,
  untested,
} from '../../src/rule/index.ts';
import { nodeListRequests } from '../../src/rule/list-requests.ts';
import { requiredInputs } from '../../src/rule/served-steps.ts';

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

interface Comparison {
  readonly list: List;
  readonly compared: number;
  /** The parents that its rows name, and whether one is the requested node. */
  readonly parents: ReadonlySet<string>;
  readonly namesRequested: boolean;
  readonly breaches: readonly Breaches['first'][number][];
  /** A node that may list the item, too, and was not requested. */
  readonly doubt?: string;
}

/**
 * Compares the parents of a list with the requested node. An item may have several parents of which it names one: the list
 * of that one then contains it, too.
 */
function compareParents(
  list: List,
  all: readonly List[],
  lists: CatalogueLists,
  declarations: Declarations,
): Comparison {
  const { operation, inputs, folds } = list;
  const input = parentInput(operation);
  const named = folds.found.rows.flatMap((row, index) =>
    isValue(row.parent) ? [{ row, index, parent: row.parent }] : [],
  );
  const others = named.filter(({ parent }) => !isRequested(list, parent as string | number, declarations));
  let doubt: string | undefined;
  const breaches = others.filter(({ row, parent }) => {
    // The catalogue above the first lists is the requested one.
    if (chainTo(operation).length === 0) return true;
    const ofNamed = { ...inputs, [input]: parent as string | number };
    const listsOfNamed = all.filter((each) => nodeKey(each) === nodeKey({ inputs: ofNamed }));
    if (listsOfNamed.some((each) => each.folds.found.rows.some((other) => isSameItem(row, other)))) return false;
    if (listsOfNamed.length > 0 || lists.listsIds(String(inputs.catalogueId), operation, ofNamed) === false)
      return true;
    doubt = `the parent is ${JSON.stringify(parent)}, which may list the item, too`;
    return false;
  });
  return {
    list,
    compared: named.length,
    parents: new Set(named.map(({ parent }) => normaliseName(String(parent)))),
    namesRequested: others.length < named.length,
    breaches: breaches.map(({ index, parent }) => ({
      index,
      kind: 'other-parent',
      message: `row ${index}: the parent is ${JSON.stringify(parent)}; requested: ${input} ${JSON.stringify(inputs[input])}`,
    })),
    ...(doubt !== undefined && { doubt }),
  };
}

/**
 * Whether no list names a requested node, and the lists of each node name one parent of their own, all lists the same, or
 * the rows of each list different ones: the service may write the ids of nodes in two ways, or the profile reads another value.
 */
function mayNameOtherwise(judged: readonly Comparison[]): boolean {
  const requestedBy = ({ list: { operation, inputs } }: Comparison) =>
    normaliseName(String(inputs[parentInput(operation)]));
  const ofNodes = Map.groupBy(judged, requestedBy);
  const named = [...ofNodes.values()].map((lists) => new Set(lists.flatMap(({ parents: each }) => [...each])));
  const all = new Set(named.flatMap((each) => [...each]));
  const isOneEach =
    named.every(({ size }) => size === 1) && (all.size === ofNodes.size || (all.size === 1 && judged.length > 2));
  const long = judged.filter(({ compared }) => compared > 1);
  return (
    judged.every(({ namesRequested }) => !namesRequested) &&
    (isOneEach || (long.length > 0 && long.every(({ parents: each }) => each.size > 1))) &&
    [...ofNodes.keys()].every((requested) => !all.has(requested))
  );
}

export const parents = defineRule<Steps>({
  id: 'B.parents',
  statement: 'B.graph',
  basis: 'profile',
  since: '0.2.0',
  demands: 'An item that names its parent is listed for that parent.',
  how: 'In each list that any rule received, the parent of each row (`fields.parent`) is compared with the node that the request names last: the dimension of its attributes, the level of its values. An item that names another node must be in the list of that node, too. Rows without a parent are not judged.',
  looksLike:
    'A server whose items name another relation, such as the row above in a tree of rows, is legal; its profile does not bind it as the parent. An item of two parents that names one of them is legal, too; the list of that parent contains it. A server that names nodes by another id than requests do is not judged: none of its lists then names a requested node. Nodes of two dimensions may share an id: only the requested id is compared.',
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
      folds: { found: parentRows },
    }),
  }),
  counterexample: ({ all = [] }) => ({ all: all.map((each) => editRow([each], { parent: 'another' })[0] ?? each) }),
  judge(seen, { declarations }) {
    const all = ((seen.all ?? []) as readonly List[]).filter(isOk);
    const lists = new CatalogueLists(Object.values(seen).flat(), declarations);
    const judged = all
      .map((each) => compareParents(each, all, lists, declarations))
      .filter(({ compared }) => compared > 0);
    const ofRequests = [...Map.groupBy(judged, ({ list }) => nodeKey(list)).values()];
    if (judged.length > 0 && mayNameOtherwise(judged))
      return inconclusive(
        `no list names a node that was requested, but ${quoted([...(judged[0]?.parents ?? [])][0] ?? '')}: the profile may read another value as the parent`,
      );
    const isWrong = ({ breaches }: Comparison) => breaches.length > 0;
    const wrong = ofRequests.filter((each) => each.some(isWrong));
    const findings = wrong
      .filter((each) => each.every(isWrong))
      .flat()
      .flatMap(({ list, breaches }) => findingsAt(list, 'the parent for which the item is listed', breaches));
    if (findings.length > 0) return failed(findings);
    const [unsteady] = wrong.flat().filter(isWrong);
    if (unsteady) return inconclusive(`${unsteady.breaches[0]?.message}, but not in each response to the request`);
    const doubt = judged.find((each) => each.doubt !== undefined)?.doubt;
    if (doubt !== undefined) return inconclusive(doubt);
    if (ofRequests.length === 0) return untested('no row of any response contains a parent');
    const judgedLists = ofRequests.flatMap((each) => each.slice(0, 1));
    return passed({
      exchanges: judgedLists.length,
      rows: judgedLists.reduce((sum, { compared }) => sum + compared, 0),
      distinct: judgedLists.length,
      coverage: [{ of: 'catalogue nodes', looked: judgedLists.length }],
    });
  },
});

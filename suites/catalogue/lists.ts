/** What the rows of each list of group B contain: sections 1 and 2. */
import {
  CATALOGUE_GRAPH,
  countableFor,
  type Input,
  type OperationKey,
  operationsOf,
} from '../../src/contract/index.ts';
import { ITEMS, isId, itemsOf, nodeKey, nodeSteps } from '../../src/rule/catalogue-walk.ts';
import {
  addRow,
  editAll,
  type Finding,
  findingIn,
  findingsAt,
  isReadable,
  isValue,
  type JudgeContext,
  listNeeds,
  needsOf,
  quoteSelector,
  type Reading,
  tally,
} from '../../src/rule/index.ts';
import { listRequests, nodeListRequests } from '../../src/rule/list-requests.ts';
import { firstOfRequests, type ListComparison, listsRule, rowCountsRule } from '../../src/rule/lists-rule.ts';

const FIELDS = ['id', 'name', 'date'] as const;
const folds = { id: tally('id'), name: tally('name'), date: tally('date') };

interface Judged extends ListComparison {
  readonly distinct: number;
}

/** Judges the rows of one list; none if it has none. */
function judgeList(
  reading: Reading<typeof folds>,
  { subject, declarations }: JudgeContext,
  isExample: boolean,
): Judged[] {
  const rows = reading.observation?.rows ?? 0;
  const fields = FIELDS.filter((each) => declarations.selector(subject, each) !== undefined);
  const isNameless = fields.every((each) => reading.folds[each].values === 0);
  // One row without a name may be the message of a service that returns errors as 200.
  if (rows === 0 || (!isExample && rows === 1 && isNameless)) return [];
  const compared = { reading, rows, about: nodeKey(reading) };
  const since = isExample ? {} : ({ since: '0.2.0' } as const);
  const findings: Finding[] = [];
  for (const field of fields) {
    const { values, unconverted, firstGaps, firstUnconverted } = reading.folds[field];
    const expected = `${field} at ${quoteSelector(subject, declarations.selector(subject, field))}`;
    const declared = declarations.converter(subject, field) !== undefined;
    if (unconverted > 0 && values === 0 && !declared && findings.length === 0) {
      const doubt = `no ${expected} could be converted (${firstUnconverted[0]?.message}): set its converter with \`as\``;
      return [{ ...compared, distinct: 0, unread: doubt }];
    }
    if (values === 0 && field !== 'date' && isNameless) {
      const missing = findingIn(reading, 'names-missing', expected, `missing in all ${rows} rows`, since);
      return [{ ...compared, distinct: 0, findings: [missing] }];
    }
    const locations = [...(declarations.required(subject, field) ? firstGaps : []), ...firstUnconverted];
    if (declared || values > 0 || findings.length === 0)
      findings.push(
        ...findingsAt(reading, `${expected}, in every row`, locations).map((each) => ({ ...each, ...since })),
      );
  }
  return [{ ...compared, findings, distinct: Math.max(...fields.map((each) => reading.folds[each].distinct)) }];
}

export const listed = listsRule({
  id: 'B.metadata-listed',
  statement: 'B.metadata',
  basis: 'stated',
  since: '0.1.0',
  demands: 'The operation returns the metadata that its name states.',
  how: 'In each list that any rule received, each row must contain the id or name that the profile binds. A required field must be present in every row, and its converter must accept every value. An empty list is not judged.',
  looksLike:
    'A server that returns the message of an error as one row with status 200 looks like this violation, which is legal; a single row without id and name is judged for the example ids only.',
  subjects: operationsOf('B'),
  needs: (subject) => needsOf(subject, 'request', 'inputs.catalogueId', 'rows', ['fields.id', 'fields.name']),
  repeat: 'inconclusive',
  requests(subject, declarations) {
    const { list, ...nodes } = nodeListRequests(subject, declarations);
    return { ...(list && { list: { ...list, folds } }), ...nodes };
  },
  folds: () => folds,
  isSteady: true,
  basisOfFindings: 'profile',
  compare(received, context, { list = [] }) {
    const examples = new Set(list.map(nodeKey));
    const lists = [...(list as typeof received), ...received].filter(isReadable);
    const judged = [...new Map(lists.map((each) => [each.exchange, each])).values()].flatMap((each) =>
      judgeList(each, context, examples.has(nodeKey(each))),
    );
    // What cannot be converted matters in the example lists, or if it cannot in any list.
    const isSound = judged.some(({ findings }) => findings?.length === 0);
    const doubtful = judged.filter(
      ({ unread, about = '' }) => unread !== undefined && (!isSound || examples.has(about)),
    );
    return [
      ...judged,
      ...doubtful.map(({ reading, unread }) => ({ reading, rows: 0, distinct: 0, doubt: String(unread) })),
    ];
  },
  nothing: 'no list with rows was received',
  evidence(compared) {
    const lists = firstOfRequests(compared);
    return {
      exchanges: lists.length,
      rows: lists.reduce((sum, { rows }) => sum + rows, 0),
      distinct: Math.max(...lists.map(({ distinct }) => distinct)),
    };
  },
  counterexample: (list) => editAll([list], { id: null, name: null })[0] ?? list,
});

/** Whether all rows of a list have one id, but different names. */
const hasOneId = (list: Reading): boolean =>
  new Set(itemsOf(list).map(({ id }) => id)).size === 1 && new Set(itemsOf(list).map(({ name }) => name)).size > 1;

/** The first row that repeats the id, or else the name, of an earlier one. */
function findingsFor(list: Reading): Finding[] {
  const items = itemsOf(list).map(({ id, name }) => id ?? name);
  const texts = items.map((item) => (isId(item) ? String(item) : undefined));
  const first = new Map(texts.map((text, at) => [text, at] as const).toReversed());
  const row = texts.findIndex((text, at) => text !== undefined && first.get(text) !== at);
  const actual = `row ${row}: ${JSON.stringify(items[row])} occurs a second time`;
  return row < 0 ? [] : [findingIn(list, 'repeated', 'each item once', actual, { row })];
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
  isStated: ({ itemsOnce }, subject) => itemsOnce(subject),
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

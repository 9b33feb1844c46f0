/** Each operation returns the metadata that its name states: sections 1 and 2. */
import { operationsOf } from '../../src/contract/index.ts';
import { nodeKey } from '../../src/rule/catalogue-walk.ts';
import {
  editAll,
  type Finding,
  findingIn,
  findingsAt,
  isReadable,
  type JudgeContext,
  needsOf,
  quoteSelector,
  type Reading,
  tally,
} from '../../src/rule/index.ts';
import { nodeListRequests } from '../../src/rule/list-requests.ts';
import { firstOfRequests, type ListComparison, listsRule } from '../../src/rule/lists-rule.ts';

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

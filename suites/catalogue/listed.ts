/** Each operation returns the metadata that its name states: sections 1 and 2. */
import type { OperationKey } from '../../src/contract/index.ts';
import { nodeKey } from '../../src/rule/catalogue-walk.ts';
import {
  type Declarations,
  defineRule,
  editAll,
  type Finding,
  failed,
  findingsAt,
  inconclusive,
  isOk,
  openingOf,
  passed,
  quoteSelector,
  type Reading,
  type Steps,
  step,
  type Tally,
  tally,
  untested,
} from '../../src/rule/index.ts';
import { nodeListRequests } from '../../src/rule/list-requests.ts';
import { requiredInputs } from '../../src/rule/served-steps.ts';
import { all } from './metadata.ts';

type Judged =
  | { readonly reading: Reading; readonly findings: readonly Finding[]; readonly distinct: number }
  | { readonly reading: Reading; readonly doubt: string };

/** Judges the rows of one list; undefined if it has none. */
function judgeList(
  reading: Reading,
  subject: OperationKey,
  declarations: Declarations,
  isExample: boolean,
): Judged | undefined {
  const rows = reading.observation?.rows ?? 0;
  const tallyOf = (field: 'id' | 'name' | 'date') => reading.folds[field] as Tally;
  const fields = (['id', 'name', 'date'] as const).filter((each) => declarations.selector(subject, each) !== undefined);
  const isNameless = fields.every((each) => tallyOf(each).values === 0);
  // One row without a name may be the message of a service that returns errors as 200.
  if (rows === 0 || (!isExample && rows === 1 && isNameless)) return undefined;
  const findings: Finding[] = [];
  const since = isExample ? {} : ({ since: '0.2.0' } as const);
  for (const field of fields) {
    const { values, unconverted, firstGaps, firstUnconverted } = tallyOf(field);
    const expected = `${field} at ${quoteSelector(subject, declarations.selector(subject, field))}`;
    const declared = declarations.converter(subject, field) !== undefined;
    if (unconverted > 0 && values === 0 && !declared && findings.length === 0) {
      const doubt = `no ${expected} could be converted (${firstUnconverted[0]?.message}): set its converter with \`as\``;
      return { reading, doubt };
    }
    if (values === 0 && field !== 'date' && isNameless) {
      const actual = `missing in all ${rows} rows`;
      const { exchange } = reading;
      return { reading, distinct: 0, findings: [{ kind: 'names-missing', expected, actual, exchange, ...since }] };
    }
    const locations = [...(declarations.required(subject, field) ? firstGaps : []), ...firstUnconverted];
    if (declared || values > 0 || findings.length === 0)
      findings.push(
        ...findingsAt(reading, `${expected}, in every row`, locations).map((each) => ({ ...each, ...since })),
      );
  }
  return { reading, findings, distinct: Math.max(...fields.map((each) => tallyOf(each).distinct)) };
}

export const listed = defineRule<Steps>({
  id: 'B.metadata-listed',
  statement: 'B.metadata',
  basis: 'stated',
  since: '0.1.0',
  demands: 'The operation returns the metadata that its name states.',
  how: 'In each list that any rule received, each row must contain the id or name that the profile binds. A required field must be present in every row, and its converter must accept every value. An empty list is not judged.',
  looksLike:
    'A server that returns the message of an error as one row with status 200 looks like this violation, which is legal; a single row without id and name is judged for the example ids only.',
  subjects: all,
  needs: (subject) => [
    openingOf(subject, 'request'),
    openingOf(subject, 'inputs.catalogueId'),
    openingOf(subject, 'rows'),
    [openingOf(subject, 'fields.id'), openingOf(subject, 'fields.name')],
  ],
  repeat: 'inconclusive',
  probe(subject, declarations) {
    const folds = { id: tally('id'), name: tally('name'), date: tally('date') };
    const { list, ...nodes } = nodeListRequests(subject, declarations);
    return {
      ...(list && { list: { ...list, folds } }),
      ...nodes,
      all: step({ operation: subject, inputs: requiredInputs(subject), accepts: 'any', fromAllRules: 'lists', folds }),
    };
  },
  counterexample: ({ list = [], all: others = [] }) => ({
    list: editAll(list, { id: null, name: null }),
    all: editAll(others, { id: null, name: null }),
  }),
  judge(seen, { subject, declarations }) {
    const example = new Set((seen.list ?? []).map(nodeKey));
    const readings = [...(seen.list ?? []), ...(seen.all ?? [])];
    const judged = [...new Map(readings.map((each) => [each.exchange, each])).values()]
      .filter((each) => isOk(each) && !each.observation?.problem)
      .flatMap((each) => judgeList(each, subject, declarations, example.has(nodeKey(each))) ?? []);
    const ofRequests = [...Map.groupBy(judged, ({ reading }) => nodeKey(reading)).values()];
    const isWrong = (each: Judged) => 'findings' in each && each.findings.length > 0;
    const steady = ofRequests.filter((each) => each.every(isWrong)).flat();
    if (steady.length > 0)
      return failed(
        steady.flatMap((each) => ('findings' in each ? each.findings : [])),
        'profile',
      );
    const sound = judged.filter((each) => 'findings' in each && each.findings.length === 0);
    const [wrong] = judged.filter(isWrong);
    if (wrong && 'findings' in wrong)
      return inconclusive(`${wrong.findings[0]?.actual}, but not in each response to the request`);
    const doubtful = judged.find(
      (each) => 'doubt' in each && (sound.length === 0 || example.has(nodeKey(each.reading))),
    );
    if (doubtful && 'doubt' in doubtful) return inconclusive(doubtful.doubt);
    const lists = ofRequests.flatMap(([first]) => (first && 'distinct' in first ? [first] : []));
    if (lists.length === 0) return untested('no list with rows was received');
    return passed({
      exchanges: lists.length,
      rows: lists.reduce((sum, { reading }) => sum + (reading.observation?.rows ?? 0), 0),
      distinct: Math.max(...lists.map(({ distinct }) => distinct)),
    });
  },
});

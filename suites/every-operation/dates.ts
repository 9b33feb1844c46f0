/** Every date is written as the profile says. The document shows no format (section 2). */
import { FIELDS, type Field, OPERATIONS, type OperationKey, operationOf } from '../../src/contract/index.ts';
import {
  type Declarations,
  editAll,
  editValues,
  findingsAt,
  needsOf,
  quoteSelector,
  type Reading,
  type Tally,
  tally,
  tallyOnce,
  unreadable,
} from '../../src/rule/index.ts';
import { type ListComparison, listsRule } from '../../src/rule/lists-rule.ts';

/** The dates that responses of an operation may contain. */
const datesOf = (subject: OperationKey): Field[] =>
  operationOf(subject).fields.filter((field) => FIELDS[field].kind === 'date');

/** The dates that the profile reads in the responses of an operation. */
const boundDates = (subject: OperationKey, { selector }: Declarations): Field[] =>
  datesOf(subject).filter((field) => selector(subject, field) !== undefined);

/** The dates of one field in a response, with those that are not accepted; a date that is read once has no row. */
function datesIn(reading: Reading, field: Field, expected: string): ListComparison {
  const once = tallyOnce(reading, field);
  const { values, firstUnconverted } = once ?? (reading.folds[field] as Tally);
  const findings = findingsAt(reading, expected, firstUnconverted).map(({ row, actual, ...each }) =>
    once
      ? { ...each, actual: actual.replace(/^row \d+: /, '') }
      : { ...each, actual, ...(row !== undefined && { row }) },
  );
  return { reading, rows: values, findings, ...(values === 0 && { unread: true }) };
}

/** The dates of one field in all responses. Where none is accepted, the profile may lack the converter. */
function compareField(field: Field, lists: readonly Reading[], declarations: Declarations): readonly ListComparison[] {
  const [{ operation } = {}] = lists;
  if (operation === undefined) return [];
  const at = quoteSelector(operation, declarations.selector(operation, field));
  const found = lists.map((each) => datesIn(each, field, `a date as the profile reads it at ${at}`));
  if (declarations.converter(operation, field) !== undefined || found.some(({ rows }) => rows > 0)) return found;
  return found.map(({ findings: [first] = [], ...each }) => {
    const doubt = `no date at ${at} could be converted (${first?.actual}): set its converter with \`as\``;
    return { ...each, ...(first && { doubt }) };
  });
}

export const dates = listsRule({
  id: 'every.dates',
  demands: 'Every date of a response is written as the profile says, with `as` and `match` of its field.',
  how: [
    'In every response that any rule received to a valid request, each date that the profile reads must match its pattern and be accepted by its converter.',
    'A missing date is not judged.',
    'If no date of a field is accepted and the profile names no converter, the result is inconclusive.',
  ],
  looksLike: [
    'A service that writes one date in several notations is legal; its profile then names a converter that reads all of them, and no `match`.',
    'Texts that mean “no date” are legal, too: the profile lists them in `missing`.',
  ],
  subjects: OPERATIONS.map(({ key }) => key).filter((key) => datesOf(key).length > 0),
  // Where the profile reads no date, there is nothing to judge, so that no date is an opening that the rule needs.
  needs: (subject) => needsOf(subject, 'request'),
  isBound: (subject, declarations) => boundDates(subject, declarations).length > 0,
  folds: (subject, declarations) =>
    Object.fromEntries(boundDates(subject, declarations).map((field) => [field, tally(field)])),
  compare: (lists, { subject, declarations }) =>
    boundDates(subject, declarations).flatMap((field) => compareField(field, lists, declarations)),
  nothing: 'no response contains a date where the profile reads it',
  evidence: (compared, lists) => ({
    exchanges: lists.length,
    rows: compared.reduce((sum, { rows }) => sum + rows, 0),
    distinct: 0,
  }),
  counterexample(list, { subject, declarations }) {
    const fields = boundDates(subject, declarations);
    const wrong = unreadable('tomorrow');
    const inRows = editAll([list], Object.fromEntries(fields.map((field) => [field, wrong])));
    return editValues(inRows, Object.fromEntries(fields.map((field) => [field, [wrong]])))[0] ?? list;
  },
});

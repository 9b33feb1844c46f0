/** Every date is written as the profile says. The document shows no format (section 2). */
import { FIELDS, type Field, OPERATIONS, type OperationKey, operationOf } from '../../src/contract/index.ts';
import {
  type Declarations,
  defineRule,
  editAll,
  editValues,
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
  tallyOnce,
  unreadable,
  untested,
} from '../../src/rule/index.ts';
import { listRequests } from '../../src/rule/list-requests.ts';
import { requiredInputs } from '../../src/rule/served-steps.ts';

/** The dates that responses of an operation may contain. */
const datesOf = (subject: OperationKey): Field[] =>
  operationOf(subject).fields.filter((field) => FIELDS[field].kind === 'date');

/** The dates that the profile reads in the responses of an operation. */
const boundDates = (subject: OperationKey, declarations: Declarations): Field[] =>
  datesOf(subject).filter((field) => declarations.selector(subject, field) !== undefined);

/** The dates of one field in a response, with those that are not accepted; a date that is read once has no row. */
function datesIn(reading: Reading, field: Field, expected: string) {
  const once = tallyOnce(reading, field);
  const { values, firstUnconverted } = once ?? (reading.folds[field] as Tally);
  const findings = findingsAt(reading, expected, firstUnconverted);
  if (!once) return { values, findings };
  return {
    values,
    findings: findings.map(({ row: _, ...each }) => ({ ...each, actual: each.actual.replace(/^row \d+: /, '') })),
  };
}

export const dates = defineRule<Steps>({
  id: 'every.dates',
  statement: 'operation.served',
  basis: 'profile',
  since: '0.2.0',
  demands: 'Every date of a response is written as the profile says, with `as` and `match` of its field.',
  how: 'In every response that any rule received to a valid request, each date that the profile reads must match its pattern and be accepted by its converter. A missing date is not judged. If no date of a field is accepted and the profile names no converter, the result is inconclusive.',
  looksLike:
    'A service that writes one date in several notations is legal; its profile then names a converter that reads all of them, and no `match`. Texts that mean “no date” are legal, too: the profile lists them in `missing`.',
  subjects: OPERATIONS.map(({ key }) => key).filter((key) => datesOf(key).length > 0),
  // Where the profile reads no date, there is nothing to judge, so that no date is an opening that the rule needs.
  needs: (subject) => [openingOf(subject, 'request')],
  probe(subject, declarations): Steps {
    const fields = boundDates(subject, declarations);
    if (fields.length === 0) return {};
    return {
      ...listRequests(subject, declarations),
      all: step({
        operation: subject,
        inputs: requiredInputs(subject),
        accepts: 'any',
        fromAllRules: 'lists',
        folds: Object.fromEntries(fields.map((field) => [field, tally(field)])),
      }),
    };
  },
  counterexample({ all }, { subject, declarations }) {
    const wrong = boundDates(subject, declarations).map((field) => [field, unreadable('tomorrow')]);
    const inRows = editAll(all, Object.fromEntries(wrong));
    return { all: editValues(inRows, Object.fromEntries(wrong.map(([field, cell]) => [field, [cell]]))) };
  },
  judge(seen, { subject, declarations }) {
    const readings = (seen.all ?? []).filter((each) => isOk(each) && !each.observation?.problem);
    const found = boundDates(subject, declarations).map((field) => {
      const at = quoteSelector(subject, declarations.selector(subject, field));
      const ofResponses = readings.map((each) => datesIn(each, field, `a date as the profile reads it at ${at}`));
      const values = ofResponses.reduce((sum, each) => sum + each.values, 0);
      const findings = ofResponses.flatMap((each) => each.findings);
      return { at, values, findings, isKnown: values > 0 || declarations.converter(subject, field) !== undefined };
    });
    const findings = found.flatMap((each) => (each.isKnown ? each.findings : []));
    if (findings.length > 0) return failed(findings);
    const unknown = found.find((each) => each.findings.length > 0);
    if (unknown)
      return inconclusive(
        `no date at ${unknown.at} could be converted (${unknown.findings[0]?.actual}): set its converter with \`as\``,
      );
    const values = found.reduce((sum, each) => sum + each.values, 0);
    if (values === 0) return untested('no response contains a date where the profile reads it');
    return passed({ exchanges: readings.length, rows: values });
  },
});

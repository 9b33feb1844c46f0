/** Every value that the profile marks required is there. The document shows no required fields (section 2). */
import {
  type Field,
  hasRequiredRule,
  listOperations,
  OPERATIONS,
  type OperationKey,
  operationOf,
  SALES_FILTERS,
} from '../../src/contract/index.ts';
import {
  combine,
  type Declarations,
  defineRule,
  editAll,
  editValues,
  fieldDemand,
  isReadable,
  judgeTally,
  openingOf,
  type Reading,
  type Steps,
  type Tally,
  tally,
  tallyOnce,
  untested,
} from '../../src/rule/index.ts';
import { receivedLists } from '../../src/rule/list-requests.ts';

/** The fields that no other rule judges as required. */
const fieldsOf = (subject: OperationKey): Field[] =>
  operationOf(subject).fields.filter((field) => !hasRequiredRule(subject, field));

const requiredFields = (subject: OperationKey, declarations: Declarations): Field[] =>
  fieldsOf(subject).filter((field) => declarations.required(subject, field));

const boundFields = (subject: OperationKey, { selector }: Declarations): readonly Field[] =>
  operationOf(subject).fields.filter((field) => selector(subject, field) !== undefined);

/** The fields whose values show that a response is about an item; a message may have a date and a market, too. */
const itemFields = (subject: OperationKey, declarations: Declarations): readonly Field[] =>
  boundFields(subject, declarations).filter((field) => field !== 'asOf' && field !== 'market');

/** The counts of a field: of the rows or, where the profile reads no rows, of the response. */
const tallyOf = (reading: Reading, field: Field, readsRows: boolean): Tally =>
  (readsRows ? undefined : tallyOnce(reading, field)) ?? (reading.folds[field] as Tally);

/** The rows of a filtered list may have fewer members. */
const isFiltered = ({ inputs }: Reading): boolean =>
  [...SALES_FILTERS, 'categoryId' as const].some((filter) => inputs[filter] !== undefined);

export const fieldsRequired = defineRule<Steps>({
  id: 'every.required-fields',
  statement: 'operation.served',
  demands: 'Every row, or the response, contains each value that the profile marks `required`.',
  how: [
    'In every response that any rule received to a valid request without a filter, each field that the profile marks required must be in every row, or in the response if it is read there once.',
    'Fields for which another rule demands this are left out.',
    'A single row, or a response, without any value that the profile reads is not judged.',
  ],
  looksLike: [
    'A service that returns an error as one row with status 200 is legal and looks like this violation; a row without any value is therefore not judged, and the profile calls others a `refusal`.',
    'A service whose rows may lack a value does not mark it required.',
  ],
  subjects: OPERATIONS.map(({ key }) => key).filter((key) => fieldsOf(key).length > 0),
  promise: 'operations.….response.fields.….required',
  needs: () => [],
  unjudged(subject, declarations) {
    if (requiredFields(subject, declarations).length === 0) return undefined;
    return declarations.isFilled(openingOf(subject, 'request'))
      ? 'no other value of the response is read, so that one without it may be a message'
      : 'the profile states no valid request';
  },
  probe(subject, declarations): Steps {
    const isAlone = !listOperations().includes(subject) && itemFields(subject, declarations).length < 2;
    const isStated =
      requiredFields(subject, declarations).length > 0 && declarations.isFilled(openingOf(subject, 'request'));
    const folds = Object.fromEntries(boundFields(subject, declarations).map((field) => [field, tally(field)]));
    return isStated && !isAlone ? { all: receivedLists(subject, folds) } : {};
  },
  counterexample({ all }, { subject, declarations }) {
    const [field = 'id'] = requiredFields(subject, declarations);
    return { all: editValues(editAll(all, { [field]: null }), { [field]: [] }) };
  },
  judge(seen, context) {
    const { subject, declarations } = context;
    const readsRows = declarations.isFilled(openingOf(subject, 'rows'));
    const ofItem = itemFields(subject, declarations);
    // One row, or a response, without any value may be the message of a service that returns errors as 200.
    const isMessage = (reading: Reading): boolean =>
      (reading.observation?.rows ?? 0) <= 1 && ofItem.every((field) => tallyOf(reading, field, readsRows).values === 0);
    const readings = (seen.all ?? []).filter((each) => isReadable(each) && !isFiltered(each) && !isMessage(each));
    if (readings.length === 0) return untested('no response contains values');
    const demands = requiredFields(subject, declarations).map((field) =>
      fieldDemand(context, field, `${field} in every row, as the profile states`),
    );
    return combine(
      readings.flatMap((reading) =>
        demands.map((demand) => judgeTally(reading, tallyOf(reading, demand.field, readsRows), demand)),
      ),
    );
  },
});

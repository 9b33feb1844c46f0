/** Bodies match the schemas of the profile, and values are there and written as it says. The document shows neither (section 2). */
import {
  FIELDS,
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
  decide,
  defineRule,
  editAll,
  editValues,
  type Finding,
  fieldDemand,
  findingIn,
  findingsAt,
  inconclusive,
  isBlocking,
  isOk,
  isReadable,
  judgeTally,
  needsOf,
  notApplicable,
  quoteSelector,
  type Reading,
  type Step,
  type Steps,
  step,
  type Tally,
  tally,
  tallyOnce,
  unreadable,
  untested,
} from '../../src/rule/index.ts';
import { receivedLists } from '../../src/rule/list-requests.ts';
import { type ListComparison, listsRule } from '../../src/rule/lists-rule.ts';
import { requiredInputs } from '../../src/rule/served.ts';

/** The dates that responses of an operation may contain. */
const datesOf = (subject: OperationKey): Field[] =>
  operationOf(subject).fields.filter((field) => FIELDS[field].kind === 'date');

const boundFields = (subject: OperationKey, { selector }: Declarations): readonly Field[] =>
  operationOf(subject).fields.filter((field) => selector(subject, field) !== undefined);

/** The dates that the profile reads in the responses of an operation. */
const boundDates = (subject: OperationKey, declarations: Declarations): readonly Field[] =>
  boundFields(subject, declarations).filter((field) => FIELDS[field].kind === 'date');

const talliesOf = (fields: readonly Field[]) => Object.fromEntries(fields.map((field) => [field, tally(field)]));

/** The dates of one field in a response, with those that are not accepted; a date that is read once has no row. */
function datesIn(reading: Reading, field: Field, expected: string): ListComparison {
  const once = tallyOnce(reading, field);
  const { values, firstUnconverted } = once ?? (reading.folds[field] as Tally);
  const findings = findingsAt(reading, expected, firstUnconverted).map(({ row, ...each }) =>
    once ? { ...each, actual: each.actual.replace(/^row \d+: /, '') } : { ...each, row: row as number },
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
  isStated: (declarations, subject) => boundDates(subject, declarations).length > 0,
  folds: (subject, declarations) => talliesOf(boundDates(subject, declarations)),
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

/** The fields that no other rule judges as required. */
const fieldsOf = (subject: OperationKey): Field[] =>
  operationOf(subject).fields.filter((field) => !hasRequiredRule(subject, field));

const requiredFields = (subject: OperationKey, declarations: Declarations): Field[] =>
  fieldsOf(subject).filter((field) => declarations.required(subject, field));

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
  isStated: (declarations, subject) => requiredFields(subject, declarations).length > 0,
  unjudged: (subject, declarations) =>
    declarations.binds(subject, 'request')
      ? 'no other value of the response is read, so that one without it may be a message'
      : 'the profile states no valid request',
  probe(subject, declarations): Steps {
    const isAlone = !listOperations().includes(subject) && itemFields(subject, declarations).length < 2;
    const folds = talliesOf(boundFields(subject, declarations));
    return declarations.binds(subject, 'request') && !isAlone ? { all: receivedLists(subject, folds) } : {};
  },
  counterexample({ all }, { subject, declarations }) {
    const [field = 'id'] = requiredFields(subject, declarations);
    return { all: editValues(editAll(all, { [field]: null }), { [field]: [] }) };
  },
  judge(seen, context) {
    const { subject, declarations } = context;
    const readsRows = declarations.binds(subject, 'rows');
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

const findingsOf = (reading: Reading): Finding[] =>
  (reading.schema?.breaches ?? []).map(({ at, keyword, demand, expected, actual, stated, schema, page }) => {
    const of = stated === 'refusal' ? 'a refusal' : `status ${stated}`;
    const demanded = `the body at ${at === '' ? 'its root' : at} ${expected}, as ${schema} states for ${of} (${keyword})`;
    return findingIn(reading, `${stated}-${demand}`, demanded, `${actual}${page ? `, on page ${page}` : ''}`);
  });

/** A breach for the counterexample. */
const WRONG = { at: '/x', keyword: 'type', demand: '#/x/type', expected: 'must be string', actual: '1' };
const BREACH = { ...WRONG, schema: 'it', stated: '200' };

export const bodySchemas = defineRule({
  id: 'every.body-schema',
  statement: 'operation.served',
  since: '0.1.0',
  demands: 'The body of each response to a valid request matches the schema that the profile states for the status.',
  how: [
    'Every response that any rule received to a valid request of the operation, with all its pages, is validated against the schema stated for its status, its status class or default, also the refusal of an unknown id or UPC.',
    'A response whose status has no schema is not judged, nor a status of proxies and limits (401, 403, 407, 413, 429, 502, 503, 504 and the like) that the profile does not name itself.',
  ],
  looksLike:
    'A server behind a proxy that sends HTML pages with errors of its own is legal and looks like this violation; the statuses that proxies send are therefore compared with a schema for exactly this status only.',
  subjects: OPERATIONS.map((each) => each.key),
  promise: 'operations.….response.schemas',
  needs: () => [],
  isStated: ({ statesSchemas }, subject) => statesSchemas(subject),
  unjudged: () => 'the profile states no valid request, so no response is validated',
  probe(operation, { binds, unknownUpc }): { [name: string]: Step } {
    if (!binds(operation, 'request')) return {};
    const valid = { operation, inputs: requiredInputs(operation), accepts: 'any' } as const;
    return {
      responses: step({ ...valid, fromAllRules: true }),
      refused: step({ ...valid, fromAllRules: 'withUnknown' }),
      // The response for an unknown product has a schema, too.
      ...(operation.includes('{upc}') && { unknown: step({ ...valid, inputs: { upc: { value: unknownUpc } } }) }),
    };
  },
  counterexample: ({ responses = [] }) => ({
    responses: responses.map(({ schema, ...each }) => ({
      ...each,
      ...(schema && { schema: { ...schema, breaches: [BREACH] } }),
    })),
  }),
  judge(seen, { subject, declarations }) {
    const responses = seen.responses ?? [];
    if (responses.length === 0)
      return untested('no valid request was sent, so the schemas of the profile were not checked');
    const known = new Set(responses.map(({ exchange }) => exchange));
    // A service may report an error as 200 without a statement of the profile about it.
    const refused = (seen.refused ?? []).filter((each) => !known.has(each.exchange) && !isOk(each));
    const findings = [
      ...responses.flatMap(findingsOf),
      ...refused.flatMap(findingsOf).map((each) => ({ ...each, since: '0.2.0' as const })),
    ];
    const unchecked = responses.find(({ schema }) => schema?.unchecked !== undefined);
    const judged = [...responses, ...refused].filter(
      ({ schema }) => (schema?.responses ?? 0) > 0 && schema?.unchecked === undefined,
    );
    const { length } = judged;
    return decide(
      { findings, doubt: unchecked && `${unchecked.exchange}: ${unchecked.schema?.unchecked}`, compared: length },
      {
        nothing: judgeUnvalidated(responses, (status) => isBlocking(status, declarations.statuses(subject))),
        evidence: { exchanges: length, rows: judged.reduce((sum, { schema }) => sum + (schema?.checked ?? 0), 0) },
      },
    );
  },
});

/** Why no response was validated: none has a status with a schema. */
function judgeUnvalidated(responses: readonly Reading[], isBlockingStatus: (status: number) => boolean) {
  const statuses = [...new Set(responses.flatMap(({ head }) => head?.status ?? []))];
  if (statuses.length === 0) return inconclusive(`no response: ${responses[0]?.failure ?? 'no request was sent'}`);
  const [blocking] = statuses.filter(isBlockingStatus);
  if (blocking !== undefined) return inconclusive(`status ${blocking} prevents a judgement`);
  return notApplicable(`the profile states no schema for status ${statuses.join(', ')}`);
}

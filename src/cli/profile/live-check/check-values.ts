/** Finds bindings that find no value, whose values do not convert, or that have the same value everywhere. */
import type { Field, OperationKey } from '../../../contract/index.ts';
import { FIELDS, placeOfField } from '../../../contract/index.ts';
import { counted, quoted } from '../../../format-values.ts';
import { isoDate } from '../../../profile/converters/index.ts';
import type { Profile } from '../../../profile/schema.ts';
import { type Cell, Unconverted } from '../../../reading/types.ts';
import { describeUnconverted } from '../../../rule/binding-doubts.ts';
import { bindingValuesIn, cellsIn, fieldPath, isFound, readResponses, textsOf } from './cells.ts';
import type { ReadResponse, Received, Remark } from './types.ts';

/** Fields that may have one value in all responses of a service. */
const MAY_BE_CONSTANT: readonly Field[] = [
  'market',
  'asOf',
  'state',
  'date',
  'grain',
  'percentChange',
  'parent',
  'parentItem',
];

/** The minimum number of equal values of a binding that is reported as constant. */
const MIN_VALUES = 5;

const describeAmount = (responses: readonly ReadResponse[], cells: readonly Cell[], isPerRow: boolean): string =>
  isPerRow
    ? `${counted(cells.length, 'row')} of ${counted(responses.length, 'response')}`
    : counted(responses.length, 'response');

/** A field of a list whose rows differ in it, or of single items that were requested by different inputs. */
function isConstant(
  responses: readonly ReadResponse[],
  operation: OperationKey,
  field: Field,
  isPerRow: boolean,
): boolean {
  if (MAY_BE_CONSTANT.includes(field)) return false;
  const values = responses.flatMap((each) => cellsIn(each, field)).filter(isFound);
  const texts = textsOf(responses, field);
  if (texts.size !== 1 || values.some((each) => each instanceof Unconverted)) return false;
  if (field === 'upc' || field === 'id' || field === 'jobId' || field === 'characteristics') {
    // Values that identify differ within one list, or between items that were requested by different inputs.
    if (responses.some(({ rows }) => rows.length > 2)) return true;
    const requested = new Set(responses.map(({ inputs }) => JSON.stringify(inputs)));
    return placeOfField(operation, field) === 'either' && requested.size > 2;
  }
  return isPerRow && values.length >= MIN_VALUES;
}

function checkField(operation: OperationKey, field: Field, at: string, responses: readonly ReadResponse[]): Remark[] {
  const cells = responses.flatMap((each) => cellsIn(each, field));
  const isPerRow = responses.some(({ rows }) => rows.some((row) => field in row));
  const path = fieldPath(operation, field);
  const amount = describeAmount(responses, cells, isPerRow);
  const doubt = (sentence: string): Remark[] => [{ kind: 'doubt', path, sentence }];
  // Without rows, a field of rows is not verified.
  if (cells.length === 0 && at.startsWith('@')) return [];
  const found = cells.filter(isFound);
  if (found.length === 0)
    return doubt(`${at} finds nothing in ${amount}; bind the member that contains the value, or delete the key`);
  const values = bindingValuesIn(responses).of(operation, field);
  if (values.unconverted > 0) return doubt(describeUnconverted(values));
  if (!isConstant(responses, operation, field, isPerRow)) return [];
  const [text = ''] = textsOf(responses, field);
  const value = FIELDS[field].kind === 'date' ? isoDate(Number(text)) : text;
  return doubt(
    `${at} has the value ${quoted(value)} in ${amount}; bind the member that differs, or delete the key: rules that compare it prove nothing`,
  );
}

/** Checks each binding against all values that were read. */
export function checkValues(profile: Profile, received: readonly Received[]): Remark[] {
  const remarks: Remark[] = [];
  for (const [key, declared] of Object.entries(profile.data.operations ?? {})) {
    const operation = key as OperationKey;
    const responses = readResponses(received, operation);
    if (responses.length === 0) continue;
    const problem = responses.find(({ observation }) => observation.problem)?.observation.problem;
    const path = ['operations', key, 'response', 'rows'];
    if (problem) {
      remarks.push({ kind: 'doubt', path, sentence: `a response cannot be read: ${problem.message}` });
      continue;
    }
    const hasRows = declared?.response?.rows !== undefined;
    if (hasRows && responses.every(({ rows }) => rows.length === 0))
      remarks.push({
        kind: 'unverified',
        path,
        sentence: `no row is in ${counted(responses.length, 'response')}, so the fields of rows are not verified`,
      });
    for (const [field, binding] of Object.entries(declared?.response?.fields ?? {})) {
      remarks.push(...checkField(operation, field as Field, String(binding.at), responses));
    }
    const breach = received.find((each) => each.operation === operation && each.breach)?.breach;
    if (breach)
      remarks.push({
        kind: 'doubt',
        path: ['operations', key, 'response', 'schemas', breach.stated],
        sentence: `a response violates the schema at ${breach.at || '/'}: expected ${breach.expected}, found ${breach.actual}; correct the schema or the service`,
      });
  }
  return remarks;
}

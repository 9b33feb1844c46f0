/** Finds bindings that read another field: one of another level, an id in place of a name, or the same member twice. */
import { FIELDS, type Field, type OperationKey, operationsOf } from '../../../contract/index.ts';
import { counted } from '../../../format-values.ts';
import { exampleValuesOf } from '../../../profile/example-values.ts';
import type { Profile } from '../../../profile/schema.ts';
import { describeMismatch, LEVELS } from '../../../rule/binding-doubts.ts';
import { bindingValuesIn, fieldPath, readResponses } from './cells.ts';
import type { Received, Remark } from './types.ts';

const MIN_ROWS = 5;

/** Fields of one row that have the same value in every row, though they mean different things. */
const PAIRS = [
  ['subCategory', 'category'],
  ['manufacturer', 'brand'],
  ['manufacturer', 'category'],
  ['brand', 'category'],
  ['brand', 'subCategory'],
  ['manufacturer', 'subCategory'],
  ['sales12Weeks', 'sales4Weeks'],
  ['sales52Weeks', 'sales12Weeks'],
  ['sales52Weeks', 'sales4Weeks'],
  ['salesLastYear', 'sales52Weeks'],
  ['activeOn', 'changedOn'],
  ['firstActiveOn', 'changedOn'],
  ['firstActiveOn', 'activeOn'],
] as const satisfies (readonly [Field, Field])[];

/** Pairs of fields that are equal in every row of an operation, as remarks. */
export function checkEqualFields(received: readonly Received[], operation: OperationKey): Remark[] {
  const rows = readResponses(received, operation).flatMap((each) => each.rows);
  return PAIRS.flatMap(([field, other]): Remark[] => {
    const both = rows.filter((row) => {
      const [x, y] = [row[field], row[other]];
      return (typeof x === 'string' || typeof x === 'number') && (typeof y === 'string' || typeof y === 'number');
    });
    const differs = both.some((row) => row[field] !== row[other]);
    const values = new Set(both.map((row) => row[field]));
    if (differs || both.length < MIN_ROWS || values.size < 2) return [];
    return [
      {
        kind: 'doubt',
        path: fieldPath(operation, field),
        sentence: `the value equals ${other} in all of ${counted(both.length, 'row')}; bind ${FIELDS[field].means}, or delete the key`,
      },
    ];
  });
}

/** Checks what the values of each binding mean elsewhere. */
export function checkMeanings(profile: Profile, received: readonly Received[]): Remark[] {
  const responses = readResponses(received);
  const all = bindingValuesIn(responses);
  // The beginnings of two lists may have no value in common.
  const whole = bindingValuesIn(responses.filter(({ isComplete }) => isComplete));
  return [...operationsOf('C'), ...operationsOf('D')].flatMap((key) => {
    const fields = profile.data.operations?.[key]?.response?.fields ?? {};
    const doubts = LEVELS.filter((field) => field in fields).flatMap((field): Remark[] => {
      const known = exampleValuesOf(profile.data, field, { operation: key }).map(String);
      const sentence = describeMismatch(all, key, field, known, whole);
      return sentence === undefined ? [] : [{ kind: 'doubt', path: fieldPath(key, field), sentence }];
    });
    return [...checkEqualFields(received, key), ...doubts];
  });
}

/** Finds bindings that read another field: one of another level, an id in place of a name, or the same member twice. */
import { FIELDS, type Field, type OperationKey, operationNamed, SALES_FILTERS } from '../../../contract/index.ts';
import type { Profile } from '../../../profile/schema.ts';
import { countOf, fieldPath, quoteValue, readResponses, textsOf } from './cells.ts';
import type { Received, Remark } from './types.ts';

/** The fields whose values identify a place in the hierarchy of products. */
const LEVELS = ['categoryId', ...SALES_FILTERS] as const satisfies Field[];
type Level = (typeof LEVELS)[number];

const LIST_NAMES = [
  'allCategories',
  'allProducts',
  'products',
  'updateProducts',
  'performanceMetadata',
  'categoryPerformance',
  'brandPerformance',
] as const;

const MIN_VALUES = 3;
const MIN_ROWS = 5;

/** Reports a field whose values are those that another operation reads for another field. */
function checkLevel(received: readonly Received[], operation: OperationKey, field: Level): Remark[] {
  const values = [...textsOf(readResponses(received, operation), field)];
  if (values.length < MIN_VALUES) return [];
  const others = LIST_NAMES.map((name) => operationNamed(name).key).filter((key) => key !== operation);
  const isKnownAs = (as: Level, by: OperationKey): boolean => {
    const known = textsOf(readResponses(received, by), as);
    return values.filter((value) => known.has(value)).length >= values.length * 0.9;
  };
  // The other operations agree with the binding in at least one value: it is right, whatever else has such names.
  const agrees = others.some((by) => {
    const known = textsOf(readResponses(received, by), field);
    return values.some((value) => known.has(value));
  });
  if (agrees) return [];
  for (const as of LEVELS) {
    // A flat list of categories may contain sub-categories.
    if (as === field || (field === 'subCategory' && as === 'category')) continue;
    const by = others.find((each) => isKnownAs(as, each));
    if (by)
      return [
        {
          kind: 'doubt',
          path: fieldPath(operation, field),
          sentence: `the ${values.length} values, such as ${quoteValue(values[0] as string)}, are those that ${by} has as ${as}; bind ${FIELDS[field].means}`,
        },
      ];
  }
  return [];
}

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
        sentence: `the value equals ${other} in all of ${countOf(both.length, 'row')}; bind ${FIELDS[field].means}, or delete the key`,
      },
    ];
  });
}

/** Checks what the values of each binding mean elsewhere. */
export function checkMeanings(profile: Profile, received: readonly Received[]): Remark[] {
  return LIST_NAMES.flatMap((name) => {
    const { key } = operationNamed(name);
    const fields = profile.data.operations?.[key]?.response?.fields ?? {};
    return [
      ...LEVELS.filter((field) => field in fields).flatMap((field) => checkLevel(received, key, field)),
      ...checkEqualFields(received, key),
    ];
  });
}

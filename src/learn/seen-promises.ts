/** What answers show of the statements that only a person makes: they are written as comments, with what was seen. */
import {
  ALL_PRODUCTS,
  CATEGORY_PERFORMANCE,
  type Field,
  type OperationKey,
  PERFORMANCE_OPERATIONS,
  UPDATE_PRODUCTS,
} from '../contract/index.ts';
import type { Row } from '../reading/types.ts';
import { isChange } from './binding/figures.ts';
import { hasCheckDigit } from './binding/readings.ts';
import type { Learner } from './learner.ts';
import type { SeenPromise } from './types.ts';

/** By the number of days since 1970-01-01, modulo 7. */
export const WEEKDAYS = ['thursday', 'friday', 'saturday', 'sunday', 'monday', 'tuesday', 'wednesday'] as const;
const KINDS = {
  new: /new|add|insert|intro/i,
  changed: /chang|updat|modif/i,
  removed: /remov|delet|delist|drop/i,
} as const;
/** Fewer values show nothing. */
const MIN_VALUES = 5;

type Seen = (learner: Learner) => SeenPromise | undefined;

const rowsRead = (learner: Learner, key: OperationKey): readonly Row[] => learner.operation(key).rows;
const present = (rows: readonly Row[], field: Field): unknown[] =>
  rows.map((row) => row[field]).filter((each) => each !== undefined && each !== null);

function seen(
  path: SeenPromise['path'],
  value: unknown,
  fits: number,
  of: number,
  what: string,
): SeenPromise | undefined {
  return fits === of && of >= MIN_VALUES ? { path, value, seen: `${fits} of ${of} ${what}` } : undefined;
}

/** One row for each kind of promise that answers can show. */
const SEEN: readonly Seen[] = [
  (learner) => {
    const upcs = present(rowsRead(learner, ALL_PRODUCTS), 'upc');
    return seen(['upc', 'checkDigit'], true, upcs.filter(hasCheckDigit).length, upcs.length, 'UPCs');
  },
  (learner) => marketOf(learner, 'products', [ALL_PRODUCTS]),
  (learner) => marketOf(learner, 'performance', PERFORMANCE_OPERATIONS),
  (learner) => {
    const days = [...learner.operations.keys()]
      .map((key) => learner.valueOf(key, 'asOf'))
      .filter((day) => typeof day === 'number');
    const weekdays = new Set(days.map((day) => WEEKDAYS[day % 7]));
    return seen(
      ['dataWeek', 'endsOn'],
      [...weekdays][0],
      weekdays.size === 1 ? days.length : 0,
      days.length,
      'as-of dates',
    );
  },
  (learner) => {
    const kinds = [...new Set(present(rowsRead(learner, UPDATE_PRODUCTS), 'changeKind').map(String))];
    const byKind = Object.entries(KINDS).flatMap(([kind, words]) => {
      const values = kinds.filter((each) => words.test(each));
      return values.length > 0 ? [[kind, values] as const] : [];
    });
    const known = byKind.flatMap(([, values]) => values).length;
    const rows = rowsRead(learner, UPDATE_PRODUCTS).length;
    return seen(
      ['delta', 'kinds'],
      Object.fromEntries(byKind),
      known === kinds.length && known > 0 ? rows : 0,
      rows,
      'changes',
    );
  },
  (learner) => {
    const rows = numbersOf(rowsRead(learner, CATEGORY_PERFORMANCE), ['percentChange', 'sales52Weeks', 'salesLastYear']);
    const fits = rows.filter(([percent, now, before]) =>
      isChange(percent as number, now as number, before as number),
    ).length;
    return seen(['figures', 'percentChange', 'of'], 'sales52Weeks', fits, rows.length, 'rows');
  },
  (learner) => {
    const rows = numbersOf(rowsRead(learner, CATEGORY_PERFORMANCE), ['sales4Weeks', 'sales12Weeks', 'sales52Weeks']);
    const fits = rows.filter(
      ([four, twelve, year]) => (four as number) <= (twelve as number) && (twelve as number) <= (year as number),
    ).length;
    return seen(['figures', 'windowsOrdered'], true, fits, rows.length, 'rows');
  },
];

/** Rows in which all fields are numbers. */
const numbersOf = (rows: readonly Row[], fields: readonly Field[]): unknown[][] =>
  rows
    .map((row) => fields.map((field) => row[field]))
    .filter((each) => each.every((value) => typeof value === 'number'));

function marketOf(
  learner: Learner,
  part: 'products' | 'performance',
  keys: readonly OperationKey[],
): SeenPromise | undefined {
  const values = keys.flatMap((key) => present(rowsRead(learner, key), 'market'));
  const different = [...new Set(values)];
  return seen(['markets', part], different, different.length === 1 ? values.length : 0, values.length, 'rows');
}

/** The promises that answers show, beside those that requests tried to break. */
export const seenPromises = (learner: Learner): SeenPromise[] => SEEN.flatMap((each) => each(learner) ?? []);

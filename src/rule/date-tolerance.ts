/** How exactly two dates of a profile can be compared: section 8 leaves open what a date is and how it is written. */
import type { Field, OperationKey } from '../contract/index.ts';
import type { Declarations } from './declarations.ts';

/** A date that a profile reads. */
export interface DateField {
  readonly operation: OperationKey;
  readonly field: Field;
}

/** What a date is: a day, or the first or last day of a week, which an ISO week always is. */
function meaningOf({ operation, field }: DateField, { converter, dataWeek }: Declarations): string {
  if (converter(operation, field) === 'isoWeek') return 'isoWeek';
  return field === 'activeOn' || field === 'changedOn' || field === 'firstActiveOn'
    ? (dataWeek?.[field] ?? 'day')
    : 'day';
}

/**
 * The days by which two fields may differ if they show the same day: six if one of them shows the end or the beginning of its
 * week, and one more if they are written in two ways, such as a time in UTC.
 *
 * @example toleranceOf({ operation, field: 'changedOn' }, { operation, field: 'activeOn' }, declarations) // 6
 */
export function toleranceOf(one: DateField, other: DateField, declarations: Declarations): number {
  const [x, y] = [one, other].map(({ operation, field }) => declarations.converter(operation, field));
  const isOtherMeaning = meaningOf(one, declarations) !== meaningOf(other, declarations);
  return (isOtherMeaning ? 6 : 0) + (x === y ? 0 : 1);
}

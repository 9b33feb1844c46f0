/** Writes values that the suite composes from several places (`append`, `decimals`), the inverse of its composition. */
import type { FieldBinding } from '../../../src/profile/schema.ts';
import { bodyStepsOf, put, type WriteStep } from './write-path.ts';

/** Splits a text into `count` parts. The first part also has the separators that are one too many. */
function split(text: string, count: number, separator: string): string[] {
  const pieces = separator === '' ? [...text] : text.split(separator);
  const last = count === 1 ? [] : pieces.slice(1 - count);
  return [pieces.slice(0, pieces.length - last.length).join(separator), ...last];
}

/** The number of decimals of a figure if the response states that number in another member. */
const WRITTEN_DECIMALS = 2;

/** Shifts the decimal point of a number to the right; what is smaller than the last digit is rounded. */
const shiftPoint = (value: unknown, digits: number): unknown =>
  typeof value === 'number' ? Math.round(Number(`${value}e${digits}`)) : value;

/** Whether a value is not written at one place: it has several, or it is the name of a member. */
export const isComposed = ({ append, decimals, keys }: FieldBinding): boolean =>
  append !== undefined || decimals !== undefined || keys === true;

/** Puts a value, or its parts, where the selectors of its field find them; `steps` is the write path of the first part. */
export function putComposed(
  node: unknown,
  { append = [], separator = '', decimals }: FieldBinding,
  steps: readonly WriteStep[],
  value: unknown,
): unknown {
  if (value === undefined || value === null) return put(node, steps, value);
  if (typeof decimals === 'number') return put(node, steps, shiftPoint(value, decimals));
  if (decimals !== undefined)
    return put(put(node, steps, shiftPoint(value, WRITTEN_DECIMALS)), bodyStepsOf(decimals), WRITTEN_DECIMALS);
  if (append.length === 0) return put(node, steps, value);
  const [first, ...appended] = split(String(value), append.length + 1, separator);
  return append.reduce((result, at, nth) => put(result, bodyStepsOf(at), appended[nth]), put(node, steps, first));
}

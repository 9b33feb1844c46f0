/** Writes the values of fields with `append`, `decimals` and `keys`: the inverse of how the suite composes them. */
import type { FieldBinding } from '../../../src/profile/schema.ts';
import type { SelectorSource } from '../../../src/profile/selector.ts';
import { put, type WriteStep, writePathOf } from './write-path.ts';

const stepsOf = (at: SelectorSource): readonly WriteStep[] => {
  const place = writePathOf(at);
  return typeof place === 'string' || place.scope === 'header' ? [] : place.steps;
};

/** The parts of a text: the last ones are as short as possible. */
function split(text: string, count: number, separator: string): string[] {
  const pieces = separator === '' ? [...text] : text.split(separator);
  const last = count === 1 ? [] : pieces.slice(1 - count);
  return [pieces.slice(0, pieces.length - last.length).join(separator), ...last];
}

/** The number of decimals that is written if the profile reads it from another member. */
const WRITTEN_DECIMALS = 2;

const scaled = (value: unknown, digits: number): unknown =>
  typeof value === 'number' ? Number(`${value}e${digits}`) : value;

export const isComposed = ({ append, decimals, keys }: FieldBinding): boolean =>
  append !== undefined || decimals !== undefined || keys === true;

/** Puts a value where `at` and the other selectors of its field find it. */
export function putComposed(
  node: unknown,
  { append = [], separator = '', decimals }: FieldBinding,
  steps: readonly WriteStep[],
  value: unknown,
): unknown {
  if (value === undefined || value === null) return put(node, steps, value);
  if (typeof decimals === 'number') return put(node, steps, scaled(value, decimals));
  if (decimals !== undefined)
    return put(put(node, steps, scaled(value, WRITTEN_DECIMALS)), stepsOf(decimals), WRITTEN_DECIMALS);
  const [first, ...others] = split(String(value), append.length + 1, separator);
  return append.reduce((result, at, nth) => put(result, stepsOf(at), others[nth]), put(node, steps, first));
}

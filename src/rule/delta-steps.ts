import { type DeltaWeeks, type Field, LIMITS, UPDATE_PRODUCTS } from '../contract/index.ts';
import { extent, type FoldMap, maybe, type Reading, rows, type Step, step, tally, upcs } from './index.ts';

export const deltaStep = (weeks: DeltaWeeks) =>
  step({
    operation: UPDATE_PRODUCTS,
    inputs: { window: { value: weeks } },
    accepts: 'complete',
    folds: { upcs, dates: extent('changedOn'), all: tally('changedOn') },
  });

/** The delta of each window, as sides of a relation. */
export function deltas<F extends FoldMap>(fields: readonly Field[], folds: F, more: Pick<Step, 'alsoMatches'> = {}) {
  const delta = (weeks: DeltaWeeks) => maybe(rows(UPDATE_PRODUCTS, { weeks, fields, folds, ...more }));
  return { one: delta(1), four: delta(4), thirteen: delta(13) };
}

/** A requested window, and its reading. */
export interface DeltaWindow<R extends Reading> {
  readonly weeks: DeltaWeeks;
  readonly reading: R;
}

/** The requested windows of `deltas`, the smallest first. */
export const windowsIn = <R extends Reading>({
  one,
  four,
  thirteen,
}: Readonly<Record<'one' | 'four' | 'thirteen', R | undefined>>): DeltaWindow<R>[] =>
  [one, four, thirteen].flatMap((reading, at) =>
    reading ? [{ weeks: LIMITS.deltaWeeks[at] as DeltaWeeks, reading }] : [],
  );

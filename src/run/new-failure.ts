import type { RunComparison } from './comparison-types.ts';
import type { Result } from './types.ts';

/** Whether a failure is new: the baseline does not contain it, or its check cannot be compared. */
export const isNewFailure = (
  { target, rule, operation }: Result,
  { newFailures, notComparable }: RunComparison,
): boolean =>
  [...newFailures, ...notComparable].some(
    (each) => each.target === target && each.rule === rule && each.operation === operation,
  );

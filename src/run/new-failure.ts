import type { RunComparison } from './comparison-types.ts';
import type { Result } from './types.ts';

/** Whether the baseline does not have a failure, or cannot say. */
export const isNewFailure = (
  { target, rule, operation }: Result,
  { newFailures, notComparable }: RunComparison,
): boolean =>
  [...newFailures, ...notComparable].some(
    (each) => each.target === target && each.rule === rule && each.operation === operation,
  );

/** The plain requests of a list: without filters, and for each window of the delta. */
import { LIMITS, type OperationKey, UPDATE_PRODUCTS } from '../contract/index.ts';
import { type Steps, step } from './index.ts';
import { requiredInputs } from './served-steps.ts';

/** One step per plain request of a list; rules share them. A repetition of the rule sends them again. */
export function listRequests(subject: OperationKey): Steps {
  if (subject !== UPDATE_PRODUCTS)
    return { list: step({ operation: subject, inputs: requiredInputs(subject), accepts: 'any' }) };
  return Object.fromEntries(
    LIMITS.deltaWeeks.map((weeks) => [
      `list${weeks}`,
      step({ operation: subject, inputs: { window: { value: weeks } }, accepts: 'any' }),
    ]),
  );
}

/** The plain requests of a list: without filters, for each window of the delta, for each id that a walk finds. */
import { LIMITS, type OperationKey, operationOf, UPDATE_PRODUCTS } from '../contract/index.ts';
import { nodeSteps } from './catalogue-walk.ts';
import { type Declarations, type Step, type Steps, step } from './index.ts';
import { requiredInputs } from './served-steps.ts';

/** One step per plain request of a list; rules share them. A repetition of the rule sends them again. */
export function listRequests(subject: OperationKey, declarations: Declarations): Steps {
  if (subject !== UPDATE_PRODUCTS)
    return {
      list: step({ operation: subject, inputs: requiredInputs(subject), accepts: 'any' }),
      ...(operationOf(subject).group === 'B' && nodeSteps(subject, declarations)),
    };
  return Object.fromEntries(
    LIMITS.deltaWeeks.map((weeks) => [
      `list${weeks}`,
      step({ operation: subject, inputs: { window: { value: weeks } }, accepts: 'any' }),
    ]),
  );
}

/**
 * The requests of an operation of group B: for the example ids, and for those that the walk finds. Without the openings
 * of the walk the examples are necessary.
 */
export function nodeListRequests(subject: OperationKey, declarations: Declarations): Steps & { readonly list: Step } {
  const nodes = nodeSteps(subject, declarations);
  const inputs = requiredInputs(subject);
  const isOptional = Object.keys(nodes).length > 0;
  return {
    ...nodes,
    list: step({ operation: subject, inputs, accepts: 'content', ...(isOptional && { optional: true }) }),
  };
}

/** Requests that show whether an operation is served: the operation between two paths that cannot exist (section 4). */
import { type Input, OPEN_PARTS, type OperationKey, operationOf } from '../contract/index.ts';
import { controlPaths, type InputSource, step } from './index.ts';

/** Inputs that a request of an operation needs, without the optional filters of groups C and D. */
export function requiredInputs(operation: OperationKey): { [I in Input]?: InputSource } {
  const { name, group } = operationOf(operation);
  const inputs: readonly Input[] = OPEN_PARTS[name].inputs;
  if (group === 'D') return {};
  const required = inputs.filter((input) => input !== 'category' && input !== 'categoryId' && input !== 'window');
  return {
    ...Object.fromEntries(required.map((input) => [input, { example: input } satisfies InputSource])),
    ...(inputs.includes('window') && { window: { value: 4 } }),
  };
}

/** The operation and its two controls, in this order, so that values that change with time differ between the controls, too. */
export function servedSteps(operation: OperationKey, method?: string, path?: string) {
  const controls = controlPaths(operation, path);
  // A gateway may require credentials for an unknown path even where the documented one needs none.
  const isAlias = method !== undefined || path !== undefined;
  const request = (at: string | undefined) =>
    step({
      operation,
      inputs: requiredInputs(operation),
      variant: { ...(method && { method }), ...(at && { path: at }), ...(isAlias && { withCredentials: true }) },
      accepts: 'any',
      follow: false,
    });
  return { before: request(controls.before), tested: request(path), after: request(controls.after) };
}

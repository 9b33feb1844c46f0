/** Requests that ask whether an operation is served: the operation between two paths that cannot exist (section 4). */
import { type Input, OPEN_PARTS, type OperationKey, operationOf } from '../contract/index.ts';
import { controlPaths, type InputSource, step } from './index.ts';

/** Inputs an operation cannot be asked without; the optional filters of groups C and D stay out. */
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

/** The pair and its two controls, asked in this order so that what changes with time differs between the controls too. */
export function servedSteps(operation: OperationKey, method?: string, path?: string) {
  const controls = controlPaths(operation, path);
  // A gateway hides what needs no credentials too, once it goes by another form; with them it tells what is there.
  const isAlias = method !== undefined || path !== undefined;
  const ask = (at: string | undefined) =>
    step({
      operation,
      inputs: requiredInputs(operation),
      variant: { ...(method && { method }), ...(at && { path: at }), ...(isAlias && { withCredentials: true }) },
      wants: 'any',
      follow: false,
    });
  return { before: ask(controls.before), pair: ask(path), after: ask(controls.after) };
}

/** Finds bindings that probably read another value than their field, in the responses that a rule compares. */
import { INPUT_NAMES } from '../contract/index.ts';
import { type BindingValues, bindingDoubt } from '../rule/binding-doubts.ts';
import { type Declarations, quoteSelector, type Steps } from '../rule/index.ts';
import type { Unit } from './types.ts';
import { readsField } from './unknown-codes.ts';

/** Why a failure of a unit proves nothing; undefined if no binding that it reads is in doubt. */
export function doubtfulBindingReason(
  unit: Unit,
  steps: Steps,
  values: BindingValues,
  { examples, selector }: Declarations,
): string | undefined {
  for (const { operation, ...step } of Object.values(steps))
    for (const field of values.fieldsOf(operation)) {
      if (!readsField(unit, { operation, ...step }, field)) continue;
      const input = INPUT_NAMES.find((name) => name === field);
      const doubt = bindingDoubt(values, operation, field, input ? examples(input, { operation }).map(String) : []);
      if (doubt !== undefined)
        return `the profile probably reads another value as ${field} at ${quoteSelector(operation, selector(operation, field))}: ${doubt}`;
    }
  return undefined;
}

/** Values for the inputs of further requests: read by a binding of an earlier response, or examples of the profile. */
import type { Field, Input, OperationKey } from '../../../contract/index.ts';
import { exampleValuesOf } from '../../../profile/example-values.ts';
import type { Profile } from '../../../profile/schema.ts';
import type { InputValue } from '../../../profile/template.ts';
import type { Cell } from '../../../reading/types.ts';
import { cellsIn, fieldPath, readResponses } from './cells.ts';
import type { Received, ValueSource } from './types.ts';

export interface SourceValues {
  readonly source: ValueSource;
  readonly values: readonly InputValue[];
}

const isValue = (cell: Cell): cell is string | number => typeof cell === 'string' || typeof cell === 'number';

/** Different values of a field in these responses: the first, one in the middle and the last, at most `max`. */
export function valuesReadBy(
  received: readonly (Received | undefined)[],
  operation: OperationKey,
  field: Field,
  max: number,
): SourceValues | undefined {
  const responses = readResponses(
    received.filter((each) => each !== undefined),
    operation,
  );
  const values = [...new Set(responses.flatMap((each) => cellsIn(each, field)).filter(isValue))];
  if (values.length === 0) return undefined;
  const chosen = [values[0], values.at(-1), values[values.length >> 1]].filter((each) => each !== undefined);
  return { source: fieldPath(operation, field), values: [...new Set(chosen)].slice(0, max) };
}

/** The examples of an input for an operation, at most `max`. */
export function exampleValues(
  { data }: Profile,
  input: Input,
  max: number,
  operation?: OperationKey,
  catalogueId?: InputValue,
): SourceValues | undefined {
  const values = exampleValuesOf(data, input, { operation, catalogueId }).slice(0, max);
  return values.length === 0 ? undefined : { source: ['examples', input], values };
}

/** The inputs of the requests of a step. */
import type { Inputs, InputValue } from '../profile/template.ts';
import type { Row } from '../reading/types.ts';
import { type Declarations, hasInputs, type Reading, type Step } from '../rule/index.ts';

/**
 * The inputs of each request of a step.
 *
 * @param sourceReadings the readings of the step that supplies its values, if it runs once per row
 * @param drawn inputs that are requested in addition if a row has them
 */
export function stepInputs(
  step: Step,
  sourceReadings: readonly Reading[],
  declarations: Declarations,
  drawn: readonly Inputs[] = [],
): Inputs[] {
  const fixed: Record<string, InputValue> = {};
  for (const [input, source] of Object.entries(step.inputs ?? {})) {
    const value = 'value' in source ? source.value : declarations.examples(source.example)[source.nth ?? 0];
    if (value !== undefined) fixed[input] = value;
  }
  const { each } = step;
  if (!each) return [fixed];
  const rows: Row[] = [];
  // The inputs of a request apply to the rows of its response, too: a group belongs to the requested dimension.
  const inputsOfRow = new Map<Row, Inputs>();
  for (const reading of sourceReadings) {
    const firstNew = rows.length;
    const collected = each.fold
      ? (reading.folds[each.fold] as readonly Row[] | { readonly rows: readonly Row[] } | undefined)
      : undefined;
    rows.push(...(collected === undefined ? [] : 'rows' in collected ? collected.rows : collected));
    for (const field of Object.keys(each.as) as (keyof Row)[]) {
      for (const value of reading.observation?.values[field] ?? [])
        if (typeof value === 'string') rows.push({ [field]: value });
    }
    for (const row of rows.slice(firstNew)) inputsOfRow.set(row, reading.inputs);
  }
  const ordered = each.choose ? each.choose(rows) : rows;
  const isDrawn = (row: Row): boolean => {
    const values = Object.entries(each.as).map(([field, input]) => [input, row[field as keyof Row]] as const);
    return drawn.length > 0 && hasInputs(Object.fromEntries(values), drawn);
  };
  const others = ordered.slice(each.max).filter(isDrawn).slice(0, each.max);
  const chosen = [...ordered.slice(0, each.max), ...others];
  return chosen.flatMap((row) => {
    const rowInputs = Object.entries(each.as).flatMap(([field, input]) => {
      const value = row[field as keyof Row];
      return typeof value === 'string' || typeof value === 'number'
        ? [[input as string, inTypeOfExamples(value, declarations.examples(input))] as const]
        : [];
    });
    return rowInputs.length === 0 ? [] : [{ ...fixed, ...inputsOfRow.get(row), ...Object.fromEntries(rowInputs) }];
  });
}

/**
 * A value in the type of the examples: a number that was read as a text becomes a number if all examples are numbers,
 * because a service may accept only that type in a JSON body.
 */
function inTypeOfExamples(value: InputValue, examples: readonly InputValue[]): InputValue {
  if (examples.length === 0 || examples.some((each) => typeof each !== 'number')) return value;
  return String(Number(value)) === value ? Number(value) : value;
}

/** What each instance of a step is asked with. */
import type { Inputs, InputValue } from '../profile/template.ts';
import type { Row } from '../reading/types.ts';
import type { Declarations, Reading, Step } from '../rule/index.ts';

/**
 * The inputs of each instance of a step.
 *
 * @param drawn the readings of the step its values are drawn from, where it runs once per row
 */
export function stepInputs(step: Step, drawn: readonly Reading[], declares: Declarations): Inputs[] {
  const fixed: Record<string, InputValue> = {};
  for (const [input, source] of Object.entries(step.inputs ?? {})) {
    const value = 'value' in source ? source.value : declares.examples(source.example)[source.nth ?? 0];
    if (value !== undefined) fixed[input] = value;
  }
  const { each } = step;
  if (!each) return [fixed];
  const rows: Row[] = [];
  // What an answer was asked with holds for what is drawn from it: a group is a group of its dimension.
  const askedWith = new Map<Row, Inputs>();
  for (const reading of drawn) {
    const before = rows.length;
    const kept = each.fold
      ? (reading.folds[each.fold] as readonly Row[] | { readonly rows: readonly Row[] } | undefined)
      : undefined;
    rows.push(...(kept === undefined ? [] : 'rows' in kept ? kept.rows : kept));
    for (const field of Object.keys(each.as) as (keyof Row)[]) {
      for (const value of reading.observation?.values[field] ?? [])
        if (typeof value === 'string') rows.push({ [field]: value });
    }
    for (const row of rows.slice(before)) askedWith.set(row, reading.inputs);
  }
  const chosen = (each.choose ? each.choose(rows) : rows).slice(0, each.max);
  return chosen.flatMap((row) => {
    const taken = Object.entries(each.as).flatMap(([field, input]) => {
      const value = row[field as keyof Row];
      return typeof value === 'string' || typeof value === 'number'
        ? [[input as string, asExamples(value, declares.examples(input))] as const]
        : [];
    });
    return taken.length === 0 ? [] : [{ ...fixed, ...askedWith.get(row), ...Object.fromEntries(taken) }];
  });
}

/**
 * A drawn value in the type of the examples: a number read as a text is a number again where all examples are, because a
 * JSON body shows the difference and a service may take the one only.
 */
function asExamples(value: InputValue, examples: readonly InputValue[]): InputValue {
  if (examples.length === 0 || examples.some((each) => typeof each !== 'number')) return value;
  return String(Number(value)) === value ? Number(value) : value;
}

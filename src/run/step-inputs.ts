/** The inputs of the requests of a step. */
import { type Input, UNSTRATIFIED_SEED } from '../contract/index.ts';
import type { Inputs, InputValue } from '../profile/template.ts';
import type { Row } from '../reading/types.ts';
import { seededHash } from '../rule/draws.ts';
import {
  type Declarations,
  type Each,
  type InputSource,
  matchesAnyRequest,
  type ReadingsOf,
  type Step,
  sourceNames,
} from '../rule/index.ts';

/**
 * The inputs of each request of a step.
 *
 * @param of the readings of the steps that supply its values, if it runs once per row
 * @param required inputs that are requested in addition if a row has them
 */
export function stepInputs(
  step: Step,
  of: ReadingsOf,
  declarations: Declarations,
  required: readonly Inputs[] = [],
): Inputs[] {
  const fixed = fixedInputs(step, declarations);
  const { each } = step;
  if (!each) return [fixed];
  const sourceReadings = sourceNames(each).flatMap(of);
  if (each.select) {
    const all = each.select(sourceReadings, of);
    const names = Object.values(each.as);
    const isNamed = (inputs: Inputs): boolean =>
      matchesAnyRequest(Object.fromEntries(names.map((name) => [name, textOf(inputs[name])])), required);
    const selected = [...all.slice(0, each.max), ...all.slice(each.max).filter(isNamed).slice(0, each.max)];
    return selected.map((inputs) => ({ ...fixed, ...inTypesOfExamples(step, inputs, inputs, declarations) }));
  }
  const rows: Row[] = [];
  // The inputs of a request apply to the rows of its response, too: a group belongs to the requested dimension.
  const inputsOfRow = new Map<Row, Inputs>();
  for (const reading of sourceReadings) {
    const firstNew = rows.length;
    const collected = each.fold
      ? (reading.folds[each.fold] as readonly Row[] | { readonly rows: readonly Row[] } | undefined)
      : undefined;
    const fields = Object.keys(each.as) as (keyof Row)[];
    const once = fields.flatMap((field) =>
      (reading.observation?.values[field] ?? []).flatMap((value) =>
        typeof value === 'string' ? [{ [field]: value }] : [],
      ),
    );
    const listed = collected === undefined ? [] : 'rows' in collected ? collected.rows : collected;
    // A response that states the value once, such as a job id in a header, may have rows of other values.
    const isUsable = (row: Row): boolean => once.length === 0 || fields.some((field) => row[field] !== undefined);
    rows.push(...listed.filter(isUsable), ...once);
    for (const row of rows.slice(firstNew)) inputsOfRow.set(row, reading.inputs);
  }
  const ordered = each.choose ? each.choose(rows) : rows;
  const isDrawn = (row: Row): boolean => {
    const values = Object.entries(each.as).map(([field, input]) => [input, row[field as keyof Row]] as const);
    return required.length > 0 && matchesAnyRequest(Object.fromEntries(values), required);
  };
  const sampled = drawRows(ordered, each, declarations.seed);
  const isSampled = new Set(sampled);
  const others = ordered.filter((row) => !isSampled.has(row) && isDrawn(row)).slice(0, each.max);
  const chosen = [...sampled, ...others];
  return chosen.flatMap((row) => {
    const rowInputs = Object.entries(each.as).flatMap(([field, input]) => {
      const value = row[field as keyof Row];
      return typeof value === 'string' || typeof value === 'number' ? [[input as string, value] as const] : [];
    });
    if (rowInputs.length === 0) return [];
    const known: Inputs = { ...fixed, ...inputsOfRow.get(row) };
    return [{ ...known, ...inTypesOfExamples(step, Object.fromEntries(rowInputs), known, declarations) }];
  });
}

const textOf = (value: InputValue | undefined): string | undefined => (value === undefined ? undefined : String(value));

/** The inputs of a step that no response supplies; an example that the profile lacks is omitted. */
export function fixedInputs({ operation, inputs = {} }: Step, declarations: Declarations): Inputs {
  const exampleOrValue = (source: InputSource, catalogueId?: InputValue): InputValue | undefined =>
    'value' in source
      ? source.value
      : declarations.examples(source.example, { operation, catalogueId })[source.nth ?? 0];
  // The other examples may be those of this catalogue.
  const catalogueId = inputs.catalogueId && exampleOrValue(inputs.catalogueId);
  return Object.fromEntries(
    Object.entries(inputs).flatMap(([input, source]) => {
      const value = exampleOrValue(source, catalogueId);
      return value === undefined ? [] : [[input, value]];
    }),
  );
}

/** Drawn inputs in the types of the examples. */
function inTypesOfExamples(
  { operation }: Step,
  inputs: Inputs,
  { catalogueId }: Inputs,
  declarations: Declarations,
): Inputs {
  return Object.fromEntries(
    Object.entries(inputs).map(([input, value]) => [
      input,
      inTypeOfExamples(value, declarations.examples(input as Input, { operation, catalogueId })),
    ]),
  );
}

/**
 * Draws up to `max` rows: those that `choose` puts first, or else the first, the last and the middle one, and then others
 * by the hash of their values.
 */
function drawRows(rows: readonly Row[], { max, choose, as }: Each, seed: number): readonly Row[] {
  if (rows.length <= max || seed === UNSTRATIFIED_SEED) return rows.slice(0, max);
  const positions = [0, rows.length - 1, Math.floor(rows.length / 2)].map((at) => rows[at] as Row);
  const first = (choose ? rows.slice(0, Math.ceil(max / 2)) : [...new Set(positions)]).slice(0, max);
  const isFirst = new Set(first);
  const fields = Object.keys(as) as (keyof Row)[];
  const hashed = rows
    .filter((row) => !isFirst.has(row))
    .map((row) => ({ row, hash: seededHash(JSON.stringify(fields.map((field) => row[field])), seed) }));
  const drawn = hashed.sort((x, y) => x.hash - y.hash).slice(0, max - first.length);
  return [...first, ...drawn.map(({ row }) => row)];
}

/**
 * A value in the type of the examples: a number that was read as a text becomes a number if all examples are numbers, and
 * a number becomes a text if all are texts, because a service may accept only that type in a JSON body.
 */
function inTypeOfExamples(value: InputValue, examples: readonly InputValue[]): InputValue {
  if (typeof value === 'number' && examples.length > 0 && examples.every((each) => typeof each === 'string'))
    return String(value);
  if (examples.length === 0 || examples.some((each) => typeof each !== 'number')) return value;
  return String(Number(value)) === value ? Number(value) : value;
}

/** Which observed responses match a step of a probe. */
import type { Input, OperationKey } from '../../contract/index.ts';
import type { Profile } from '../../profile/schema.ts';
import { type Inputs, type InputValue, mentionedInputs } from '../../profile/template.ts';
import type { Declarations, Row, Step } from '../../rule/index.ts';
import { holdsAllWindows } from '../../run/fetch-request.ts';
import { hasUpcInPath } from './map-traffic.ts';
import { type RowIndex, requestedRowsKey } from './observed-folds.ts';
import type { ObservedResponse } from './response-index.ts';

/** The status of a response; 0 without one. */
export const statusOf = ({ exchanges: [first] }: ObservedResponse): number => first?.response?.status ?? 0;

export const isOkResponse = (response: ObservedResponse): boolean => {
  const status = statusOf(response);
  return status >= 200 && status < 300;
};

/** The inputs that requests to an operation can contain under a profile. */
export function possibleInputs(profile: Profile, operation: OperationKey): ReadonlySet<Input> {
  const mentioned = new Set(mentionedInputs(profile.data.operations?.[operation]?.request ?? {}));
  if (hasUpcInPath(operation)) mentioned.add('upc');
  if (holdsAllWindows(profile, operation)) mentioned.add('window');
  return mentioned;
}

const isSame = (value: InputValue | undefined, wanted: InputValue | undefined): boolean =>
  value === undefined || wanted === undefined ? value === wanted : String(value) === String(wanted);

/** Whether the request of a response has exactly the inputs of a step; for an example input, any example matches. */
export function matchesExactly(
  step: Step,
  { inputs }: ObservedResponse,
  possible: ReadonlySet<Input>,
  declarations: Declarations,
): boolean {
  const wanted = step.inputs ?? {};
  for (const input of possible) {
    const source = wanted[input];
    if (source === undefined || 'value' in source) {
      if (!isSame(inputs[input], source?.value)) return false;
      continue;
    }
    const examples = declarations.examples(source.example);
    const nth = source.nth === undefined ? examples : examples.slice(source.nth, source.nth + 1);
    if (nth.length === 0 ? inputs[input] !== undefined : !nth.some((each) => isSame(inputs[input], each))) return false;
  }
  return true;
}

/** Some servers return errors as 2xx: a single row for a name that the profile does not confirm may be one. */
function mayBeError({ inputs: fixed = {} }: Step, { inputs, observation }: ObservedResponse): boolean {
  const named = (Object.keys(inputs) as Input[]).filter((input) => {
    const source = fixed[input];
    return source === undefined || !('value' in source);
  });
  return named.length > 0 && (observation?.rows ?? 0) <= 1;
}

/** A step with `alsoMatches` may use an incomplete list; other steps that read content need a complete one. */
export const isCompleteFor = (step: Step, response: ObservedResponse): boolean =>
  step.alsoMatches !== undefined ||
  step.accepts === 'any' ||
  step.accepts === 'response' ||
  response.observation?.complete !== false ||
  !isOkResponse(response);

/** Whether a response matches by `alsoMatches`, with equal fixed inputs. */
export function matchesAlso(step: Step, response: ObservedResponse): boolean {
  const { inputs } = response;
  if (!step.alsoMatches?.(inputs)) return false;
  if ((step.accepts === 'content' || step.accepts === 'complete') && mayBeError(step, response)) return false;
  return Object.entries(step.inputs ?? {}).every(
    ([input, source]) => !('value' in source) || isSame(inputs[input as Input], source.value),
  );
}

/** The inputs of a request that contains values of rows of the sources, if the response belongs to such a request. */
export function inputsFromRows(
  step: Step,
  response: ObservedResponse,
  sources: readonly ObservedResponse[],
  possible: ReadonlySet<Input>,
): Inputs | undefined {
  const as = step.each?.as as Readonly<Record<string, Input>> | undefined;
  if (!as || Object.values(as).every((input) => response.inputs[input] === undefined)) return undefined;
  const key = requestedRowsKey(step.operation, as);
  const fixed = Object.fromEntries(
    Object.entries(step.inputs ?? {}).flatMap(([input, source]) => ('value' in source ? [[input, source.value]] : [])),
  );
  for (const source of sources) {
    for (const row of rowsWithValues(source, key, as, response.inputs)) {
      const rowValues = Object.fromEntries(
        Object.entries(as).flatMap(([field, input]) => {
          const value = row[field as keyof Row];
          return typeof value === 'string' || typeof value === 'number' ? [[input, value]] : [];
        }),
      );
      const fromRow = Object.keys(rowValues) as Input[];
      const wanted: Inputs = { ...fixed, ...source.inputs, ...rowValues };
      const requested = fromRow.filter((input) => response.inputs[input] !== undefined);
      if (requested.length === 0 || requested.some((input) => !isSame(response.inputs[input], wanted[input]))) continue;
      // Both filters of a pair are requested; of a name with its id, either one may be.
      const isPair =
        new Set(Object.values(as)).size > 1 && !(as.category === 'category' && as.categoryId === 'categoryId');
      if (isPair && requested.length < fromRow.length) continue;
      const others = [...possible].filter((input) => !fromRow.includes(input));
      if (others.every((input) => isSame(response.inputs[input], wanted[input]))) return wanted;
    }
  }
  return undefined;
}

/** The rows of a source that contain one of the requested values, with the values that are read once per response. */
function rowsWithValues(
  { folds, observation }: ObservedResponse,
  key: string,
  as: Readonly<Record<string, Input>>,
  requested: Inputs,
): readonly Row[] {
  const index = folds.get(key) as RowIndex | undefined;
  const rows = Object.entries(as).flatMap(([field, input]): readonly Row[] => [
    ...((requested[input] !== undefined && index?.get(`${field} ${requested[input]}`)) || []),
    ...(observation?.values[field as keyof Row] ?? []).flatMap((value): Row[] =>
      typeof value === 'string' ? [{ [field]: value }] : [],
    ),
  ]);
  return [...new Set(rows)];
}

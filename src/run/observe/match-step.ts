/** Which observed responses match a step of a probe. */
import type { Input, OperationKey } from '../../contract/index.ts';
import type { Profile } from '../../profile/schema.ts';
import { type Inputs, type InputValue, mentionedInputs } from '../../profile/template.ts';
import type { Declarations, Fold, Row, Step } from '../../rule/index.ts';
import { holdsAllWindows } from '../fetch-request.ts';
import { hasUpcInPath } from './map-traffic.ts';
import type { ObservedResponse } from './response-index.ts';

export const isOkResponse = ({ exchanges: [first] }: ObservedResponse): boolean => {
  const status = first?.response?.status ?? 0;
  return status >= 200 && status < 300;
};

/** The inputs that requests to an operation can contain under a profile. */
export function carriedInputs(profile: Profile, operation: OperationKey): ReadonlySet<Input> {
  const mentioned = mentionedInputs(profile.data.operations?.[operation]?.request ?? {});
  if (hasUpcInPath(operation)) mentioned.add('upc');
  if (holdsAllWindows(profile, operation)) mentioned.add('window');
  return mentioned;
}

const isSame = (value: InputValue | undefined, wanted: InputValue | undefined): boolean =>
  value === undefined || wanted === undefined ? value === wanted : String(value) === String(wanted);

/** Whether the request of a response has exactly the inputs of a step; for an example input, any example matches. */
export function isRequestedBy(
  step: Step,
  { inputs }: ObservedResponse,
  carried: ReadonlySet<Input>,
  declarations: Declarations,
): boolean {
  const wanted = step.inputs ?? {};
  for (const input of carried) {
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
function mayBeRefusal({ inputs: fixed = {} }: Step, { inputs, observation }: ObservedResponse): boolean {
  const named = (Object.keys(inputs) as Input[]).filter((input) => {
    const source = fixed[input];
    return source === undefined || !('value' in source);
  });
  return named.length > 0 && (observation?.rows ?? 0) <= 1;
}

/** Whether a response matches by `alsoMatches`, with equal fixed inputs. */
export function isObservedBy(step: Step, answer: ObservedResponse): boolean {
  const { inputs } = answer;
  if (!step.alsoMatches?.(inputs)) return false;
  if ((step.accepts === 'content' || step.accepts === 'complete') && mayBeRefusal(step, answer)) return false;
  return Object.entries(step.inputs ?? {}).every(
    ([input, source]) => !('value' in source) || isSame(inputs[input as Input], source.value),
  );
}

/** Collects the distinct rows of a list from which requests may be drawn; `wanted` are all requested values. */
export function drawnRows(
  as: Readonly<Record<string, Input>>,
  wanted: ReadonlyMap<Input, ReadonlySet<string>>,
  key: string,
): Fold<readonly Row[]> {
  const fields = Object.keys(as) as (keyof Row)[];
  return {
    key,
    start() {
      const rows = new Map<string, Row>();
      return {
        row(row) {
          const isWanted = fields.some((field) => {
            const value = row[field];
            return (
              (typeof value === 'string' || typeof value === 'number') &&
              wanted.get(as[field] as Input)?.has(String(value))
            );
          });
          if (!isWanted) return;
          const taken = Object.fromEntries(fields.map((field) => [field, row[field]]));
          rows.set(JSON.stringify(taken), taken);
        },
        done: () => [...rows.values()],
      };
    },
  };
}

/** The key of the fold that collects the rows for a step. */
export const drawnKey = (operation: OperationKey, as: object): string => `drawn:${operation}:${JSON.stringify(as)}`;

/** The inputs of a request that is drawn from rows of the sources, if the response belongs to such a request. */
export function drawnInputs(
  step: Step,
  answer: ObservedResponse,
  sources: readonly ObservedResponse[],
  carried: ReadonlySet<Input>,
): Inputs | undefined {
  const as = step.each?.as as Readonly<Record<string, Input>> | undefined;
  if (!as) return undefined;
  const fixed = Object.fromEntries(
    Object.entries(step.inputs ?? {}).flatMap(([input, source]) => ('value' in source ? [[input, source.value]] : [])),
  );
  for (const source of sources) {
    for (const row of rowsNaming(source, step.operation, as, answer.inputs)) {
      const taken = Object.fromEntries(
        Object.entries(as).flatMap(([field, input]) => {
          const value = row[field as keyof Row];
          return typeof value === 'string' || typeof value === 'number' ? [[input, value]] : [];
        }),
      );
      const drawn = Object.keys(taken) as Input[];
      const wanted: Inputs = { ...fixed, ...source.inputs, ...taken };
      const requested = drawn.filter((input) => answer.inputs[input] !== undefined);
      if (requested.length === 0 || requested.some((input) => !isSame(answer.inputs[input], wanted[input]))) continue;
      // Both filters of a pair are requested; of a name with its id, either one may be.
      const isPair =
        new Set(Object.values(as)).size > 1 && !(as.category === 'category' && as.categoryId === 'categoryId');
      if (isPair && requested.length < drawn.length) continue;
      const others = [...carried].filter((input) => !drawn.includes(input));
      if (others.every((input) => isSame(answer.inputs[input], wanted[input]))) return wanted;
    }
  }
  return undefined;
}

const indices = new WeakMap<object, Map<string, Row[]>>();

/** The rows that contain one of the requested values. */
function rowsNaming(
  source: ObservedResponse,
  operation: OperationKey,
  as: Readonly<Record<string, Input>>,
  requested: Inputs,
): readonly Row[] {
  const rows = rowsOf(source, operation, as);
  let index = indices.get(rows);
  if (!index) {
    index = new Map();
    for (const row of rows) {
      for (const field of Object.keys(as)) {
        const key = `${field} ${row[field as keyof Row]}`;
        index.set(key, [...(index.get(key) ?? []), row]);
      }
    }
    indices.set(rows, index);
  }
  const naming = Object.entries(as).flatMap(([field, input]) =>
    requested[input] === undefined ? [] : (index.get(`${field} ${requested[input]}`) ?? []),
  );
  return [...new Set(naming)];
}

const rowsBySource = new WeakMap<object, Map<string, readonly Row[]>>();

/** The rows for a step that draws, with the values that are read once per response. */
function rowsOf(
  source: ObservedResponse,
  operation: OperationKey,
  as: Readonly<Record<string, Input>>,
): readonly Row[] {
  const key = drawnKey(operation, as);
  const own = rowsBySource.get(source.folds) ?? new Map<string, readonly Row[]>();
  rowsBySource.set(source.folds, own);
  const known = own.get(key);
  if (known) return known;
  const collected = (source.folds.get(key) as readonly Row[] | undefined) ?? [];
  const once = (Object.keys(as) as (keyof Row)[]).flatMap((field) =>
    (source.observation?.values[field] ?? []).flatMap((value): Row[] =>
      typeof value === 'string' ? [{ [field]: value }] : [],
    ),
  );
  const rows = [...collected, ...once];
  own.set(key, rows);
  return rows;
}

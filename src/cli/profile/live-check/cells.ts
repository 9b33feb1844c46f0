/** The values that responses show, by operation and field. */
import { FIELD_NAMES, type Field, type OperationKey } from '../../../contract/index.ts';
import { type Cell, Unconverted } from '../../../reading/types.ts';
import { BindingValues } from '../../../rule/binding-doubts.ts';
import type { ReadResponse, Received } from './types.ts';

/** The responses of an operation that can be read. */
export const readResponses = (received: readonly Received[], operation?: OperationKey): ReadResponse[] =>
  received.filter(
    (each): each is ReadResponse =>
      each.observation !== undefined &&
      !each.observation.refusal &&
      !each.mustBeUnknown &&
      (operation === undefined || each.operation === operation),
  );

/** The cells of a field in one response: of its rows, or those read once. */
export const cellsIn = ({ rows, observation }: ReadResponse, field: Field): Cell[] => [
  ...rows.flatMap((row) => (field in row ? [row[field]] : [])),
  ...(observation.values[field] ?? []),
];

/** Whether a cell has a value. */
export const isFound = (cell: Cell): cell is Exclude<Cell, null | undefined> =>
  cell !== undefined && cell !== null && !(Array.isArray(cell) && cell.length === 0);

/** The different values of a field as texts; values that do not convert are not among them. */
export const textsOf = (responses: readonly ReadResponse[], field: Field): Set<string> =>
  new Set(
    responses
      .flatMap((each) => cellsIn(each, field))
      .filter((cell) => isFound(cell) && !(cell instanceof Unconverted))
      .map((cell) => (typeof cell === 'object' ? JSON.stringify(cell) : String(cell))),
  );

/** A number, if the cell has one. */
export const numberIn = (cell: Cell): number | undefined => (typeof cell === 'number' ? cell : undefined);

/** The location of a binding in the profile. */
export const fieldPath = (operation: OperationKey, field: Field): PropertyKey[] => [
  'operations',
  operation,
  'response',
  'fields',
  field,
];

/** What the bindings read in these responses. */
export function bindingValuesIn(responses: readonly ReadResponse[]): BindingValues {
  const values = new BindingValues();
  for (const response of responses)
    for (const field of FIELD_NAMES)
      for (const cell of cellsIn(response, field)) if (isFound(cell)) values.add(response.operation, field, cell);
  return values;
}

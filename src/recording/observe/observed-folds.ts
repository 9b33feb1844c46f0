/** The folds that run over observed responses: those of all steps, and the rows whose values later requests contain. */
import type { Input, OperationKey } from '../../contract/index.ts';
import type { BindingValues } from '../../rule/binding-doubts.ts';
import type { Fold, Row, Step } from '../../rule/index.ts';
import type { MappedTraffic } from './map-traffic.ts';

/** The key of the fold that collects the rows for a step that is sent once per row. */
export const requestedRowsKey = (operation: OperationKey, as: object): string =>
  `requested:${operation}:${JSON.stringify(as)}`;

/** Rows by field and value, e.g. `upc 012345678905`. */
export type RowIndex = ReadonlyMap<string, readonly Row[]>;

/** Collects the distinct rows of a list that contain a requested value; `requested` are the values of all requests. */
function requestedRows(
  as: Readonly<Record<string, Input>>,
  requested: ReadonlyMap<Input, ReadonlySet<string>>,
  key: string,
): Fold<RowIndex> {
  const fields = Object.keys(as) as (keyof Row)[];
  return {
    key,
    start() {
      const seen = new Set<string>();
      const index = new Map<string, Row[]>();
      return {
        row(row) {
          const isRequested = fields.some((field) => {
            const value = row[field];
            return (
              (typeof value === 'string' || typeof value === 'number') &&
              requested.get(as[field] as Input)?.has(String(value))
            );
          });
          if (!isRequested) return;
          const values: Row = Object.fromEntries(fields.map((field) => [field, row[field]]));
          const identity = JSON.stringify(values);
          if (seen.has(identity)) return;
          seen.add(identity);
          for (const field of fields) {
            const key = `${field} ${row[field]}`;
            const known = index.get(key);
            if (known) known.push(values);
            else index.set(key, [values]);
          }
        },
        done: () => index,
      };
    },
  };
}

/** The folds of all steps, by operation, and those that note what the bindings read. */
export function observedFolds(
  { steps, traffic }: { readonly steps: readonly Step[]; readonly traffic: MappedTraffic },
  values: BindingValues,
): Map<OperationKey, readonly Fold<unknown>[]> {
  const requested = new Map<Input, Set<string>>();
  for (const { inputs } of traffic.observed) {
    for (const [input, value] of Object.entries(inputs) as [Input, string][])
      requested.set(input, (requested.get(input) ?? new Set()).add(String(value)));
  }
  const folds = new Map<OperationKey, Map<string, Fold<unknown>>>();
  const add = (operation: OperationKey, fold: Fold<unknown>) => {
    const ofOperation = folds.get(operation) ?? new Map<string, Fold<unknown>>();
    ofOperation.set(fold.key, fold);
    folds.set(operation, ofOperation);
  };
  for (const step of steps) for (const fold of Object.values(step.folds ?? {})) add(step.operation, fold);
  for (const operation of folds.keys()) add(operation, values.fold(operation));
  // The rows of any operation may supply values, so they are collected for all operations.
  for (const step of steps) {
    if (!step.each) continue;
    const as = step.each.as as Readonly<Record<string, Input>>;
    const key = requestedRowsKey(step.operation, as);
    for (const operation of folds.keys()) add(operation, requestedRows(as, requested, key));
  }
  return new Map([...folds].map(([operation, ofOperation]) => [operation, [...ofOperation.values()]]));
}

/** The folds that run over observed responses: those of all steps, and the rows whose values later requests contain. */
import type { Input, OperationKey } from '../../contract/index.ts';
import type { BindingValues } from '../../rule/binding-doubts.ts';
import type { Fold, Row, Step } from '../../rule/index.ts';
import type { MappedTraffic } from './map-traffic.ts';

/** The key of the fold that collects the rows for a step that is sent once per row. */
export const requestedRowsKey = (operation: OperationKey, as: object): string =>
  `requested:${operation}:${JSON.stringify(as)}`;

/** Collects the distinct rows of a list that contain a requested value; `requested` are the values of all requests. */
function requestedRows(
  as: Readonly<Record<string, Input>>,
  requested: ReadonlyMap<Input, ReadonlySet<string>>,
  key: string,
): Fold<readonly Row[]> {
  const fields = Object.keys(as) as (keyof Row)[];
  return {
    key,
    start() {
      const rows = new Map<string, Row>();
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
          const values = Object.fromEntries(fields.map((field) => [field, row[field]]));
          rows.set(JSON.stringify(values), values);
        },
        done: () => [...rows.values()],
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

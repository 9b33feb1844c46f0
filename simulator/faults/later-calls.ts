/**
 * Faults of operations that respond well at first and worse later: a product of operations, changes and the calls that are
 * changed. The selftest tries some of them; `scripts/later-calls.ts` measures all.
 */
import {
  type ObservableStatementId,
  OPERATIONS,
  type OperationName,
  operationNamed,
} from '../../src/contract/index.ts';
import type { ModelAnswer } from '../model/types.ts';
import type { World } from '../model/world.ts';
import { dropLast } from './rows.ts';
import type { Fault } from './types.ts';

/** The answer without the last of its rows; undefined if it has none. */
function withoutLast(answer: ModelAnswer): ModelAnswer | undefined {
  switch (answer.kind) {
    case 'products':
      return { ...answer, rows: dropLast(answer.rows) };
    case 'performance':
    case 'filterNames':
      return { ...answer, rows: answer.rows.slice(0, -1) } as ModelAnswer;
    case 'deltas':
      return { ...answer, windows: answer.windows.map((each) => ({ ...each, rows: dropLast(each.rows) })) };
    case 'categories':
      return { ...answer, categories: answer.categories.slice(0, -1) };
    case 'items':
      return { ...answer, items: answer.items.slice(0, -1) };
    case 'product': {
      const { product } = answer;
      return { ...answer, product: { ...product, characteristics: product.characteristics.slice(0, -1) } };
    }
    case 'savedItem':
      return { kind: 'savedItem' };
    default:
      return undefined;
  }
}

/** What a later call gets; undefined: the change does not apply to the answer. `before` is the answer to the call before. */
export const LATER_CHANGES = {
  fails: (): ModelAnswer => ({ kind: 'internalError', why: 'a later call' }),
  'is-refused': (): ModelAnswer => ({ kind: 'rejected', reason: 'malformed', detail: 'a later call' }),
  'lacks-one': withoutLast,
  'is-as-before': (answer: ModelAnswer, before?: ModelAnswer) => (before?.kind === answer.kind ? before : undefined),
} as const satisfies Record<string, (answer: ModelAnswer, before?: ModelAnswer) => ModelAnswer | undefined>;

/** The calls that are changed, by the number of the call of the operation. */
export const LATER_CALLS = {
  'from-call-2': (nth: number) => nth >= 2,
  'from-call-3': (nth: number) => nth >= 3,
  'from-call-5': (nth: number) => nth >= 5,
  'from-call-10': (nth: number) => nth >= 10,
  'every-2nd-call': (nth: number) => nth % 2 === 0,
  'every-3rd-call': (nth: number) => nth % 3 === 0,
  'every-5th-call': (nth: number) => nth % 5 === 0,
} as const;

export type LaterChange = keyof typeof LATER_CHANGES;
export type LaterCalls = keyof typeof LATER_CALLS;

/** The fault of an operation of which some calls are changed. */
export function laterCall(
  operation: OperationName,
  change: LaterChange,
  calls: LaterCalls,
  statement: ObservableStatementId = 'operation.served',
): Fault {
  const state = new WeakMap<World, { readonly nth: number; readonly before?: ModelAnswer }>();
  const name = operation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return {
    name: `${name}-${change}-${calls}`,
    statement,
    group: operationNamed(operation).group,
    says: `The response of ${operation} ${change.replaceAll('-', ' ')}, ${calls.replaceAll('-', ' ')}.`,
    hooks: {
      answer(answer, { operation: requested, world }) {
        if (requested.name !== operation) return answer;
        const { nth = 1, before } = state.get(world) ?? {};
        state.set(world, { nth: nth + 1, before: answer });
        return (LATER_CALLS[calls](nth) && LATER_CHANGES[change](answer, before)) || answer;
      },
    },
  };
}

/** The fault with such a name, e.g. `all-products-fails-from-call-3`; undefined if it has another form. */
export const laterCallNamed = (name: string): Fault | undefined =>
  OPERATIONS.flatMap((operation) =>
    (Object.keys(LATER_CHANGES) as LaterChange[]).flatMap((change) =>
      (Object.keys(LATER_CALLS) as LaterCalls[]).map((calls) => laterCall(operation.name, change, calls)),
    ),
  ).find((each) => each.name === name);

/** The faults of the selftest. */
export const LATER_CALL_FAULTS: readonly Fault[] = [
  ...(['createSurvey', 'drive', 'getAllProspectFilters', 'getSaveThematicId', 'testService'] as const).map((name) =>
    laterCall(name, 'fails', 'from-call-2'),
  ),
  ...(['updateLocation', 'catalogues', 'allCategories'] as const).map((name) =>
    laterCall(name, 'fails', 'from-call-3'),
  ),
  laterCall('getReportJobStatus', 'fails', 'from-call-3', 'A.job-status'),
  ...(['groupLevels', 'allProducts', 'updateProducts', 'brandPerformance'] as const).map((name) =>
    laterCall(name, 'fails', 'from-call-10'),
  ),
  laterCall('groupLevels', 'lacks-one', 'from-call-10', 'B.catalogue-id'),
  laterCall('allProducts', 'lacks-one', 'from-call-10', 'C.bulk'),
  laterCall('updateProducts', 'lacks-one', 'from-call-10', 'C.delta-weekly'),
  laterCall('brandPerformance', 'lacks-one', 'from-call-10', 'D.windows'),
  laterCall('dimensionGroups', 'is-as-before', 'every-3rd-call', 'B.catalogue-id'),
  laterCall('createlist', 'is-as-before', 'from-call-3', 'A.job-status'),
  {
    ...laterCall('getSaveMap', 'lacks-one', 'from-call-3', 'A.content'),
    profile: {
      operations: { 'GET /webservices/getSaveMap': { response: { fields: { id: { at: '@.id', required: true } } } } },
    },
    dialects: ['reference'],
  },
];

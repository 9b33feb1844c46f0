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
import { failing, refusing } from '../deviations/changes.ts';
import { changeLists, dropLast, onOperations, stating } from '../deviations/places.ts';
import type { ModelAnswer } from '../model/types.ts';
import { type Fault, faultOf } from './fault.ts';

/** The answer without the last of its rows. */
const withoutLast = (answer: ModelAnswer): ModelAnswer =>
  answer.kind === 'savedItem' ? { kind: 'savedItem' } : changeLists(answer, dropLast);

/** What a later call gets; undefined: the change does not apply to the answer. `before` is the answer to the call before. */
export const LATER_CHANGES = {
  fails: failing('a later call'),
  'is-refused': refusing('a later call'),
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
  const name = operation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return faultOf(operationNamed(operation).group)(`${name}-${change}-${calls}`, statement, {
    says: `The response of ${operation} ${change.replaceAll('-', ' ')}, ${calls.replaceAll('-', ' ')}.`,
    hooks() {
      let nth = 0;
      let before: ModelAnswer | undefined;
      return onOperations([operation], (answer) => {
        const earlier = before;
        before = answer;
        nth += 1;
        return (LATER_CALLS[calls](nth) && LATER_CHANGES[change](answer, earlier)) || answer;
      });
    },
  });
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
    profile: stating(['getSaveMap'], { response: { fields: { id: { at: '@.id', required: true } } } }),
    dialects: ['reference'],
  },
];

/** Faults of requests that lack an input which the operation needs, where the profile states what they get (section 7: not shown). */
import type { OperationName } from '../../src/contract/index.ts';
import { failing } from '../deviations/changes.ts';
import { onAnswer, onRequest, stating } from '../deviations/places.ts';
import type { Hooks, RoutedOperation } from '../deviations/types.ts';
import { isRejected } from '../dialects/types.ts';
import type { Query } from '../model/types.ts';
import { inA, inB, inC } from './fault.ts';

/** Answers a request without a window like the one before it. */
export const withFormerWindow = (): Hooks => {
  let former: RoutedOperation | undefined;
  return {
    read(request, read) {
      const own = read(request);
      if (request.operation.name !== 'updateProducts') return own;
      if (!isRejected(own)) former = request;
      return isRejected(own) && own.reason === 'missing' && former ? read(former) : own;
    },
  };
};

/** Takes the ids that a request to an operation lacks from the one before it, after another change of the query. */
const withFormerIds =
  (name: OperationName, { query: change = (query) => query }: Hooks = {}) =>
  (): Hooks => {
    let former: Query = {};
    return {
      query(sent, context) {
        const query = change(sent, context);
        if (context.operation.name !== name) return query;
        former = { ...former, ...query };
        return former;
      },
    };
  };

/** Refuses POSTs of group A with an empty body, except one. */
export const refusingEmptyStarts = (accepted?: OperationName): Hooks => ({
  read(request, read) {
    const { group, method, name } = request.operation;
    const isStart = group === 'A' && method === 'POST' && name !== accepted;
    return isStart && /^(?:\{\s*\})?$/.test(new TextDecoder().decode(request.body))
      ? { kind: 'rejected', reason: 'missing', detail: 'the members of the body are missing' }
      : read(request);
  },
});

/** Lists the levels of groups of one dimension, which requests do not name. */
export const levelsOfOneDimension = onRequest(['groupLevels'], () => ({ dimension: 'product' }));

/** The requests for these levels carry fewer ids than the operation is named for. */
export const WITHOUT_DIMENSION = stating(['groupLevels'], {
  request: { json: { dimension: null } },
  response: { echoes: { dimension: null } },
  statuses: { missing: [400] },
});

/** A profile that states what a request without an input gets. */
export const refusedWithoutInput = (...names: readonly OperationName[]) =>
  stating(names, { statuses: { missing: [400] } });

export const MISSING_INPUT_FAULTS = [
  inC('missing-window-accepted', 'operation.served', {
    says: 'The delta without a window is one of some window, although the profile states that it is refused.',
    profile: refusedWithoutInput('updateProducts'),
    dialects: ['reference', 'tabular'],
    hooks: withFormerWindow,
  }),
  inB('missing-dimension-accepted', 'operation.served', {
    says: 'Dimension/Rows without a dimension lists the rows of the last one.',
    profile: refusedWithoutInput('dimensionRows'),
    dialects: ['reference', 'tabular'],
    hooks: withFormerIds('dimensionRows'),
  }),
  inA('missing-job-id-500', 'operation.served', {
    says: 'The status of a report job without a job id is an error of the server.',
    profile: refusedWithoutInput('getReportJobStatus'),
    dialects: ['reference', 'tabular'],
    hooks: onAnswer('rejected', ({ reason }) => reason === 'missing' && failing('NullPointerException')(), [
      'getReportJobStatus',
    ]),
  }),
  inB('missing-group-accepted', 'operation.served', {
    says: 'Group/Levels, whose requests name no dimension, lists without a group the levels of the last one.',
    profile: WITHOUT_DIMENSION,
    dialects: ['reference'],
    hooks: withFormerIds('groupLevels', levelsOfOneDimension),
  }),
  inA('empty-start-accepted', 'operation.served', {
    says: 'A drive job starts without an address, although the profile states that such a request is refused.',
    profile: refusedWithoutInput('drive'),
    dialects: ['reference', 'tabular'],
    hooks: refusingEmptyStarts('drive'),
  }),
];

/** Faults of requests that lack an input which the operation needs, where the profile states what they get (section 7: not shown). */
import type { OperationName } from '../../src/contract/index.ts';
import { isRejected } from '../dialects/types.ts';
import type { Query } from '../model/types.ts';
import type { World } from '../model/world.ts';
import { onRequest } from './hooks.ts';
import type { Fault, Hooks, ProfilePatch, RoutedOperation } from './types.ts';

/** Answers a request without a window like the one before it. */
export const withFormerWindow = (): Hooks => {
  const former = new WeakMap<World, RoutedOperation>();
  return {
    read(request, read, { world }) {
      const own = read(request);
      if (request.operation.name !== 'updateProducts') return own;
      if (!isRejected(own)) former.set(world, request);
      const earlier = former.get(world);
      return isRejected(own) && own.reason === 'missing' && earlier ? read(earlier) : own;
    },
  };
};

/** Takes the ids that a request to an operation lacks from the one before it, after another change of the query. */
function withFormerIds(name: OperationName, { query: change = (query) => query }: Hooks = {}): Hooks {
  const former = new WeakMap<World, Query>();
  return {
    query(sent, context) {
      const { operation, world } = context;
      const query = change(sent, context);
      if (operation.name !== name) return query;
      const complete = { ...former.get(world), ...query };
      former.set(world, complete);
      return complete;
    },
  };
}

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
export const levelsOfOneDimension: Hooks = onRequest(['groupLevels'], (query) => ({ ...query, dimension: 'product' }));

/** The requests for these levels carry fewer ids than the operation is named for. */
export const WITHOUT_DIMENSION: ProfilePatch = {
  operations: {
    'POST /data-access/v1/Catalogue/Group/Levels': {
      request: { json: { dimension: null } },
      response: { echoes: { dimension: null } },
      statuses: { missing: [400] },
    },
  },
};

export const MISSING_INPUT_FAULTS = [
  {
    name: 'missing-window-accepted',
    statement: 'operation.served',
    group: 'C',
    says: 'The delta without a window is one of some window, although the profile states that it is refused.',
    profile: { operations: { 'GET /PLATFORMAPI/prodRef/v1/updateProducts': { statuses: { missing: [400] } } } },
    dialects: ['reference', 'tabular'],
    hooks: withFormerWindow(),
  },
  {
    name: 'missing-dimension-accepted',
    statement: 'operation.served',
    group: 'B',
    says: 'Dimension/Rows without a dimension lists the rows of the last one.',
    profile: { operations: { 'POST /data-access/v1/Catalogue/Dimension/Rows': { statuses: { missing: [400] } } } },
    dialects: ['reference', 'tabular'],
    hooks: withFormerIds('dimensionRows'),
  },
  {
    name: 'missing-job-id-500',
    statement: 'operation.served',
    group: 'A',
    says: 'The status of a report job without a job id is an error of the server.',
    profile: { operations: { 'GET /webservices/getReportJobStatus': { statuses: { missing: [400] } } } },
    dialects: ['reference', 'tabular'],
    hooks: {
      answer: (answer, { operation }) =>
        operation.name === 'getReportJobStatus' && answer.kind === 'rejected' && answer.reason === 'missing'
          ? { kind: 'internalError', why: 'NullPointerException' }
          : answer,
    },
  },
  {
    name: 'missing-group-accepted',
    statement: 'operation.served',
    group: 'B',
    says: 'Group/Levels, whose requests name no dimension, lists without a group the levels of the last one.',
    profile: WITHOUT_DIMENSION,
    dialects: ['reference'],
    hooks: withFormerIds('groupLevels', levelsOfOneDimension),
  },
  {
    name: 'empty-start-accepted',
    statement: 'operation.served',
    group: 'A',
    says: 'A drive job starts without an address, although the profile states that such a request is refused.',
    profile: { operations: { 'POST /webservices/drive': { statuses: { missing: [400] } } } },
    dialects: ['reference', 'tabular'],
    hooks: refusingEmptyStarts('drive'),
  },
] as const satisfies readonly Fault[];

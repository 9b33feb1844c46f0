/** Faults of credentials that a profile promises to be accepted, needed or refused (section 5 shows none). */
import { type Group, type OperationName, operationNamed, operationOf, operationsOf } from '../../src/contract/index.ts';
import { isRejected } from '../dialects/types.ts';
import type { World } from '../model/world.ts';
import type { Fault, Hooks, RoutedOperation } from './types.ts';

/** Refuses the credentials, although the profile promises that they cover the group. */
const refusesCredentials = <N extends string>(name: OperationName, as: N, group: Group, status: 401 | 403) =>
  ({
    name: `credentials-refused-${as}`,
    statement: 'operation.served',
    group,
    says: `${operationNamed(name).key} refuses with ${status} the credentials that the profile says cover it.`,
    profile: { authCovers: [group] },
    hooks: { reply: (reply, { operation }) => (operation === name ? { ...reply, status } : reply) },
  }) as const satisfies Fault;

/** Headers and parameters with credentials, in any dialect. */
const CREDENTIALS = /^authorization$|key$|token$/i;

/** The request with the credentials that an earlier one had. */
const withCredentialsOf = (request: RoutedOperation, { headers, query }: RoutedOperation): RoutedOperation => ({
  ...request,
  headers: {
    ...request.headers,
    ...Object.fromEntries(Object.entries(headers).filter(([name]) => CREDENTIALS.test(name))),
  },
  query: new URLSearchParams([
    ...[...request.query].filter(([name]) => !CREDENTIALS.test(name)),
    ...[...query].filter(([name]) => CREDENTIALS.test(name)),
  ]),
});

/** Accepts requests to these operations whatever their credentials are, once one of their group had the right ones. */
export const acceptingAnyone = (isOpen: (request: RoutedOperation) => boolean): Hooks => {
  const accepted = new WeakMap<World, Map<Group, RoutedOperation>>();
  return {
    read(request, read, { world }) {
      const own = read(request);
      const known = accepted.get(world) ?? new Map<Group, RoutedOperation>();
      accepted.set(world, known);
      const { group } = request.operation;
      const isRefused = isRejected(own) && own.reason === 'unauthorized';
      if (!isRefused) known.set(group, request);
      const earlier = known.get(group);
      return isRefused && earlier && isOpen(request) ? read(withCredentialsOf(request, earlier)) : own;
    },
  };
};

const isWithoutCredentials = ({ headers, query }: RoutedOperation): boolean =>
  ![...Object.keys(headers), ...query.keys()].some((name) => CREDENTIALS.test(name));

/** The dialects that check credentials as they read a request; others check them again as they write. */
export const READING_CREDENTIALS = ['tabular', 'statistics', 'soap'] as const;

/** Needs no credentials, although the profile promises that it refuses requests without any. */
const needsNoCredentials = <N extends string>(names: readonly OperationName[], as: N, group: Group, says: string) =>
  ({
    name: `credentials-not-needed-${as}`,
    statement: 'operation.served',
    group,
    says,
    profile: { authRequired: [group] },
    dialects: READING_CREDENTIALS,
    hooks: acceptingAnyone((request) => names.includes(request.operation.name) && isWithoutCredentials(request)),
  }) as const satisfies Fault;

export const CREDENTIAL_FAULTS = [
  refusesCredentials('dimensionRows', 'dimension-rows', 'B', 403),
  refusesCredentials('performanceMetadata', 'performance-metadata', 'D', 401),
  refusesCredentials('getReportJobStatus', 'report-status', 'A', 403),
  needsNoCredentials(['updateProducts'], 'update-products', 'C', 'The delta needs no credentials; its group does.'),
  needsNoCredentials(
    operationsOf('D').map((key) => operationOf(key).name),
    'retail',
    'D',
    'Group D needs no credentials.',
  ),
  {
    name: 'credentials-of-another-group',
    statement: 'operation.served',
    group: 'C',
    says: 'Group C accepts the credentials of each other group.',
    profile: { authSeparate: ['C'] },
    dialects: ['soap'],
    hooks: acceptingAnyone((request) => request.operation.group === 'C' && !isWithoutCredentials(request)),
  },
  {
    name: 'credentials-of-any-text',
    statement: 'operation.served',
    group: 'D',
    says: 'Group D accepts any text as credentials.',
    profile: { authVerified: ['D'] },
    dialects: ['tabular', 'statistics'],
    hooks: acceptingAnyone((request) => request.operation.group === 'D' && !isWithoutCredentials(request)),
  },
  {
    name: 'credentials-without-right-accepted',
    statement: 'operation.served',
    group: 'D',
    says: 'Group D accepts credentials that lack the right to it.',
    profile: {
      authFor: { limited: { scheme: 'apiKey', in: 'query', name: 'api_key', value: 'reader-41' } },
      authLimited: ['D'],
    },
    dialects: ['statistics'],
    hooks: acceptingAnyone((request) => request.operation.group === 'D' && !isWithoutCredentials(request)),
  },
  {
    name: 'credentials-unverified-look-up',
    statement: 'operation.served',
    group: 'C',
    says: 'The look-up accepts any text as credentials; its group verifies them.',
    profile: { authVerified: ['C'] },
    dialects: ['tabular', 'statistics'],
    hooks: acceptingAnyone((request) => request.operation.name === 'products' && !isWithoutCredentials(request)),
  },
] as const satisfies readonly Fault[];

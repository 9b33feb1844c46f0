/** Faults of credentials that a profile promises to be accepted, needed or refused (section 5 shows none). */
import { type Group, type OperationName, operationNamed } from '../../src/contract/index.ts';
import { perWorld } from '../deviations/changes.ts';
import { onReplyOf, withStatus } from '../deviations/replies.ts';
import type { Hooks, RoutedOperation } from '../deviations/types.ts';
import { isRejected } from '../dialects/types.ts';
import { inA, inB, inC, inD } from './fault.ts';

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
  const accepted = perWorld(() => new Map<Group, RoutedOperation>());
  return {
    read(request, read, context) {
      const own = read(request);
      const { group } = request.operation;
      const isRefused = isRejected(own) && own.reason === 'unauthorized';
      if (!isRefused) accepted(context).set(group, request);
      const earlier = accepted(context).get(group);
      return isRefused && earlier && isOpen(request) ? read(withCredentialsOf(request, earlier)) : own;
    },
  };
};

const isWithoutCredentials = ({ headers, query }: RoutedOperation): boolean =>
  ![...Object.keys(headers), ...query.keys()].some((name) => CREDENTIALS.test(name));

/** The dialects that check credentials as they read a request; others check them again as they write. */
export const READING_CREDENTIALS = ['tabular', 'statistics', 'soap'] as const;

/** Accepts other credentials for some requests of a group. */
const acceptingOthers = (isOpen: (operation: RoutedOperation['operation']) => boolean): Hooks =>
  acceptingAnyone((request) => isOpen(request.operation) && !isWithoutCredentials(request));
const isOfC = ({ group }: RoutedOperation['operation']): boolean => group === 'C';
const isOfD = ({ group }: RoutedOperation['operation']): boolean => group === 'D';

/** Refuses the credentials, although the profile promises that they cover the group. */
const refusesCredentials = (fault: typeof inA, as: string, name: OperationName, status: 401 | 403) =>
  fault(`credentials-refused-${as}`, 'operation.served', {
    says: `${operationNamed(name).key} refuses with ${status} the credentials that the profile says cover it.`,
    profile: { authCovers: [operationNamed(name).group] },
    hooks: onReplyOf(name, withStatus(status)),
  });

export const CREDENTIAL_FAULTS = [
  refusesCredentials(inB, 'dimension-rows', 'dimensionRows', 403),
  refusesCredentials(inD, 'performance-metadata', 'performanceMetadata', 401),
  refusesCredentials(inA, 'report-status', 'getReportJobStatus', 403),
  inC('credentials-not-needed-update-products', 'operation.served', {
    says: 'The delta needs no credentials; its group does.',
    profile: { authRequired: ['C'] },
    dialects: READING_CREDENTIALS,
    hooks: acceptingAnyone((each) => each.operation.name === 'updateProducts' && isWithoutCredentials(each)),
  }),
  inD('credentials-not-needed-retail', 'operation.served', {
    says: 'Group D needs no credentials.',
    profile: { authRequired: ['D'] },
    dialects: READING_CREDENTIALS,
    hooks: acceptingAnyone((each) => isOfD(each.operation) && isWithoutCredentials(each)),
  }),
  inC('credentials-of-another-group', 'operation.served', {
    says: 'Group C accepts the credentials of each other group.',
    profile: { authSeparate: ['C'] },
    dialects: ['soap'],
    hooks: acceptingOthers(isOfC),
  }),
  inD('credentials-of-any-text', 'operation.served', {
    says: 'Group D accepts any text as credentials.',
    profile: { authVerified: ['D'] },
    dialects: ['tabular', 'statistics'],
    hooks: acceptingOthers(isOfD),
  }),
  inD('credentials-without-right-accepted', 'operation.served', {
    says: 'Group D accepts credentials that lack the right to it.',
    profile: {
      authFor: { limited: { scheme: 'apiKey', in: 'query', name: 'api_key', value: 'reader-41' } },
      authLimited: ['D'],
    },
    dialects: ['statistics'],
    hooks: acceptingOthers(isOfD),
  }),
  inC('credentials-unverified-look-up', 'operation.served', {
    says: 'The look-up accepts any text as credentials; its group verifies them.',
    profile: { authVerified: ['C'] },
    dialects: ['tabular', 'statistics'],
    hooks: acceptingOthers(({ name }) => name === 'products'),
  }),
];

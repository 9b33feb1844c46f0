/** What a profile promises about credentials: which operations accept them, need them, and refuse others. */
import { isDeepStrictEqual } from 'node:util';
import { OPERATIONS, type OperationKey, operationOf } from '../contract/index.ts';
import { authKeyOf, schemesOfKey } from './auth-schemes.ts';
import type { AuthScheme } from './schema/auth.ts';
import type { ProfileData } from './schema.ts';

/** The keys of promises about credentials. */
export const AUTH_PROMISES = ['authCovers', 'authRequired', 'authSeparate', 'authVerified', 'authLimited'] as const;

/** Whether a promise names an operation, or its group, and requests to it carry credentials. */
export function isPromised(data: ProfileData, key: (typeof AUTH_PROMISES)[number], operation: OperationKey): boolean {
  const promised = data[key] ?? [];
  const isNamed = promised.includes(operation) || promised.includes(operationOf(operation).group);
  return isNamed && !data.authExcept?.includes(operation);
}

/** The schemes of an operation that add credentials to its requests. */
const schemesOf = (data: ProfileData, operation: OperationKey): readonly AuthScheme[] =>
  data.authExcept?.includes(operation)
    ? []
    : schemesOfKey(data, authKeyOf(data, operation)).filter(({ scheme }) => scheme !== 'none');

/** Whether requests to an operation carry credentials. */
export const hasCredentials = (data: ProfileData, operation: OperationKey): boolean =>
  schemesOf(data, operation).length > 0;

/** Whether invented credentials can replace those of an operation: a client certificate cannot be invented. */
export function canBeInvalid(data: ProfileData, operation: OperationKey): boolean {
  const schemes = schemesOf(data, operation);
  return schemes.length > 0 && schemes.every(({ scheme }) => scheme !== 'mtls');
}

/**
 * An operation of another group whose requests carry other credentials. Operations of one group get those of different
 * groups in turn.
 */
export function withOtherCredentials(data: ProfileData, operation: OperationKey): OperationKey | undefined {
  const { group } = operationOf(operation);
  const own = schemesOf(data, operation);
  const others = new Map(
    OPERATIONS.filter((each) => each.group !== group && hasCredentials(data, each.key))
      .filter(({ key }) => !isDeepStrictEqual(schemesOf(data, key), own))
      .map((each) => [each.group, each.key]),
  );
  const ofGroup = OPERATIONS.filter((each) => each.group === group).map(({ key }) => key);
  return [...others.values()][ofGroup.indexOf(operation) % others.size];
}

/** The meanings of statuses at an operation that the profile declares (section 7: not shown). */
import type { OperationKey } from '../contract/index.ts';
import type { ProfileData, RefusalCondition, Statuses } from './schema.ts';

/**
 * Returns the statuses declared for an operation: its own, and those at the top of the profile that it does not override.
 *
 * @example statusesOf(data, 'GET /PLATFORMAPI/prodRef/v1/products/{upc}') // { unknown: [404], tooMany: [420] }
 */
export function statusesOf(data: ProfileData, key: OperationKey): Statuses {
  const byOperation = known.get(data) ?? new Map<OperationKey, Statuses>();
  known.set(data, byOperation);
  const statuses = byOperation.get(key) ?? declaredFor(data, key);
  byOperation.set(key, statuses);
  return statuses;
}

/** A run asks for them with each request and each response. */
const known = new WeakMap<ProfileData, Map<OperationKey, Statuses>>();

function declaredFor({ statuses = {}, operations }: ProfileData, key: OperationKey): Statuses {
  const own = operations?.[key]?.statuses ?? {};
  const overridden = new Set(Object.values(own).flat());
  const general = Object.entries(statuses).map(([meaning, listed]) => [
    meaning,
    listed.filter((status) => !overridden.has(status)),
  ]);
  return { ...Object.fromEntries(general), ...own };
}

/** Returns the conditions of an operation: its own, or those at the top of the profile. */
export const refusalsOf = ({ refusal, operations }: ProfileData, key: OperationKey): readonly RefusalCondition[] =>
  operations?.[key]?.response?.refusal ?? refusal ?? [];

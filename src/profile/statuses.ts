/** What statuses mean at an operation (section 7: not shown), as far as the profile states it. */
import type { OperationKey } from '../contract/index.ts';
import type { ProfileData, Statuses } from './schema.ts';

/**
 * The statuses stated for an operation: its own, and those at the top of the profile where it says nothing itself.
 *
 * @example statusesOf(data, 'GET /PLATFORMAPI/prodRef/v1/products/{upc}') // { unknown: [404], tooMany: [420] }
 */
export function statusesOf({ statuses = {}, operations }: ProfileData, key: OperationKey): Statuses {
  const own = operations?.[key]?.statuses ?? {};
  const said = new Set(Object.values(own).flat());
  const general = Object.entries(statuses).map(([meaning, listed]) => [
    meaning,
    listed.filter((status) => !said.has(status)),
  ]);
  return { ...Object.fromEntries(general), ...own };
}

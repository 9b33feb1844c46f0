/** Names that nothing has, as filters of a list: where the profile states what they get, the world refuses them. */
import { type OperationName, operationNamed } from '../../../src/contract/index.ts';
import type { ProfileData } from '../../../src/profile/schema.ts';
import type { ModelAnswer, Query } from '../../model/types.ts';
import { listedNames, type World } from '../../model/world.ts';
import { SALES_NAMES } from './aliases.ts';

/**
 * The answer to a request, `unknown` where an empty list is filtered by a name that nothing has and the profile states
 * the statuses of such a request at the operation itself. The query has the names of the world.
 */
export function refuseUnknownName(
  answer: ModelAnswer,
  {
    operation,
    query,
    world,
    profile,
  }: {
    readonly operation: OperationName;
    readonly query: Query;
    readonly world: World;
    readonly profile: ProfileData;
  },
): ModelAnswer {
  const isEmptyList =
    (answer.kind === 'products' || answer.kind === 'performance') &&
    answer.rows[Symbol.iterator]().next().done === true;
  if (!isEmptyList || !profile.operations?.[operationNamed(operation).key]?.statuses?.unknown) return answer;
  const names = listedNames(world);
  const isSame = (one: string, other: unknown) => one.toLowerCase() === String(other).trim().toLowerCase();
  const input = SALES_NAMES.find(
    (each) => query[each] !== undefined && !names[each].some((name) => isSame(name, query[each])),
  );
  return input === undefined ? answer : { kind: 'unknown', input, value: String(query[input]) };
}

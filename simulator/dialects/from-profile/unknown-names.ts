/** Names that nothing has, as filters of a list: where the profile states what they get, the world refuses them. */
import { type OperationName, operationNamed, SALES_FILTERS } from '../../../src/contract/index.ts';
import type { ProfileData } from '../../../src/profile/schema.ts';
import type { ModelAnswer, Query } from '../../model/types.ts';
import type { World } from '../../model/world.ts';

const FILTERS = [...SALES_FILTERS, 'categoryId'] as const;
type Filter = (typeof FILTERS)[number];

function isKnown({ answer, sales }: World, filter: Filter, value: string): boolean {
  const isSame = (name: string | undefined) => name?.toLowerCase() === value.trim().toLowerCase();
  const listed = answer('allCategories', {});
  const categories = listed.kind === 'categories' ? listed.categories : [];
  if (filter === 'categoryId') return categories.some(({ id }) => isSame(id));
  return (
    (filter === 'category' && categories.some(({ name }) => isSame(name))) ||
    (filter === 'subCategory' && categories.some(({ subCategories }) => subCategories.some(isSame))) ||
    sales.filterNames().some((names) => isSame(names[filter]))
  );
}

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
  const input = FILTERS.find((each) => query[each] !== undefined && !isKnown(world, each, String(query[each])));
  return input === undefined ? answer : { kind: 'unknown', input, value: String(query[input]) };
}

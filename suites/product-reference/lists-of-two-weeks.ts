/** Lists of products that may be of two data weeks because they state no as-of date: section 8. */
import { ALL_PRODUCTS, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { DATE_HEADER } from '../../src/rule/data-weeks.ts';
import { deltaNeeds } from '../../src/rule/delta-steps.ts';
import { asUpc, type Declarations, isOk, type Reading, step, type UpcSet, upcs } from '../../src/rule/index.ts';

const recentDelta = step({
  operation: UPDATE_PRODUCTS,
  inputs: { window: { value: 4 } },
  accepts: 'any',
  folds: { upcs },
  optional: true,
});

/** The delta of 4 weeks, where the bulk list states no as-of date. */
export function reloadSteps(declarations: Declarations): { recent?: typeof recentDelta } {
  const asOf = declarations.selector(ALL_PRODUCTS, 'asOf');
  const isDated = asOf !== undefined && !DATE_HEADER.test(asOf);
  const hasDelta = [...deltaNeeds, 'updateProducts.fields.upc' as const].every(declarations.isFilled);
  return !isDated && hasDelta ? { recent: recentDelta } : {};
}

/** A list of products, and one that should contain them. */
export interface ComparedLists {
  readonly listed: UpcSet;
  readonly other: UpcSet;
}

/**
 * Whether the other lists may be a reload older: most products that they lack are new or changed in the delta. A delta that
 * was not read explains nothing.
 */
export function mayBeOlder(
  lists: readonly ComparedLists[],
  recent: readonly Reading<NonNullable<(typeof recentDelta)['folds']>>[] = [],
): boolean {
  const missing = lists.flatMap(({ listed, other }) => [...listed.numbers].map(asUpc).filter((upc) => !other.has(upc)));
  const isRecent = (upc: string) => recent.some((delta) => isOk(delta) && delta.folds.upcs.has(upc));
  return missing.length > 0 && missing.filter(isRecent).length * 2 >= missing.length;
}

export const MAY_BE_OLDER =
  'the lists state no as-of date, and one of them may be a reload older: most products that it lacks are in the 4-week delta';

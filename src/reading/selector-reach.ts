import { EVERY, type PathStep } from '../profile/path-steps.ts';
import type { Selector } from '../profile/selector.ts';

/** Rows at a greater index are not kept for a selector. */
const MAX_RETAINED = 100;

/**
 * The number of first rows that must be kept for the selectors, e.g. 1 for `$.items[0].market` over the rows
 * `$.items[*]`; `undefined` if one of them may select from any row, so that the document must be read whole.
 *
 * @param list the path to the list of rows
 */
export function countRows(selectors: readonly Selector[], list: readonly PathStep[]): number | undefined {
  let retained = 0;
  for (const selector of selectors) {
    if (selector.scope === 'header') continue;
    const count = selector.steps && countSelectedRows(selector.steps, list);
    if (count === undefined) return undefined;
    retained = Math.max(retained, count);
  }
  return retained;
}

function countSelectedRows(steps: readonly PathStep[], list: readonly PathStep[]): number | undefined {
  for (const [at, step] of list.entries()) {
    // A path that ends above the list selects a container of the list.
    if (at >= steps.length) return undefined;
    if (areDisjoint(steps[at] as PathStep, step)) return 0;
  }
  const index = steps[list.length];
  if (typeof index === 'string') return 0;
  return typeof index === 'number' && index >= 0 && index < MAX_RETAINED ? index + 1 : undefined;
}

/** Whether two steps from one node certainly select different children; an index from the end may be any. */
function areDisjoint(a: PathStep, b: PathStep): boolean {
  if (a === EVERY || b === EVERY || a === b) return false;
  return typeof a === 'string' || typeof b === 'string' || (a >= 0 && b >= 0);
}

/** Lists of products that may be of two data weeks because they state no as-of date: section 8. */
import { ALL_PRODUCTS, type OpeningId, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { DATE_HEADER } from '../../src/rule/data-weeks.ts';
import { asUpc, isOk, listNeeds, onlyIf, type Reading, rows, type UpcSet, upcs } from '../../src/rule/index.ts';

/** The delta of 4 weeks, where the bulk list states no as-of date. */
export const RECENT = onlyIf(
  ({ selector, isFilled }) => {
    const asOf = selector(ALL_PRODUCTS, 'asOf');
    const isDated = asOf !== undefined && !DATE_HEADER.test(asOf);
    return !isDated && listNeeds(UPDATE_PRODUCTS, 'upc').every((each) => isFilled(each as OpeningId));
  },
  rows(UPDATE_PRODUCTS, { weeks: 4, folds: { upcs }, accepts: 'any', optional: true }),
);

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
  recent: Reading<{ upcs: typeof upcs }> | undefined,
): boolean {
  const missing = lists.flatMap(({ listed, other }) => [...listed.numbers].map(asUpc).filter((upc) => !other.has(upc)));
  const isRecent = (upc: string) => recent !== undefined && isOk(recent) && recent.folds.upcs.has(upc);
  return missing.length > 0 && missing.filter(isRecent).length * 2 >= missing.length;
}

export const MAY_BE_OLDER =
  'the lists state no as-of date, and one of them may be a reload older: most products that it lacks are in the 4-week delta';

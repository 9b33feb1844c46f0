/** What the files of group C share. */
import { LIMITS, type OpeningId, operationOf } from '../../src/contract/index.ts';
import {
  anything,
  type Declarations,
  type Finding,
  failed,
  type Judgement,
  type KeySet,
  type Reading,
  step,
  undecided,
  upcs,
  upcsBy,
  upcsWithout,
} from '../../src/rule/index.ts';

export const CATEGORIES = 'GET /PLATFORMAPI/prodRef/v1/allCategories';

export const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';

export const LOOKUP = 'GET /PLATFORMAPI/prodRef/v1/products/{upc}';

export const DELTA = 'GET /PLATFORMAPI/prodRef/v1/updateProducts';

export const one = <R extends Reading>(readings: readonly R[]): R => readings[0] as R;

export const WINDOWS = LIMITS.deltaWeeks;

/**
 * A failed comparison of UPC sets, unless rows without a readable UPC could be what is missing: those are the business
 * of the UPC rule, and accusing the list for them would tell one fault twice.
 */
export function failedUnlessUnread(
  findings: readonly Finding[],
  readings: readonly { readonly folds: { readonly upcs: KeySet } }[],
): Judgement {
  const unread = readings.reduce((sum, reading) => sum + reading.folds.upcs.unread, 0);
  return unread > 0
    ? undecided(`${unread} rows carry no readable UPC, so the lists cannot be compared`)
    : failed(findings);
}

/** Rows are keyed by the category's name where both sides carry it, else by its id. */
export const categoryKey = (
  declares: Declarations,
  operation: typeof BULK | typeof DELTA | typeof LOOKUP,
): 'category' | 'categoryId' => {
  const { name } = operationOf(operation);
  const byName =
    declares.isFilled(`${name}.fields.category` as OpeningId) && declares.isFilled('allCategories.fields.category');
  return byName ? 'category' : 'categoryId';
};

export function bulkStep(declares: Declarations) {
  const key = categoryKey(declares, BULK);
  return step({
    operation: BULK,
    observes: anything,
    wants: 'content',
    folds: { upcs, by: upcsBy(key), without: upcsWithout(key) },
  });
}

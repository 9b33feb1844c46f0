/** Comparing lists of products by their UPCs. */
import { type Finding, failed, type Judgement, type KeySet, undecided } from './index.ts';

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

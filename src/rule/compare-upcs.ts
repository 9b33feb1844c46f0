/** Compares lists of products by their UPCs. */
import { type Finding, failed, type Judgement, type KeySet, undecided } from './index.ts';

/**
 * A failed comparison of UPC sets, or undecided if rows without a readable UPC could be the missing ones:
 * C.upc-12-digits reports these rows.
 */
export function failOrUndecided(
  findings: readonly Finding[],
  readings: readonly { readonly folds: { readonly upcs: KeySet } }[],
): Judgement {
  const unread = readings.reduce((sum, reading) => sum + reading.folds.upcs.unread, 0);
  return unread > 0
    ? undecided(`${unread} rows have no readable UPC, so the lists cannot be compared`)
    : failed(findings);
}

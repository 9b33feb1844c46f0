/** Compares lists of products by their UPCs. */
import { type Finding, failed, inconclusive, type Judgement, type UpcSet } from './index.ts';

/**
 * A failed comparison of UPC sets, or inconclusive if rows without a readable UPC could be the missing ones:
 * C.upc-12-digits reports these rows.
 */
export function failOrInconclusive(
  findings: readonly Finding[],
  readings: readonly { readonly folds: { readonly upcs: UpcSet } }[],
): Judgement {
  const unread = readings.reduce((sum, reading) => sum + reading.folds.upcs.unread, 0);
  return unread > 0
    ? inconclusive(`${unread} rows have no readable UPC, so the lists cannot be compared`)
    : failed(findings);
}

/** The vocabulary of rules about strings that are no UPC: which are asked for, and which of them only a look-up can have met (section 8). */

import { isUpc } from '../contract/index.ts';
import type { Declarations, Reading, Step } from './index.ts';
import { type characteristics, hasProduct, rowsOf } from './look-ups.ts';
import { MALFORMED_UPCS } from './malformed-upcs.ts';

/** Whether an answer tells a product beyond doubt where no unknown one shows what “no product” looks like. */
export function isProductOf(
  reading: Reading<{ product: typeof characteristics }>,
  known: readonly Reading<{ product: typeof characteristics }>[],
): boolean {
  if (rowsOf(reading).some(({ upc }) => typeof upc === 'string' && isUpc(upc))) return true;
  const products = new Set(known.filter(hasProduct).map(({ observation }) => observation?.digest));
  return products.size > 1 && products.has(reading.observation?.digest);
}

/** What each admitted normalisation makes of a text. */
const NORMALISED: Record<string, (text: string) => string> = {
  trim: (text) => text.trim(),
  pad: (text) => text.padStart(12, '0'),
  ean13: (text) => text.replace(/^0(?=\d{12}$)/, ''),
  gtin14: (text) => text.replace(/^00(?=\d{12}$)/, ''),
  separators: (text) => text.replace(/[ -]/g, ''),
};

/**
 * Whether a text in a path is no UPC, in a way that only the look-up can have met: slashes, dots and semicolons are taken
 * for other paths, formats and parameters before. What the implementer admits to normalising is left out.
 */
export function isPlainlyMalformed(text: string, { upcAdmits }: Declarations): boolean {
  if (isUpc(text) || !/^[\p{Nd}A-Za-z+\-\s\0]{1,1000}$/u.test(text)) return false;
  let normalised = text;
  for (const admitted of ['trim', 'separators', 'gtin14', 'ean13', 'pad'])
    if (upcAdmits.includes(admitted)) normalised = NORMALISED[admitted]?.(normalised) ?? normalised;
  return !isUpc(normalised);
}

export type MalformedSteps = Record<string, Step<{ product: typeof characteristics }>>;

/** What is made of a known UPC, without what the implementer admits to normalising. */
export function malformedFrom(upc: string, declares: Declarations): string[] {
  const admitted = MALFORMED_UPCS.filter((each) => !each.admittedBy || !declares.upcAdmits.includes(each.admittedBy));
  return [...new Set(admitted.map((each) => each.make(upc)).filter((text) => !isUpc(text)))];
}

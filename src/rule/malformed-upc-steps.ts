/** The vocabulary of rules about malformed UPCs: their requests, and which responses contain a product (section 8). */

import { isUpc, PRODUCT_LOOKUP } from '../contract/index.ts';
import { type Declarations, type Reading, type Row, type Step, step } from './index.ts';
import { characteristics, hasProduct, knownUpcs, rowsOf } from './look-ups.ts';
import { MALFORMED_UPCS } from './malformed-upc-table.ts';

type ProductReading = Reading<{ product: typeof characteristics }>;

export type MalformedSteps = Record<string, Step<{ product: typeof characteristics }>>;

/** The text after each normalisation that the profile may declare. */
const NORMALISED: Record<string, (text: string) => string> = {
  trim: (text) => text.trim(),
  pad: (text) => text.padStart(12, '0'),
  ean13: (text) => text.replace(/^0(?=\d{12}$)/, ''),
  gtin14: (text) => text.replace(/^00(?=\d{12}$)/, ''),
  separators: (text) => text.replace(/[ -]/g, ''),
};

/**
 * Whether a text in a path is malformed and reaches the look-up: slashes, dots and semicolons may route to other paths,
 * formats and parameters. Texts that become a UPC by a declared normalisation are excluded.
 */
function isPlainlyMalformed(text: string, { upcAdmits }: Declarations): boolean {
  if (isUpc(text) || !/^[\p{Nd}A-Za-z+\-\s\0]{1,1000}$/u.test(text)) return false;
  let normalised = text;
  for (const admitted of ['trim', 'separators', 'gtin14', 'ean13', 'pad'] as const)
    if (upcAdmits.includes(admitted)) normalised = NORMALISED[admitted]?.(normalised) ?? normalised;
  return !isUpc(normalised);
}

/** The malformed strings of a known UPC, without those that a declared normalisation allows. */
function malformedFrom(upc: string, { upcAdmits }: Declarations): string[] {
  const admitted = MALFORMED_UPCS.filter((each) => !each.admittedBy || !upcAdmits.includes(each.admittedBy));
  return [...new Set(admitted.map((each) => each.make(upc)).filter((text) => !isUpc(text)))];
}

const folds = { product: characteristics };

const lookUp = (upc: string, accepts: 'response' | 'any') =>
  step({ operation: PRODUCT_LOOKUP, inputs: { upc: { value: upc } }, accepts, folds });

/**
 * The look-ups of an unknown UPC, of up to two known ones, and of malformed strings built from these. The names of the
 * steps begin with `unknown`, `known` and `malformed`.
 */
export function malformedUpcSteps(declarations: Declarations): MalformedSteps {
  const unknown = lookUp(declarations.unknownUpc, 'response');
  const count = declarations.draw('malformedFrom');
  const bulk = knownUpcs(declarations, count);
  if (bulk) {
    const lookUpListed = (
      max: number,
      accepts: 'response' | 'any',
      choose?: (rows: readonly Row[]) => readonly Row[],
    ) =>
      step({
        operation: PRODUCT_LOOKUP,
        each: { from: 'bulk', fold: 'some', as: { upc: 'upc' }, max, ...(choose && { choose }) },
        accepts,
        folds,
      });
    const malform = (rows: readonly Row[]) =>
      rows.slice(0, count).flatMap((row) => malformedFrom(String(row.upc), declarations).map((upc): Row => ({ upc })));
    const steps: Record<string, Step> = {
      bulk: { ...bulk, optional: true },
      unknown: { ...unknown, optional: true },
      known: { ...lookUpListed(count, 'response'), alsoMatches: ({ upc }) => isUpc(String(upc)) },
      malformed: {
        ...lookUpListed(40 * count, 'any', malform),
        alsoMatches: ({ upc }) => isPlainlyMalformed(String(upc), declarations),
      },
    };
    return steps as MalformedSteps;
  }
  const known = declarations.examples('upc').map(String).filter(isUpc).slice(0, count);
  const malformed = new Set(known.flatMap((upc) => malformedFrom(upc, declarations)));
  return Object.fromEntries([
    ['unknown', unknown],
    ...known.map((upc, at) => [`known${at}`, lookUp(upc, 'response')]),
    ...[...malformed].map((upc, at) => [`malformed${at}`, lookUp(upc, 'any')]),
  ]) as MalformedSteps;
}

/** The readings of `malformedUpcSteps`, by the kind of their UPC. */
export function readingsByUpc(seen: { readonly [name: string]: readonly ProductReading[] }) {
  const named = (prefix: string): ProductReading[] =>
    Object.entries(seen).flatMap(([name, readings]) => (name.startsWith(prefix) ? readings : []));
  return { unknown: seen.unknown?.[0], known: named('known'), malformed: named('malformed') };
}

/** Whether two look-ups have the same content. */
export const hasSameContent = (one: Reading, other: Reading): boolean =>
  one.observation?.digest === other.observation?.digest;

/** Whether a response contains a product, judged without an unknown UPC to compare with. */
function isCertainProduct(reading: ProductReading, known: readonly ProductReading[]): boolean {
  if (rowsOf(reading).some(({ upc }) => typeof upc === 'string' && isUpc(upc))) return true;
  const products = new Set(known.filter(hasProduct).map(({ observation }) => observation?.digest));
  return products.size > 1 && products.has(reading.observation?.digest);
}

/** Whether a look-up of a malformed string returns a product, and not what an unknown UPC returns. */
export const returnsProduct = (
  reading: ProductReading,
  { unknown, known }: Pick<ReturnType<typeof readingsByUpc>, 'unknown' | 'known'>,
): boolean => hasProduct(reading) && (unknown ? !hasSameContent(reading, unknown) : isCertainProduct(reading, known));

/** The vocabulary of rules about look-ups by UPC: which are made, and what a product in the answer is (section 4.3). */
import { ALL_PRODUCTS, PRODUCT_LOOKUP } from '../contract/index.ts';
import {
  anything,
  collect,
  type Declarations,
  describeResponse,
  type Finding,
  failed,
  isOk,
  nothingToJudge,
  passed,
  quoteSelector,
  type Reading,
  type Row,
  spread,
  step,
  undecided,
} from './index.ts';

/** A product is found when the look-up answers 2xx with at least one row that has characteristics. */
export const characteristics = collect(['upc', 'characteristics'], 20);

/** The rows of a look-up; what the profile reads once for the whole answer holds for each of them. */
export function rowsOf({ folds, observation }: Reading<{ product: typeof characteristics }>): Row[] {
  const once = Object.entries(observation?.values ?? {}).map(([field, [first]]) => [field, first]);
  return (folds.product?.rows ?? []).map((row) => ({ ...row, ...Object.fromEntries(once) }));
}

export const hasProduct = (reading: Reading<{ product: typeof characteristics }>): boolean =>
  isOk(reading) && rowsOf(reading).some((row) => Array.isArray(row.characteristics) && row.characteristics.length > 0);

/** Numeric storage loses leading zeros: such UPCs are always among those looked up. */
export const leadingZero = {
  name: 'leading-zero',
  is: (row: Row) => typeof row.upc === 'string' && row.upc.startsWith('0'),
};

/** UPCs spread over the bulk list. */
const listedUpcs = (max: number) =>
  step({
    operation: ALL_PRODUCTS,
    observes: anything,
    wants: 'content',
    folds: { some: spread(['upc'], max, leadingZero) },
  });

/** UPCs to look up: spread over the bulk list; undefined where the profile binds no list, whose examples then serve. */
export function knownUpcs(declares: Declarations, max: number) {
  const isListed =
    declares.isFilled('allProducts.request') &&
    declares.isFilled('allProducts.rows') &&
    declares.isFilled('allProducts.fields.upc');
  return isListed ? listedUpcs(max) : undefined;
}

/** How many listed products are looked up: one request each. */
export const LOOK_UP_COUNT = 24;

/** Look-ups of products spread over the bulk list, the same whichever rule asks for them. */
export const listedLookups = () => ({
  bulk: listedUpcs(LOOK_UP_COUNT),
  products: step({
    operation: PRODUCT_LOOKUP,
    each: { from: 'bulk', fold: 'some', as: { upc: 'upc' }, max: LOOK_UP_COUNT },
    wants: 'answer',
    folds: { product: characteristics },
  }),
});

export const unknownLookup = (declares: Declarations) =>
  step({
    operation: PRODUCT_LOOKUP,
    inputs: { upc: { value: declares.unknownUpc } },
    wants: 'any',
    folds: { product: characteristics },
    spare: true,
  });

/** The UPC of another product than the one asked for, where the answer carries it. */
export function otherProduct(reading: Reading<{ product: typeof characteristics }>): string | undefined {
  if (!hasProduct(reading)) return undefined;
  const other = rowsOf(reading).find((row) => typeof row.upc === 'string' && row.upc !== String(reading.inputs.upc));
  return other && String(other.upc);
}

export function judgeLookups(
  products: readonly Reading<{ product: typeof characteristics }>[],
  declares: Declarations,
) {
  if (products.length === 0) return nothingToJudge('no UPC to look up');
  // Where other products are found, an answer without the product's place says “no such product”; where none is, the
  // profile may read the wrong place.
  const finds = products.some(hasProduct);
  const unread = products.find((reading) => {
    const problem = isOk(reading) ? reading.observation?.problem : undefined;
    return problem && !(problem.kind === 'rowsNotFound' && finds);
  });
  if (unread) return undecided(unread.observation?.problem?.message ?? '');
  const findings = products.flatMap((reading): Finding[] => {
    const upc = String(reading.inputs.upc);
    const expected = `the characteristics of ${upc}`;
    if (!isOk(reading)) return [{ expected, actual: describeResponse(reading), exchange: reading.exchange }];
    if (!hasProduct(reading)) {
      return [
        {
          expected,
          actual: `no characteristics at ${quoteSelector(PRODUCT_LOOKUP, declares.selector(PRODUCT_LOOKUP, 'characteristics'))}`,
          exchange: reading.exchange,
        },
      ];
    }
    const other = otherProduct(reading);
    return other ? [{ expected, actual: `the product ${other}`, exchange: reading.exchange }] : [];
  });
  if (findings.length === products.length && products.every((reading) => isOk(reading) && !hasProduct(reading)))
    return failed(findings.slice(0, 1), 'profile');
  return findings.length > 0
    ? failed(findings)
    : passed({ exchanges: products.length, rows: products.length, distinct: products.length });
}

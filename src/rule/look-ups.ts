/** The vocabulary of rules about look-ups by UPC: which requests are sent, and when a response contains a product (section 4.3). */
import { ALL_PRODUCTS, PRODUCT_LOOKUP } from '../contract/index.ts';
import {
  anything,
  collect,
  type Declarations,
  describeResponse,
  type Finding,
  failed,
  inconclusive,
  isOk,
  kindOfStatus,
  passed,
  quoteSelector,
  type Reading,
  type Row,
  sampleRows,
  step,
  untested,
} from './index.ts';

/** Collects the rows of a product. A look-up finds it with a 2xx and at least one row that has characteristics. */
export const characteristics = collect(['upc', 'characteristics'], 20);

/** The rows of a look-up, with the fields that the profile reads once per response. */
export function rowsOf({ folds, observation }: Reading<{ product: typeof characteristics }>): Row[] {
  const shared = Object.entries(observation?.values ?? {}).map(([field, [first]]) => [field, first]);
  return (folds.product?.rows ?? []).map((row) => ({ ...row, ...Object.fromEntries(shared) }));
}

export const hasProduct = (reading: Reading<{ product: typeof characteristics }>): boolean =>
  isOk(reading) && rowsOf(reading).some((row) => Array.isArray(row.characteristics) && row.characteristics.length > 0);

/** Servers that store UPCs as numbers lose leading zeros, so at least one such UPC is looked up. */
export const leadingZero = {
  name: 'leading-zero',
  is: (row: Row) => typeof row.upc === 'string' && row.upc.startsWith('0'),
};

/** UPCs spread over the bulk list. */
const listedUpcs = (max: number) =>
  step({
    operation: ALL_PRODUCTS,
    alsoMatches: anything,
    accepts: 'content',
    folds: { some: sampleRows(['upc'], max, leadingZero) },
  });

/** UPCs to look up, spread over the bulk list; undefined if the profile does not bind the list: rules then use its examples. */
export function knownUpcs(declarations: Declarations, max: number) {
  const isListed =
    declarations.isFilled('allProducts.request') &&
    declarations.isFilled('allProducts.rows') &&
    declarations.isFilled('allProducts.fields.upc');
  return isListed ? listedUpcs(max) : undefined;
}

/** Look-ups of products spread over the bulk list; equal for all rules, so that they are sent once. */
export const listedLookups = (declarations: Declarations) => ({
  bulk: listedUpcs(declarations.draw('lookUps')),
  products: step({
    operation: PRODUCT_LOOKUP,
    each: { from: 'bulk', fold: 'some', as: { upc: 'upc' }, max: declarations.draw('lookUps') },
    accepts: 'response',
    folds: { product: characteristics },
  }),
});

export const unknownLookup = (declarations: Declarations) =>
  step({
    operation: PRODUCT_LOOKUP,
    inputs: { upc: { value: declarations.unknownUpc } },
    accepts: 'any',
    folds: { product: characteristics },
    optional: true,
  });

/** The UPC in the response if it is not the requested one; otherwise undefined. */
export function otherProduct(reading: Reading<{ product: typeof characteristics }>): string | undefined {
  if (!hasProduct(reading)) return undefined;
  const other = rowsOf(reading).find((row) => typeof row.upc === 'string' && row.upc !== String(reading.inputs.upc));
  return other && String(other.upc);
}

export function judgeLookups(
  products: readonly Reading<{ product: typeof characteristics }>[],
  declarations: Declarations,
) {
  if (products.length === 0) return untested('no UPC to look up');
  // If other products are found, a response without rows means “no such product”. If none is found, the profile may read
  // the wrong place.
  const findsAny = products.some(hasProduct);
  const unread = products.find((reading) => {
    const problem = isOk(reading) ? reading.observation?.problem : undefined;
    return problem && !(problem.kind === 'rowsNotFound' && findsAny);
  });
  if (unread) return inconclusive(unread.observation?.problem?.message ?? '');
  const findings = products.flatMap((reading): Finding[] => {
    const upc = String(reading.inputs.upc);
    const expected = `the characteristics of ${upc}`;
    if (!isOk(reading))
      return [{ kind: kindOfStatus(reading), expected, actual: describeResponse(reading), exchange: reading.exchange }];
    if (!hasProduct(reading)) {
      return [
        {
          kind: 'no-characteristics',
          expected,
          actual: `no characteristics at ${quoteSelector(PRODUCT_LOOKUP, declarations.selector(PRODUCT_LOOKUP, 'characteristics'))}`,
          exchange: reading.exchange,
        },
      ];
    }
    const other = otherProduct(reading);
    return other
      ? [{ kind: 'other-product', expected, actual: `the product ${other}`, exchange: reading.exchange }]
      : [];
  });
  if (findings.length === products.length && products.every((reading) => isOk(reading) && !hasProduct(reading)))
    return failed(findings.slice(0, 1), 'profile');
  return findings.length > 0
    ? failed(findings)
    : passed({ exchanges: products.length, rows: products.length, distinct: products.length });
}

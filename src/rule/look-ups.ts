/** The vocabulary of rules about look-ups by UPC: which requests are sent, and when a response contains a product (section 4.3). */
import { ALL_PRODUCTS, type Field, PRODUCT_LOOKUP, UPDATE_PRODUCTS } from '../contract/index.ts';
import type { InputValue } from '../profile/template.ts';
import { Unconverted } from '../reading/types.ts';
import { statedAsOf } from './data-weeks.ts';
import {
  anything,
  type Comparison,
  collect,
  type Declarations,
  decide,
  describeResponse,
  type Finding,
  type FoldMap,
  failed,
  findingIn,
  inconclusive,
  isOk,
  type Judgement,
  kindOfStatus,
  many,
  maybe,
  onlyIf,
  quoteSelector,
  type Reading,
  type Row,
  rows,
  type Step,
  type Strata,
  sampleRows,
  step,
  untested,
  upcs,
} from './index.ts';

/** Collects the rows of a product. A look-up finds it with a 2xx and at least one row that has characteristics. */
export const characteristics = collect(['upc', 'characteristics'], 20);

/** A look-up of a product. */
export type LookUp = Reading<{ product: typeof characteristics }>;

/** The rows of a look-up, with the fields that the profile reads once per response. */
export function rowsOf({ folds, observation }: LookUp): Row[] {
  const shared = Object.entries(observation?.values ?? {}).map(([field, [first]]) => [field, first]);
  return (folds.product?.rows ?? []).map((row) => ({ ...row, ...Object.fromEntries(shared) }));
}

export const hasProduct = (reading: LookUp): boolean =>
  isOk(reading) && rowsOf(reading).some((row) => Array.isArray(row.characteristics) && row.characteristics.length > 0);

/** Characteristics that the profile finds but cannot convert. A function of the profile that throws finds none. */
const unconvertedIn = (reading: LookUp): Unconverted | undefined =>
  rowsOf(reading)
    .map((row) => row.characteristics)
    .find((cell): cell is Unconverted => cell instanceof Unconverted && cell.raw !== undefined);

/** Servers that store UPCs as numbers lose leading zeros, so at least one such UPC is looked up. */
const hasLeadingZero = ({ upc }: Row): boolean => typeof upc === 'string' && upc.startsWith('0');

/** Products that are looked up at least once: a service may store, list or cache each of these kinds in its own way. */
const PRODUCT_STRATA: Strata = {
  name: 'products',
  special: hasLeadingZero,
  positions: true,
  ends: ['changedOn', 'activeOn'],
  values: ['category', 'categoryId'],
};

const LEADING_ZERO: Strata = { name: 'leading-zero', special: hasLeadingZero };

/** A sample of the UPCs of a list of products, with a row of each stratum and further fields of the rows. */
export const sampleProducts = (
  declarations: Declarations,
  name: 'lookUps' | 'deltaLookUps',
  further: readonly Field[] = [],
) =>
  sampleRows(
    ['upc'],
    { max: declarations.draw(name), strata: declarations.draw('strata'), seed: declarations.seed, further },
    PRODUCT_STRATA,
  );

/** Looks the products of such a sample up. */
export const productEach = (
  declarations: Declarations,
  from: string,
  name: 'lookUps' | 'deltaLookUps',
): NonNullable<Step['each']> => ({
  from,
  fold: 'some',
  as: { upc: 'upc' },
  max: Math.min(declarations.draw(name) + declarations.draw('strata'), declarations.maxSubjects),
  of: 'products',
  counted: 'upcs',
});

/** The look-ups of a sample of another side, such as `bulk`. */
export const lookUpsOf = <F extends FoldMap>(
  from: string,
  draw: 'lookUps' | 'deltaLookUps',
  side: Parameters<typeof rows<F>>[1],
) =>
  many(
    rows(PRODUCT_LOOKUP, {
      accepts: 'response',
      ...side,
      each: (declarations) => productEach(declarations, from, draw),
    }),
  );

/** The bulk list with UPCs to look up; by default those of all look-ups. */
const listedUpcs = (sample = (declarations: Declarations) => sampleProducts(declarations, 'lookUps')) =>
  rows(ALL_PRODUCTS, {
    fields: ['upc'],
    alsoMatches: anything,
    accepts: 'content',
    folds: (declarations) => ({ some: sample(declarations), upcs }),
  });

/**
 * UPCs of the bulk list to look up; undefined if the profile does not bind the list: rules then use its examples.
 * @param max the size of a sample without strata; default: the sample of all look-ups
 */
export function knownUpcs(declarations: Declarations, max?: number) {
  if (!declarations.binds(ALL_PRODUCTS, 'request', 'rows', 'fields.upc')) return undefined;
  const few = ({ seed }: Declarations) => sampleRows(['upc'], { max: max ?? 0, strata: 1, seed }, LEADING_ZERO);
  return listedUpcs(max === undefined ? undefined : few).step(ALL_PRODUCTS, declarations);
}

/** What a look-up that finds a product shows. */
export const FOUND = { fields: ['characteristics'], folds: { product: characteristics } } as const;

/** Look-ups of products spread over the bulk list; equal for all rules, so that they are sent once. */
export const LISTED_LOOK_UPS = { bulk: listedUpcs(), products: lookUpsOf('bulk', 'lookUps', FOUND) };

/** The steps of `LISTED_LOOK_UPS`. */
export const listedLookUps = (declarations: Declarations) => ({
  bulk: LISTED_LOOK_UPS.bulk.step(ALL_PRODUCTS, declarations) as Step,
  products: LISTED_LOOK_UPS.products.step(PRODUCT_LOOKUP, declarations) as Step<typeof FOUND.folds>,
});

/** The look-up of one UPC. */
export const lookUpOf = (upc: InputValue, accepts: Step['accepts'] = 'any') =>
  step({ operation: PRODUCT_LOOKUP, inputs: { upc: { value: upc } }, accepts, folds: FOUND.folds });

export const unknownLookup = ({ unknownUpc }: Declarations) => step({ ...lookUpOf(unknownUpc), optional: true });

/** The UPC in the response if it is not the requested one; otherwise undefined. */
export function otherProduct(reading: LookUp): string | undefined {
  if (!hasProduct(reading)) return undefined;
  const other = rowsOf(reading).find((row) => typeof row.upc === 'string' && row.upc !== String(reading.inputs.upc));
  return other && String(other.upc);
}

/** What the profile must read of a delta, so that its products are known. */
export const LISTED_CHANGES = ['request', 'rows', 'inputs.window', 'fields.upc'] as const;

/**
 * The delta of the last week, if the profile binds it: a look-up that is reloaded after the lists does not know these
 * products yet (section 8).
 */
export const RECENT_WEEK = onlyIf(
  ({ binds }) => binds(UPDATE_PRODUCTS, ...LISTED_CHANGES),
  maybe(rows(UPDATE_PRODUCTS, { weeks: 1, folds: { upcs } })),
);

interface ListedLookups {
  readonly products: readonly LookUp[];
  readonly list: Reading | undefined;
  readonly recent: Reading<{ upcs: typeof upcs }> | undefined;
}

/**
 * Judges look-ups of listed products. One that is unknown and changed in the last week may be known after the next reload
 * of the look-up, unless other look-ups state the as-of date of the list.
 */
export function judgeListedLookups({ products, list, recent }: ListedLookups, declarations: Declarations): Judgement {
  const asOf = list && statedAsOf(list, declarations);
  const dates = products.filter(hasProduct).map((each) => statedAsOf(each, declarations));
  const isOfOneReload = asOf !== undefined && dates.length > 0 && dates.every((each) => each === asOf);
  const mayFollow = (reading: ListedLookups['products'][number]) =>
    !hasProduct(reading) &&
    (reading.head?.status ?? 500) < 500 &&
    recent?.folds.upcs.has(String(reading.inputs.upc)) === true;
  const following = isOfOneReload ? [] : products.filter(mayFollow);
  if (following.length === 0) return judgeLookups(products, declarations);
  const others = products.filter((each) => !following.includes(each));
  const judged = judgeLookups(others, declarations);
  if (judged.verdict === 'fail' || !others.some(hasProduct)) return judgeLookups(products, declarations);
  return {
    verdict: 'inconclusive',
    because: `${following.length} products that changed in the last week are unknown to the look-up, e.g. ${following[0]?.inputs.upc}; it may be a reload behind the list`,
    since: '0.2.0',
  };
}

/** Judges look-ups of products that must be known: each returns characteristics. Untested without look-ups. */
export function judgeLookups(products: readonly LookUp[], declarations: Declarations): Judgement {
  if (products.length === 0) return untested('no UPC to look up');
  // If other products are found, a response without rows means “no such product”. If none is found, the profile may read
  // the wrong place.
  const findsAny = products.some(hasProduct);
  const unread = products.find((reading) => {
    const problem = isOk(reading) ? reading.observation?.problem : undefined;
    return problem && !(problem.kind === 'rowsNotFound' && findsAny);
  });
  if (unread) return inconclusive(unread.observation?.problem?.message ?? '');
  const unconverted = products
    .filter(isOk)
    .map(unconvertedIn)
    .find((each) => each !== undefined);
  if (unconverted)
    return {
      verdict: 'inconclusive',
      because: `the characteristics cannot be read (${unconverted.why}): correct \`match\` or \`as\` of characteristics`,
      since: '0.2.0',
    };
  const nowhere = `no characteristics at ${quoteSelector(PRODUCT_LOOKUP, declarations.selector(PRODUCT_LOOKUP, 'characteristics'))}`;
  const findings = products.flatMap((reading): Finding[] => {
    const expected = `the characteristics of ${reading.inputs.upc}`;
    if (!isOk(reading)) return [findingIn(reading, kindOfStatus(reading), expected, describeResponse(reading))];
    if (!hasProduct(reading)) return [findingIn(reading, 'no-characteristics', expected, nowhere)];
    const other = otherProduct(reading);
    return other ? [findingIn(reading, 'other-product', expected, `the product ${other}`)] : [];
  });
  if (products.every((reading) => isOk(reading) && !hasProduct(reading)))
    return failed(findings.slice(0, 1), 'profile');
  const evidence = { exchanges: products.length };
  return decide({ compared: products.length, findings }, { nothing: '', counted: 'both', evidence });
}

/** Comparisons of look-ups with a list, where different characteristics are no finding if the list may write them as codes. */
export function withOneForm(compared: readonly Comparison[], isSameForm: boolean): readonly Comparison[] {
  if (isSameForm || compared.every(({ findings = [] }) => findings.length === 0)) return compared;
  const doubt = 'no product shows the characteristics of its row: the list may write them in another form';
  return [
    { doubt },
    ...compared.map(({ findings = [], ...each }) => ({
      ...each,
      findings: findings.filter(({ kind }) => kind !== 'other-characteristics'),
    })),
  ];
}

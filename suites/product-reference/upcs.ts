/** One UPC of 12 digits identifies each product of the bulk list, and its dates are in order: sections 2 and 8. */

import { ALL_PRODUCTS, type OperationKey, PRODUCT_LOOKUP, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { toleranceOf } from '../../src/rule/data-weeks.ts';
import type { Declarations } from '../../src/rule/index.ts';
import {
  addRow,
  anything,
  combine,
  defineRule,
  editRow,
  everyRow,
  type FoldMap,
  fieldDemand,
  findingIn,
  judgeRepeats,
  judgeRowFailures,
  judgeTally,
  listNeeds,
  onlyIf,
  plainInputs,
  relationRule,
  repeats,
  rows,
  type Step,
  step,
  tally,
  unreadable,
  upcs,
  upcsBy,
  upcsWithout,
} from '../../src/rule/index.ts';
import { knownUpcs, lookUpsOf } from '../../src/rule/look-ups.ts';
import { isGs1 } from '../../src/rule/unlisted-value.ts';
import { categoryKey } from './category-filter-steps.ts';

/** A list that is judged whatever its filters. */
const plainList = <F extends FoldMap>(operation: OperationKey, inputs: NonNullable<Step['inputs']>, folds: F) =>
  step({ operation, inputs, alsoMatches: anything, accepts: 'content', folds, optional: true });

const plainLists = <F extends FoldMap>(operation: OperationKey, folds: F): Record<string, Step<F>> =>
  Object.fromEntries(
    Object.entries(plainInputs(operation)).map(([name, inputs]) => [name, plainList(operation, inputs, folds)]),
  );

type UpcStep = Step<{ upc: ReturnType<typeof tally> }>;

/** The step that lists the products to look up; another subject judges it. */
const SOURCE_STEP = 'bulk';

export const upcRule = defineRule({
  id: 'C.upc-12-digits',
  statement: 'C.upc-12',
  basis: 'stated',
  since: '0.1.0',
  demands: 'Every UPC in a response has 12 digits.',
  how: 'The UPC of every row is read through the converter that the profile declares (by default a string of 12 digits, or an integer).',
  subjects: [ALL_PRODUCTS, PRODUCT_LOOKUP, UPDATE_PRODUCTS],
  needs: (subject) => [
    ...listNeeds(subject, 'upc'),
    ...(subject === PRODUCT_LOOKUP ? [['upcExamples', 'allProducts.fields.upc'] as const] : []),
  ],
  probe(subject, declarations): Record<string, UpcStep> {
    const folds = { upc: tally('upc') };
    if (subject !== PRODUCT_LOOKUP) return plainLists(subject, folds);
    const bulk = knownUpcs(declarations);
    return {
      ...(declarations.examples('upc').length > 0 && { list: plainList(subject, { upc: { example: 'upc' } }, folds) }),
      ...(bulk && {
        products: lookUpsOf('bulk', 'lookUps', { accepts: 'content', folds }).step(subject, declarations) as UpcStep,
        [SOURCE_STEP]: bulk as unknown as UpcStep,
      }),
    };
  },
  counterexample(seen) {
    const [name = '', list] = Object.entries(seen)[0] ?? [];
    return { [name]: editRow(list, { upc: unreadable('12345678901') }) };
  },
  judge: (seen, context) =>
    combine(
      Object.entries(seen)
        .flatMap(([name, lists]) => (name === SOURCE_STEP ? [] : lists))
        .map((list) =>
          judgeTally(list, list.folds.upc, fieldDemand(context, 'upc', 'a UPC of 12 digits in every row (section 8)')),
        ),
    ),
});

export const upcCheckDigit = defineRule({
  id: 'C.upc-check-digit',
  statement: 'C.upc-12',
  demands: 'The last digit of each UPC is its check digit: the profile promises it (upc.checkDigit).',
  how: 'In the bulk list and in each delta, the check digit of every UPC is computed from its first eleven digits.',
  looksLike:
    'A service with UPCs of its own for products without a barcode, whose last digit is no check digit, is legal and does not promise this.',
  subjects: [ALL_PRODUCTS, UPDATE_PRODUCTS],
  needs: (subject) => ['checkDigit', ...upcRule.needs(subject)],
  probe: (subject) =>
    plainLists(subject, {
      digits: everyRow('check-digit', ({ upc }) => {
        if (typeof upc !== 'string') return undefined;
        return isGs1(upc) || { kind: 'other-check-digit', message: `upc ${upc}` };
      }),
    }),
  counterexample(seen) {
    const [name = '', list] = Object.entries(seen).find(([, [first]]) => first && first.rows.length > 0) ?? [];
    return { [name]: editRow(list, { upc: '012345678900' }) };
  },
  judge: (seen) =>
    judgeRowFailures(
      Object.values(seen).flat(),
      (reading) => reading.folds.digits,
      'a UPC with its check digit, as the profile promises in upc.checkDigit',
    ),
});

export const bulkUnique = relationRule({
  id: 'C.bulk-unique',
  statement: 'C.bulk',
  basis: 'derived',
  since: '0.1.0',
  demands: 'The bulk list contains each product once.',
  how: [
    'All UPCs of the list, on all pages, are compared.',
    'A UPC that occurs twice in the same category is a duplicate unless the profile reads a grain that differs.',
  ],
  subjects: [ALL_PRODUCTS],
  promises: listNeeds(ALL_PRODUCTS, 'upc'),
  sides: {
    // The rows by their grain, where the profile reads one, or else the products by category.
    byGrain: onlyIf(
      ({ hasGrain }) => hasGrain(ALL_PRODUCTS),
      rows(ALL_PRODUCTS, { alsoMatches: anything, accepts: 'content', folds: { repeats: repeats(['upc']) } }),
    ),
    bulk: onlyIf(
      ({ hasGrain }) => !hasGrain(ALL_PRODUCTS),
      rows(ALL_PRODUCTS, {
        alsoMatches: anything,
        accepts: 'content',
        folds: (declarations) => {
          const key = categoryKey(declarations, ALL_PRODUCTS);
          return { upcs, byCategory: upcsBy(key), withoutCategory: upcsWithout(key) };
        },
      }),
    ),
  },
  counterexample: ({ bulk }) => ({ bulk: addRow(bulk, {}) }),
  compare({ byGrain, bulk }) {
    if (byGrain) return judgeRepeats(byGrain, 'each product once', 'no row of the bulk list has a UPC');
    if (!bulk) return [];
    const duplicates = [...bulk.folds.byCategory.values(), bulk.folds.withoutCategory].flatMap((set) => set.duplicates);
    const findings = duplicates
      .slice(0, 5)
      .map((upc) => findingIn(bulk, 'repeated', 'each product once', `UPC ${upc} occurs more than once`));
    return { of: [bulk], compared: bulk.folds.upcs.size, findings };
  },
  nothing: 'no row of the bulk list has a UPC',
});

/** Checks that no named date of a row is before its first activity. */
function inOrder(declarations: Declarations) {
  const first = { operation: ALL_PRODUCTS, field: 'firstActiveOn' } as const;
  const dates = declarations.firstActiveBefore.map((field) => ({
    field,
    tolerance: toleranceOf(first, { operation: ALL_PRODUCTS, field }, declarations),
  }));
  return everyRow(`first-active:${JSON.stringify(dates)}`, (row) => {
    const { firstActiveOn } = row;
    const shown = dates.filter(({ field }) => typeof row[field] === 'number');
    if (typeof firstActiveOn !== 'number' || shown.length === 0) return undefined;
    const earlier = shown.find(({ field, tolerance }) => (row[field] as number) < firstActiveOn - tolerance);
    return (
      earlier === undefined || {
        kind: `${earlier.field}-before-first-active`,
        message: `${earlier.field} of ${row.upc} is before firstActiveOn`,
      }
    );
  });
}

export const firstActiveBefore = relationRule({
  id: 'C.first-active',
  statement: 'C.bulk',
  demands:
    'No date that the profile names in products.firstActiveBefore is before the first activity of the product in the same row of the bulk list.',
  how: 'In each row of the bulk list with the dates, firstActiveOn is compared with each of them; equal dates are correct, and so are those of one week where only one of the two is the end or the beginning of its week.',
  looksLike:
    'A product that changed before its first sale, or that returned after a gap, is legal; the profile of such a service does not name that date.',
  subjects: [ALL_PRODUCTS],
  repeat: false,
  promises: ['firstActiveBefore'],
  sides: {
    list: rows(ALL_PRODUCTS, {
      inputs: {},
      fields: ['firstActiveOn'],
      alsoMatches: anything,
      accepts: 'content',
      folds: (declarations) => ({ order: inOrder(declarations) }),
    }),
  },
  counterexample: (
    { list },
    {
      declarations: {
        firstActiveBefore: [date = 'activeOn'],
      },
    },
  ) => ({
    list: editRow(list, { firstActiveOn: 20_000, [date]: 19_990 }),
  }),
  compare: ({ list }, { declarations }) =>
    judgeRowFailures(
      [list],
      ({ folds }) => folds.order,
      `no ${declarations.firstActiveBefore.join(' or ')} before firstActiveOn, as the profile promises in products.firstActiveBefore`,
    ),
});

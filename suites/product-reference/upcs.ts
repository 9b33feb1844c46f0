/** One UPC of 12 digits identifies each product: sections 2 and 8. */
import { ALL_PRODUCTS, LIMITS, operationOf, PRODUCT_LOOKUP, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import {
  addRow,
  anything,
  combine,
  defineRule,
  editRow,
  everyRow,
  evidenceOf,
  failed,
  fieldDemand,
  judgeRepeats,
  judgeRowFailures,
  judgeTally,
  onlyReading,
  passed,
  repeats,
  type Step,
  step,
  tally,
  unreadable,
  untested,
} from '../../src/rule/index.ts';
import { knownUpcs, listedLookups } from '../../src/rule/look-ups.ts';
import { bulkStep } from '../../src/rule/product-category-steps.ts';

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
  needs: (subject) => {
    const { name } = operationOf(subject) as { name: 'allProducts' | 'products' | 'updateProducts' };
    const base = [`${name}.request`, `${name}.rows`, `${name}.fields.upc`] as const;
    return name === 'updateProducts'
      ? [...base, 'updateProducts.inputs.window']
      : name === 'products'
        ? [...base, ['upcExamples', 'allProducts.fields.upc']]
        : base;
  },
  probe(subject, declarations) {
    const folds = { upc: tally('upc') };
    const list = (inputs: Step['inputs']) =>
      step({
        operation: subject,
        inputs: inputs ?? {},
        alsoMatches: anything,
        accepts: 'content',
        folds,
        optional: true,
      });
    if (subject === ALL_PRODUCTS) return { list: list({}) } as Record<string, ReturnType<typeof list>>;
    if (subject === PRODUCT_LOOKUP) {
      const bulk = knownUpcs(declarations);
      return {
        ...(declarations.examples('upc').length > 0 && { list: list({ upc: { example: 'upc' } }) }),
        ...(bulk && {
          products: step({ ...listedLookups(declarations).products, accepts: 'content', folds }),
          [SOURCE_STEP]: bulk,
        }),
      } as Record<string, ReturnType<typeof list>>;
    }
    return Object.fromEntries(LIMITS.deltaWeeks.map((weeks) => [`delta${weeks}`, list({ window: { value: weeks } })]));
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

/** Whether the last digit of a UPC of 12 digits is its check digit (GS1). */
function hasCheckDigit(upc: string): boolean {
  const sum = [...upc].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1), 0);
  return sum % 10 === 0;
}

export const upcCheckDigit = defineRule({
  id: 'C.upc-check-digit',
  statement: 'C.upc-12',
  basis: 'profile',
  since: '0.2.0',
  demands: 'The last digit of each UPC is its check digit: the profile promises it (upc.checkDigit).',
  how: 'In the bulk list and in each delta, the check digit of every UPC is computed from its first eleven digits.',
  looksLike:
    'A service with UPCs of its own for products without a barcode, whose last digit is no check digit, is legal and does not promise this.',
  subjects: [ALL_PRODUCTS, UPDATE_PRODUCTS],
  needs: (subject) => ['checkDigit', ...upcRule.needs(subject)],
  probe(subject) {
    const list = (inputs: NonNullable<Step['inputs']>) =>
      step({
        operation: subject,
        inputs,
        alsoMatches: anything,
        accepts: 'content',
        folds: {
          digits: everyRow('check-digit', ({ upc }) => {
            if (typeof upc !== 'string') return undefined;
            return hasCheckDigit(upc) || { kind: 'other-check-digit', message: `upc ${upc}` };
          }),
        },
        optional: true,
      });
    if (subject === ALL_PRODUCTS) return { list: list({}) } as Record<string, ReturnType<typeof list>>;
    return Object.fromEntries(LIMITS.deltaWeeks.map((weeks) => [`delta${weeks}`, list({ window: { value: weeks } })]));
  },
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

const byGrain = step({
  operation: ALL_PRODUCTS,
  alsoMatches: anything,
  accepts: 'content',
  folds: { repeats: repeats(['upc']) },
});

export const bulkUnique = defineRule({
  id: 'C.bulk-unique',
  statement: 'C.bulk',
  basis: 'derived',
  since: '0.1.0',
  demands: 'The bulk list contains each product once.',
  how: 'All UPCs of the list, on all pages, are compared. A UPC that occurs twice in the same category is a duplicate unless the profile reads a grain that differs.',
  subjects: [ALL_PRODUCTS],
  needs: () => ['allProducts.request', 'allProducts.rows', 'allProducts.fields.upc'],
  repeat: 'pass',
  probe: (_subject, declarations) =>
    (declarations.hasGrain(ALL_PRODUCTS) ? { byGrain } : { bulk: bulkStep(declarations) }) as Partial<{
      byGrain: typeof byGrain;
      bulk: ReturnType<typeof bulkStep>;
    }>,
  counterexample: ({ bulk }) => ({ bulk: addRow(bulk, {}) }),
  judge(seen) {
    const grainReading = seen.byGrain?.[0];
    if (grainReading) return judgeRepeats(grainReading, 'each product once', 'no row of the bulk list has a UPC');
    const bulk = onlyReading(seen.bulk ?? []);
    const { size } = bulk.folds.upcs;
    if (size === 0) return untested('no row of the bulk list has a UPC');
    const sets = [...bulk.folds.byCategory.values(), bulk.folds.withoutCategory];
    const duplicates = sets.flatMap((set) => set.duplicates);
    if (duplicates.length === 0) return passed({ ...evidenceOf([bulk]), distinct: size });
    return failed(
      duplicates.slice(0, 5).map((upc) => ({
        kind: 'repeated',
        expected: 'each product once',
        actual: `UPC ${upc} occurs more than once`,
        exchange: bulk.exchange,
      })),
    );
  },
});

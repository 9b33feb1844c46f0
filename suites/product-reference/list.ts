/** The categories and the bulk list: sections 4.3 and 8. */
import { LIMITS, operationOf } from '../../src/contract/index.ts';
import {
  addRow,
  anything,
  combine,
  defineRule,
  editRow,
  evidenceOf,
  extent,
  failed,
  judgeRepeats,
  judgeTally,
  nothingSeen,
  passed,
  quoteSelector,
  repeats,
  type Step,
  step,
  tally,
  texts,
  undecided,
  unreadable,
} from '../../src/rule/index.ts';
import { fold } from '../names.ts';
import { asOfSteps, judgeWindow, spanAllowance } from '../windows.ts';
import { knownUpcs, LOOKED_UP, listedLookups } from './look-up.ts';
import { BULK, bulkStep, CATEGORIES, categoryKey, DELTA, LOOKUP, one, WINDOWS } from './shared.ts';

export const categoriesListed = defineRule({
  id: 'C.categories-listed',
  statement: 'C.categories',
  basis: 'stated',
  since: '0.1.0',
  demands: 'allCategories returns the categories of products.',
  how: 'Every row must carry the category’s name or id.',
  subjects: [CATEGORIES],
  needs: () => [
    'allCategories.request',
    'allCategories.rows',
    ['allCategories.fields.category', 'allCategories.fields.categoryId'],
  ],
  probe: (_subject, declares) => ({
    list: step({
      operation: CATEGORIES,
      observes: anything,
      wants: 'whole',
      folds: { names: tally(declares.isFilled('allCategories.fields.category') ? 'category' : 'categoryId') },
    }),
  }),
  counterexample: ({ list }) => ({ list: editRow(list, { category: null, categoryId: null }) }),
  judge(seen, { declares }) {
    const list = one(seen.list);
    const field = declares.isFilled('allCategories.fields.category') ? 'category' : 'categoryId';
    return judgeTally(list, list.folds.names, {
      field,
      expected: 'every category has a name or id',
      declared: declares.converter(CATEGORIES, field) !== undefined,
      selector: quoteSelector(CATEGORIES, declares.selector(CATEGORIES, field)),
      nullable: declares.nullable(CATEGORIES, field),
    });
  },
});

export const categoriesKnown = defineRule({
  id: 'C.categories-known',
  statement: 'C.categories',
  basis: 'derived',
  since: '0.1.0',
  demands: 'Every category that a product of the bulk list belongs to is among allCategories.',
  how: 'The names (or ids) used by the rows of the bulk list are looked for in the list of categories.',
  subjects: [CATEGORIES],
  needs: () => [
    'allCategories.request',
    'allCategories.rows',
    'allProducts.request',
    'allProducts.rows',
    ['allProducts.fields.category', 'allProducts.fields.categoryId'],
    ['allCategories.fields.category', 'allCategories.fields.categoryId'],
  ],
  repeat: 'pass',
  probe(_subject, declares) {
    const key = categoryKey(declares, BULK);
    return {
      list: step({ operation: CATEGORIES, wants: 'whole', folds: { names: texts(key) } }),
      bulk: step({ operation: BULK, observes: anything, wants: 'content', folds: { names: texts(key) } }),
    };
  },
  counterexample: ({ bulk }) => ({ bulk: editRow(bulk, { category: 'Unlisted', categoryId: 'unlisted' }) }),
  judge(seen) {
    const list = one(seen.list);
    const bulk = one(seen.bulk);
    const known = new Set([...list.folds.names.counts.keys()].map(fold));
    const used = [...bulk.folds.names.counts.keys()];
    if (used.length === 0) return nothingSeen('no product of the bulk list carries a category');
    if (!list.folds.names.whole) return undecided('more categories than can be compared');
    if (known.size === 0 && list.observation?.rows !== 0)
      return undecided('the categories carry no value that could be compared');
    const strangers = used.filter((name) => !known.has(fold(name)));
    if (strangers.length === 0) return passed({ ...evidenceOf([list, bulk]), distinct: used.length });
    return failed(
      strangers.slice(0, 5).map((name) => ({
        expected: `category “${name}” of ${bulk.folds.names.counts.get(name)} products is among allCategories`,
        actual: `not among its ${known.size} categories`,
        exchange: list.exchange,
      })),
    );
  },
});

/** The step that products to look up are drawn from. */
const DRAWN = 'bulk';

export const upcRule = defineRule({
  id: 'C.upc-12-digits',
  statement: 'C.upc-12',
  basis: 'stated',
  since: '0.1.0',
  demands: 'Every UPC an answer carries denotes 12 digits.',
  how: 'Each row’s UPC is read through the codec the profile declares (undeclared: a string of 12 digits, or an integer); all rows are looked at.',
  subjects: [BULK, LOOKUP, DELTA],
  needs: (subject) => {
    const { name } = operationOf(subject) as { name: 'allProducts' | 'products' | 'updateProducts' };
    const base = [`${name}.request`, `${name}.rows`, `${name}.fields.upc`] as const;
    return name === 'updateProducts'
      ? [...base, 'updateProducts.inputs.window']
      : name === 'products'
        ? [...base, ['upcExamples', 'allProducts.fields.upc']]
        : base;
  },
  probe(subject, declares) {
    const folds = { upc: tally('upc') };
    const list = (inputs: Step['inputs']) =>
      step({ operation: subject, inputs: inputs ?? {}, observes: anything, wants: 'content', folds, spare: true });
    if (subject === BULK) return { list: list({}) } as Record<string, ReturnType<typeof list>>;
    if (subject === LOOKUP) {
      const bulk = knownUpcs(declares, LOOKED_UP);
      return {
        ...(declares.examples('upc').length > 0 && { list: list({ upc: { example: 'upc' } }) }),
        ...(bulk && { products: step({ ...listedLookups().products, wants: 'content', folds }), [DRAWN]: bulk }),
      } as Record<string, ReturnType<typeof list>>;
    }
    return Object.fromEntries(WINDOWS.map((weeks) => [`delta${weeks}`, list({ window: { value: weeks } })]));
  },
  counterexample(seen) {
    const [name = '', list] = Object.entries(seen)[0] ?? [];
    return { [name]: editRow(list, { upc: unreadable('12345678901') }) };
  },
  judge: (seen, { subject, declares }) =>
    combine(
      Object.entries(seen)
        .flatMap(([name, lists]) => (name === DRAWN ? [] : lists))
        .map((list) =>
          judgeTally(list, list.folds.upc, {
            field: 'upc',
            expected: 'a UPC of 12 digits in every row (section 8)',
            declared: declares.converter(subject, 'upc') !== undefined,
            selector: quoteSelector(subject, declares.selector(subject, 'upc')),
            nullable: false,
          }),
        ),
    ),
});

const grained = step({ operation: BULK, observes: anything, wants: 'content', folds: { repeats: repeats(['upc']) } });

export const bulkUnique = defineRule({
  id: 'C.bulk-unique',
  statement: 'C.bulk',
  basis: 'derived',
  since: '0.1.0',
  demands: 'A product stands once in the bulk list.',
  how: 'All UPCs of the list, over all its pages, are compared; one that stands twice under the same category is a duplicate, unless the profile reads a finer grain and that differs.',
  subjects: [BULK],
  needs: () => ['allProducts.request', 'allProducts.rows', 'allProducts.fields.upc'],
  repeat: 'pass',
  probe: (_subject, declares) =>
    (declares.hasGrain(BULK) ? { grained } : { bulk: bulkStep(declares) }) as Partial<{
      grained: typeof grained;
      bulk: ReturnType<typeof bulkStep>;
    }>,
  counterexample: ({ bulk }) => ({ bulk: addRow(bulk, {}) }),
  judge(seen) {
    const fine = seen.grained?.[0];
    if (fine) return judgeRepeats(fine, 'each product once', 'the bulk list has no rows with a UPC');
    const bulk = one(seen.bulk ?? []);
    const { size } = bulk.folds.upcs;
    if (size === 0) return nothingSeen('the bulk list has no rows with a UPC');
    const sets = [...bulk.folds.by.values(), bulk.folds.without];
    const duplicates = sets.flatMap((set) => set.duplicates);
    if (duplicates.length === 0) return passed({ ...evidenceOf([bulk]), distinct: size });
    return failed(
      duplicates.slice(0, 5).map((upc) => ({
        expected: 'each product once',
        actual: `UPC ${upc} stands more than once`,
        exchange: bulk.exchange,
      })),
    );
  },
});

export const historySpan = defineRule({
  id: 'C.history-span',
  statement: 'C.history-52',
  basis: 'stated',
  since: '0.1.0',
  demands: 'The products of the bulk list were active within the last 52 weeks.',
  how: 'The newest and oldest activity dates lie at most 52 weeks and one data week apart; no clock of ours is used.',
  subjects: [BULK],
  needs: () => ['allProducts.request', 'allProducts.rows', 'allProducts.fields.activeOn'],
  probe: () => ({
    bulk: step({
      operation: BULK,
      observes: anything,
      wants: 'content',
      folds: { dates: extent('activeOn'), all: tally('activeOn') },
    }),
  }),
  counterexample: ({ bulk }) => ({ bulk: editRow(bulk, { activeOn: 0 }) }),
  judge: (seen) => {
    const bulk = one(seen.bulk);
    return spanAllowance(bulk, bulk.folds.dates, bulk.folds.all, LIMITS.historyWeeks);
  },
});

export const historyWindow = defineRule({
  id: 'C.history-window',
  statement: 'C.history-52',
  basis: 'stated',
  since: '0.1.0',
  demands: 'Each product of the bulk list was active within the 52 weeks before the as-of.',
  how: 'Each row’s activity date is compared with the as-of the profile declares, to the day.',
  subjects: [BULK],
  needs: () => [
    'dataWeek',
    'allProducts.request',
    'allProducts.rows',
    'allProducts.fields.activeOn',
    'allProducts.fields.asOf',
  ],
  probe: (_subject, declares) => ({
    bulk: step({
      operation: BULK,
      observes: anything,
      wants: 'content',
      folds: { dates: extent('activeOn'), all: tally('activeOn') },
    }),
    ...asOfSteps(declares, BULK),
  }),
  counterexample: ({ bulk }) => ({ bulk: editRow(bulk, { activeOn: 0 }) }),
  judge: (seen, { declares }) => {
    const bulk = one(seen.bulk);
    return judgeWindow(bulk, bulk.folds, LIMITS.historyWeeks, 'activeOn', declares, seen.refresh?.[0]);
  },
});

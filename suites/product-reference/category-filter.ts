import { ALL_CATEGORIES, ALL_PRODUCTS } from '../../src/contract/index.ts';
import { chooseByName, foldName } from '../../src/rule/awkward-names.ts';
import { failedUnlessUnread } from '../../src/rule/compare-upcs.ts';
import {
  addRow,
  answerWith,
  collect,
  type Declarations,
  defineRule,
  dropRow,
  editRow,
  everyRow,
  evidenceOf,
  type Finding,
  isValue,
  judgeBreaches,
  nothingToJudge,
  onlyReading,
  passed,
  type Reading,
  type Rule,
  step,
  upcs,
  upcsBy,
} from '../../src/rule/index.ts';
import { judgeBreakdowns } from '../../src/rule/judge-breakdowns.ts';
import { categoryKey } from '../../src/rule/product-category-steps.ts';

const filterSteps = (declares: Declarations) => {
  const key = declares.isFilled('allProducts.inputs.category') ? 'category' : 'categoryId';
  const rowKey = categoryKey(declares, ALL_PRODUCTS);
  const within = everyRow(`in-category:${rowKey}`, (row, inputs) => {
    const own = row[rowKey];
    const asked = inputs[rowKey];
    if (!isValue(own) || asked === undefined) return undefined;
    return (
      foldName(String(own)) === foldName(String(asked)) ||
      `a product of ${JSON.stringify(own)} where ${JSON.stringify(asked)} was asked for`
    );
  });
  return {
    categories: step({
      operation: ALL_CATEGORIES,
      wants: 'whole',
      folds: { rows: collect(['category', 'categoryId'], 5000) },
    }),
    bulk: step({ operation: ALL_PRODUCTS, wants: 'whole', folds: { upcs, by: upcsBy(rowKey) } }),
    filtered: step({
      operation: ALL_PRODUCTS,
      each: {
        from: 'categories',
        fold: 'rows',
        as: { category: 'category', categoryId: 'categoryId' },
        max: 40,
        choose: chooseByName(key),
      },
      wants: 'whole',
      folds: { upcs, within },
    }),
  };
};

const filterNeeds: Rule['needs'] = () => [
  'allProducts.request',
  'allProducts.rows',
  ['allProducts.inputs.category', 'allProducts.inputs.categoryId'],
  'allCategories.request',
  'allCategories.rows',
  ['allCategories.fields.category', 'allCategories.fields.categoryId'],
];

const asked = (reading: Reading): string => JSON.stringify(reading.inputs.category ?? reading.inputs.categoryId);

export const filterSound = defineRule({
  id: 'C.filter-sound',
  statement: 'C.category-filter',
  basis: 'stated',
  since: '0.1.0',
  demands: 'The bulk list filtered by a category holds products of that category only.',
  how: 'The list is asked for up to 40 categories, those with awkward names first; every row’s category is compared with the one asked for.',
  subjects: [ALL_PRODUCTS],
  needs: (subject) => [...filterNeeds(subject), ['allProducts.fields.category', 'allProducts.fields.categoryId']],
  probe(_subject, declares) {
    const { categories, filtered } = filterSteps(declares);
    return { categories, filtered };
  },
  counterexample: ({ filtered }) => ({ filtered: editRow(filtered, { category: 'Another', categoryId: 'another' }) }),
  judge: (seen) =>
    judgeBreaches(seen.filtered, (reading) => reading.folds.within, 'only products of the category asked for'),
});

export const filterAnswered = defineRule({
  id: 'C.filter-answered',
  statement: 'C.category-filter',
  basis: 'profile',
  since: '0.1.0',
  demands: 'The bulk list can be filtered by every category that allCategories lists.',
  how: 'The list is asked for up to 40 categories, those with awkward names first; one that is answered with 500 or 501, twice, while others are answered with 2xx is a failure.',
  subjects: [ALL_PRODUCTS],
  needs: filterNeeds,
  repeat: 'inconclusive',
  probe(_subject, declares) {
    const { categories, filtered } = filterSteps(declares);
    return { categories, filtered: step({ ...filtered, wants: 'answer' }) };
  },
  counterexample: ({ filtered }) => ({ filtered: [...answerWith(filtered, 500), ...filtered] }),
  judge: (seen) => judgeBreakdowns(seen.filtered),
});

export const bulkWhole = defineRule({
  id: 'C.bulk-whole',
  statement: 'C.bulk',
  basis: 'derived',
  since: '0.1.0',
  demands: 'The bulk list holds every product that its filtered lists show.',
  how: 'The UPCs of each filtered list are looked for in the whole list; both must have been read to their end.',
  subjects: [ALL_PRODUCTS],
  needs: (subject) => [...filterNeeds(subject), 'allProducts.fields.upc'],
  repeat: 'pass',
  probe: (_subject, declares) => filterSteps(declares),
  counterexample: ({ filtered }) => ({ filtered: addRow(filtered, { upc: '999999999993' }) }),
  judge(seen) {
    const bulk = onlyReading(seen.bulk);
    const findings = seen.filtered.flatMap((reading): Finding[] => {
      const missing = reading.folds.upcs.missingFrom(bulk.folds.upcs);
      if (missing.count === 0) return [];
      return [
        {
          expected: `the list of ${asked(reading)} lies within the whole list`,
          actual: `${missing.count} of its UPCs are not in it, e.g. ${missing.first.join(', ')}`,
          exchange: reading.exchange,
        },
      ];
    });
    if (findings.length > 0) return failedUnlessUnread(findings, [bulk, ...seen.filtered]);
    const rows = seen.filtered.reduce((sum, reading) => sum + reading.folds.upcs.size, 0);
    if (rows === 0) return nothingToJudge('no filtered list has a row');
    return passed({ ...evidenceOf(seen.filtered), distinct: rows });
  },
});

export const filterComplete = defineRule({
  id: 'C.filter-complete',
  statement: 'C.category-filter',
  basis: 'derived',
  since: '0.1.0',
  demands: 'The bulk list filtered by a category holds every product of that category.',
  how: 'The UPCs that the whole list shows under a category are looked for in the filtered list.',
  subjects: [ALL_PRODUCTS],
  needs: (subject) => [
    ...filterNeeds(subject),
    'allProducts.fields.upc',
    ['allProducts.fields.category', 'allProducts.fields.categoryId'],
  ],
  repeat: 'pass',
  probe: (_subject, declares) => filterSteps(declares),
  counterexample: ({ filtered }) => ({ filtered: dropRow(filtered) }),
  judge(seen, { declares }) {
    const key = categoryKey(declares, ALL_PRODUCTS);
    const wanted = new Map([...onlyReading(seen.bulk).folds.by].map(([name, keys]) => [foldName(name), keys]));
    let looked = 0;
    const findings = seen.filtered.flatMap((reading): Finding[] => {
      const expected = wanted.get(foldName(String(reading.inputs[key] ?? '')));
      if (!expected) return [];
      looked += expected.size;
      const missing = expected.missingFrom(reading.folds.upcs);
      if (missing.count === 0) return [];
      return [
        {
          expected: `all ${expected.size} products of ${asked(reading)}`,
          actual: `${missing.count} of them are missing, e.g. ${missing.first.join(', ')}`,
          exchange: reading.exchange,
        },
      ];
    });
    if (findings.length > 0) return failedUnlessUnread(findings, seen.filtered);
    if (looked === 0) return nothingToJudge('the whole list shows no product of the categories asked for');
    return passed({ ...evidenceOf(seen.filtered), rows: looked });
  },
});

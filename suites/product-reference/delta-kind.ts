/** The kinds of change in a delta, and where its products are known: sections 4.3 and 8. */
import { ALL_PRODUCTS, PRODUCT_LOOKUP, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { quoted } from '../../src/format-values.ts';
import { statedAsOf } from '../../src/rule/data-weeks.ts';
import { isNotRemovedIn, kindFolds } from '../../src/rule/delta-kinds.ts';
import { deltaNeeds, deltaStep, windowsOf } from '../../src/rule/delta-steps.ts';
import {
  combine,
  defineRule,
  editRow,
  evidenceOf,
  type Finding,
  failed,
  inconclusive,
  type Judgement,
  onlyReading,
  passed,
  respondWith,
  step,
  texts,
  untested,
} from '../../src/rule/index.ts';
import { characteristics, judgeLookups, productEach, sampleProducts } from '../../src/rule/look-ups.ts';

export const deltaKinds = defineRule({
  id: 'C.delta-kinds',
  statement: 'C.delta',
  basis: 'profile',
  since: '0.2.0',
  demands: 'The kind of change of each row of a delta is one that the profile names.',
  how: 'Where the profile states the texts of new, changed and removed products, every text that a row shows must be one of them; an empty list states that a kind does not occur. A row without a text is not judged.',
  looksLike:
    'A server that shows a fourth kind of change, which the document does not forbid. The profile distinguishes them: it names the texts of all three kinds only if there are no others.',
  subjects: [UPDATE_PRODUCTS],
  needs: () => [...deltaNeeds, 'deltaKinds', 'updateProducts.fields.changeKind'],
  probe: () => {
    const kinds = (weeks: 1 | 4 | 13) =>
      step({ ...deltaStep(weeks), folds: { kinds: texts('changeKind', 100) }, optional: true });
    return { one: kinds(1), four: kinds(4), thirteen: kinds(13) };
  },
  counterexample: ({ thirteen }) => ({ thirteen: editRow(thirteen, { changeKind: 'another kind' }) }),
  judge(seen, { declarations }) {
    const { kinds, statesAllKinds } = declarations.delta;
    if (!kinds || !statesAllKinds)
      return untested(
        'the profile does not state the texts of all three kinds of change: an empty list states that a kind does not occur',
      );
    const known = [...kinds.new, ...kinds.changed, ...kinds.removed];
    const windows = windowsOf(seen);
    const findings = windows.flatMap(({ weeks, reading }): Finding[] => {
      const others = [...reading.folds.kinds.counts].filter(([text]) => !known.includes(text));
      if (others.length === 0) return [];
      return [
        {
          kind: `other-kind-in-${weeks}-weeks`,
          expected: `a kind of change that the profile names: ${known.map((text) => JSON.stringify(text)).join(', ')}`,
          actual: others
            .slice(0, 5)
            .map(([text, count]) => `${JSON.stringify(text.slice(0, 80))} in ${count} rows`)
            .join(', '),
          exchange: reading.exchange,
        },
      ];
    });
    const readings = windows.map(({ reading }) => reading);
    const shown = readings.flatMap(({ folds }) => [...folds.kinds.counts.keys()]);
    if (shown.length > 0 && !shown.some((text) => known.includes(text)))
      return inconclusive(
        `no row shows a kind of change that the profile names, but ${quoted(shown[0] ?? '')}: the profile may read another value, or write the kinds in another form`,
      );
    if (findings.length > 0) return failed(findings);
    return readings.every(({ folds }) => folds.kinds.counts.size === 0)
      ? untested('no row shows a kind of change')
      : passed(evidenceOf(readings));
  },
});

export const deltaInLookUp = defineRule({
  id: 'C.delta-in-look-up',
  statement: 'C.lookup',
  basis: 'profile',
  since: '0.2.0',
  demands: 'The look-up knows every product of the delta that is not removed.',
  how: 'Where the profile says that the look-up knows every product of the delta that is not removed, UPCs spread over the 13-week delta are looked up. Products that are also in the 1-week delta are not judged, because a look-up that is a reload behind does not know the new ones yet.',
  looksLike:
    'A server whose look-up is a reload ahead and no longer knows a product that the delta still contains. The as-of dates of the delta and the bulk list distinguish them: if they differ, an unknown product is inconclusive.',
  subjects: [PRODUCT_LOOKUP],
  needs: () => [
    ...deltaNeeds,
    'deltaInLookUp',
    'updateProducts.fields.upc',
    'updateProducts.fields.asOf',
    'allProducts.request',
    'allProducts.rows',
    'allProducts.fields.asOf',
    'products.request',
    'products.rows',
    'products.fields.characteristics',
  ],
  repeat: 'pass',
  probe: (_subject, declarations) => ({
    bulk: step({ operation: ALL_PRODUCTS, accepts: 'content' }),
    one: step({ ...deltaStep(1), folds: kindFolds }),
    thirteen: step({
      ...deltaStep(13),
      folds: { ...kindFolds, some: sampleProducts(declarations, 'deltaLookUps') },
    }),
    products: step({
      operation: PRODUCT_LOOKUP,
      each: productEach(declarations, 'thirteen', 'deltaLookUps'),
      accepts: 'response',
      folds: { product: characteristics },
    }),
  }),
  counterexample: ({ products, one }) => {
    const recent = new Set((one ?? []).flatMap(({ rows }) => rows.map(({ upc }) => upc)));
    const at = products.findIndex(({ inputs }) => !recent.has(String(inputs.upc)));
    return { products: products.map((each, index) => (index === at ? (respondWith([each])[0] ?? each) : each)) };
  },
  judge(seen, { declarations }): Judgement {
    const [bulk, one, thirteen] = [onlyReading(seen.bulk), onlyReading(seen.one), onlyReading(seen.thirteen)];
    const remains = isNotRemovedIn([one, thirteen], declarations);
    const judged = seen.products.filter(({ inputs }) => {
      const upc = String(inputs.upc);
      return remains(upc) && !one.folds.upcs.has(upc);
    });
    if (judged.length === 0)
      return untested('no product of the delta that was looked up is older than a week and not removed');
    const found = judgeLookups(judged, declarations);
    const asOf = new Set([bulk, one, thirteen].map((each) => statedAsOf(each, declarations)));
    if (found.verdict !== 'fail' || (asOf.size === 1 && !asOf.has(undefined))) return combine([found]);
    return inconclusive('a product is unknown, but the delta and the bulk list do not state one as-of date');
  },
});

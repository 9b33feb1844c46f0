/** The look-up shows the latest values that the rows of a delta show: section 4.3. */
import { type Field, PRODUCT_LOOKUP, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { statedAsOf } from '../../src/rule/data-weeks.ts';
import { toleranceOf } from '../../src/rule/date-tolerance.ts';
import { isNotRemovedIn, kindFolds } from '../../src/rule/delta-kinds.ts';
import { deltaNeeds, deltaStep } from '../../src/rule/delta-steps.ts';
import {
  collect,
  defineRule,
  editRow,
  type Finding,
  inconclusive,
  isOk,
  type Judgement,
  onlyReading,
  passed,
  type Row,
  showValue,
  step,
  untested,
} from '../../src/rule/index.ts';
import { comparableTexts } from '../../src/rule/listed-values.ts';
import { failUnlessOtherForm, productEach, rowsOf, sampleProducts } from '../../src/rule/look-ups.ts';
import { describeDay } from '../../src/rule/window-days.ts';

interface Difference {
  readonly field: Field;
  /** The first value of the row that the look-up lacks. */
  readonly value: string;
  readonly shown: string;
}

/** The fields in which the look-up lacks a value of the row. Rows of several changes on one day decide nothing. */
function findDifferences(rows: readonly Row[], shown: readonly Row[], fields: readonly Field[]): Difference[] {
  return fields.flatMap((field) => {
    const others = [...new Set(shown.flatMap((row) => comparableTexts(row[field])))];
    const value = rows.flatMap((row) => comparableTexts(row[field])).find((text) => !others.includes(text));
    return rows.length !== 1 || others.length === 0 || value === undefined
      ? []
      : [{ field, value, shown: others.join(', ') }];
  });
}

/** A value in a finding. */
const describe = (field: Field, text: string): string =>
  field === 'changedOn' ? describeDay(Number(text)) : showValue(text);

export const lookupLatest = defineRule({
  id: 'C.look-up-latest',
  statement: 'C.lookup',
  basis: 'profile',
  since: '0.2.0',
  demands: 'The look-up of a product shows the latest values that its row in the delta shows.',
  how: 'Where the profile says that a row of the delta shows the latest value of a field, UPCs spread over the 13-week delta are looked up. A look-up with the same change date must show the same values as the rows in the 13-week delta and, at the same as-of date, in the shorter ones; one with an earlier date is a failure unless the product changed in the last week, and one with a later date before the as-of date shows that the row is not the latest.',
  looksLike:
    'A server whose look-up already shows a change of this week, or does not show it yet. The change date of the look-up distinguishes them: values are compared only at equal dates, and changes of the last week prove nothing.',
  subjects: [PRODUCT_LOOKUP],
  needs: () => [
    ...deltaNeeds,
    'deltaLatestValues',
    'updateProducts.fields.upc',
    'updateProducts.fields.changedOn',
    'updateProducts.fields.asOf',
    'products.request',
    'products.rows',
    'products.fields.changedOn',
  ],
  repeat: 'pass',
  probe(_subject, declarations) {
    const fields = declarations.delta.latestValues.filter((field) => field !== 'changedOn');
    const folds = { ...kindFolds, rows: collect(['upc', 'changedOn', ...fields], 500_000) };
    return {
      one: step({ ...deltaStep(1), folds }),
      four: step({ ...deltaStep(4), folds, optional: true }),
      thirteen: step({ ...deltaStep(13), folds: { ...folds, some: sampleProducts(declarations, 'deltaLookUps') } }),
      products: step({
        operation: PRODUCT_LOOKUP,
        each: productEach(declarations, 'thirteen', 'deltaLookUps'),
        accepts: 'response',
        folds: {
          product: collect(
            ['upc', 'characteristics', 'changedOn', ...fields.filter((field) => field !== 'characteristics')],
            100,
          ),
        },
      }),
    };
  },
  counterexample: ({ products }) => ({ products: editRow(products, { changedOn: 0 }) }),
  judge(seen, { declarations }): Judgement {
    const [one, thirteen] = [onlyReading(seen.one), onlyReading(seen.thirteen)];
    const asOf = statedAsOf(thirteen, declarations);
    const isSameDataWeek = asOf !== undefined && statedAsOf(one, declarations) === asOf;
    const remains = isNotRemovedIn([one, thirteen], declarations);
    // A thorough run looks up every product of the delta.
    const rowsByUpc = ({ folds }: typeof one) => Map.groupBy(folds.rows.rows, (row) => row.upc);
    const shorter = [one, ...seen.four].filter((each) => asOf !== undefined && statedAsOf(each, declarations) === asOf);
    const [longest, ...others] = [thirteen, ...shorter].map(rowsByUpc);
    const field = 'changedOn';
    const tolerance = toleranceOf(
      { operation: UPDATE_PRODUCTS, field },
      { operation: PRODUCT_LOOKUP, field },
      declarations,
    );
    let compared = 0;
    let isUndecided = false;
    let isSameForm = false;
    const findings: Finding[] = [];
    for (const reading of seen.products) {
      const upc = String(reading.inputs.upc);
      const shown = rowsOf(reading);
      const dates = new Set(shown.flatMap(({ changedOn }) => (typeof changedOn === 'number' ? [changedOn] : [])));
      const [date] = dates;
      const own = (longest?.get(upc) ?? []).filter(({ changedOn }) => typeof changedOn === 'number');
      if (!isOk(reading) || date === undefined || dates.size > 1 || own.length === 0 || !remains(upc)) continue;
      const latest = Math.max(...own.map(({ changedOn }) => changedOn as number));
      const isLatest = ({ changedOn }: Row) => changedOn === latest;
      const ofShorter = own.filter(isLatest).length === 1 ? others.map((rows) => rows.get(upc) ?? []) : [];
      const fields = declarations.delta.latestValues.filter(
        (field) => field !== 'changedOn' || Math.abs(date - latest) > tolerance,
      );
      const differences = [own, ...ofShorter].flatMap((rows) => findDifferences(rows.filter(isLatest), shown, fields));
      compared++;
      const known = new Set(shown.flatMap((row) => comparableTexts(row.characteristics)));
      isSameForm ||= own.some((row) => comparableTexts(row.characteristics).some((text) => known.has(text)));
      const [difference] = differences;
      if (!difference) continue;
      // A later date after the as-of date shows a change of this week, and one of the as-of date may.
      if (asOf !== undefined && Math.max(date, latest) >= asOf && date >= latest) continue;
      // Without the newest reload the look-up does not show the changes of the last week yet.
      if (!isSameDataWeek || (date < latest && one.folds.upcs.has(upc))) {
        isUndecided = true;
        continue;
      }
      if (date > latest && !differences.some(({ field }) => field === 'changedOn')) continue;
      const { field, value, shown: other } = difference;
      findings.push({
        kind: `other-${field}`,
        expected: `the look-up of ${upc} shows the ${field} that its latest row in the delta shows: ${describe(field, value)}`,
        actual: describe(field, other),
        exchange: reading.exchange,
      });
    }
    if (findings.length > 0) return failUnlessOtherForm(findings, isSameForm);
    if (isUndecided) return inconclusive('a look-up differs from the delta, and a reload may be between them');
    return compared === 0
      ? untested('no product has a change date in the delta and in the look-up')
      : passed({ exchanges: seen.products.length + 2, rows: compared, distinct: compared });
  },
});

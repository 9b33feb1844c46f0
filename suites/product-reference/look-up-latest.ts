/** The look-up shows the latest values that the rows of a delta show: section 4.3. */
import { type Field, type OperationKey, PRODUCT_LOOKUP, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { describeDay, statedAsOf, toleranceOf } from '../../src/rule/data-weeks.ts';
import { isNotRemovedIn, kindFolds } from '../../src/rule/deltas.ts';
import {
  type Comparison,
  collect,
  type Declarations,
  editRow,
  findingIn,
  isOk,
  maybe,
  type Row,
  relationRule,
  rows,
  showValue,
} from '../../src/rule/index.ts';
import { lookUpsOf, rowsOf, sampleProducts, withOneForm } from '../../src/rule/look-ups.ts';
import { comparableTexts } from '../../src/rule/product-values.ts';

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

const latestValues = ({ delta }: Declarations): Field[] => delta.latestValues.filter((field) => field !== 'changedOn');

const deltaOf = (weeks: 1 | 4) =>
  rows(UPDATE_PRODUCTS, {
    weeks,
    fields: ['upc', 'changedOn', 'asOf'],
    folds: (declarations) => ({
      ...kindFolds,
      rows: collect(['upc', 'changedOn', ...latestValues(declarations)], 500_000),
    }),
  });

export const lookupLatest = relationRule({
  id: 'C.look-up-latest',
  statement: 'C.lookup',
  basis: 'profile',
  since: '0.2.0',
  demands: 'The look-up of a product shows the latest values that its row in the delta shows.',
  how: [
    'Where the profile says that a row of the delta shows the latest value of a field, UPCs spread over the 13-week delta are looked up.',
    'A look-up with the same change date must show the same values as the rows in the 13-week delta and, at the same as-of date, in the shorter ones; one with an earlier date is a failure unless the product changed in the last week, and one with a later date before the as-of date shows that the row is not the latest.',
  ],
  looksLike: [
    'A server whose look-up already shows a change of this week, or does not show it yet.',
    'The change date of the look-up distinguishes them: values are compared only at equal dates, and changes of the last week prove nothing.',
  ],
  subjects: [PRODUCT_LOOKUP],
  promises: ['deltaLatestValues'],
  sides: {
    one: deltaOf(1),
    four: maybe(deltaOf(4)),
    thirteen: rows(UPDATE_PRODUCTS, {
      weeks: 13,
      folds: (declarations) => ({
        ...kindFolds,
        rows: collect(['upc', 'changedOn', ...latestValues(declarations)], 500_000),
        some: sampleProducts(declarations, 'deltaLookUps'),
      }),
    }),
    products: lookUpsOf('thirteen', 'deltaLookUps', {
      fields: ['changedOn'],
      folds: (declarations: Declarations) => ({
        product: collect(
          [...new Set<Field>(['upc', 'characteristics', 'changedOn', ...latestValues(declarations)])],
          100,
        ),
      }),
    }),
  },
  counterexample: ({ products }) => ({ products: editRow(products, { changedOn: 0 }) }),
  compare({ one, four, thirteen, products }, { declarations }) {
    const asOf = statedAsOf(thirteen, declarations);
    const isSameDataWeek = asOf !== undefined && statedAsOf(one, declarations) === asOf;
    const remains = isNotRemovedIn([one, thirteen], declarations);
    // A thorough run looks up every product of the delta.
    const rowsByUpc = ({ folds }: typeof one) => Map.groupBy(folds.rows.rows, (row) => row.upc);
    const shorter = [one, ...(four ? [four] : [])].filter(
      (each) => asOf !== undefined && statedAsOf(each, declarations) === asOf,
    );
    const [longest, ...others] = [thirteen, ...shorter].map(rowsByUpc);
    const changedOn = (operation: OperationKey) => ({ operation, field: 'changedOn' }) as const;
    const tolerance = toleranceOf(changedOn(UPDATE_PRODUCTS), changedOn(PRODUCT_LOOKUP), declarations);
    let isSameForm = false;
    const compared = products.map((reading): Comparison => {
      const upc = String(reading.inputs.upc);
      const shown = rowsOf(reading);
      const dates = new Set(shown.flatMap((row) => (typeof row.changedOn === 'number' ? [row.changedOn] : [])));
      const [date] = dates;
      const own = (longest?.get(upc) ?? []).filter((row) => typeof row.changedOn === 'number');
      if (!isOk(reading) || date === undefined || dates.size > 1 || own.length === 0 || !remains(upc)) return {};
      const latest = Math.max(...own.map((row) => row.changedOn as number));
      const isLatest = (row: Row) => row.changedOn === latest;
      const ofShorter = own.filter(isLatest).length === 1 ? others.map((of) => of.get(upc) ?? []) : [];
      const fields = declarations.delta.latestValues.filter(
        (field) => field !== 'changedOn' || Math.abs(date - latest) > tolerance,
      );
      const differences = [own, ...ofShorter].flatMap((of) => findDifferences(of.filter(isLatest), shown, fields));
      const known = new Set(shown.flatMap((row) => comparableTexts(row.characteristics)));
      isSameForm ||= own.some((row) => comparableTexts(row.characteristics).some((text) => known.has(text)));
      const [difference] = differences;
      // A later date after the as-of date shows a change of this week, and one of the as-of date may.
      if (!difference || (asOf !== undefined && Math.max(date, latest) >= asOf && date >= latest))
        return { compared: 1 };
      // Without the newest reload the look-up does not show the changes of the last week yet.
      if (!isSameDataWeek || (date < latest && one.folds.upcs.has(upc)))
        return { doubt: 'a look-up differs from the delta, and a reload may be between them' };
      if (date > latest && !differences.some(({ field }) => field === 'changedOn')) return { compared: 1 };
      const { field, value, shown: other } = difference;
      const expected = `the look-up of ${upc} shows the ${field} that its latest row in the delta shows: ${describe(field, value)}`;
      return { compared: 1, findings: [findingIn(reading, `other-${field}`, expected, describe(field, other))] };
    });
    return withOneForm([{ of: [one, thirteen, ...products] }, ...compared], isSameForm);
  },
  counted: 'both',
  nothing: 'no product has a change date in the delta and in the look-up',
});

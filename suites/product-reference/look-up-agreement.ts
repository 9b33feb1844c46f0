/** A look-up shows the values that the bulk list and the delta show of its product: section 4.3. */
import {
  ALL_PRODUCTS,
  type Field,
  type OperationKey,
  PRODUCT_LOOKUP,
  UPDATE_PRODUCTS,
} from '../../src/contract/index.ts';
import { describeDay, statedAsOf, stateOneAsOf, toleranceOf } from '../../src/rule/data-weeks.ts';
import { isNotRemovedIn, kindFolds } from '../../src/rule/deltas.ts';
import {
  type Comparison,
  collect,
  type Declarations,
  editRow,
  findingIn,
  isOk,
  maybe,
  notApplicable,
  type Row,
  relationRule,
  rows,
  showValue,
  upcs,
} from '../../src/rule/index.ts';
import { lookUpsOf, rowsOf, sampleProducts, withOneForm } from '../../src/rule/look-ups.ts';
import { comparableTexts } from '../../src/rule/product-values.ts';

const DATES = ['changedOn', 'firstActiveOn'] as const satisfies Field[];

const COMPARED = [...DATES, 'characteristics'] as const satisfies Field[];

/** The fields that the profile reads in the list and in the look-up. */
const comparedFields = (declarations: Declarations): Field[] =>
  COMPARED.filter((field) =>
    ([ALL_PRODUCTS, PRODUCT_LOOKUP] as const).every((key) => declarations.selector(key, field) !== undefined),
  );

const isDate = (field: Field): boolean => field !== 'characteristics';

interface Difference {
  readonly field: Field;
  /** The first value of the row that the look-up lacks. */
  readonly value: string;
  readonly shown: readonly string[];
}

/**
 * The fields in which a look-up lacks a value of a row; a value that one of both lacks is no difference.
 * @param tolerances the days by which dates may differ
 */
function differencesOf(
  row: Row,
  shown: readonly Row[],
  fields: readonly Field[],
  tolerances: { readonly [F in Field]?: number },
): Difference[] {
  return fields.flatMap((field) => {
    const others = [...new Set(shown.flatMap((each) => comparableTexts(each[field])))];
    const tolerance = tolerances[field];
    const isShown = (text: string): boolean =>
      tolerance === undefined
        ? others.includes(text)
        : others.some((each) => Math.abs(Number(each) - Number(text)) <= tolerance);
    const value = comparableTexts(row[field]).find((text) => !isShown(text));
    return others.length === 0 || value === undefined ? [] : [{ field, value, shown: others }];
  });
}

const showsCharacteristics = (row: Row, shown: readonly Row[]): boolean =>
  [row, ...shown].every(({ characteristics }) => comparableTexts(characteristics).length > 0);

export const lookupAgrees = relationRule({
  id: 'C.look-up-agrees',
  statement: 'C.lookup',
  demands: 'The look-up of a listed product shows the dates and characteristics that its row in the bulk list shows.',
  how: [
    'UPCs spread over the bulk list are looked up.',
    'Where the profile binds changedOn, firstActiveOn or characteristics in both responses, the look-up must show each value of the row.',
    'Both must state the same as-of date; characteristics are also compared if both show one date of change.',
    'A product with a date of change or of first activity on the as-of date or after it is not judged.',
    'If no product shows the characteristics of its row, it is inconclusive.',
  ],
  looksLike: [
    'A service whose look-up is reloaded before or after the list is legal and shows other values for a while; the as-of dates and the dates of change tell them apart.',
    'A list that writes codes where the look-up writes names is legal; it agrees for no product.',
    'A row of the list may show fewer characteristics than the look-up; only those of the row are compared.',
  ],
  subjects: [PRODUCT_LOOKUP],
  sides: {
    bulk: rows(ALL_PRODUCTS, {
      fields: ['upc', COMPARED],
      accepts: 'content',
      folds: (declarations) => ({ some: sampleProducts(declarations, 'lookUps', COMPARED), upcs }),
    }),
    products: lookUpsOf('bulk', 'lookUps', { folds: { product: collect(['upc', ...COMPARED], 100) } }),
  },
  counterexample: ({ products }, { declarations }) => ({
    products: editRow(
      products,
      Object.fromEntries(comparedFields(declarations).map((field) => [field, isDate(field) ? 0 : ['another']])),
    ),
  }),
  compare({ bulk, products }, { declarations }) {
    if (comparedFields(declarations).length === 0) return [];
    const asOf = statedAsOf(bulk, declarations);
    const listed = new Map(bulk.folds.some.map((row) => [row.upc, row]));
    const tolerances = Object.fromEntries(
      DATES.map((field) => [
        field,
        toleranceOf({ operation: ALL_PRODUCTS, field }, { operation: PRODUCT_LOOKUP, field }, declarations),
      ]),
    );
    let isSameForm = false;
    const compared = products.map((reading): Comparison => {
      const upc = String(reading.inputs.upc);
      const row = listed.get(upc);
      const shown = rowsOf(reading);
      if (!row || !isOk(reading) || shown.length === 0) return {};
      const own = statedAsOf(reading, declarations);
      // A change after the as-of date may be in one of the two only.
      const isAfter = (each: Row) => DATES.some((date) => asOf !== undefined && Number(each[date] ?? 0) >= asOf);
      if ([row, ...shown].some(isAfter)) return {};
      const changes = new Set([row, ...shown].flatMap(({ changedOn }) => comparableTexts(changedOn)));
      const isSameVersion = changes.size === 1 && asOf !== undefined && Number([...changes][0]) < asOf;
      const isSameWeek = asOf !== undefined && own === asOf;
      const isOtherWeek = asOf !== undefined && own !== undefined && own !== asOf;
      const differences = differencesOf(row, shown, comparedFields(declarations), tolerances);
      const proved = differences.find(({ field }) => isSameWeek || (isSameVersion && !isDate(field)));
      isSameForm ||= showsCharacteristics(row, shown) && differences.every(({ field }) => isDate(field));
      if (proved) {
        const { field, value, shown: others } = proved;
        const describe = (text: string) => (isDate(field) ? describeDay(Number(text)) : text.slice(0, 80));
        const expected = `the look-up of ${upc} shows the ${field} of its row in the bulk list: ${describe(value)}`;
        return { findings: [findingIn(reading, `other-${field}`, expected, others.map(describe).join(', '))] };
      }
      return differences.length > 0 && !isOtherWeek
        ? { doubt: 'a look-up differs from the bulk list, and the two do not state one as-of date' }
        : { compared: isOtherWeek && !isSameVersion ? 0 : 1 };
    });
    return withOneForm([{ of: [bulk, ...products] }, ...compared], isSameForm);
  },
  counted: 'both',
  nothing: (_, { declarations }) =>
    comparedFields(declarations).length === 0
      ? notApplicable('the profile reads no value in both the bulk list and the look-up')
      : 'each look-up states another as-of date than the list',
});

/** A value in a finding. */
const describe = (field: Field, text: string): string =>
  field === 'changedOn' ? describeDay(Number(text)) : showValue(text);

const latestValues = ({ delta }: Declarations): Field[] => delta.latestValues.filter((field) => field !== 'changedOn');

const latestFolds = (declarations: Declarations) => ({
  ...kindFolds,
  rows: collect(['upc', 'changedOn', ...latestValues(declarations)], 500_000),
});

const deltaOf = (weeks: 1 | 4) =>
  rows(UPDATE_PRODUCTS, { weeks, fields: ['upc', 'changedOn', 'asOf'], folds: latestFolds });

export const lookupLatest = relationRule({
  id: 'C.look-up-latest',
  statement: 'C.lookup',
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
        ...latestFolds(declarations),
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
    const isSameDataWeek = stateOneAsOf(declarations, thirteen, one);
    const remains = isNotRemovedIn([one, thirteen], declarations);
    // A thorough run looks up every product of the delta.
    const rowsByUpc = ({ folds }: typeof one) => Map.groupBy(folds.rows.rows, (row) => row.upc);
    const shorter = [one, ...(four ? [four] : [])].filter((each) => stateOneAsOf(declarations, thirteen, each));
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
      // Rows of several changes on one day decide nothing.
      const differences = [own, ...ofShorter].flatMap((of) => {
        const [row, ...more] = of.filter(isLatest);
        const { latestValues: fields } = declarations.delta;
        return row && more.length === 0 ? differencesOf(row, shown, fields, { changedOn: tolerance }) : [];
      });
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
      return {
        compared: 1,
        findings: [findingIn(reading, `other-${field}`, expected, describe(field, other.join(', ')))],
      };
    });
    return withOneForm([{ of: [one, thirteen, ...products] }, ...compared], isSameForm);
  },
  counted: 'both',
  nothing: 'no product has a change date in the delta and in the look-up',
});

/** The look-up of a product shows what its row in the bulk list shows: section 4.3. */
import { ALL_PRODUCTS, type Field, PRODUCT_LOOKUP } from '../../src/contract/index.ts';
import { describeDay, statedAsOf, toleranceOf } from '../../src/rule/data-weeks.ts';
import {
  type Comparison,
  collect,
  type Declarations,
  editRow,
  findingIn,
  isOk,
  notApplicable,
  type Row,
  relationRule,
  rows,
  upcs,
} from '../../src/rule/index.ts';
import { lookUpsOf, rowsOf, sampleProducts, withOneForm } from '../../src/rule/look-ups.ts';
import { comparableTexts } from '../../src/rule/product-values.ts';

const DATES = ['changedOn', 'firstActiveOn'] as const satisfies Field[];
const COMPARED = [...DATES, 'characteristics'] as const satisfies Field[];
type Compared = (typeof COMPARED)[number];

/** The fields that the profile reads in the list and in the look-up. */
const comparedFields = (declarations: Declarations): Compared[] =>
  COMPARED.filter((field) =>
    ([ALL_PRODUCTS, PRODUCT_LOOKUP] as const).every((key) => declarations.selector(key, field) !== undefined),
  );

const isDate = (field: Compared): boolean => field !== 'characteristics';

/** Whether a date of the list and one of the look-up differ by more than what they are and how they are written. */
const differ = (one: number, other: number, field: Compared, declarations: Declarations): boolean =>
  Math.abs(one - other) >
  toleranceOf({ operation: ALL_PRODUCTS, field }, { operation: PRODUCT_LOOKUP, field }, declarations);

interface ShownDifference {
  readonly field: Compared;
  readonly listed: string;
  readonly shown: string;
}

/** The fields in which the look-up shows another value than the list; a value that one of both lacks is no difference. */
function differencesOf(listed: Row, shown: readonly Row[], declarations: Declarations): ShownDifference[] {
  return comparedFields(declarations).flatMap((field) => {
    const own = comparableTexts(listed[field]);
    const others = [...new Set(shown.flatMap((row) => comparableTexts(row[field])))];
    const wrong = own.find((text) =>
      isDate(field)
        ? others.every((each) => differ(Number(each), Number(text), field, declarations))
        : !others.includes(text),
    );
    if (others.length === 0 || wrong === undefined) return [];
    const describe = (text: string) => (isDate(field) ? describeDay(Number(text)) : text.slice(0, 80));
    return [{ field, listed: describe(wrong), shown: others.map(describe).join(', ') }];
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
      const differences = differencesOf(row, shown, declarations);
      const proved = differences.find(({ field }) => isSameWeek || (isSameVersion && !isDate(field)));
      isSameForm ||= showsCharacteristics(row, shown) && differences.every(({ field }) => isDate(field));
      if (proved) {
        const expected = `the look-up of ${upc} shows the ${proved.field} of its row in the bulk list: ${proved.listed}`;
        return { findings: [findingIn(reading, `other-${proved.field}`, expected, proved.shown)] };
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

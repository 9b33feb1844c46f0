/** The rows of the two performance operations and their five figures: sections 4.4 and 8. */
import {
  BRAND_PERFORMANCE,
  CATEGORY_PERFORMANCE,
  PERFORMANCE_OPERATIONS,
  SALES_FIGURES,
  SALES_FILTERS,
} from '../../src/contract/index.ts';
import {
  addRow,
  anything,
  combine,
  defineRule,
  editRow,
  everyRow,
  type Fold,
  judgeBreaches,
  judgeRepeats,
  judgeTally,
  nothingToJudge,
  onlyReading,
  openingOf,
  quoteSelector,
  type Row,
  repeats,
  step,
  type Tally,
  tally,
  undecided,
  unfiltered,
} from '../../src/rule/index.ts';
import { boundNames } from '../../src/rule/performance-rows.ts';

type Figure = (typeof SALES_FIGURES)[number];

/** A percentage change of a year without sales does not exist. */
const noLastYear = {
  name: 'no-last-year',
  legal: ({ salesLastYear }: Row) => salesLastYear === 0 || typeof salesLastYear !== 'number',
};

/** What is new had no last year to sell in: a row that tells no percentage either says so. */
const noChange = { name: 'no-change', legal: ({ percentChange }: Row) => typeof percentChange !== 'number' };

export const fiveFigures = defineRule({
  id: 'D.five-figures',
  statement: 'D.five-figures',
  basis: 'stated',
  since: '0.1.0',
  demands: 'Each row carries dollar sales of 4, 12 and 52 weeks, of last year, and the dollar percentage change.',
  how: 'Every figure of every row must be there and be a number under its converter. A missing percentage change is legal where last year has no sales. Rows without both last year and percentage change may be new: inconclusive unless the profile says nullable or required. Other gaps are legal only where it says nullable.',
  subjects: PERFORMANCE_OPERATIONS,
  needs: (subject) => [
    openingOf(subject, 'request'),
    openingOf(subject, 'rows'),
    SALES_FIGURES.map((each) => openingOf(subject, `fields.${each}`)),
  ],
  probe: (subject) => ({
    list: step({
      operation: subject,
      observes: anything,
      wants: 'content',
      folds: {
        ...(Object.fromEntries(
          SALES_FIGURES.map((each) => [each, tally(each, each === 'percentChange' ? noLastYear : undefined)]),
        ) as Record<Figure, Fold<Tally>>),
        lastYearToldOf: tally('salesLastYear', noChange),
      },
    }),
  }),
  counterexample: ({ list }) => ({ list: editRow(list, { sales12Weeks: null }) }),
  judge(seen, { subject, declares }) {
    const list = onlyReading(seen.list);
    const { salesLastYear, lastYearToldOf } = list.folds;
    // Where no row tells of last year, or each must, nothing is excused.
    const mayBeNew =
      salesLastYear.values > 0 &&
      declares.isFilled(openingOf(subject, 'fields.percentChange')) &&
      !declares.required(subject, 'salesLastYear');
    const judged = SALES_FIGURES.filter((each) => declares.isFilled(openingOf(subject, `fields.${each}`))).map((each) =>
      judgeTally(list, each === 'salesLastYear' && mayBeNew ? lastYearToldOf : list.folds[each], {
        field: each,
        expected: `${each} in every row`,
        declared: declares.converter(subject, each) !== undefined,
        selector: quoteSelector(subject, declares.selector(subject, each)),
        nullable: declares.nullable(subject, each),
      }),
    );
    const open = SALES_FIGURES.filter((each) => !declares.isFilled(openingOf(subject, `fields.${each}`)));
    const together = combine(judged);
    const silent = salesLastYear.rows - salesLastYear.values;
    if (together.verdict === 'pass' && silent > 0 && mayBeNew && !declares.nullable(subject, 'salesLastYear'))
      return undecided(
        `${silent} rows tell neither last year’s sales nor a percentage change, such as what is new (${[...salesLastYear.firstGaps, ...salesLastYear.firstUnconverted][0]?.message}): say whether salesLastYear is nullable or required`,
      );
    if (open.length > 0 && together.verdict === 'pass')
      return nothingToJudge(`the profile does not bind ${open.join(', ')}`);
    return together;
  },
});

export const figuresOrdered = defineRule({
  id: 'D.windows-ordered',
  statement: 'D.windows',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'Sales of a shorter window do not exceed those of a longer one.',
  how: 'Rows whose three figures are not negative are compared: 4 weeks ≤ 12 weeks ≤ 52 weeks. Returns can break it, so it only advises.',
  subjects: PERFORMANCE_OPERATIONS,
  needs: (subject) => [
    openingOf(subject, 'request'),
    openingOf(subject, 'rows'),
    ...(['sales4Weeks', 'sales12Weeks', 'sales52Weeks'] as const).map((each) => openingOf(subject, `fields.${each}`)),
  ],
  probe: (subject) => ({
    list: step({
      operation: subject,
      observes: anything,
      wants: 'content',
      folds: {
        ordered: everyRow('windows-ordered', ({ sales4Weeks: four, sales12Weeks: twelve, sales52Weeks: year }) => {
          if (typeof four !== 'number' || typeof twelve !== 'number' || typeof year !== 'number') return undefined;
          if (Math.min(four, twelve, year) < 0) return undefined;
          return (four <= twelve && twelve <= year) || `${four} in 4 weeks, ${twelve} in 12, ${year} in 52`;
        }),
      },
    }),
  }),
  counterexample: ({ list }) => ({ list: editRow(list, { sales4Weeks: 2, sales12Weeks: 1, sales52Weeks: 3 }) }),
  judge: (seen) => judgeBreaches(seen.list, (reading) => reading.folds.ordered, '4 weeks ≤ 12 weeks ≤ 52 weeks'),
});

export const percentChangeRule = defineRule({
  id: 'D.percent-change',
  statement: 'D.five-figures',
  basis: 'profile',
  since: '0.1.0',
  demands: 'The dollar percentage change is the one the profile says it is.',
  how: 'From the figure the profile names and last year’s, rounded as it says; half a unit of the last decimal and the rounding of the figures themselves are allowed.',
  subjects: PERFORMANCE_OPERATIONS,
  needs: (subject) => [
    'percentChange',
    openingOf(subject, 'request'),
    openingOf(subject, 'rows'),
    openingOf(subject, 'fields.salesLastYear'),
    openingOf(subject, 'fields.percentChange'),
  ],
  probe(subject, declares) {
    const { of = 'sales52Weeks', decimals = 1 } = declares.percentChange ?? {};
    const fits = everyRow(`percent-of:${of}:${decimals}`, (row) => {
      const now = row[of];
      const { salesLastYear: before, percentChange: stated } = row;
      if (typeof now !== 'number' || typeof before !== 'number' || typeof stated !== 'number' || before === 0)
        return undefined;
      const exact = ((now - before) / before) * 100;
      const slack = 0.5 * 10 ** -decimals + (0.01 / Math.abs(before)) * (100 + Math.abs(exact)) + 1e-9;
      return (
        Math.abs(exact - stated) <= slack ||
        `percentage change ${stated} where ${now} against ${before} gives ${exact.toFixed(decimals + 1)}`
      );
    });
    return { list: step({ operation: subject, observes: anything, wants: 'content', folds: { fits } }) };
  },
  counterexample({ list }) {
    const now = { sales4Weeks: 200, sales12Weeks: 200, sales52Weeks: 200 };
    return { list: editRow(list, { ...now, salesLastYear: 100, percentChange: 7 }) };
  },
  judge: (seen) =>
    judgeBreaches(seen.list, (reading) => reading.folds.fits, 'the percentage change the profile describes'),
});

export const identityRule = defineRule({
  id: 'D.one-row-each',
  statement: 'D.brand-performance',
  basis: 'derived',
  since: '0.1.0',
  demands: 'A brand performance record, identified by category, sub-category, manufacturer and brand, stands once.',
  how: 'The four names of every row, and its grain where the profile reads one, are compared over the whole list; judged only where all four are bound and present.',
  subjects: [BRAND_PERFORMANCE],
  needs: () => [
    'brandPerformance.request',
    'brandPerformance.rows',
    ...SALES_FILTERS.map((each) => openingOf(BRAND_PERFORMANCE, `fields.${each}`)),
  ],
  probe: () => ({
    list: step({
      operation: BRAND_PERFORMANCE,
      observes: unfiltered,
      wants: 'content',
      folds: { repeats: repeats(SALES_FILTERS) },
    }),
  }),
  counterexample: ({ list }) => ({ list: addRow(list, {}) }),
  judge: (seen) => judgeRepeats(onlyReading(seen.list), 'each record once', 'no row carries all four names'),
});

export const categoryIdentity = defineRule({
  id: 'D.one-row-per-category',
  statement: 'D.category-performance',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'A category and sub-category stand in one row of CategoryPerformance.',
  how: 'The bound names of every row are compared over the whole list. A finer grain is legal, and the profile may read it; so this only advises.',
  subjects: [CATEGORY_PERFORMANCE],
  needs: () => ['categoryPerformance.request', 'categoryPerformance.rows', 'categoryPerformance.fields.category'],
  probe(_subject, declares) {
    const fields = boundNames(declares, CATEGORY_PERFORMANCE);
    return {
      list: step({
        operation: CATEGORY_PERFORMANCE,
        observes: unfiltered,
        wants: 'content',
        folds: { repeats: repeats(fields, 1) },
      }),
    };
  },
  counterexample: ({ list }) => ({ list: addRow(list, {}) }),
  judge: (seen) => judgeRepeats(onlyReading(seen.list), 'one row each', 'no row carries the names it is told apart by'),
});

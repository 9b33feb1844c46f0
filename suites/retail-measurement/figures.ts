/** The five figures of the rows of the two performance operations: sections 4.4 and 8. */
import { type OpeningId, PERFORMANCE_OPERATIONS, SALES_FIGURES } from '../../src/contract/index.ts';
import {
  anything,
  combine,
  defineRule,
  editRow,
  everyRow,
  type Fold,
  fieldDemand,
  inconclusive,
  judgeRowFailures,
  judgeTally,
  onlyReading,
  openingOf,
  type Row,
  type Rule,
  step,
  type Tally,
  tally,
  untested,
} from '../../src/rule/index.ts';

type Figure = (typeof SALES_FIGURES)[number];

/** A year without sales has no percentage change. */
const noLastYear = {
  name: 'no-last-year',
  legal: ({ salesLastYear }: Row) => salesLastYear === 0 || typeof salesLastYear !== 'number',
};

/** A new item had no sales last year: its row has neither last year’s sales nor a percentage change. */
const noChange = { name: 'no-change', legal: ({ percentChange }: Row) => typeof percentChange !== 'number' };

export const fiveFigures = defineRule({
  id: 'D.five-figures',
  statement: 'D.five-figures',
  basis: 'stated',
  since: '0.1.0',
  demands: 'Each row contains dollar sales of 4, 12 and 52 weeks, of last year, and the dollar percentage change.',
  how: 'Every figure of every row must be present, and its converter must read a number. A missing percentage change is legal where last year has no sales. Rows without both last year’s sales and percentage change may be new items: inconclusive unless the profile states nullable or required. Other missing figures are legal only where it states nullable.',
  subjects: PERFORMANCE_OPERATIONS,
  needs: (subject) => [
    openingOf(subject, 'request'),
    openingOf(subject, 'rows'),
    SALES_FIGURES.map((each) => openingOf(subject, `fields.${each}`)),
  ],
  probe: (subject) => ({
    list: step({
      operation: subject,
      alsoMatches: anything,
      accepts: 'content',
      folds: {
        ...(Object.fromEntries(
          SALES_FIGURES.map((each) => [each, tally(each, each === 'percentChange' ? noLastYear : undefined)]),
        ) as Record<Figure, Fold<Tally>>),
        lastYearUnlessNew: tally('salesLastYear', noChange),
      },
    }),
  }),
  counterexample: ({ list }) => ({ list: editRow(list, { sales12Weeks: null }) }),
  judge(seen, context) {
    const { subject, declarations } = context;
    const list = onlyReading(seen.list);
    const { salesLastYear, lastYearUnlessNew } = list.folds;
    // If no row has last year’s sales, or each row must have them, a missing figure is a finding.
    const mayBeNew =
      salesLastYear.values > 0 &&
      declarations.isFilled(openingOf(subject, 'fields.percentChange')) &&
      !declarations.required(subject, 'salesLastYear');
    const judged = SALES_FIGURES.filter((each) => declarations.isFilled(openingOf(subject, `fields.${each}`))).map(
      (each) =>
        judgeTally(
          list,
          each === 'salesLastYear' && mayBeNew ? lastYearUnlessNew : list.folds[each],
          fieldDemand(context, each, `${each} in every row`, {
            nullable: declarations.nullable(subject, each),
          }),
        ),
    );
    const unbound = SALES_FIGURES.filter((each) => !declarations.isFilled(openingOf(subject, `fields.${each}`)));
    const combined = combine(judged);
    const rowsWithout = salesLastYear.rows - salesLastYear.values;
    if (combined.verdict === 'pass' && rowsWithout > 0 && mayBeNew && !declarations.nullable(subject, 'salesLastYear'))
      return inconclusive(
        `${rowsWithout} rows contain neither last year’s sales nor a percentage change, as new items do (${[...salesLastYear.firstGaps, ...salesLastYear.firstUnconverted][0]?.message}): state whether salesLastYear is nullable or required`,
      );
    if (unbound.length > 0 && combined.verdict === 'pass')
      return untested(`the profile does not bind ${unbound.join(', ')}`);
    return combined;
  },
});

/** A rule: the windows of each row are ordered. */
const orderedRule = ({
  needs = [],
  ...texts
}: Pick<Rule, 'id' | 'basis' | 'since' | 'demands' | 'how' | 'looksLike'> & {
  readonly needs?: readonly OpeningId[];
}) =>
  defineRule({
    ...texts,
    statement: 'D.windows',
    subjects: PERFORMANCE_OPERATIONS,
    needs: (subject) => [
      ...needs,
      openingOf(subject, 'request'),
      openingOf(subject, 'rows'),
      ...(['sales4Weeks', 'sales12Weeks', 'sales52Weeks'] as const).map((each) => openingOf(subject, `fields.${each}`)),
    ],
    probe: (subject) => ({
      list: step({
        operation: subject,
        alsoMatches: anything,
        accepts: 'content',
        folds: {
          ordered: everyRow('windows-ordered', ({ sales4Weeks: four, sales12Weeks: twelve, sales52Weeks: year }) => {
            if (typeof four !== 'number' || typeof twelve !== 'number' || typeof year !== 'number') return undefined;
            if (Math.min(four, twelve, year) < 0) return undefined;
            const kinds = [...(four > twelve ? ['4-over-12'] : []), ...(twelve > year ? ['12-over-52'] : [])];
            if (kinds.length === 0) return true;
            return { kind: kinds.join('-and-'), message: `${four} in 4 weeks, ${twelve} in 12, ${year} in 52` };
          }),
        },
      }),
    }),
    counterexample: ({ list }) => ({ list: editRow(list, { sales4Weeks: 2, sales12Weeks: 1, sales52Weeks: 3 }) }),
    judge: (seen) => judgeRowFailures(seen.list, (reading) => reading.folds.ordered, '4 weeks ≤ 12 weeks ≤ 52 weeks'),
  });

export const figuresOrdered = orderedRule({
  id: 'D.windows-ordered',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'Sales of a shorter window do not exceed those of a longer one.',
  how: 'In rows without negative figures, 4 weeks ≤ 12 weeks ≤ 52 weeks must hold. Advisory: returned goods can reduce sales.',
});

export const figuresPromisedOrdered = orderedRule({
  id: 'D.windows-promised-ordered',
  basis: 'profile',
  since: '0.2.0',
  demands:
    'Sales of a shorter window do not exceed those of a longer one: the profile promises it (figures.windowsOrdered).',
  how: 'In rows without negative figures, 4 weeks ≤ 12 weeks ≤ 52 weeks must hold.',
  looksLike:
    'A service whose returned goods reduce the sales of a longer window is legal; it does not promise this, and D.windows-ordered is then advisory.',
  needs: ['windowsOrdered'],
});

export const percentChangeRule = defineRule({
  id: 'D.percent-change',
  statement: 'D.five-figures',
  basis: 'profile',
  since: '0.1.0',
  demands: 'The dollar percentage change has the value that the profile defines.',
  how: 'It is computed from the figure that the profile names and last year’s sales, and rounded as the profile states. Half a unit of the last decimal and the rounding of the figures are tolerated.',
  subjects: PERFORMANCE_OPERATIONS,
  needs: (subject) => [
    'percentChange',
    openingOf(subject, 'request'),
    openingOf(subject, 'rows'),
    openingOf(subject, 'fields.salesLastYear'),
    openingOf(subject, 'fields.percentChange'),
  ],
  probe(subject, declarations) {
    const { of = 'sales52Weeks', decimals = 1 } = declarations.percentChange ?? {};
    const fits = everyRow(`percent-of:${of}:${decimals}`, (row) => {
      const now = row[of];
      const { salesLastYear: before, percentChange: stated } = row;
      if (typeof now !== 'number' || typeof before !== 'number' || typeof stated !== 'number' || before === 0)
        return undefined;
      const exact = ((now - before) / before) * 100;
      const tolerance = 0.5 * 10 ** -decimals + (0.01 / Math.abs(before)) * (100 + Math.abs(exact)) + 1e-9;
      return (
        Math.abs(exact - stated) <= tolerance || {
          kind: 'other-change',
          message: `percentage change ${stated}; ${now} against ${before} gives ${exact.toFixed(decimals + 1)}`,
        }
      );
    });
    return { list: step({ operation: subject, alsoMatches: anything, accepts: 'content', folds: { fits } }) };
  },
  counterexample({ list }) {
    const now = { sales4Weeks: 200, sales12Weeks: 200, sales52Weeks: 200 };
    return { list: editRow(list, { ...now, salesLastYear: 100, percentChange: 7 }) };
  },
  judge: (seen) =>
    judgeRowFailures(seen.list, (reading) => reading.folds.fits, 'the percentage change that the profile defines'),
});

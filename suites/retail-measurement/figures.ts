/** The rows of the two performance operations: their five figures, and each row once: sections 4.4 and 8. */
import {
  BRAND_PERFORMANCE,
  CATEGORY_PERFORMANCE,
  type Field,
  PERFORMANCE_OPERATIONS,
  type PerformanceOperation,
  SALES_FIGURES,
  SALES_FILTERS,
} from '../../src/contract/index.ts';
import {
  addRow,
  anything,
  type Breaches,
  combine,
  type Declarations,
  editRow,
  everyRow,
  type Fold,
  fieldDemand,
  inconclusive,
  judgeRepeats,
  judgeRowFailures,
  judgeTally,
  type Repeats,
  type Row,
  type Rule,
  type RuleLiteral,
  relationRule,
  repeats,
  rows,
  type Steps,
  SUBJECT,
  type Tally,
  tally,
  unfiltered,
  untested,
} from '../../src/rule/index.ts';
import { filtersInRows } from '../../src/rule/performance-rows.ts';

type Figure = (typeof SALES_FIGURES)[number];

/** A year without sales has no percentage change. */
const noLastYear = {
  name: 'no-last-year',
  legal: ({ salesLastYear }: Row) => salesLastYear === 0 || typeof salesLastYear !== 'number',
};

/** A new item had no sales last year: its row has neither last year’s sales nor a percentage change. */
const noChange = { name: 'no-change', legal: ({ percentChange }: Row) => typeof percentChange !== 'number' };

const tallies = Object.fromEntries(
  SALES_FIGURES.map((each) => [each, tally(each, each === 'percentChange' ? noLastYear : undefined)]),
) as Record<Figure, Fold<Tally>>;

const anyList = { alsoMatches: anything, accepts: 'content' } as const;

export const fiveFigures = relationRule({
  id: 'D.five-figures',
  statement: 'D.five-figures',
  basis: 'stated',
  since: '0.1.0',
  demands: 'Each row contains dollar sales of 4, 12 and 52 weeks, of last year, and the dollar percentage change.',
  how: [
    'Every figure of every row must be present, and its converter must read a number.',
    'A missing percentage change is legal where last year has no sales.',
    'Rows without both last year’s sales and percentage change may be new items: inconclusive unless the profile states nullable or required.',
    'Other missing figures are legal only where it states nullable.',
  ],
  subjects: PERFORMANCE_OPERATIONS,
  repeat: false,
  sides: {
    list: rows(SUBJECT, {
      ...anyList,
      fields: [SALES_FIGURES],
      folds: { ...tallies, lastYearUnlessNew: tally('salesLastYear', noChange) },
    }),
  },
  counterexample: ({ list }) => ({ list: editRow(list, { sales12Weeks: null }) }),
  compare({ list }, context) {
    const { subject, declarations } = context;
    const { salesLastYear, lastYearUnlessNew } = list.folds;
    const isBound = (each: Figure) => declarations.binds(subject, `fields.${each}`);
    // If no row has last year’s sales, or each row must have them, a missing figure is a finding.
    const mayBeNew =
      salesLastYear.values > 0 && isBound('percentChange') && !declarations.required(subject, 'salesLastYear');
    const judged = combine(
      SALES_FIGURES.filter(isBound).map((each) => {
        const found = each === 'salesLastYear' && mayBeNew ? lastYearUnlessNew : list.folds[each];
        const nullable = declarations.nullable(subject, each);
        return judgeTally(list, found, fieldDemand(context, each, `${each} in every row`, { nullable }));
      }),
    );
    const rowsWithout = salesLastYear.rows - salesLastYear.values;
    if (judged.verdict !== 'pass') return judged;
    if (rowsWithout > 0 && mayBeNew && !declarations.nullable(subject, 'salesLastYear')) {
      const [first] = [...salesLastYear.firstGaps, ...salesLastYear.firstUnconverted];
      return inconclusive(
        `${rowsWithout} rows contain neither last year’s sales nor a percentage change, as new items do (${first?.message}): state whether salesLastYear is nullable or required`,
      );
    }
    const unbound = SALES_FIGURES.filter((each) => !isBound(each));
    return unbound.length > 0 ? untested(`the profile does not bind ${unbound.join(', ')}`) : judged;
  },
});

interface RowRule extends Omit<Parameters<typeof relationRule>[0], 'subjects' | 'sides' | 'compare'> {
  readonly fields: readonly Field[];
  readonly check: (declarations: Declarations) => Fold<Breaches>;
  readonly expected: string;
  /** The figures of a row that does not meet the demand. */
  readonly wrong: { readonly [F in Figure]?: number };
}

/** A rule: the figures of each row fit together. */
const rowRule = ({ fields, check, expected, wrong, ...rule }: RowRule): Rule =>
  relationRule({
    ...rule,
    subjects: PERFORMANCE_OPERATIONS,
    repeat: false,
    sides: {
      list: rows(SUBJECT, { ...anyList, fields, folds: (declarations) => ({ checked: check(declarations) }) }),
    },
    counterexample: ({ list }) => ({ list: editRow(list, wrong) }),
    compare: ({ list }) => judgeRowFailures([list], ({ folds }) => folds.checked, expected),
  });

const ordered = everyRow('windows-ordered', ({ sales4Weeks: four, sales12Weeks: twelve, sales52Weeks: year }) => {
  if (typeof four !== 'number' || typeof twelve !== 'number' || typeof year !== 'number') return undefined;
  if (Math.min(four, twelve, year) < 0) return undefined;
  const kinds = [...(four > twelve ? ['4-over-12'] : []), ...(twelve > year ? ['12-over-52'] : [])];
  if (kinds.length === 0) return true;
  return { kind: kinds.join('-and-'), message: `${four} in 4 weeks, ${twelve} in 12, ${year} in 52` };
});

const ORDERED = {
  statement: 'D.windows',
  fields: ['sales4Weeks', 'sales12Weeks', 'sales52Weeks'],
  check: () => ordered,
  expected: '4 weeks ≤ 12 weeks ≤ 52 weeks',
  wrong: { sales4Weeks: 2, sales12Weeks: 1, sales52Weeks: 3 },
} as const;

export const figuresOrdered = rowRule({
  ...ORDERED,
  id: 'D.windows-ordered',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'Sales of a shorter window do not exceed those of a longer one.',
  how: [
    'In rows without negative figures, 4 weeks ≤ 12 weeks ≤ 52 weeks must hold.',
    'Advisory: returned goods can reduce sales.',
  ],
});

export const figuresPromisedOrdered = rowRule({
  ...ORDERED,
  id: 'D.windows-promised-ordered',
  demands:
    'Sales of a shorter window do not exceed those of a longer one: the profile promises it (figures.windowsOrdered).',
  how: 'In rows without negative figures, 4 weeks ≤ 12 weeks ≤ 52 weeks must hold.',
  looksLike:
    'A service whose returned goods reduce the sales of a longer window is legal; it does not promise this, and D.windows-ordered is then advisory.',
  promises: ['windowsOrdered'],
});

export const percentChangeRule = rowRule({
  id: 'D.percent-change',
  statement: 'D.five-figures',
  since: '0.1.0',
  demands: 'The dollar percentage change has the value that the profile defines.',
  how: [
    'It is computed from the figure that the profile names and last year’s sales, and rounded as the profile states.',
    'Half a unit of the last decimal and the rounding of the figures are tolerated.',
  ],
  promises: ['percentChange'],
  fields: ['salesLastYear', 'percentChange'],
  check({ percentChange }) {
    const { of = 'sales52Weeks', decimals = 1 } = percentChange ?? {};
    return everyRow(`percent-of:${of}:${decimals}`, (row) => {
      const now = row[of];
      const { salesLastYear: before, percentChange: stated } = row;
      if (typeof now !== 'number' || typeof before !== 'number' || typeof stated !== 'number' || before === 0)
        return undefined;
      const exact = ((now - before) / before) * 100;
      // Amounts in whole units, such as dollars or cents, are rounded to one.
      const unit = Number.isInteger(now) && Number.isInteger(before) ? 1 : 0.01;
      const tolerance = 0.5 * 10 ** -decimals + (unit / Math.abs(before)) * (100 + Math.abs(exact)) + 1e-9;
      const message = `percentage change ${stated}; ${now} against ${before} gives ${exact.toFixed(decimals + 1)}`;
      return Math.abs(exact - stated) <= tolerance || { kind: 'other-change', message };
    });
  },
  expected: 'the percentage change that the profile defines',
  wrong: { sales4Weeks: 200, sales12Weeks: 200, sales52Weeks: 200, salesLastYear: 100, percentChange: 7 },
});

interface OneRow extends Pick<RuleLiteral<Steps>, 'id' | 'statement' | 'basis' | 'demands' | 'how'> {
  /** The names that the profile must read, and those that identify a row: all of them, or what a row has of them. */
  readonly fields: readonly Field[];
  readonly identity: (declarations: Declarations) => Fold<Repeats>;
  readonly expected: string;
  readonly nothing: string;
}

/** What identifies the rows of each performance operation. */
const ONE_ROW: Readonly<Record<PerformanceOperation, OneRow>> = {
  [BRAND_PERFORMANCE]: {
    id: 'D.one-row-each',
    statement: 'D.brand-performance',
    basis: 'derived',
    demands:
      'Each brand performance record, identified by category, sub-category, manufacturer and brand, occurs once.',
    how: [
      'The four names of every row, and its grain where the profile reads one, are compared over the whole list.',
      'Rows without all four names are not judged.',
    ],
    fields: SALES_FILTERS,
    identity: () => repeats(SALES_FILTERS),
    expected: 'each record once',
    nothing: 'no row contains all four names',
  },
  [CATEGORY_PERFORMANCE]: {
    id: 'D.one-row-per-category',
    statement: 'D.category-performance',
    basis: 'plausible',
    demands: 'CategoryPerformance has one row for each category and sub-category.',
    how: [
      'The bound names of every row are compared over the whole list.',
      'Advisory: a finer grain, which the profile may read, is legal.',
    ],
    fields: ['category'],
    identity: (declarations) => repeats(filtersInRows(declarations, CATEGORY_PERFORMANCE), 1),
    expected: 'one row each',
    nothing: 'no row contains the names that identify it',
  },
};

/** A rule: a performance operation returns each row once. */
export function oneRowRule(subject: PerformanceOperation): Rule {
  const { fields, identity, expected, nothing, ...rule } = ONE_ROW[subject];
  const folds = (declarations: Declarations) => ({ repeats: identity(declarations) });
  return relationRule({
    ...rule,
    since: '0.1.0',
    subjects: [subject],
    repeat: false,
    sides: { list: rows(SUBJECT, { alsoMatches: unfiltered, accepts: 'content', fields, folds }) },
    counterexample: ({ list }) => ({ list: addRow(list, {}) }),
    compare: ({ list }) => judgeRepeats(list, expected, nothing),
  });
}

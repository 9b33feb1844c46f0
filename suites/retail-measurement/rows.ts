/** The rows of the two performance operations and their five figures: sections 4.4 and 8. */
import { SALES_FIGURES, SALES_FILTERS } from '../../src/contract/index.ts';
import {
  collect,
  combine,
  defineRule,
  everyRow,
  evidenceOf,
  type Fold,
  failed,
  judgeBreaches,
  judgeTally,
  nothingSeen,
  passed,
  quoteSelector,
  type Row,
  step,
  type Tally,
  tally,
} from '../../src/rule/index.ts';
import { BRAND, bound, CATEGORY, identity, one, opening, PERFORMANCE } from './shared.ts';

/** A percentage change of a year without sales does not exist. */
const noLastYear = {
  name: 'no-last-year',
  legal: (row: Row) => row.salesLastYear === 0 || row.salesLastYear === null || row.salesLastYear === undefined,
};

export const fiveFigures = defineRule({
  id: 'D.five-figures',
  statement: 'D.five-figures',
  basis: 'stated',
  since: '0.1.0',
  demands: 'Each row carries dollar sales of 4, 12 and 52 weeks, of last year, and the dollar percentage change.',
  how: 'Every figure of every row must be there and be a number under its converter. A missing percentage change is legal where last year has no sales; other gaps are legal only where the profile says nullable.',
  subjects: PERFORMANCE,
  needs: (subject) => [
    opening(subject, 'request'),
    opening(subject, 'rows'),
    SALES_FIGURES.map((each) => opening(subject, `fields.${each}`)),
  ],
  probe: (subject) => ({
    list: step({
      operation: subject,
      wants: 'content',
      folds: Object.fromEntries(
        SALES_FIGURES.map((each) => [each, tally(each, each === 'percentChange' ? noLastYear : undefined)]),
      ) as Record<string, Fold<Tally>>,
    }),
  }),
  judge(seen, { subject, declares }) {
    const list = one(seen.list);
    const judged = SALES_FIGURES.filter((each) => declares.isFilled(opening(subject, `fields.${each}`))).map((each) =>
      judgeTally(list, list.folds[each] as Tally, {
        expected: `${each} in every row`,
        declared: declares.converter(subject, each) !== undefined,
        selector: quoteSelector(subject, declares.selector(subject, each)),
        nullable: declares.nullable(subject, each),
      }),
    );
    const open = SALES_FIGURES.filter((each) => !declares.isFilled(opening(subject, `fields.${each}`)));
    const together = combine(judged);
    if (open.length > 0 && together.verdict === 'pass')
      return nothingSeen(`the profile does not bind ${open.join(', ')}`);
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
  subjects: PERFORMANCE,
  needs: (subject) => [
    opening(subject, 'request'),
    opening(subject, 'rows'),
    ...(['sales4Weeks', 'sales12Weeks', 'sales52Weeks'] as const).map((each) => opening(subject, `fields.${each}`)),
  ],
  probe: (subject) => ({
    list: step({
      operation: subject,
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
  judge: (seen) => judgeBreaches(seen.list, (reading) => reading.folds.ordered, '4 weeks ≤ 12 weeks ≤ 52 weeks'),
});

export const percentChange = defineRule({
  id: 'D.percent-change',
  statement: 'D.five-figures',
  basis: 'profile',
  since: '0.1.0',
  demands: 'The dollar percentage change is the one the profile says it is.',
  how: 'From the figure the profile names and last year’s, rounded as it says; half a unit of the last decimal and the rounding of the figures themselves are allowed.',
  subjects: PERFORMANCE,
  needs: (subject) => [
    'percentChange',
    opening(subject, 'request'),
    opening(subject, 'rows'),
    opening(subject, 'fields.salesLastYear'),
    opening(subject, 'fields.percentChange'),
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
    return { list: step({ operation: subject, wants: 'content', folds: { fits } }) };
  },
  judge: (seen) =>
    judgeBreaches(seen.list, (reading) => reading.folds.fits, 'the percentage change the profile describes'),
});

const brandRows = step({ operation: BRAND, wants: 'content', folds: { rows: collect(SALES_FILTERS, 500_000) } });

export const identityRule = defineRule({
  id: 'D.one-row-each',
  statement: 'D.brand-performance',
  basis: 'derived',
  since: '0.1.0',
  demands: 'A brand performance record, identified by category, sub-category, manufacturer and brand, stands once.',
  how: 'The four names of every row are compared over the whole list; judged only where all four are bound and present, and the profile does not say rows are of a finer grain.',
  subjects: [BRAND],
  needs: () => [
    'brandPerformance.request',
    'brandPerformance.rows',
    ...SALES_FILTERS.map((each) => opening(BRAND, `fields.${each}`)),
  ],
  // Without a step the rule does not apply.
  probe: (_subject, declares) => (declares.finerGrain(BRAND) ? {} : { list: brandRows }) as { list: typeof brandRows },
  judge(seen) {
    const list = one(seen.list);
    const whole = list.folds.rows.rows.filter((row) => SALES_FILTERS.every((each) => typeof row[each] === 'string'));
    if (whole.length === 0) return nothingSeen('no row carries all four names');
    const counts = new Map<string, number>();
    for (const row of whole) {
      const key = JSON.stringify(SALES_FILTERS.map((each) => row[each]));
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const twice = [...counts].filter(([, count]) => count > 1);
    if (twice.length === 0) return passed({ ...evidenceOf([list]), distinct: counts.size });
    return failed(
      twice.slice(0, 5).map(([key, count]) => ({
        expected: 'each record once',
        actual: `${key} stands ${count} times`,
        exchange: list.exchange,
      })),
    );
  },
});

export const categoryIdentity = defineRule({
  id: 'D.one-row-per-category',
  statement: 'D.category-performance',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'A category and sub-category stand in one row of CategoryPerformance.',
  how: 'The bound names of every row are compared over the whole list. A finer grain is legal, so this only advises.',
  subjects: [CATEGORY],
  needs: () => ['categoryPerformance.request', 'categoryPerformance.rows', 'categoryPerformance.fields.category'],
  probe: () => ({
    list: step({ operation: CATEGORY, wants: 'content', folds: { rows: collect(SALES_FILTERS, 500_000) } }),
  }),
  judge(seen, { declares }) {
    const list = one(seen.list);
    const fields = bound(declares, CATEGORY);
    const names = new Set<string>();
    const twice = list.folds.rows.rows
      .filter((row) => fields.some((each) => typeof row[each] === 'string'))
      .map((row) => identity(row, fields))
      .filter((name) => names.has(name) || !names.add(name));
    if (names.size === 0) return nothingSeen('no row carries a name');
    if (twice.length === 0) return passed({ ...evidenceOf([list]), distinct: names.size });
    return failed(
      twice.slice(0, 5).map((name) => ({
        expected: 'one row each',
        actual: `${name} stands more than once`,
        exchange: list.exchange,
      })),
    );
  },
});

/** Demands on group D, retail measurement performance: sections 4.4 and 8. */
import { type OpeningId, type OperationKey, operationOf, SALES_FIGURES, SALES_FILTERS } from '../src/contract/index.ts';
import {
  collect,
  combine,
  type Declarations,
  defineRule,
  everyRow,
  evidenceOf,
  type Finding,
  type Fold,
  failed,
  judgeBreaches,
  judgeTally,
  type Need,
  nothingSeen,
  passed,
  quoteSelector,
  type Reading,
  type Row,
  type Rule,
  step,
  type Tally,
  tally,
  texts,
  undecided,
} from '../src/rule/index.ts';
import { marketRule } from './market.ts';
import { chooseByName, fold } from './names.ts';
import { requiredRule } from './required.ts';

const METADATA = 'GET /RetailMeasurement/v1/BrandPerformance/Metadata';
const CATEGORY = 'GET /RetailMeasurement/v1/CategoryPerformance';
const BRAND = 'GET /RetailMeasurement/v1/BrandPerformance';
const PERFORMANCE: readonly OperationKey[] = [CATEGORY, BRAND];
type Filter = (typeof SALES_FILTERS)[number];

const one = <R extends Reading>(readings: readonly R[]): R => readings[0] as R;
const opening = (subject: OperationKey, part: string): OpeningId => `${operationOf(subject).name}.${part}` as OpeningId;
const bound = (declares: Declarations, subject: OperationKey): Filter[] =>
  SALES_FILTERS.filter((each) => declares.isFilled(opening(subject, `fields.${each}`)));

/** A percentage change of a year without sales does not exist. */
const noLastYear = {
  name: 'no-last-year',
  legal: (row: Row) => row.salesLastYear === 0 || row.salesLastYear === null || row.salesLastYear === undefined,
};

const fiveFigures = defineRule({
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

const figuresOrdered = defineRule({
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

const percentChange = defineRule({
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

/** Identities of rows: the bound names, missing ones as a gap, so that rows of another grain never look alike. */
const identity = (row: Row, fields: readonly Filter[]): string =>
  JSON.stringify(fields.map((each) => (typeof row[each] === 'string' ? fold(row[each]) : null)));
const grain = (row: Row, fields: readonly Filter[]): string =>
  fields.map((each) => (typeof row[each] === 'string' ? '1' : '0')).join('');

const brandRows = step({ operation: BRAND, wants: 'content', folds: { rows: collect(SALES_FILTERS, 500_000) } });

const identityRule = defineRule({
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

/** Where filter values come from: the metadata where it lists them, else the unfiltered rows. */
function valueSource(declares: Declarations, subject: OperationKey, filter: Filter) {
  const listed =
    declares.isFilled('performanceMetadata.request') && declares.isFilled(opening(METADATA, `fields.${filter}`));
  const from = listed ? METADATA : subject;
  return step({ operation: from, wants: 'content', folds: { rows: collect([filter], 20_000) } });
}

function filterRules(filter: Filter): readonly Rule[] {
  const slug = filter.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const needs = (subject: OperationKey): Need[] => [
    opening(subject, 'request'),
    opening(subject, 'rows'),
    opening(subject, `inputs.${filter}`),
    opening(subject, `fields.${filter}`),
  ];
  const within = everyRow(`in-${filter}`, (row, inputs) => {
    const own = row[filter];
    const wanted = inputs[filter];
    if (typeof own !== 'string' || wanted === undefined) return undefined;
    return (
      fold(own) === fold(String(wanted)) ||
      `${filter} ${JSON.stringify(own)} where ${JSON.stringify(wanted)} was asked for`
    );
  });
  const filtered = (subject: OperationKey) =>
    step({
      operation: subject,
      each: { from: 'values', fold: 'rows', as: { [filter]: filter }, max: 25, choose: chooseByName(filter) },
      wants: 'whole',
      folds: { within, rows: collect(SALES_FILTERS, 200_000) },
    });
  return [
    defineRule({
      id: `D.filter-${slug}-sound`,
      statement: 'D.filters',
      basis: 'stated',
      since: '0.1.0',
      demands: `Results filtered by ${filter} name hold rows of that ${filter} only.`,
      how: 'Up to 25 names, awkward ones first, are asked for; the name in every row is compared with the one asked for.',
      subjects: PERFORMANCE,
      needs,
      probe: (subject, declares) => ({ values: valueSource(declares, subject, filter), filtered: filtered(subject) }),
      judge: (seen) =>
        judgeBreaches(seen.filtered, (reading) => reading.folds.within, `only rows of the ${filter} asked for`),
    }),
    defineRule({
      id: `D.filter-${slug}-complete`,
      statement: 'D.filters',
      basis: 'derived',
      since: '0.1.0',
      demands: `Results filtered by ${filter} name hold every row of that ${filter}.`,
      how: 'The rows that the unfiltered answer shows under a name are looked for, by their identifying names, in the filtered answer; judged only where both show rows of one grain.',
      subjects: PERFORMANCE,
      needs,
      repeat: 'pass',
      probe: (subject, declares) => ({
        values: valueSource(declares, subject, filter),
        all: step({ operation: subject, wants: 'whole', folds: { rows: collect(SALES_FILTERS, 200_000) } }),
        filtered: filtered(subject),
      }),
      judge(seen, { subject, declares }) {
        const fields = bound(declares, subject);
        const all = one(seen.all).folds.rows;
        if (!all.whole || seen.filtered.some((reading) => !reading.folds.rows.whole))
          return undecided('more rows than can be compared');
        let looked = 0;
        let otherGrain = false;
        const findings = seen.filtered.flatMap((reading): Finding[] => {
          const wanted = all.rows.filter(
            (row) => typeof row[filter] === 'string' && fold(row[filter]) === fold(String(reading.inputs[filter])),
          );
          const got = reading.folds.rows.rows;
          const grains = new Set(wanted.map((row) => grain(row, fields)));
          if (got.some((row) => !grains.has(grain(row, fields))) && got.length > 0) {
            otherGrain = true;
            return [];
          }
          looked += wanted.length;
          const has = new Set(got.map((row) => identity(row, fields)));
          const missing = wanted.filter((row) => !has.has(identity(row, fields)));
          if (missing.length === 0) return [];
          return [
            {
              expected: `all ${wanted.length} rows of ${filter} ${JSON.stringify(reading.inputs[filter])}`,
              actual: `${missing.length} are missing, e.g. ${identity(missing[0] as Row, fields)}`,
              exchange: reading.exchange,
            },
          ];
        });
        if (findings.length > 0) return failed(findings);
        if (looked === 0)
          return nothingSeen(
            otherGrain
              ? 'the filter changes the grain of rows'
              : 'the unfiltered answer shows no row under the names asked for',
          );
        return passed({ ...evidenceOf(seen.filtered), rows: looked });
      },
    }),
  ];
}

/** The filter by which the whole answer can be cut into parts that show it again. */
function filteredWithinAll(
  subject: OperationKey,
  id: string,
  statement: 'D.category-performance' | 'D.brand-performance',
): Rule {
  const filter = subject === CATEGORY ? 'category' : 'brand';
  return defineRule({
    id,
    statement,
    basis: 'derived',
    since: '0.1.0',
    demands: 'A row that a filtered answer shows is in the unfiltered one.',
    how: 'The rows of answers filtered by up to 25 names are looked for, by their identifying names, in the whole answer; judged only where both show rows of one grain.',
    subjects: [subject],
    needs: () => [
      opening(subject, 'request'),
      opening(subject, 'rows'),
      opening(subject, `inputs.${filter}`),
      opening(subject, `fields.${filter}`),
    ],
    repeat: 'pass',
    probe: (_subject, declares) => ({
      values: valueSource(declares, subject, filter),
      all: step({ operation: subject, wants: 'whole', folds: { rows: collect(SALES_FILTERS, 200_000) } }),
      filtered: step({
        operation: subject,
        each: { from: 'values', fold: 'rows', as: { [filter]: filter }, max: 25, choose: chooseByName(filter) },
        wants: 'content',
        folds: { rows: collect(SALES_FILTERS, 200_000) },
      }),
    }),
    judge(seen, { declares }) {
      const fields = bound(declares, subject);
      const all = one(seen.all).folds.rows;
      if (!all.whole) return undecided('more rows than can be compared');
      const grains = new Set(all.rows.map((row) => grain(row, fields)));
      const has = new Set(all.rows.map((row) => identity(row, fields)));
      let looked = 0;
      const findings = seen.filtered.flatMap((reading): Finding[] => {
        const rows = reading.folds.rows.rows.filter((row) => grains.has(grain(row, fields)));
        looked += rows.length;
        const missing = rows.filter((row) => !has.has(identity(row, fields)));
        if (missing.length === 0) return [];
        return [
          {
            expected: 'rows of a filtered answer are in the whole one',
            actual: `${missing.length} rows of ${filter} ${JSON.stringify(reading.inputs[filter])} are not, e.g. ${identity(missing[0] as Row, fields)}`,
            exchange: reading.exchange,
          },
        ];
      });
      if (findings.length > 0) return failed(findings.slice(0, 10));
      return looked === 0
        ? nothingSeen('no filtered answer has a row of the grain of the whole one')
        : passed({ ...evidenceOf(seen.filtered), rows: looked });
    },
  });
}

const categoryIdentity = defineRule({
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

const metadataListed = defineRule({
  id: 'D.metadata-listed',
  statement: 'D.metadata',
  basis: 'stated',
  since: '0.1.0',
  demands: 'Metadata lists categories and sub-categories, manufacturers and brands.',
  how: 'Each of the four kinds of names that the profile binds must occur at least once.',
  subjects: [METADATA],
  needs: () => ['performanceMetadata.request', SALES_FILTERS.map((each) => opening(METADATA, `fields.${each}`))],
  probe: () => ({
    list: step({
      operation: METADATA,
      wants: 'content',
      folds: Object.fromEntries(SALES_FILTERS.map((each) => [each, texts(each)])) as Record<
        Filter,
        ReturnType<typeof texts>
      >,
    }),
  }),
  judge(seen, { declares }) {
    const list = one(seen.list);
    const names = bound(declares, METADATA).map((each) => ({ each, found: namesOf(list, each).size }));
    const none = names.filter(({ found }) => found === 0);
    if (none.length === names.length) return nothingSeen('the metadata lists no name at all');
    if (none.length > 0) {
      return failed(
        none.map(({ each }) => ({
          expected: `names of ${each} at ${quoteSelector(METADATA, declares.selector(METADATA, each))}`,
          actual: 'none, while the other kinds are listed',
          exchange: list.exchange,
        })),
        'profile',
      );
    }
    return passed({
      exchanges: 1,
      rows: list.observation?.rows ?? 0,
      distinct: names.reduce((sum, { found }) => sum + found, 0),
    });
  },
});

function namesOf(list: Reading<Record<Filter, ReturnType<typeof texts>>>, filter: Filter): Set<string> {
  const once = (list.observation?.values[filter] ?? []).filter((value): value is string => typeof value === 'string');
  return new Set([...list.folds[filter].counts.keys(), ...once].map(fold));
}

const metadataCovers = defineRule({
  id: 'D.metadata-covers-rows',
  statement: 'D.metadata',
  basis: 'derived',
  since: '0.1.0',
  demands:
    'Every category, sub-category, manufacturer and brand that a performance row names is listed by the metadata.',
  how: 'The names of all rows of an unfiltered answer are looked for in the metadata, kind by kind.',
  subjects: PERFORMANCE,
  needs: (subject) => [
    'performanceMetadata.request',
    SALES_FILTERS.map((each) => opening(METADATA, `fields.${each}`)),
    opening(subject, 'request'),
    opening(subject, 'rows'),
    SALES_FILTERS.map((each) => opening(subject, `fields.${each}`)),
  ],
  repeat: 'pass',
  probe(subject) {
    const folds = Object.fromEntries(SALES_FILTERS.map((each) => [each, texts(each)])) as Record<
      Filter,
      ReturnType<typeof texts>
    >;
    return {
      metadata: step({ operation: METADATA, wants: 'whole', folds }),
      rows: step({ operation: subject, wants: 'content', folds }),
    };
  },
  judge(seen, { subject, declares }) {
    const metadata = one(seen.metadata);
    const rows = one(seen.rows);
    let looked = 0;
    const findings = bound(declares, subject).flatMap((each): Finding[] => {
      const listed = namesOf(metadata, each);
      const used = [...rows.folds[each].counts.keys()];
      if (listed.size === 0 || !declares.isFilled(opening(METADATA, `fields.${each}`))) return [];
      looked += used.length;
      return used
        .filter((name) => !listed.has(fold(name)))
        .slice(0, 3)
        .map((name) => ({
          expected: `the metadata lists ${each} ${JSON.stringify(name)}, which ${rows.folds[each].counts.get(name)} rows name`,
          actual: `not among its ${listed.size} names`,
          exchange: metadata.exchange,
        }));
    });
    if (findings.length > 0) return failed(findings);
    return looked === 0
      ? nothingSeen('no row carries a name that the metadata lists')
      : passed({ ...evidenceOf([metadata, rows]), distinct: looked });
  },
});

export const retailMeasurement: readonly Rule[] = [
  metadataListed,
  metadataCovers,
  fiveFigures,
  figuresOrdered,
  percentChange,
  identityRule,
  marketRule({
    id: 'D.market',
    statement: 'D.market',
    which: 'performance',
    subjects: PERFORMANCE,
    needs: (subject) => [opening(subject, 'request'), opening(subject, 'fields.market')],
  }),
  requiredRule({
    id: 'D.category-rows-named',
    statement: 'D.category-performance',
    demands: 'A row of CategoryPerformance names its category and sub-category.',
    subject: CATEGORY,
    fields: ['category', 'subCategory'],
  }),
  requiredRule({
    id: 'D.brand-rows-named',
    statement: 'D.brand-performance',
    demands: 'A row of BrandPerformance names its manufacturer and brand.',
    subject: BRAND,
    fields: SALES_FILTERS,
  }),
  filteredWithinAll(CATEGORY, 'D.category-rows-whole', 'D.category-performance'),
  filteredWithinAll(BRAND, 'D.brand-rows-whole', 'D.brand-performance'),
  categoryIdentity,
  ...SALES_FILTERS.flatMap(filterRules),
];

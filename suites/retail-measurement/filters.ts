/** The four filters: section 4.4. */
import {
  CATEGORY_PERFORMANCE,
  type OperationKey,
  PERFORMANCE_OPERATIONS,
  SALES_FILTERS,
} from '../../src/contract/index.ts';
import { chooseByName, foldName } from '../../src/rule/awkward-names.ts';
import {
  addRow,
  answerWith,
  collect,
  defineRule,
  dropRow,
  editRow,
  everyRow,
  evidenceOf,
  type Finding,
  failed,
  judgeBreaches,
  type Need,
  nothingToJudge,
  onlyReading,
  openingOf,
  passed,
  type Row,
  type Rule,
  type Step,
  type Steps,
  step,
  undecided,
} from '../../src/rule/index.ts';
import { judgeBreakdowns } from '../../src/rule/judge-breakdowns.ts';
import { boundNames, type Filter, rowGrain, rowIdentity, valueSource } from '../../src/rule/performance-rows.ts';

export function filterRules(filter: Filter): readonly Rule[] {
  const slug = filter.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const needs = (subject: OperationKey): Need[] => [
    openingOf(subject, 'request'),
    openingOf(subject, 'rows'),
    openingOf(subject, `inputs.${filter}`),
    openingOf(subject, `fields.${filter}`),
  ];
  const within = everyRow(`in-${filter}`, (row, inputs) => {
    const own = row[filter];
    const wanted = inputs[filter];
    if (typeof own !== 'string' || wanted === undefined) return undefined;
    return (
      foldName(own) === foldName(String(wanted)) ||
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
      subjects: PERFORMANCE_OPERATIONS,
      needs,
      probe: (subject, declares) => ({ values: valueSource(declares, subject, filter), filtered: filtered(subject) }),
      counterexample: (seen) => ({ filtered: editRow(seen.filtered, { [filter]: 'Another' }) }),
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
      subjects: PERFORMANCE_OPERATIONS,
      needs,
      repeat: 'pass',
      probe: (subject, declares) => ({
        values: valueSource(declares, subject, filter),
        all: step({ operation: subject, wants: 'whole', folds: { rows: collect(SALES_FILTERS, 200_000) } }),
        filtered: filtered(subject),
      }),
      counterexample: (seen) => ({ filtered: dropRow(seen.filtered) }),
      judge(seen, { subject, declares }) {
        const fields = boundNames(declares, subject);
        const all = onlyReading(seen.all).folds.rows;
        if (!all.whole || seen.filtered.some((reading) => !reading.folds.rows.whole))
          return undecided('more rows than can be compared');
        let looked = 0;
        let otherGrain = false;
        const findings = seen.filtered.flatMap((reading): Finding[] => {
          const wanted = all.rows.filter(
            (row) =>
              typeof row[filter] === 'string' && foldName(row[filter]) === foldName(String(reading.inputs[filter])),
          );
          const got = reading.folds.rows.rows;
          const grains = new Set(wanted.map((row) => rowGrain(row, fields)));
          if (got.some((row) => !grains.has(rowGrain(row, fields)))) {
            otherGrain = true;
            return [];
          }
          looked += wanted.length;
          const has = new Set(got.map((row) => rowIdentity(row, fields)));
          const missing = wanted.filter((row) => !has.has(rowIdentity(row, fields)));
          if (missing.length === 0) return [];
          return [
            {
              expected: `all ${wanted.length} rows of ${filter} ${JSON.stringify(reading.inputs[filter])}`,
              actual: `${missing.length} are missing, e.g. ${rowIdentity(missing[0] as Row, fields)}`,
              exchange: reading.exchange,
            },
          ];
        });
        if (findings.length > 0) return failed(findings);
        if (looked === 0)
          return nothingToJudge(
            otherGrain
              ? 'the filter changes the grain of rows'
              : 'the unfiltered answer shows no row under the names asked for',
          );
        return passed({ ...evidenceOf(seen.filtered), rows: looked });
      },
    }),
  ];
}

/** The step that asks for the names of one kind. */
const ASKED = 'filtered';

export const filtersAnswered = defineRule<Steps>({
  id: 'D.filters-answered',
  statement: 'D.filters',
  basis: 'profile',
  since: '0.1.0',
  demands: 'Results can be filtered by every name that is listed as available.',
  how: 'Up to 25 names of each kind, awkward ones first, are asked for; one that is answered with 500 or 501, twice, while others are answered with 2xx is a failure.',
  subjects: PERFORMANCE_OPERATIONS,
  needs: (subject) => [
    openingOf(subject, 'request'),
    openingOf(subject, 'rows'),
    SALES_FILTERS.map((filter) => openingOf(subject, `inputs.${filter}`)),
    SALES_FILTERS.map((filter) => openingOf(subject, `fields.${filter}`)),
  ],
  repeat: 'inconclusive',
  probe(subject, declares) {
    const usable = boundNames(declares, subject).filter((each) =>
      declares.isFilled(openingOf(subject, `inputs.${each}`)),
    );
    return Object.fromEntries(
      usable.flatMap((filter): [string, Step][] => [
        [`values ${filter}`, valueSource(declares, subject, filter)],
        [
          `${ASKED} ${filter}`,
          step({
            operation: subject,
            each: {
              from: `values ${filter}`,
              fold: 'rows',
              as: { [filter]: filter },
              max: 25,
              choose: chooseByName(filter),
            },
            wants: 'answer',
          }),
        ],
      ]),
    );
  },
  counterexample(seen) {
    const [name = '', filtered = []] = Object.entries(seen).find(([each]) => each.startsWith(ASKED)) ?? [];
    return { [name]: [...answerWith(filtered, 500), ...filtered] };
  },
  judge: (seen) =>
    judgeBreakdowns(Object.entries(seen).flatMap(([name, readings]) => (name.startsWith(ASKED) ? readings : []))),
});

/** The filter by which the whole answer can be cut into parts that show it again. */
export function filteredWithinAll(
  subject: OperationKey,
  id: string,
  statement: 'D.category-performance' | 'D.brand-performance',
): Rule {
  const filter = subject === CATEGORY_PERFORMANCE ? 'category' : 'brand';
  return defineRule({
    id,
    statement,
    basis: 'derived',
    since: '0.1.0',
    demands: 'A row that a filtered answer shows is in the unfiltered one.',
    how: 'The rows of answers filtered by up to 25 names are looked for, by their identifying names, in the whole answer; judged only where both show rows of one grain.',
    subjects: [subject],
    needs: () => [
      openingOf(subject, 'request'),
      openingOf(subject, 'rows'),
      openingOf(subject, `inputs.${filter}`),
      openingOf(subject, `fields.${filter}`),
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
    counterexample: (seen) => ({ filtered: addRow(seen.filtered, { subCategory: 'Another' }) }),
    judge(seen, { declares }) {
      const fields = boundNames(declares, subject);
      const all = onlyReading(seen.all).folds.rows;
      if (!all.whole) return undecided('more rows than can be compared');
      const grains = new Set(all.rows.map((row) => rowGrain(row, fields)));
      const has = new Set(all.rows.map((row) => rowIdentity(row, fields)));
      let looked = 0;
      const findings = seen.filtered.flatMap((reading): Finding[] => {
        // A whole answer without a row has no grain that could differ.
        const rows = reading.folds.rows.rows.filter((row) => grains.size === 0 || grains.has(rowGrain(row, fields)));
        looked += rows.length;
        const missing = rows.filter((row) => !has.has(rowIdentity(row, fields)));
        if (missing.length === 0) return [];
        return [
          {
            expected: 'rows of a filtered answer are in the whole one',
            actual: `${missing.length} rows of ${filter} ${JSON.stringify(reading.inputs[filter])} are not, e.g. ${rowIdentity(missing[0] as Row, fields)}`,
            exchange: reading.exchange,
          },
        ];
      });
      if (findings.length > 0) return failed(findings.slice(0, 10));
      return looked === 0
        ? nothingToJudge('no filtered answer has a row of the grain of the whole one')
        : passed({ ...evidenceOf(seen.filtered), rows: looked });
    },
  });
}

/** Two of the four filters at once: section 4.4. */
import { type OperationKey, PERFORMANCE_OPERATIONS, SALES_FILTERS } from '../../src/contract/index.ts';
import { normaliseName } from '../../src/rule/choose-names.ts';
import {
  collect,
  type Declarations,
  defineRule,
  dropRow,
  editRow,
  everyRow,
  evidenceOf,
  type Finding,
  failed,
  inconclusive,
  isOk,
  judgeRowFailures,
  type Need,
  onlyReading,
  openingOf,
  passed,
  type Reading,
  type Row,
  step,
  untested,
} from '../../src/rule/index.ts';
import {
  type Filter,
  filtersInRows,
  MAX_COMPARED_ROWS,
  missingRows,
  rowIdentity,
} from '../../src/rule/performance-rows.ts';

/** The pairs of filters that an operation accepts and whose names its rows contain. */
function pairsOf(declarations: Declarations, subject: OperationKey): [Filter, Filter][] {
  const usable = filtersInRows(declarations, subject).filter((each) =>
    declarations.isFilled(openingOf(subject, `inputs.${each}`)),
  );
  return usable.flatMap((first, at) => usable.slice(at + 1).map((second): [Filter, Filter] => [first, second]));
}

/** Sorts rows so that those come first whose names also occur without each other: only these show that both filters apply. */
const chooseIndependent =
  ([first, second]: [Filter, Filter]) =>
  (rows: readonly Row[]): readonly Row[] => {
    const named = rows.filter((row) => typeof row[first] === 'string' && typeof row[second] === 'string');
    const partners = new Map<string, Set<string>>();
    const partnersOf = (side: string, name: unknown) => {
      const key = `${side} ${normaliseName(String(name))}`;
      const found = partners.get(key) ?? new Set<string>();
      partners.set(key, found);
      return found;
    };
    const distinct = new Map<string, Row>();
    for (const row of named) {
      partnersOf('first', row[first]).add(normaliseName(String(row[second])));
      partnersOf('second', row[second]).add(normaliseName(String(row[first])));
      distinct.set(rowIdentity(row, [first, second]), row);
    }
    const independence = (row: Row) =>
      Number(partnersOf('first', row[first]).size > 1) + Number(partnersOf('second', row[second]).size > 1);
    return [...distinct.values()].sort((x, y) => independence(y) - independence(x));
  };

/** Each row of a response contains every requested name. */
const matching = everyRow('in-pair', (row, inputs) => {
  const requested = SALES_FILTERS.filter((each) => inputs[each] !== undefined && typeof row[each] === 'string');
  if (requested.length === 0) return undefined;
  const wrong = requested.filter((each) => normaliseName(String(row[each])) !== normaliseName(String(inputs[each])));
  const [first] = wrong;
  return (
    first === undefined || {
      kind: `other-${wrong.join('-and-')}-for-${requested.join('-and-')}`,
      message: `${first} is ${JSON.stringify(row[first])}; requested, with another filter: ${JSON.stringify(inputs[first])}`,
    }
  );
});

const rows = collect(SALES_FILTERS, MAX_COMPARED_ROWS);

/** The unfiltered rows, and one step per pair. A service may reject two filters at once, so the steps accept any response. */
function pairSteps(subject: OperationKey, declarations: Declarations) {
  const all = step({ operation: subject, accepts: 'complete', folds: { rows } });
  const pairs = pairsOf(declarations, subject).map((pair) => [
    `${pair[0]} and ${pair[1]}`,
    step({
      operation: subject,
      each: {
        from: 'all',
        fold: 'rows',
        as: { [pair[0]]: pair[0], [pair[1]]: pair[1] },
        max: declarations.draw('filterPairs'),
        of: 'pairs of names',
        choose: chooseIndependent(pair),
      },
      accepts: 'response',
      folds: { rows, matching },
    }),
  ]);
  // Without a pair the rule does not apply.
  return (pairs.length === 0 ? {} : { all, ...Object.fromEntries(pairs) }) as Record<string, typeof all>;
}

type Filtered = Reading<{ rows: typeof rows; matching: typeof matching }>;

/** The readings of all pairs with a 2xx. A 404 counts as an empty list if the same pair finds rows of other names. */
function successful(seen: { readonly [name: string]: readonly Reading[] }): Filtered[] {
  const isRead = (each: Reading) => isOk(each) && !each.observation?.problem;
  return Object.entries(seen).flatMap(([name, readings]) => {
    if (name === 'all') return [];
    const finds = readings.some((each) => isRead(each) && each.observation?.rows !== 0);
    return readings.filter((each) => isRead(each) || (finds && each.head?.status === 404)) as Filtered[];
  });
}

const needs = (subject: OperationKey): Need[] => [
  openingOf(subject, 'request'),
  openingOf(subject, 'rows'),
  SALES_FILTERS.map((each) => openingOf(subject, `inputs.${each}`)),
  SALES_FILTERS.map((each) => openingOf(subject, `fields.${each}`)),
];

export const pairsSound = defineRule({
  id: 'D.filter-pairs-sound',
  statement: 'D.filters',
  basis: 'derived',
  since: '0.1.0',
  demands: 'Results filtered by two names contain only rows of both.',
  how: 'Every pair of filters of the operation is requested with some pairs of names that occur in one row; pairs whose names also occur without each other come first. Every row must have both names. A service that rejects two filters at once is not judged.',
  subjects: PERFORMANCE_OPERATIONS,
  needs,
  probe: (subject, declarations) => pairSteps(subject, declarations),
  counterexample(seen) {
    const pair = Object.keys(seen).find((name) => name !== 'all') as string;
    return { [pair]: editRow(seen[pair], { category: 'Another', brand: 'Another' }) };
  },
  judge(seen) {
    const readings = successful(seen);
    if (readings.length === 0) return untested('no request with two filters got a 2xx');
    return judgeRowFailures(readings, (reading) => reading.folds.matching, 'only rows of both requested names');
  },
});

export const pairsComplete = defineRule({
  id: 'D.filter-pairs-complete',
  statement: 'D.filters',
  basis: 'derived',
  since: '0.1.0',
  demands: 'Results filtered by two names contain every row of both.',
  how: 'The filtered response must contain the rows of both names in the unfiltered response, compared by their identifying names. It is judged only if the rows of both have the same grain and the service accepts some requests with both filters.',
  subjects: PERFORMANCE_OPERATIONS,
  needs,
  repeat: 'pass',
  probe: (subject, declarations) => pairSteps(subject, declarations),
  counterexample(seen) {
    const pair = Object.keys(seen).find((name) => name !== 'all') as string;
    return { [pair]: dropRow(seen[pair]) };
  },
  judge(seen, { subject, declarations }) {
    const fields = filtersInRows(declarations, subject);
    const all = onlyReading(seen.all as readonly Filtered[]).folds.rows;
    if (!all.complete) return inconclusive('there are too many rows to compare');
    let compared = 0;
    const readings = successful(seen).filter(
      ({ observation, folds }) => observation?.complete !== false && folds.rows.complete,
    );
    const findings = readings.flatMap((reading): Finding[] => {
      const requested = SALES_FILTERS.filter((each) => reading.inputs[each] !== undefined);
      const expectedRows = all.rows.filter((row) =>
        requested.every(
          (each) =>
            typeof row[each] === 'string' && normaliseName(row[each]) === normaliseName(String(reading.inputs[each])),
        ),
      );
      const missing = missingRows(expectedRows, reading.folds.rows.rows, fields, requested);
      if (!missing) return [];
      compared += expectedRows.length;
      if (missing.length === 0) return [];
      const names = requested.map((each) => `${each} ${JSON.stringify(reading.inputs[each])}`).join(' and ');
      return [
        {
          kind: `missing-rows-for-${requested.join('-and-')}`,
          expected: `all ${expectedRows.length} rows of ${names}`,
          actual: `${missing.length} rows are missing, e.g. ${rowIdentity(missing[0] as Row, fields)}`,
          exchange: reading.exchange,
        },
      ];
    });
    if (findings.length > 0) return failed(findings);
    if (compared === 0) return untested('no request with two filters got rows of the same grain');
    return passed({ ...evidenceOf(readings), rows: compared });
  },
});

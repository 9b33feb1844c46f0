/**
 * The four filters: section 4.4. “Names” are the values of a filter, such as brand names. `accepts` and `each` are
 * explained in `src/rule/step.ts`, `repeat`, `counterexample` and the nested lists of `needs` in `src/rule/types.ts`; the
 * other words are in the glossary of ARCHITECTURE.md.
 */
import {
  BRAND_PERFORMANCE,
  CATEGORY_PERFORMANCE,
  type OperationKey,
  PERFORMANCE_OPERATIONS,
  SALES_FILTERS,
} from '../../src/contract/index.ts';
import { normaliseName } from '../../src/rule/choose-names.ts';
import {
  addRow,
  type Comparison,
  collect,
  type Declarations,
  decide,
  defineRule,
  dropRow,
  editRow,
  everyRow,
  findingIn,
  inconclusive,
  isReadable,
  judgeRowFailures,
  type Need,
  needsOf,
  onlyReading,
  openingOf,
  type Reading,
  type Row,
  type Rule,
  respondWith,
  type Step,
  step,
  untested,
} from '../../src/rule/index.ts';
import { judgeServerErrors } from '../../src/rule/judge-server-errors.ts';
import {
  eachName,
  type Filter,
  filtersInRows,
  filterValuesStep,
  MAX_COMPARED_ROWS,
  missingRows,
  rowGrain,
  rowIdentity,
} from '../../src/rule/performance-rows.ts';

const names = { rows: collect(SALES_FILTERS, MAX_COMPARED_ROWS) };
type Named = Reading<typeof names>;

const requestedIn = ({ inputs }: Pick<Reading, 'inputs'>): readonly Filter[] =>
  SALES_FILTERS.filter((each) => inputs[each] !== undefined);
const isNamed = (row: Row, inputs: Reading['inputs'], filter: Filter): boolean =>
  typeof row[filter] === 'string' && normaliseName(row[filter]) === normaliseName(String(inputs[filter]));

/** Each row of a response contains every requested name. */
const matching = everyRow('requested-names', (row, inputs) => {
  const requested = requestedIn({ inputs });
  const compared = requested.filter((each) => typeof row[each] === 'string');
  if (compared.length === 0) return undefined;
  const wrong = compared.filter((each) => !isNamed(row, inputs, each));
  const [first] = wrong;
  const isPair = requested.length > 1;
  return (
    first === undefined || {
      kind: `other-${wrong.join('-and-')}${isPair ? `-for-${compared.join('-and-')}` : ''}`,
      message: `${first} is ${JSON.stringify(row[first])}; requested${isPair ? ', with another filter' : ''}: ${JSON.stringify(inputs[first])}`,
    }
  );
});
const filtered = { ...names, matching };

/** The whole list. */
const allRows = (operation: OperationKey) => step({ operation, accepts: 'complete', folds: names });

/** Compares a filtered response with the rows of its names in the whole list, unless its rows have another grain. */
function compareNames(
  { folds }: Named,
  part: Named,
  fields: readonly Filter[],
): Comparison & { isOtherGrain: boolean } {
  const requested = requestedIn(part);
  const rows = folds.rows.rows.filter((row) => requested.every((each) => isNamed(row, part.inputs, each)));
  const missing = missingRows(rows, part.folds.rows.rows, fields, requested);
  const [first] = missing ?? [];
  const shown = requested.map((each) => `${each} ${JSON.stringify(part.inputs[each])}`).join(' and ');
  const kind = `missing-rows${requested.length > 1 ? `-for-${requested.join('-and-')}` : ''}`;
  const actual = `${missing?.length} rows are missing, e.g. ${rowIdentity(first ?? {}, fields)}`;
  return {
    of: [part],
    compared: missing ? rows.length : 0,
    findings: first ? [findingIn(part, kind, `all ${rows.length} rows of ${shown}`, actual)] : [],
    isOtherGrain: !missing,
  };
}

const TOO_MANY = 'there are too many rows to compare';
const OF_FILTERS = { statement: 'D.filters', since: '0.1.0', subjects: PERFORMANCE_OPERATIONS } as const;

export function filterRules(filter: Filter): readonly Rule[] {
  const slug = filter.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const needs = (subject: OperationKey): Need[] =>
    needsOf(subject, 'request', 'rows', `inputs.${filter}`, `fields.${filter}`);
  const steps = (subject: OperationKey, declarations: Declarations) => ({
    values: filterValuesStep(declarations, subject, filter),
    filtered: step({
      operation: subject,
      each: eachName(filter, declarations),
      accepts: 'complete',
      folds: filtered,
    }),
  });
  return [
    defineRule({
      ...OF_FILTERS,
      id: `D.filter-${slug}-sound`,
      basis: 'stated',
      demands: `Results filtered by ${filter} name contain only rows of that ${filter}.`,
      how: 'Some names are requested, those with special characters first; every row must have the requested name.',
      needs,
      probe: steps,
      counterexample: (seen) => ({ filtered: editRow(seen.filtered, { [filter]: 'Another' }) }),
      judge: (seen) =>
        judgeRowFailures(seen.filtered, ({ folds }) => folds.matching, `only rows of the requested ${filter}`),
    }),
    defineRule({
      ...OF_FILTERS,
      id: `D.filter-${slug}-complete`,
      basis: 'derived',
      demands: `Results filtered by ${filter} name contain every row of that ${filter}.`,
      how: [
        'The filtered response must contain the rows of that name in the unfiltered response.',
        'Rows are identified by the filter values that they contain.',
        'It is judged only if the rows of both responses are split by the same dimensions.',
      ],
      needs,
      repeat: 'pass',
      probe: (subject, declarations) => ({ ...steps(subject, declarations), all: allRows(subject) }),
      counterexample: (seen) => ({ filtered: dropRow(seen.filtered) }),
      judge(seen, { subject, declarations }) {
        const all = onlyReading(seen.all);
        if (![all, ...seen.filtered].every(({ folds }) => folds.rows.complete)) return inconclusive(TOO_MANY);
        const compared = seen.filtered.map((part) => compareNames(all, part, filtersInRows(declarations, subject)));
        const nothing = compared.some(({ isOtherGrain }) => isOtherGrain)
          ? 'the filtered rows are split by other dimensions than the unfiltered rows'
          : 'the unfiltered response contains no row of the requested names';
        return decide(compared, { nothing, counted: 'rows' });
      },
    }),
  ];
}

/** A rule: the unfiltered response contains the rows of each filtered one. */
function filteredWithinAll(
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
    demands: 'The unfiltered response contains every row of a filtered response.',
    how: [
      'The unfiltered response must contain the rows of the responses filtered by some names, compared by their identifying names.',
      'It is judged only if the rows of both have the same grain.',
    ],
    subjects: [subject],
    needs: () => needsOf(subject, 'request', 'rows', `inputs.${filter}`, `fields.${filter}`),
    repeat: 'pass',
    probe: (_subject, declarations) => ({
      values: filterValuesStep(declarations, subject, filter),
      all: allRows(subject),
      filtered: step({ operation: subject, each: eachName(filter, declarations), accepts: 'content', folds: names }),
    }),
    counterexample: (seen) => ({ filtered: addRow(seen.filtered, { subCategory: 'Another' }) }),
    judge(seen, { declarations }) {
      const fields = filtersInRows(declarations, subject);
      const all = onlyReading(seen.all).folds.rows;
      if (!all.complete) return inconclusive(TOO_MANY);
      const grains = new Set(all.rows.map((row) => rowGrain(row, fields)));
      const identities = new Set(all.rows.map((row) => rowIdentity(row, fields)));
      const compared = seen.filtered.map((part): Comparison => {
        // An unfiltered response without a row has no grain that could differ.
        const rows = part.folds.rows.rows.filter((row) => grains.size === 0 || grains.has(rowGrain(row, fields)));
        const missing = rows.map((row) => rowIdentity(row, fields)).filter((row) => !identities.has(row));
        const expected = `the unfiltered response contains every row of ${filter} ${JSON.stringify(part.inputs[filter])}`;
        const actual = `${missing.length} rows are missing, e.g. ${missing[0]}`;
        const findings = missing.length > 0 ? [findingIn(part, 'missing-rows', expected, actual)] : [];
        return { of: [part], compared: rows.length, findings };
      });
      const nothing = 'no filtered response has a row of the same grain as the unfiltered one';
      return decide(compared, { nothing, counted: 'rows' });
    },
  });
}

export const categoryRowsWhole = filteredWithinAll(
  CATEGORY_PERFORMANCE,
  'D.category-rows-whole',
  'D.category-performance',
);

export const brandRowsWhole = filteredWithinAll(BRAND_PERFORMANCE, 'D.brand-rows-whole', 'D.brand-performance');

/** The filters that an operation accepts and whose names its rows contain. */
const usableFilters = (declarations: Declarations, subject: OperationKey): readonly Filter[] =>
  filtersInRows(declarations, subject).filter((each) => declarations.isFilled(openingOf(subject, `inputs.${each}`)));

const someFilter = (subject: OperationKey): Need[] =>
  needsOf(
    subject,
    'request',
    'rows',
    ...['inputs', 'fields'].map((of) => SALES_FILTERS.map((each) => `${of}.${each}`)),
  );

/** Prefix of the names of the steps with a filter. */
const FILTERED = 'filtered';

export const filtersWithoutServerErrors = defineRule({
  ...OF_FILTERS,
  id: 'D.filters-answered',
  demands: 'Results can be filtered by every available name.',
  how: [
    'Some names of each kind are requested, those with special characters first.',
    'The rule fails if one gets 500 or 501 each time while others get 2xx.',
  ],
  needs: someFilter,
  repeat: 'inconclusive',
  probe: (subject, declarations): { [name: string]: Step } =>
    Object.fromEntries(
      usableFilters(declarations, subject).flatMap((filter): [string, Step][] => [
        [`values ${filter}`, filterValuesStep(declarations, subject, filter)],
        [
          `${FILTERED} ${filter}`,
          step({ operation: subject, each: eachName(filter, declarations, `values ${filter}`), accepts: 'response' }),
        ],
      ]),
    ),
  counterexample(seen) {
    const [name = '', found = []] = Object.entries(seen).find(([each]) => each.startsWith(FILTERED)) ?? [];
    return { [name]: [...respondWith(found, 500), ...found] };
  },
  judge: (seen) =>
    judgeServerErrors(Object.entries(seen).flatMap(([name, readings]) => (name.startsWith(FILTERED) ? readings : []))),
});

/** Sorts rows so that those come first whose names also occur without each other: only these show that both filters apply. */
const chooseIndependent =
  (pair: readonly [Filter, Filter]) =>
  (rows: readonly Row[]): readonly Row[] => {
    const named = rows.filter((row) => pair.every((each) => typeof row[each] === 'string'));
    const distinct = new Map(named.map((row) => [rowIdentity(row, pair), row]));
    const partners = pair.map((side) => Map.groupBy(distinct.values(), (row) => rowIdentity(row, [side])));
    const independence = (row: Row) =>
      pair.filter((side, at) => (partners[at]?.get(rowIdentity(row, [side]))?.length ?? 0) > 1).length;
    return [...distinct.values()].sort((x, y) => independence(y) - independence(x));
  };

/** The unfiltered rows, and one step per pair. A service may reject two filters at once, so the steps accept any response. */
function pairSteps(subject: OperationKey, declarations: Declarations) {
  const usable = usableFilters(declarations, subject);
  const pairs = usable.flatMap((first, at) => usable.slice(at + 1).map((second) => [first, second] as const));
  const steps = pairs.map((pair) => [
    pair.join(' and '),
    step({
      operation: subject,
      each: {
        from: 'all',
        fold: 'rows',
        as: Object.fromEntries(pair.map((each) => [each, each])),
        max: declarations.draw('filterPairs'),
        of: 'pairs of names',
        choose: chooseIndependent(pair),
      },
      accepts: 'response',
      folds: filtered,
    }),
  ]);
  // Without a pair the rule does not apply.
  return (pairs.length === 0 ? {} : { all: allRows(subject), ...Object.fromEntries(steps) }) as Record<string, Step>;
}

/** The readings of all pairs with a 2xx. A 404 counts as an empty list if the same pair finds rows of other names. */
const successful = (seen: { readonly [name: string]: readonly Reading[] }): readonly Reading<typeof filtered>[] =>
  Object.entries(seen).flatMap(([name, readings]) => {
    if (name === 'all') return [];
    const finds = readings.some((each) => isReadable(each) && each.observation?.rows !== 0);
    return readings.filter((each) => isReadable(each) || (finds && each.head?.status === 404));
  }) as never;

const firstPair = (seen: object): string => Object.keys(seen).find((name) => name !== 'all') as string;

export const pairsSound = defineRule({
  ...OF_FILTERS,
  id: 'D.filter-pairs-sound',
  basis: 'derived',
  demands: 'Results filtered by two names contain only rows of both.',
  how: [
    'Every pair of filters of the operation is requested with some pairs of names that occur in one row.',
    'Pairs whose names also occur without each other come first.',
    'Every row must have both names.',
    'A service that rejects two filters at once is not judged.',
  ],
  needs: someFilter,
  probe: pairSteps,
  counterexample: (seen) => ({
    [firstPair(seen)]: editRow(seen[firstPair(seen)], { category: 'Another', brand: 'Another' }),
  }),
  judge(seen) {
    const readings = successful(seen);
    if (readings.length === 0) return untested('no request with two filters got a 2xx');
    return judgeRowFailures(readings, ({ folds }) => folds.matching, 'only rows of both requested names');
  },
});

export const pairsComplete = defineRule({
  ...OF_FILTERS,
  id: 'D.filter-pairs-complete',
  basis: 'derived',
  demands: 'Results filtered by two names contain every row of both.',
  how: [
    'The filtered response must contain the rows of both names in the unfiltered response, compared by their identifying names.',
    'It is judged only if the rows of both have the same grain and the service accepts some requests with both filters.',
  ],
  needs: someFilter,
  repeat: 'pass',
  probe: pairSteps,
  counterexample: (seen) => ({ [firstPair(seen)]: dropRow(seen[firstPair(seen)]) }),
  judge(seen, { subject, declarations }) {
    const all = onlyReading(seen.all as readonly Named[]);
    if (!all.folds.rows.complete) return inconclusive(TOO_MANY);
    const parts = successful(seen).filter(
      ({ observation, folds }) => observation?.complete !== false && folds.rows.complete,
    );
    const compared = parts.map((part) => compareNames(all, part, filtersInRows(declarations, subject)));
    return decide(compared, { nothing: 'no request with two filters got rows of the same grain', counted: 'rows' });
  },
});

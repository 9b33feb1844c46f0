/**
 * The four filters, alone and in pairs: section 4.4. “Names” are the values of a filter, such as brand names. `accepts` and
 * `each` are explained in `src/rule/step.ts`, `repeat`, `counterexample` and the nested lists of `needs` in
 * `src/rule/types.ts`; the other words are in the glossary of ARCHITECTURE.md.
 */
import {
  type OperationKey,
  ownFilterOf,
  PERFORMANCE_OPERATIONS,
  type PerformanceOperation,
  SALES_FILTERS,
} from '../../src/contract/index.ts';
import {
  addRow,
  type Comparison,
  collect,
  type Declarations,
  decide,
  defineRule,
  dropRow,
  type EditableReadings,
  editRow,
  everyRow,
  findingIn,
  inconclusive,
  isReadable,
  judgeRowFailures,
  type Need,
  needsOf,
  onlyReading,
  type Reading,
  type Row,
  type Rule,
  type RuleLiteral,
  respondWith,
  type Seen,
  type Step,
  type Steps,
  step,
  untested,
} from '../../src/rule/index.ts';
import { judgeServerErrors } from '../../src/rule/judge-server-errors.ts';
import {
  eachName,
  type Filter,
  filtersInRows,
  filterValuesStep,
  isNamed,
  MAX_COMPARED_ROWS,
  missingRows,
  ownRule,
  requestedIn,
  rowGrain,
  rowIdentity,
  showFilters,
} from '../../src/rule/performance-rows.ts';

const names = { rows: collect(SALES_FILTERS, MAX_COMPARED_ROWS) };
type Named = Reading<typeof names>;

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
type Filtered = Reading<typeof filtered>;

/** The whole list. */
const allRows = (operation: OperationKey) => step({ operation, accepts: 'complete', folds: names });

/** Compares a filtered response with the rows of its names in the whole list, unless its rows have another grain. */
function compareNames({ folds }: Named, part: Named, fields: readonly Filter[]) {
  const requested = requestedIn(part);
  const rows = folds.rows.rows.filter((row) => requested.every((each) => isNamed(row, part.inputs, each)));
  const missing = missingRows(rows, part.folds.rows.rows, fields, requested);
  const [first] = missing ?? [];
  const kind = `missing-rows${requested.length > 1 ? `-for-${requested.join('-and-')}` : ''}`;
  const actual = `${missing?.length} rows are missing, e.g. ${rowIdentity(first ?? {}, fields)}`;
  const findings = first ? [findingIn(part, kind, `all ${rows.length} rows of ${showFilters(part)}`, actual)] : [];
  return { of: [part], compared: missing ? rows.length : 0, findings, isOtherGrain: !missing };
}

const TOO_MANY = 'there are too many rows to compare';
const OF_FILTERS = { statement: 'D.filters', since: '0.1.0', subjects: PERFORMANCE_OPERATIONS } as const;

/** Requests with one filter or two. */
interface Requests {
  readonly needs: (subject: OperationKey) => Need[];
  readonly probe: (subject: OperationKey, declarations: Declarations) => Steps;
  /** The responses that are judged. */
  readonly parts: (seen: Seen<Steps>) => readonly Filtered[];
  /** What it means that there are none. */
  readonly none: string;
}
type Texts = Pick<RuleLiteral<Steps>, 'id' | 'basis' | 'demands' | 'how'>;

/** Changes the readings of the first step with a filter. */
const inFirst = (seen: EditableReadings, change: typeof dropRow): Partial<EditableReadings> => {
  const name = Object.keys(seen).find((each) => each !== 'all' && each !== 'values') as string;
  return { [name]: change(seen[name]) };
};

/** A rule: the responses contain only rows of the requested names. */
const soundRule = ({ needs, probe, parts, none }: Requests, expected: string, texts: Texts): Rule =>
  defineRule<Steps>({
    ...OF_FILTERS,
    ...texts,
    needs,
    probe,
    counterexample: (seen) =>
      inFirst(seen, (list) => editRow(list, Object.fromEntries(SALES_FILTERS.map((each) => [each, 'Another'])))),
    judge(seen) {
      const found = parts(seen);
      return found.length === 0 ? untested(none) : judgeRowFailures(found, ({ folds }) => folds.matching, expected);
    },
  });

/** A rule: the responses contain every row of the requested names. */
const completeRule = (
  { needs, probe, parts }: Requests,
  nothing: string | ((isOtherGrain: boolean) => string),
  texts: Omit<Texts, 'basis'>,
): Rule =>
  defineRule<Steps>({
    ...OF_FILTERS,
    ...texts,
    basis: 'derived',
    needs,
    repeat: 'pass',
    probe(subject, declarations) {
      const steps = probe(subject, declarations);
      return Object.keys(steps).length > 0 ? { ...steps, all: allRows(subject) } : {};
    },
    counterexample: (seen) => inFirst(seen, dropRow),
    judge(seen, { subject, declarations }) {
      const all = onlyReading((seen.all ?? []) as readonly Named[]);
      const found = parts(seen).filter(({ observation }) => observation?.complete !== false);
      if (![all, ...found].every(({ folds }) => folds.rows.complete)) return inconclusive(TOO_MANY);
      const compared = found.map((part) => compareNames(all, part, filtersInRows(declarations, subject)));
      const because = typeof nothing === 'string' ? nothing : nothing(compared.some((each) => each.isOtherGrain));
      return decide(compared, { nothing: because, counted: 'rows' });
    },
  });

export function filterRules(filter: Filter): readonly Rule[] {
  const slug = filter.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const requests: Requests = {
    needs: (subject) => needsOf(subject, 'request', 'rows', `inputs.${filter}`, `fields.${filter}`),
    probe: (operation, declarations) => ({
      values: filterValuesStep(declarations, operation, filter),
      filtered: step({ operation, each: eachName(filter, declarations), accepts: 'complete', folds: filtered }),
    }),
    parts: (seen) => (seen.filtered ?? []) as readonly Filtered[],
    none: 'no name was requested',
  };
  const isOther = 'the filtered rows are split by other dimensions than the unfiltered rows';
  const isMissing = 'the unfiltered response contains no row of the requested names';
  return [
    soundRule(requests, `only rows of the requested ${filter}`, {
      id: `D.filter-${slug}-sound`,
      basis: 'stated',
      demands: `Results filtered by ${filter} name contain only rows of that ${filter}.`,
      how: 'Some names are requested, those with special characters first; every row must have the requested name.',
    }),
    completeRule(requests, (isOtherGrain) => (isOtherGrain ? isOther : isMissing), {
      id: `D.filter-${slug}-complete`,
      demands: `Results filtered by ${filter} name contain every row of that ${filter}.`,
      how: [
        'The filtered response must contain the rows of that name in the unfiltered response.',
        'Rows are identified by the filter values that they contain.',
        'It is judged only if the rows of both responses are split by the same dimensions.',
      ],
    }),
  ];
}

/** A rule: the unfiltered response contains the rows of each filtered one. */
export function rowsWhole(subject: PerformanceOperation): Rule {
  const filter = ownFilterOf(subject);
  return defineRule({
    ...ownRule(subject, 'NAME-rows-whole'),
    basis: 'derived',
    since: '0.1.0',
    demands: 'The unfiltered response contains every row of a filtered response.',
    how: [
      'The unfiltered response must contain the rows of the responses filtered by some names, compared by their identifying names.',
      'It is judged only if the rows of both have the same grain.',
    ],
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

/** The filters that an operation accepts and whose names its rows contain. */
const usableFilters = (declarations: Declarations, subject: OperationKey): readonly Filter[] =>
  filtersInRows(declarations, subject).filter((each) => declarations.binds(subject, `inputs.${each}`));

const someFilter = (subject: OperationKey): Need[] =>
  needsOf(
    subject,
    'request',
    'rows',
    ...['inputs', 'fields'].map((of) => SALES_FILTERS.map((each) => `${of}.${each}`)),
  );

/** Prefix of the names of the steps with a filter. */
const FILTERED = 'filtered';

export const filtersWithoutServerErrors = defineRule<Steps>({
  ...OF_FILTERS,
  id: 'D.filters-answered',
  demands: 'Results can be filtered by every available name.',
  how: [
    'Some names of each kind are requested, those with special characters first.',
    'The rule fails if one gets 500 or 501 each time while others get 2xx.',
  ],
  needs: someFilter,
  repeat: 'inconclusive',
  probe: (operation, declarations) =>
    Object.fromEntries(
      usableFilters(declarations, operation).flatMap((filter): [string, Step][] => {
        const [values, each] = [`values ${filter}`, eachName(filter, declarations, `values ${filter}`)];
        return [
          [values, filterValuesStep(declarations, operation, filter)],
          [`${FILTERED} ${filter}`, step({ operation, each, accepts: 'response' })],
        ];
      }),
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

/** The requests of all pairs of filters. A service may reject two filters at once, so the steps accept any response. */
const PAIRS: Requests = {
  needs: someFilter,
  probe(operation, declarations) {
    const usable = usableFilters(declarations, operation);
    const pairs = usable.flatMap((first, at) => usable.slice(at + 1).map((second) => [first, second] as const));
    const steps = pairs.map((pair) => {
      const as = Object.fromEntries(pair.map((name) => [name, name]));
      const [max, choose] = [declarations.draw('filterPairs'), chooseIndependent(pair)];
      const each = { from: 'all', fold: 'rows', as, max, of: 'pairs of names', choose };
      return [pair.join(' and '), step({ operation, each, accepts: 'response', folds: filtered })];
    });
    // Without a pair the rule does not apply.
    return pairs.length === 0 ? {} : { all: allRows(operation), ...Object.fromEntries(steps) };
  },
  /** The responses with a 2xx. A 404 counts as an empty list if the same pair finds rows of other names. */
  parts: (seen) =>
    Object.entries(seen).flatMap(([name, readings]) => {
      if (name === 'all') return [];
      const finds = readings.some((each) => isReadable(each) && each.observation?.rows !== 0);
      return readings.filter((each) => isReadable(each) || (finds && each.head?.status === 404));
    }) as readonly Reading[] as readonly Filtered[],
  none: 'no request with two filters got a 2xx',
};

export const pairRules: readonly Rule[] = [
  soundRule(PAIRS, 'only rows of both requested names', {
    id: 'D.filter-pairs-sound',
    basis: 'derived',
    demands: 'Results filtered by two names contain only rows of both.',
    how: [
      'Every pair of filters of the operation is requested with some pairs of names that occur in one row.',
      'Pairs whose names also occur without each other come first.',
      'Every row must have both names.',
      'A service that rejects two filters at once is not judged.',
    ],
  }),
  completeRule(PAIRS, 'no request with two filters got rows of the same grain', {
    id: 'D.filter-pairs-complete',
    demands: 'Results filtered by two names contain every row of both.',
    how: [
      'The filtered response must contain the rows of both names in the unfiltered response, compared by their identifying names.',
      'It is judged only if the rows of both have the same grain and the service accepts some requests with both filters.',
    ],
  }),
];

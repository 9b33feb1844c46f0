/** Which products the deltas and the bulk list contain: sections 1, 4.3 and 8. */
import { ALL_PRODUCTS, LIMITS, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { quoted } from '../../src/format-values.ts';
import {
  asOfDatesOf,
  lastDayBeforeWindow,
  REFRESH,
  type RefreshReading,
  stateOneAsOf,
} from '../../src/rule/data-weeks.ts';
import { type DeltaWindow, deltas, isNotRemovedIn, kindFolds, removedIn, windowsIn } from '../../src/rule/deltas.ts';
import {
  addRow,
  collect,
  copyResponse,
  type Declarations,
  dropRow,
  each,
  editAll,
  editRow,
  evidenceOf,
  extent,
  findingIn,
  maybe,
  passed,
  type Reading,
  type Row,
  relationRule,
  rows,
  texts,
  UNLISTED,
  untested,
  upcs,
} from '../../src/rule/index.ts';

export const deltaNested = relationRule({
  id: 'C.delta-nested',
  statement: 'C.delta-windows',
  basis: 'derived',
  since: '0.1.0',
  demands: 'The 4-week delta contains the 1-week delta, and the 13-week delta contains the 4-week delta.',
  how: 'The next larger delta must contain the UPCs of each smaller one.',
  subjects: [UPDATE_PRODUCTS],
  sides: deltas(['upc'], { upcs }),
  counterexample: ({ one }) => ({ one: addRow(one, UNLISTED) }),
  compare(sides) {
    const windows = windowsIn(sides);
    const readable = windows.map(({ reading }) => reading);
    return windows.slice(1).map(({ weeks, reading: at }, nth) => {
      const smaller = windows[nth] as (typeof windows)[number];
      const expected = `the ${weeks}-week delta contains every UPC of the ${smaller.weeks}-week delta`;
      return each(smaller.reading).isIn(at, { at, kind: `missing-in-${weeks}-weeks`, expected, readable });
    });
  },
  nothing: (sides) =>
    windowsIn(sides).length < 2 ? 'fewer than two windows were requested' : 'the 1- and 4-week deltas are empty',
});

/** From this number of changes on, equal sizes of two windows are hardly a coincidence. */
const SIGNIFICANT_SIZE = 20;

export const deltaDiffers = relationRule({
  id: 'C.delta-windows-differ',
  statement: 'C.delta-windows',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'The three deltas do not contain the same products.',
  how: `If the 1-week delta has a row and the 13-week delta is not larger, or two deltas of at least ${SIGNIFICANT_SIZE} products have the same size, the server probably ignores the window. Advisory: everything may have changed in one week.`,
  subjects: [UPDATE_PRODUCTS],
  sides: deltas(['upc'], { upcs }),
  counterexample: (seen) => ({ thirteen: copyResponse(seen.thirteen, seen.one) }),
  compare(sides) {
    const windows = windowsIn(sides).map((window) => ({ ...window, size: window.reading.folds.upcs.size }));
    const [one, four, thirteen] = windows;
    if (!one?.size || !four || !thirteen) return [];
    const pairs = [
      { fewer: one, more: thirteen, least: 0 },
      { fewer: one, more: four, least: SIGNIFICANT_SIZE },
      { fewer: four, more: thirteen, least: SIGNIFICANT_SIZE },
    ];
    const findings = pairs
      .filter(({ fewer, more, least }) => fewer.size === more.size && more.size >= least)
      .map(({ fewer: { weeks }, more }) => {
        const kind = `as-many-in-${weeks}-as-in-${more.weeks}-weeks`;
        return findingIn(
          more.reading,
          kind,
          `more changes in ${more.weeks} weeks than in ${weeks}`,
          `${more.size} in both`,
        );
      });
    return { of: windows.map(({ reading }) => reading), compared: Math.max(1, thirteen.size), findings };
  },
  evidence: { rows: 0 },
  nothing: (sides) =>
    windowsIn(sides).length < LIMITS.deltaWeeks.length ? 'not every window was requested' : 'the 1-week delta is empty',
});

export const deltaListed = relationRule({
  id: 'C.delta-listed',
  statement: 'C.delta',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'A new or changed product is in the bulk list.',
  how: [
    'The bulk list must contain the UPCs of the 13-week delta.',
    'Products that a row shows as removed need not be there.',
    'Advisory: a delta may contain delisted products.',
  ],
  subjects: [UPDATE_PRODUCTS],
  sides: {
    delta: rows(UPDATE_PRODUCTS, { weeks: 13, fields: ['upc'], folds: kindFolds }),
    bulk: rows(ALL_PRODUCTS, { fields: ['upc'], folds: { upcs } }),
  },
  counterexample: ({ delta }) => ({ delta: addRow(delta, UNLISTED) }),
  compare: ({ delta, bulk }, { declarations }) => ({
    ...each(delta, isNotRemovedIn([delta], declarations)).isIn(bulk, {
      at: delta,
      kind: 'missing-upcs',
      expected: 'every UPC of the delta is in the bulk list',
    }),
    of: [delta],
    compared: delta.folds.upcs.size,
  }),
  nothing: 'the delta is empty',
});

export const deltaWithinBulk = relationRule({
  id: 'C.delta-within-bulk',
  statement: 'C.delta',
  demands: 'A product of a delta that is not removed is in the bulk list.',
  how: [
    'Where the profile says that the delta lies within the bulk list, the list must contain the UPC of every product of each window that no row shows as removed.',
    'Only lists that state the same as-of date are compared.',
  ],
  looksLike: [
    'A server that reloads the bulk list before the delta, and delists a product in between.',
    'The as-of dates of both distinguish them: if they differ, a missing product is inconclusive.',
  ],
  subjects: [UPDATE_PRODUCTS],
  promises: ['deltaWithinBulk'],
  sides: {
    bulk: rows(ALL_PRODUCTS, { fields: ['upc', 'asOf'], folds: { upcs } }),
    ...deltas(['upc', 'asOf'], kindFolds),
  },
  counterexample: ({ thirteen }) => ({ thirteen: addRow(thirteen, UNLISTED) }),
  compare({ bulk, ...sides }, { declarations }) {
    const windows = windowsIn(sides);
    const remains = isNotRemovedIn(
      windows.map(({ reading }) => reading),
      declarations,
    );
    return windows.map(({ weeks, reading: at }) =>
      each(at, remains).isIn(bulk, {
        at,
        kind: `missing-in-the-list-${weeks}-weeks`,
        expected: `every product of the ${weeks}-week delta that is not removed is in the bulk list`,
        doubt:
          stateOneAsOf(declarations, bulk, at) && bulk.folds.upcs.unread === 0
            ? undefined
            : 'products of the delta are missing in the bulk list, but the two do not state one as-of date, or rows of the list have no readable UPC',
      }),
    );
  },
  nothing: 'the deltas contain no product that is not removed',
});

export const deltaRemovedUnlisted = relationRule({
  id: 'C.delta-removed-unlisted',
  statement: 'C.delta',
  demands:
    'A product that a delta shows as removed is not in the bulk list: the profile promises it (delta.removedUnlisted).',
  how: [
    'The bulk list must contain no product that all rows of a window show as removed and no row of a smaller window shows as new or changed.',
    'Only lists that state the same as-of date are compared.',
  ],
  looksLike: [
    'A service that lists a product again after its removal looks like this violation; a row of the delta then shows it as new, or the as-of dates of the list and the delta differ.',
    'A service whose list still contains removed products does not promise this.',
  ],
  subjects: [UPDATE_PRODUCTS],
  promises: ['deltaKinds', 'deltaRemovedUnlisted'],
  sides: {
    bulk: rows(ALL_PRODUCTS, { fields: ['upc', 'asOf'], folds: { upcs } }),
    ...deltas(['upc', 'changeKind', 'asOf'], kindFolds),
  },
  counterexample: ({ thirteen }, { declarations }) => ({
    thirteen: editAll(thirteen, { changeKind: declarations.delta.kinds?.removed[0] }),
  }),
  compare({ bulk, ...sides }, { declarations }) {
    const readings = windowsIn(sides).map(({ reading }) => reading);
    return windowsIn(sides).map(({ weeks, reading: at }, nth) =>
      each(removedIn(at, readings.slice(0, nth), declarations)).isNotIn(bulk, {
        at,
        of: [bulk, at],
        kind: `removed-in-the-list-${weeks}-weeks`,
        expected: `no product that the ${weeks}-week delta shows as removed is in the bulk list, as the profile promises in delta.removedUnlisted`,
        actual: (count, examples) => `${count} of them, e.g. ${examples}`,
        doubt: stateOneAsOf(declarations, bulk, at)
          ? undefined
          : 'the bulk list contains removed products, but it and the delta do not state one as-of date',
      }),
    );
  },
  nothing({ bulk, ...sides }) {
    const readings = windowsIn(sides).map(({ reading }) => reading);
    return readings.every(({ folds }) => folds.byKind.size === 0)
      ? 'no row shows a kind of change'
      : passed(evidenceOf([bulk, ...readings], 0), 'no row shows a removed product');
  },
});

export const deltaKinds = relationRule({
  id: 'C.delta-kinds',
  statement: 'C.delta',
  demands: 'The kind of change of each row of a delta is one that the profile names.',
  how: [
    'Where the profile states the texts of new, changed and removed products, every text that a row shows must be one of them; an empty list states that a kind does not occur.',
    'A row without a text is not judged.',
  ],
  looksLike: [
    'A server that shows a fourth kind of change, which the document does not forbid.',
    'The profile distinguishes them: it names the texts of all three kinds only if there are no others.',
  ],
  subjects: [UPDATE_PRODUCTS],
  repeat: false,
  promises: ['deltaKinds'],
  sides: deltas(['changeKind'], { kinds: texts('changeKind', 100) }),
  counterexample: ({ thirteen }) => ({ thirteen: editRow(thirteen, { changeKind: 'another kind' }) }),
  compare(sides, { declarations }) {
    const { kinds, statesAllKinds } = declarations.delta;
    if (!kinds || !statesAllKinds)
      return untested(
        'the profile does not state the texts of all three kinds of change: an empty list states that a kind does not occur',
      );
    const known = [...kinds.new, ...kinds.changed, ...kinds.removed];
    const shown = windowsIn(sides).flatMap(({ reading }) => [...reading.folds.kinds.counts.keys()]);
    if (shown.length > 0 && !shown.some((text) => known.includes(text)))
      return {
        doubt: `no row shows a kind of change that the profile names, but ${quoted(shown[0] ?? '')}: the profile may read another value, or write the kinds in another form`,
      };
    const expected = `a kind of change that the profile names: ${known.map((text) => JSON.stringify(text)).join(', ')}`;
    return windowsIn(sides).map(({ weeks, reading }) => {
      const { counts } = reading.folds.kinds;
      const others = [...counts].filter(([text]) => !known.includes(text));
      const actual = others.slice(0, 5).map(([text, count]) => `${JSON.stringify(text.slice(0, 80))} in ${count} rows`);
      const finding = findingIn(reading, `other-kind-in-${weeks}-weeks`, expected, actual.join(', '));
      return { of: [reading], compared: counts.size, findings: others.length > 0 ? [finding] : [] };
    });
  },
  evidence: { distinct: 0 },
  nothing: 'no row shows a kind of change',
});

const changes = { upcs, dates: extent('changedOn'), rows: collect(['upc', 'changedOn'], 500_000) };
type Window = DeltaWindow<Reading<typeof changes>>;

/** The first day of a window, if the profile states that it is inside. */
const includedDay = (asOf: number | undefined, weeks: number, { dataWeek }: Declarations): number | undefined =>
  asOf !== undefined && dataWeek?.changedOn === 'day' && dataWeek.firstDay.updateProducts === 'included'
    ? asOf - weeks * 7
    : undefined;

/** The rows of a larger delta whose date is in the smaller window; none if the two are of different data weeks. */
function changesInWindow(
  smaller: Window,
  larger: Window,
  refresh: RefreshReading | undefined,
  declarations: Declarations,
): { readonly rows: readonly Row[]; readonly firstDay: number | undefined } {
  const asOfDates = new Set(
    [smaller.reading, larger.reading].flatMap((each) => asOfDatesOf(each, refresh, declarations)),
  );
  if (asOfDates.size > 1) return { rows: [], firstDay: undefined };
  const [asOf] = asOfDates;
  const firstDay = includedDay(asOf, smaller.weeks, declarations);
  // A window counted in hours may contain a part of its oldest day: only newer rows are required.
  const after = Math.min(
    smaller.reading.folds.dates.least?.value ?? Number.POSITIVE_INFINITY,
    lastDayBeforeWindow(asOf, smaller.weeks, declarations),
  );
  const rows = larger.reading.folds.rows.rows.filter(
    ({ upc, changedOn }) =>
      typeof changedOn === 'number' && (changedOn > after || changedOn === firstDay) && typeof upc === 'string',
  );
  return { rows, firstDay };
}

export const deltaComplete = relationRule({
  id: 'C.delta-complete',
  statement: 'C.delta',
  basis: 'derived',
  since: '0.1.0',
  demands: 'A smaller delta contains every change whose date in the larger delta is within the smaller window.',
  how: [
    'Both deltas end today.',
    'So the smaller delta must contain the rows of the 4- and 13-week deltas whose change date is after the oldest date of the smaller delta.',
    'If the profile states what dates mean and both responses have the same as-of date, it must contain those whose change date is within its weeks before the as-of date; on the first day if dataWeek.firstDay of the profile includes it.',
  ],
  subjects: [UPDATE_PRODUCTS],
  sides: { ...deltas(['upc', 'changedOn'], changes), refresh: maybe(REFRESH) },
  counterexample({ four = [] }) {
    const days = four.flatMap(({ rows }) =>
      rows.flatMap(({ changedOn }) => (typeof changedOn === 'number' ? changedOn : [])),
    );
    const [oldest, newest] = [Math.min(...days), Math.max(...days)];
    return {
      four: dropRow(four, ({ changedOn }) => typeof changedOn === 'number' && changedOn > oldest && changedOn < newest),
    };
  },
  compare({ refresh, ...sides }, { declarations }) {
    const windows = windowsIn(sides);
    const readable = windows.map(({ reading }) => reading);
    const pairs = windows.flatMap((smaller, at) => windows.slice(at + 1).map((larger) => ({ smaller, larger })));
    return [
      { of: readable },
      ...pairs.map(({ smaller: { weeks, reading: at }, larger }) => {
        const { rows, firstDay } = changesInWindow({ weeks, reading: at }, larger, refresh, declarations);
        const missing = rows.filter(({ upc }) => !at.folds.upcs.has(String(upc)));
        return each(rows.map(({ upc }) => String(upc))).isIn(at, {
          at,
          kind: `missing-in-${weeks}-weeks`,
          expected: `the ${weeks}-week delta contains every change of its ${weeks * 7} days`,
          actual: (count, examples) =>
            `${count} changes that the ${larger.weeks}-week delta dates in these days are missing, e.g. ${examples}`,
          readable,
          ...(missing.every(({ changedOn }) => changedOn === firstDay) && { since: '0.2.0' }),
        });
      }),
    ];
  },
  counted: 'rows',
  nothing: 'no change has a date within a smaller window',
});

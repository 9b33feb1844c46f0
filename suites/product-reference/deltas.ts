/** How the windows of the delta relate, and their kinds of change: sections 1, 4.3 and 8. */
import { LIMITS, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { quoted } from '../../src/format-values.ts';
import { asOfDatesOf, lastDayBeforeWindow, REFRESH, type RefreshReading } from '../../src/rule/data-weeks.ts';
import { type DeltaWindow, deltas, windowsIn } from '../../src/rule/deltas.ts';
import {
  addRow,
  collect,
  copyResponse,
  type Declarations,
  dropRow,
  each,
  editRow,
  extent,
  findingIn,
  maybe,
  type Reading,
  type Row,
  relationRule,
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

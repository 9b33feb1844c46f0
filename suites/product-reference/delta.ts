/** The delta list and its windows: sections 4.3 and 8. */
import type { DeltaWeeks } from '../../src/contract/index.ts';
import {
  addRow,
  answerLike,
  answerWith,
  anything,
  collect,
  combine,
  type Declarations,
  defineRule,
  dropRow,
  editRow,
  editValues,
  evidenceOf,
  extent,
  type Finding,
  failed,
  isOk,
  nothingSeen,
  passed,
  presenceOf,
  type Reading,
  type Steps,
  step,
  tally,
  tellAnswer,
  undecided,
  upcs,
} from '../../src/rule/index.ts';
import { servedSteps } from '../every-operation.ts';
import { asOfSteps, asOfsOf, judgeWindow, spanAllowance } from '../windows.ts';
import { BULK, DELTA, failedUnlessUnread, one, WINDOWS } from './shared.ts';

const deltaStep = (weeks: DeltaWeeks) =>
  step({
    operation: DELTA,
    inputs: { window: { value: weeks } },
    wants: 'whole',
    folds: { upcs, dates: extent('changedOn'), all: tally('changedOn') },
  });

const spareStep = (weeks: DeltaWeeks) => step({ ...deltaStep(weeks), spare: true });
const deltaSteps = () => ({ one: spareStep(1), four: spareStep(4), thirteen: spareStep(13) });

/** The rows of a window are dated by themselves, filtered or not. */
const datedStep = (weeks: DeltaWeeks) => step({ ...spareStep(weeks), observes: anything });
const datedSteps = () => ({ one: datedStep(1), four: datedStep(4), thirteen: datedStep(13) });

/** The windows that were asked for, the smallest first. */
const windowsOf = <R extends Reading>(seen: {
  readonly one: readonly R[];
  readonly four: readonly R[];
  readonly thirteen: readonly R[];
}): { readonly weeks: DeltaWeeks; readonly reading: R }[] =>
  [seen.one, seen.four, seen.thirteen].flatMap(([reading], at) =>
    reading ? [{ weeks: WINDOWS[at] as DeltaWeeks, reading }] : [],
  );

const deltaNeeds = ['updateProducts.request', 'updateProducts.rows', 'updateProducts.inputs.window'] as const;

export const deltaNested = defineRule({
  id: 'C.delta-nested',
  statement: 'C.delta-windows',
  basis: 'derived',
  since: '0.1.0',
  demands: 'The 1-week delta lies within the 4-week delta, and that within the 13-week delta.',
  how: 'The UPCs of each smaller window are looked for in the next larger one.',
  subjects: [DELTA],
  needs: () => [...deltaNeeds, 'updateProducts.fields.upc'],
  repeat: 'pass',
  probe: deltaSteps,
  counterexample: (seen) => ({ one: addRow(seen.one, { upc: '999999999993' }) }),
  judge(seen) {
    const windows = windowsOf(seen);
    const readings = windows.map(({ reading }) => reading);
    const findings: Finding[] = [];
    for (const [at, smaller] of windows.slice(0, -1).entries()) {
      const larger = windows[at + 1] as (typeof windows)[number];
      const missing = smaller.reading.folds.upcs.missingFrom(larger.reading.folds.upcs);
      if (missing.count > 0) {
        findings.push({
          expected: `the ${smaller.weeks}-week delta lies within the ${larger.weeks}-week delta`,
          actual: `${missing.count} UPCs are missing from the larger one, e.g. ${missing.first.join(', ')}`,
          exchange: larger.reading.exchange,
        });
      }
    }
    if (findings.length > 0) return failedUnlessUnread(findings, readings);
    if (windows.length < 2) return nothingSeen('one window cannot be compared with another');
    const rows = readings.slice(0, -1).reduce((sum, { folds }) => sum + folds.upcs.size, 0);
    return rows === 0
      ? nothingSeen('the 1- and 4-week deltas are empty')
      : passed({ ...evidenceOf(readings), distinct: rows });
  },
});

export const deltaAnswered = defineRule({
  id: 'C.delta-windows-answered',
  statement: 'C.delta-windows',
  basis: 'stated',
  since: '0.1.0',
  demands: 'A delta is delivered for 1 week, 4 weeks and 13 weeks.',
  how: 'Each window is asked for; one that is refused, or whose list is left out, while another is answered is a failure, unless no smaller one has a row: it may then be empty, and not found may say so.',
  subjects: [DELTA],
  needs: () => ['updateProducts.request', 'updateProducts.inputs.window'],
  repeat: 'inconclusive',
  probe() {
    const ask = (weeks: DeltaWeeks) =>
      step({ operation: DELTA, inputs: { window: { value: weeks } }, wants: 'answer', spare: true });
    const { before, pair, after } = servedSteps(DELTA);
    const spare = true as const;
    return {
      before: { ...before, spare },
      pair: { ...pair, spare },
      after: { ...after, spare },
      one: ask(1),
      four: ask(4),
      thirteen: ask(13),
    };
  },
  counterexample: ({ thirteen }) => ({ thirteen: answerWith(thirteen, 400) }),
  judge(seen, { declares }) {
    const windows: { readonly weeks: DeltaWeeks; readonly reading: Reading }[] = windowsOf(seen);
    const readings = windows.map(({ reading }) => reading);
    if (readings.length === 0) return nothingSeen('no window was asked for');
    // Where a smaller window has a row, a larger one is not empty: its list cannot be left out, nor be “not found”.
    const [full, perhapsEmpty] = [true, false].map((wanted) =>
      windows
        .filter(
          ({ weeks }) => wanted === windows.some((each) => each.weeks < weeks && !!each.reading.observation?.rows),
        )
        .map(({ reading }) => reading),
    ) as [Reading[], Reading[]];
    const expecting = (reading: Reading) => `a delta for ${reading.inputs.window} weeks`;
    const left = full.filter(({ observation }) => observation?.problem?.kind === 'rowsNotFound');
    if (left.length > 0)
      return failed(
        left.map((reading) => ({
          expected: expecting(reading),
          actual: reading.observation?.problem?.message ?? '',
          exchange: reading.exchange,
        })),
        'profile',
      );
    const unread = readings.find((reading) => reading.observation?.problem);
    if (unread) return undecided(unread.observation?.problem?.message ?? '');
    const refused = readings.filter((reading) => !isOk(reading));
    if (refused.length === readings.length)
      return undecided(`no window is answered: ${tellAnswer(readings[0] as Reading)}`);
    const notFound = [404, ...(declares.statuses(DELTA).unknown ?? [])];
    const silent = perhapsEmpty.find((each) => refused.includes(each) && notFound.includes(each.head?.status ?? 0));
    const wrong = refused.filter((reading) => full.includes(reading) || !notFound.includes(reading.head?.status ?? 0));
    if (wrong.length > 0)
      return failed(
        wrong.map((reading) => ({
          expected: expecting(reading),
          actual: tellAnswer(reading),
          exchange: reading.exchange,
        })),
      );
    if (silent) return undecided(`${tellAnswer(silent)} for ${silent.inputs.window} weeks, which may say “no change”`);
    const [before, pair, after] = [seen.before[0], seen.pair[0], seen.after[0]];
    if (!before || !pair || !after || readings.length < WINDOWS.length)
      return nothingSeen('not every window was asked for, between paths that cannot exist');
    const presence = presenceOf(pair, before, after, declares.statuses(DELTA));
    return presence.is === 'served' ? passed({ exchanges: 3, distinct: 3 }) : undecided(presence.by);
  },
});

export const deltaSpan = defineRule({
  id: 'C.delta-span',
  statement: 'C.delta-windows',
  basis: 'stated',
  since: '0.1.0',
  demands: 'The rows of a delta changed within its window.',
  how: 'The newest and oldest change dates of each window lie at most the window and one data week apart; no clock of ours is used.',
  subjects: [DELTA],
  needs: () => [...deltaNeeds, 'updateProducts.fields.changedOn'],
  probe: datedSteps,
  counterexample: ({ thirteen }) => ({ thirteen: editRow(thirteen, { changedOn: 0 }) }),
  judge(seen) {
    return combine(
      windowsOf(seen).map(({ reading, weeks }) =>
        spanAllowance(reading, reading.folds.dates, reading.folds.all, weeks),
      ),
    );
  },
});

export const deltaWindow = defineRule({
  id: 'C.delta-window',
  statement: 'C.delta-windows',
  basis: 'stated',
  since: '0.1.0',
  demands: 'Each row of a delta changed within the window counted back from the as-of.',
  how: 'Each row’s change date is compared with the as-of the profile declares, to the day.',
  subjects: [DELTA],
  needs: () => [...deltaNeeds, 'dataWeek', 'updateProducts.fields.changedOn', 'updateProducts.fields.asOf'],
  probe: (_subject, declares) => ({ ...datedSteps(), ...asOfSteps(declares, DELTA) }),
  counterexample: ({ thirteen }) => ({ thirteen: editRow(thirteen, { changedOn: 0 }) }),
  judge(seen, { declares }) {
    return combine(
      windowsOf(seen).map(({ reading, weeks }) =>
        judgeWindow(reading, reading.folds, weeks, 'changedOn', declares, seen.refresh?.[0]),
      ),
    );
  },
});

/**
 * The last day that may lie before a window counted from its as-of, where the profile tells what dates mean; nothing is
 * surely within a window otherwise. A window may be counted from the reload that follows the as-of, unless the profile
 * fixes its edges, and days told in another time zone than it is counted in lie a day apart.
 */
function lastDayBefore(asOf: number | undefined, weeks: DeltaWeeks, { dataWeek }: Declarations): number {
  if (asOf === undefined || !dataWeek) return Number.POSITIVE_INFINITY;
  const slack = dataWeek.firstDay === undefined ? 6 : Number(dataWeek.changedOn === 'day');
  return asOf - weeks * 7 + slack;
}

export const deltaComplete = defineRule({
  id: 'C.delta-complete',
  statement: 'C.delta',
  basis: 'derived',
  since: '0.1.0',
  demands: 'A change that a larger window dates within a smaller one is in the smaller one too.',
  how: 'Rows of the 4- and 13-week deltas whose change date lies after the oldest date of a smaller delta, or where the profile tells what dates mean and both answers tell one as-of, within the weeks before it, are looked for in the smaller one: both end today.',
  subjects: [DELTA],
  needs: () => [...deltaNeeds, 'updateProducts.fields.upc', 'updateProducts.fields.changedOn'],
  repeat: 'pass',
  probe(_subject, declares) {
    const list = (weeks: DeltaWeeks) =>
      step({
        operation: DELTA,
        inputs: { window: { value: weeks } },
        wants: 'whole',
        folds: { upcs, dates: extent('changedOn'), rows: collect(['upc', 'changedOn'], 500_000) },
        spare: true,
      });
    const { refresh } = asOfSteps(declares, DELTA);
    return {
      one: list(1),
      four: list(4),
      thirteen: list(13),
      ...(refresh && { refresh: step({ ...refresh, spare: true }) }),
    };
  },
  counterexample({ four }) {
    const days = four.flatMap(({ rows }) =>
      rows.flatMap(({ changedOn }) => (typeof changedOn === 'number' ? changedOn : [])),
    );
    const [first, last] = [Math.min(...days), Math.max(...days)];
    return {
      four: dropRow(four, ({ changedOn }) => typeof changedOn === 'number' && changedOn > first && changedOn < last),
    };
  },
  judge(seen, { declares }) {
    const windows = windowsOf(seen);
    const readings = windows.map(({ reading }) => reading);
    const refresh = seen.refresh?.[0];
    const pairs = windows.flatMap((smaller, at) => windows.slice(at + 1).map((larger) => ({ smaller, larger })));
    let looked = 0;
    const findings: Finding[] = [];
    for (const { smaller, larger } of pairs) {
      const inner = smaller.reading;
      // Two data weeks have each their own changes.
      const [asOf, ...others] = new Set([inner, larger.reading].flatMap((each) => asOfsOf(each, refresh, declares)));
      if (others.length > 0) continue;
      // The oldest day may lie half outside a window that is counted in hours: only what is newer must be in it.
      const after = Math.min(
        inner.folds.dates.least?.value ?? Number.POSITIVE_INFINITY,
        lastDayBefore(asOf, smaller.weeks, declares),
      );
      const inside = larger.reading.folds.rows.rows.filter(
        (row) => typeof row.changedOn === 'number' && row.changedOn > after && typeof row.upc === 'string',
      );
      looked += inside.length;
      const missing = inside.filter((row) => !inner.folds.upcs.has(row.upc as string));
      if (missing.length > 0) {
        findings.push({
          expected: `the ${smaller.weeks}-week delta shows every change of its ${smaller.weeks * 7} days`,
          actual: `${missing.length} changes that the ${larger.weeks}-week delta dates there are missing, e.g. ${missing
            .slice(0, 5)
            .map((row) => row.upc)
            .join(', ')}`,
          exchange: inner.exchange,
        });
      }
    }
    if (findings.length > 0) return failedUnlessUnread(findings, readings);
    return looked === 0
      ? nothingSeen('no dated change lies within a smaller window')
      : passed({ ...evidenceOf(readings), rows: looked });
  },
});

export const deltaListed = defineRule({
  id: 'C.delta-listed',
  statement: 'C.delta',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'A new or changed product is in the bulk list.',
  how: 'The UPCs of the 13-week delta are looked for in the bulk list. Delistings may stand in a delta, so this only advises.',
  subjects: [DELTA],
  needs: () => [
    ...deltaNeeds,
    'updateProducts.fields.upc',
    'allProducts.request',
    'allProducts.rows',
    'allProducts.fields.upc',
  ],
  repeat: 'pass',
  probe: () => ({ bulk: step({ operation: BULK, wants: 'whole', folds: { upcs } }), delta: deltaStep(13) }),
  counterexample: ({ delta }) => ({ delta: addRow(delta, { upc: '999999999993' }) }),
  judge(seen) {
    const delta = one(seen.delta);
    const missing = delta.folds.upcs.missingFrom(one(seen.bulk).folds.upcs);
    if (delta.folds.upcs.size === 0) return nothingSeen('the delta is empty');
    if (missing.count === 0) return passed({ ...evidenceOf([delta]), distinct: delta.folds.upcs.size });
    return failed([
      {
        expected: 'the delta lies within the bulk list',
        actual: `${missing.count} UPCs are not in it, e.g. ${missing.first.join(', ')}`,
        exchange: delta.exchange,
      },
    ]);
  },
});

/** So many changes, and not one more in the weeks before, are more than chance. */
const TELLING = 20;

export const deltaDiffers = defineRule({
  id: 'C.delta-windows-differ',
  statement: 'C.delta-windows',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'The three windows do not show the very same products.',
  how: `If the 1-week delta has a row and the 13-week delta is no larger, or two windows of at least ${TELLING} products are of one size, a window is likely ignored. Everything may have changed in one week, so this only advises.`,
  subjects: [DELTA],
  needs: () => [...deltaNeeds, 'updateProducts.fields.upc'],
  repeat: 'pass',
  probe: deltaSteps,
  counterexample: (seen) => ({ thirteen: answerLike(seen.thirteen, seen.one) }),
  judge(seen) {
    const windows = windowsOf(seen);
    if (windows.length < WINDOWS.length) return nothingSeen('not every window was asked for');
    const sizes = windows.map(({ reading }) => reading.folds.upcs.size);
    if (sizes[0] === 0) return nothingSeen('the 1-week delta is empty');
    const alike = [[0, 2] as const, [0, 1] as const, [1, 2] as const].filter(
      ([smaller, larger]) =>
        sizes[smaller] === sizes[larger] && (larger - smaller === 2 || (sizes[larger] ?? 0) >= TELLING),
    );
    if (alike.length === 0) return passed({ exchanges: 3, distinct: one(seen.thirteen).folds.upcs.size });
    return failed(
      alike.map(([smaller, larger]) => ({
        expected: `more changes in ${WINDOWS[larger]} weeks than in ${WINDOWS[smaller]}`,
        actual: `${sizes[larger]} in each`,
        exchange: (windows[larger] as (typeof windows)[number]).reading.exchange,
      })),
    );
  },
});

export const deltaFresh = defineRule({
  id: 'C.delta-fresh',
  statement: 'C.delta-weekly',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'The delta stands at the same data week as the bulk list.',
  how: 'The as-of of the delta is compared with that of the bulk list; more than one data week apart is reported.',
  subjects: [DELTA],
  needs: () => [...deltaNeeds, 'updateProducts.fields.asOf', 'allProducts.request', 'allProducts.fields.asOf'],
  repeat: 'pass',
  probe(_subject, declares): Steps {
    // Lists that stand at a refresh date, rather than hold an as-of, have nothing to compare.
    if (([BULK, DELTA] as const).some((each) => declares.selector(each, 'asOf') === undefined)) return {};
    return { bulk: step({ operation: BULK, wants: 'content' }), delta: deltaStep(1) };
  },
  counterexample: ({ delta }) => ({ delta: editValues(delta, { asOf: [0] }) }),
  judge(seen) {
    const day = (reading: Reading) =>
      reading.observation?.values.asOf?.find((value) => typeof value === 'number') as number | undefined;
    const [bulk, delta] = [day(one(seen.bulk ?? [])), day(one(seen.delta ?? []))];
    if (bulk === undefined || delta === undefined)
      return nothingSeen('an answer holds no as-of where the profile reads one');
    if (Math.abs(bulk - delta) <= 7) return passed({ exchanges: 2, distinct: 1 });
    return failed([
      {
        expected: 'one data week in the bulk list and the delta',
        actual: `their as-ofs are ${Math.abs(bulk - delta)} days apart`,
        exchange: one(seen.delta ?? []).exchange,
      },
    ]);
  },
});

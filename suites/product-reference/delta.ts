/** The delta list and its windows: sections 4.3 and 8. */
import type { DeltaWeeks } from '../../src/contract/index.ts';
import {
  addRow,
  answerLike,
  answerWith,
  collect,
  combine,
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
import { asOfSteps, judgeWindow, spanAllowance } from '../windows.ts';
import { BULK, DELTA, failedUnlessUnread, one, WINDOWS } from './shared.ts';

const deltaStep = (weeks: DeltaWeeks) =>
  step({
    operation: DELTA,
    inputs: { window: { value: weeks } },
    wants: 'whole',
    folds: { upcs, dates: extent('changedOn'), all: tally('changedOn') },
  });

const deltaSteps = () => ({ one: deltaStep(1), four: deltaStep(4), thirteen: deltaStep(13) });

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
    const readings = [one(seen.one), one(seen.four), one(seen.thirteen)] as const;
    const findings: Finding[] = [];
    for (const [smaller, larger] of [
      [0, 1],
      [1, 2],
    ] as const) {
      const missing = readings[smaller].folds.upcs.missingFrom(readings[larger].folds.upcs);
      if (missing.count > 0) {
        findings.push({
          expected: `the ${WINDOWS[smaller]}-week delta lies within the ${WINDOWS[larger]}-week delta`,
          actual: `${missing.count} UPCs are missing from the larger one, e.g. ${missing.first.join(', ')}`,
          exchange: readings[larger].exchange,
        });
      }
    }
    if (findings.length > 0) return failedUnlessUnread(findings, readings);
    const rows = readings[0].folds.upcs.size + readings[1].folds.upcs.size;
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
  how: 'Each window is asked for; one that is refused while another is answered is a failure.',
  subjects: [DELTA],
  needs: () => ['updateProducts.request', 'updateProducts.inputs.window'],
  repeat: 'inconclusive',
  probe() {
    const ask = (weeks: DeltaWeeks) =>
      step({ operation: DELTA, inputs: { window: { value: weeks } }, wants: 'answer' });
    const { before, pair, after } = servedSteps(DELTA);
    return { before, pair, after, one: ask(1), four: ask(4), thirteen: ask(13) };
  },
  counterexample: ({ thirteen }) => ({ thirteen: answerWith(thirteen, 400) }),
  judge(seen, { declares }) {
    const readings = [one(seen.one), one(seen.four), one(seen.thirteen)];
    const unread = readings.find((reading) => reading.observation?.problem);
    if (unread) return undecided(unread.observation?.problem?.message ?? '');
    const refused = readings.filter((reading) => !isOk(reading));
    if (refused.length === readings.length)
      return undecided(`no window is answered: ${tellAnswer(readings[0] as Reading)}`);
    if (refused.length > 0)
      return failed(
        refused.map((reading) => ({
          expected: `a delta for ${reading.inputs.window} weeks`,
          actual: tellAnswer(reading),
          exchange: reading.exchange,
        })),
      );
    const presence = presenceOf(one(seen.pair), one(seen.before), one(seen.after), declares.statuses(DELTA));
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
  probe: deltaSteps,
  counterexample: ({ thirteen }) => ({ thirteen: editRow(thirteen, { changedOn: 0 }) }),
  judge(seen) {
    const readings = [one(seen.one), one(seen.four), one(seen.thirteen)];
    return combine(
      readings.map((reading, at) =>
        spanAllowance(reading, reading.folds.dates, reading.folds.all, WINDOWS[at] as number),
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
  probe: (_subject, declares) => ({ ...deltaSteps(), ...asOfSteps(declares, DELTA) }),
  counterexample: ({ thirteen }) => ({ thirteen: editRow(thirteen, { changedOn: 0 }) }),
  judge(seen, { declares }) {
    const readings = [one(seen.one), one(seen.four), one(seen.thirteen)];
    return combine(
      readings.map((reading, at) =>
        judgeWindow(reading, reading.folds.dates, WINDOWS[at] as number, 'changedOn', declares, seen.refresh?.[0]),
      ),
    );
  },
});

export const deltaComplete = defineRule({
  id: 'C.delta-complete',
  statement: 'C.delta',
  basis: 'derived',
  since: '0.1.0',
  demands: 'A change that a larger window shows within the dates of a smaller one is in the smaller one too.',
  how: 'Rows of the 4- and 13-week deltas whose change date lies after the oldest and not after the newest date of a smaller delta are looked for in it.',
  subjects: [DELTA],
  needs: () => [...deltaNeeds, 'updateProducts.fields.upc', 'updateProducts.fields.changedOn'],
  repeat: 'pass',
  probe() {
    const list = (weeks: DeltaWeeks) =>
      step({
        operation: DELTA,
        inputs: { window: { value: weeks } },
        wants: 'whole',
        folds: { upcs, dates: extent('changedOn'), rows: collect(['upc', 'changedOn'], 500_000) },
      });
    return { one: list(1), four: list(4), thirteen: list(13) };
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
  judge(seen) {
    const readings = [one(seen.one), one(seen.four), one(seen.thirteen)] as const;
    let looked = 0;
    const findings: Finding[] = [];
    for (const [smaller, larger] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const) {
      const inner = readings[smaller];
      const { least, greatest } = inner.folds.dates;
      if (!least || !greatest) continue;
      // The oldest day may lie half outside a window that is counted in hours: only what is newer must be in it.
      const inside = readings[larger].folds.rows.rows.filter(
        (row) =>
          typeof row.changedOn === 'number' &&
          row.changedOn > least.value &&
          row.changedOn <= greatest.value &&
          typeof row.upc === 'string',
      );
      looked += inside.length;
      const missing = inside.filter((row) => !inner.folds.upcs.has(row.upc as string));
      if (missing.length > 0) {
        findings.push({
          expected: `the ${WINDOWS[smaller]}-week delta shows every change within its own dates`,
          actual: `${missing.length} changes that the ${WINDOWS[larger]}-week delta dates there are missing, e.g. ${missing
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

export const deltaDiffers = defineRule({
  id: 'C.delta-windows-differ',
  statement: 'C.delta-windows',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'The three windows do not show the very same products.',
  how: 'If the 1-week delta has a row and the 13-week delta is no larger, the window is likely ignored. Everything may have changed in one week, so this only advises.',
  subjects: [DELTA],
  needs: () => [...deltaNeeds, 'updateProducts.fields.upc'],
  repeat: 'pass',
  probe: deltaSteps,
  counterexample: (seen) => ({ thirteen: answerLike(seen.thirteen, seen.one) }),
  judge(seen) {
    const sizes = [one(seen.one), one(seen.four), one(seen.thirteen)].map((reading) => reading.folds.upcs.size);
    if (sizes[0] === 0) return nothingSeen('the 1-week delta is empty');
    if (sizes[0] !== sizes[2]) return passed({ exchanges: 3, distinct: one(seen.thirteen).folds.upcs.size });
    return failed([
      {
        expected: 'more changes in 13 weeks than in one',
        actual: `${sizes[0]} in each`,
        exchange: one(seen.thirteen).exchange,
      },
    ]);
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

/** Deltas of 1, 4 and 13 weeks, each within the next: sections 4.3 and 8. */
import { type DeltaWeeks, LIMITS, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { failedUnlessUnread } from '../../src/rule/compare-upcs.ts';
import { deltaNeeds, deltaSteps, windowsOf } from '../../src/rule/delta-steps.ts';
import {
  addRow,
  answerLike,
  answerWith,
  defineRule,
  describeResponse,
  evidenceOf,
  type Finding,
  failed,
  isOk,
  nothingToJudge,
  onlyReading,
  passed,
  presenceOf,
  type Reading,
  step,
  undecided,
} from '../../src/rule/index.ts';
import { servedSteps } from '../../src/rule/served-steps.ts';

export const deltaNested = defineRule({
  id: 'C.delta-nested',
  statement: 'C.delta-windows',
  basis: 'derived',
  since: '0.1.0',
  demands: 'The 1-week delta lies within the 4-week delta, and that within the 13-week delta.',
  how: 'The UPCs of each smaller window are looked for in the next larger one.',
  subjects: [UPDATE_PRODUCTS],
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
    if (windows.length < 2) return nothingToJudge('one window cannot be compared with another');
    const rows = readings.slice(0, -1).reduce((sum, { folds }) => sum + folds.upcs.size, 0);
    return rows === 0
      ? nothingToJudge('the 1- and 4-week deltas are empty')
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
  subjects: [UPDATE_PRODUCTS],
  needs: () => ['updateProducts.request', 'updateProducts.inputs.window'],
  repeat: 'inconclusive',
  probe() {
    const ask = (weeks: DeltaWeeks) =>
      step({ operation: UPDATE_PRODUCTS, inputs: { window: { value: weeks } }, wants: 'answer', spare: true });
    const { before, pair, after } = servedSteps(UPDATE_PRODUCTS);
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
    if (readings.length === 0) return nothingToJudge('no window was asked for');
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
      return undecided(`no window is answered: ${describeResponse(readings[0] as Reading)}`);
    const notFound = [404, ...(declares.statuses(UPDATE_PRODUCTS).unknown ?? [])];
    const silent = perhapsEmpty.find((each) => refused.includes(each) && notFound.includes(each.head?.status ?? 0));
    const wrong = refused.filter((reading) => full.includes(reading) || !notFound.includes(reading.head?.status ?? 0));
    if (wrong.length > 0)
      return failed(
        wrong.map((reading) => ({
          expected: expecting(reading),
          actual: describeResponse(reading),
          exchange: reading.exchange,
        })),
      );
    if (silent)
      return undecided(`${describeResponse(silent)} for ${silent.inputs.window} weeks, which may say “no change”`);
    const [before, pair, after] = [seen.before[0], seen.pair[0], seen.after[0]];
    if (!before || !pair || !after || readings.length < LIMITS.deltaWeeks.length)
      return nothingToJudge('not every window was asked for, between paths that cannot exist');
    const presence = presenceOf(pair, before, after, declares.statuses(UPDATE_PRODUCTS));
    return presence.is === 'served' ? passed({ exchanges: 3, distinct: 3 }) : undecided(presence.by);
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
  subjects: [UPDATE_PRODUCTS],
  needs: () => [...deltaNeeds, 'updateProducts.fields.upc'],
  repeat: 'pass',
  probe: deltaSteps,
  counterexample: (seen) => ({ thirteen: answerLike(seen.thirteen, seen.one) }),
  judge(seen) {
    const windows = windowsOf(seen);
    if (windows.length < LIMITS.deltaWeeks.length) return nothingToJudge('not every window was asked for');
    const sizes = windows.map(({ reading }) => reading.folds.upcs.size);
    if (sizes[0] === 0) return nothingToJudge('the 1-week delta is empty');
    const alike = [[0, 2] as const, [0, 1] as const, [1, 2] as const].filter(
      ([smaller, larger]) =>
        sizes[smaller] === sizes[larger] && (larger - smaller === 2 || (sizes[larger] ?? 0) >= TELLING),
    );
    if (alike.length === 0) return passed({ exchanges: 3, distinct: onlyReading(seen.thirteen).folds.upcs.size });
    return failed(
      alike.map(([smaller, larger]) => ({
        expected: `more changes in ${LIMITS.deltaWeeks[larger]} weeks than in ${LIMITS.deltaWeeks[smaller]}`,
        actual: `${sizes[larger]} in each`,
        exchange: (windows[larger] as (typeof windows)[number]).reading.exchange,
      })),
    );
  },
});

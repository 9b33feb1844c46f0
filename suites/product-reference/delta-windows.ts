/** Deltas of 1, 4 and 13 weeks; each contains the smaller ones: sections 4.3 and 8. */
import { type DeltaWeeks, LIMITS, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { deltaNeeds, deltaSteps, windowsOf } from '../../src/rule/delta-steps.ts';
import {
  combine,
  copyResponse,
  defineRule,
  describeResponse,
  failed,
  inconclusive,
  isOk,
  type Judgement,
  kindOfStatus,
  onlyReading,
  passed,
  type Reading,
  respondWith,
  step,
  untested,
} from '../../src/rule/index.ts';
import { presenceIn, presenceSteps } from '../../src/rule/served-steps.ts';

interface RequestedWindow {
  readonly weeks: DeltaWeeks;
  readonly reading: Reading;
}

/**
 * Splits windows into those that cannot be empty, because a smaller one has a row, and those that may be empty: only the
 * list of these may be missing or “not found”.
 */
function splitByRows(windows: readonly RequestedWindow[]): Record<'full' | 'maybeEmpty', readonly Reading[]> {
  const isFull = ({ weeks }: RequestedWindow) =>
    windows.some((each) => each.weeks < weeks && !!each.reading.observation?.rows);
  const readings = (some: readonly RequestedWindow[]) => some.map(({ reading }) => reading);
  return {
    full: readings(windows.filter(isFull)),
    maybeEmpty: readings(windows.filter((each) => !isFull(each))),
  };
}

const failures = (
  readings: readonly Reading[],
  kindOf: (reading: Reading) => string,
  actualOf: (reading: Reading) => string,
  basis?: 'profile',
): Judgement =>
  failed(
    readings.map((reading) => ({
      kind: `${kindOf(reading)}-for-${reading.inputs.window}-weeks`,
      expected: `a delta for ${reading.inputs.window} weeks`,
      actual: actualOf(reading),
      exchange: reading.exchange,
    })),
    basis,
  );

export const deltaAnswered = defineRule({
  id: 'C.delta-windows-answered',
  statement: 'C.delta-windows',
  basis: 'stated',
  since: '0.1.0',
  demands: 'The operation returns a delta of 1 week, 4 weeks and 13 weeks.',
  how: 'Each window is requested. The rule fails if one gets no 2xx, or a response without the list, while another gets a delta. If no smaller delta has a row, the delta may be empty, and 404 may mean so.',
  subjects: [UPDATE_PRODUCTS],
  needs: () => ['updateProducts.request', 'updateProducts.inputs.window'],
  repeat: 'inconclusive',
  probe() {
    const request = (weeks: DeltaWeeks) =>
      step({ operation: UPDATE_PRODUCTS, inputs: { window: { value: weeks } }, accepts: 'response', optional: true });
    const { before, tested, after, ...followed } = presenceSteps(UPDATE_PRODUCTS);
    const optional = true as const;
    return {
      ...followed,
      before: { ...before, optional },
      tested: { ...tested, optional },
      after: { ...after, optional },
      one: request(1),
      four: request(4),
      thirteen: request(13),
    };
  },
  counterexample: ({ thirteen }) => ({ thirteen: respondWith(thirteen, 400) }),
  judge(seen, { declarations }) {
    const windows: RequestedWindow[] = windowsOf(seen);
    const readings = windows.map(({ reading }) => reading);
    if (readings.length === 0) return untested('no window was requested');
    const { full, maybeEmpty } = splitByRows(windows);
    const withoutList = full.filter(({ observation }) => observation?.problem?.kind === 'rowsNotFound');
    const unread = readings.find((reading) => reading.observation?.problem);
    if (unread && withoutList.length === 0) return inconclusive(unread.observation?.problem?.message ?? '');
    const unsuccessful = readings.filter((reading) => !isOk(reading));
    if (unsuccessful.length === readings.length)
      return inconclusive(`no window gets a 2xx: ${describeResponse(readings[0] as Reading)}`);
    const notFound = [404, ...(declarations.statuses(UPDATE_PRODUCTS).unknown ?? [])];
    const notFoundReading = maybeEmpty.find(
      (each) => unsuccessful.includes(each) && notFound.includes(each.head?.status ?? 0),
    );
    const wrong = unsuccessful.filter(
      (reading) => full.includes(reading) || !notFound.includes(reading.head?.status ?? 0),
    );
    const listless = failures(
      withoutList,
      () => 'no-list',
      ({ observation }) => observation?.problem?.message ?? '',
      'profile',
    );
    const refused = failures(wrong, kindOfStatus, describeResponse);
    if (withoutList.length > 0) return wrong.length > 0 ? combine([listless, refused]) : listless;
    if (wrong.length > 0) return refused;
    if (notFoundReading)
      return inconclusive(
        `${describeResponse(notFoundReading)} for ${notFoundReading.inputs.window} weeks, which may mean “no change”`,
      );
    const presence = presenceIn(seen, declarations.statuses(UPDATE_PRODUCTS));
    if (!presence || readings.length < LIMITS.deltaWeeks.length)
      return untested('not every window was requested, or no path that cannot exist');
    return presence.is === 'served' ? passed({ exchanges: 3, distinct: 3 }) : inconclusive(presence.reason);
  },
});

/** From this number of changes on, equal sizes of two windows are hardly a coincidence. */
const SIGNIFICANT_SIZE = 20;

export const deltaDiffers = defineRule({
  id: 'C.delta-windows-differ',
  statement: 'C.delta-windows',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'The three deltas do not contain the same products.',
  how: `If the 1-week delta has a row and the 13-week delta is not larger, or two deltas of at least ${SIGNIFICANT_SIZE} products have the same size, the server probably ignores the window. Advisory: everything may have changed in one week.`,
  subjects: [UPDATE_PRODUCTS],
  needs: () => [...deltaNeeds, 'updateProducts.fields.upc'],
  repeat: 'pass',
  probe: deltaSteps,
  counterexample: (seen) => ({ thirteen: copyResponse(seen.thirteen, seen.one) }),
  judge(seen) {
    const windows = windowsOf(seen);
    if (windows.length < LIMITS.deltaWeeks.length) return untested('not every window was requested');
    const sizes = windows.map(({ reading }) => reading.folds.upcs.size);
    if (sizes[0] === 0) return untested('the 1-week delta is empty');
    const equal = [[0, 2] as const, [0, 1] as const, [1, 2] as const].filter(
      ([smaller, larger]) =>
        sizes[smaller] === sizes[larger] && (larger - smaller === 2 || (sizes[larger] ?? 0) >= SIGNIFICANT_SIZE),
    );
    if (equal.length === 0) return passed({ exchanges: 3, distinct: onlyReading(seen.thirteen).folds.upcs.size });
    return failed(
      equal.map(([smaller, larger]) => ({
        kind: `as-many-in-${LIMITS.deltaWeeks[smaller]}-as-in-${LIMITS.deltaWeeks[larger]}-weeks`,
        expected: `more changes in ${LIMITS.deltaWeeks[larger]} weeks than in ${LIMITS.deltaWeeks[smaller]}`,
        actual: `${sizes[larger]} in both`,
        exchange: (windows[larger] as (typeof windows)[number]).reading.exchange,
      })),
    );
  },
});

/** Deltas of 1, 4 and 13 weeks; each contains the smaller ones: sections 4.3 and 8. */
import { type DeltaWeeks, LIMITS, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { type DeltaWindow, deltas, windowsIn } from '../../src/rule/delta-steps.ts';
import {
  copyResponse,
  decide,
  defineRule,
  describeResponse,
  type Finding,
  findingIn,
  inconclusive,
  isOk,
  kindOfStatus,
  type Reading,
  relationRule,
  respondWith,
  step,
  untested,
  upcs,
} from '../../src/rule/index.ts';
import { presenceIn, presenceSteps } from '../../src/rule/served-steps.ts';

/**
 * Splits windows into those that cannot be empty, because a smaller one has a row, and those that may be empty: only the
 * list of these may be missing or “not found”.
 */
function splitByRows(windows: readonly DeltaWindow<Reading>[]): Record<'full' | 'maybeEmpty', readonly Reading[]> {
  const isFull = ({ weeks }: DeltaWindow<Reading>) =>
    windows.some((each) => each.weeks < weeks && !!each.reading.observation?.rows);
  const readings = (some: readonly DeltaWindow<Reading>[]) => some.map(({ reading }) => reading);
  return {
    full: readings(windows.filter(isFull)),
    maybeEmpty: readings(windows.filter((each) => !isFull(each))),
  };
}

/** What is wrong with the response for a window. */
const failureOf = (reading: Reading, kind: string, actual: string): Finding =>
  findingIn(
    reading,
    `${kind}-for-${reading.inputs.window}-weeks`,
    `a delta for ${reading.inputs.window} weeks`,
    actual,
  );

export const deltaAnswered = defineRule({
  id: 'C.delta-windows-answered',
  statement: 'C.delta-windows',
  basis: 'stated',
  since: '0.1.0',
  demands: 'The operation returns a delta of 1 week, 4 weeks and 13 weeks.',
  how: [
    'Each window is requested.',
    'The rule fails if one gets no 2xx, or a response without the list, while another gets a delta.',
    'If no smaller delta has a row, the delta may be empty, and 404 may mean so.',
  ],
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
    const windows: DeltaWindow<Reading>[] = windowsIn({
      one: seen.one[0],
      four: seen.four[0],
      thirteen: seen.thirteen[0],
    });
    const readings = windows.map(({ reading }) => reading);
    const [first] = readings;
    if (!first) return untested('no window was requested');
    const { full, maybeEmpty } = splitByRows(windows);
    const withoutList = full.filter(({ observation }) => observation?.problem?.kind === 'rowsNotFound');
    const unread = readings.find((reading) => reading.observation?.problem);
    if (unread && withoutList.length === 0) return inconclusive(unread.observation?.problem?.message ?? '');
    const unsuccessful = readings.filter((reading) => !isOk(reading));
    if (unsuccessful.length === readings.length)
      return inconclusive(`no window gets a 2xx: ${describeResponse(first)}`);
    const notFound = [404, ...(declarations.statuses(UPDATE_PRODUCTS).unknown ?? [])];
    const isNotFound = ({ head }: Reading) => notFound.includes(head?.status ?? 0);
    const wrong = unsuccessful.filter((reading) => full.includes(reading) || !isNotFound(reading));
    const mayMeanNone = maybeEmpty.find((each) => unsuccessful.includes(each) && isNotFound(each));
    const presence = presenceIn(seen, declarations.statuses(UPDATE_PRODUCTS));
    const isJudged = presence && readings.length === LIMITS.deltaWeeks.length;
    return decide(
      {
        findings: [
          ...withoutList.map((each) => failureOf(each, 'no-list', each.observation?.problem?.message ?? '')),
          ...wrong.map((each) => failureOf(each, kindOfStatus(each), describeResponse(each))),
        ],
        basis: wrong.length === 0 ? 'profile' : undefined,
        doubt: mayMeanNone
          ? `${describeResponse(mayMeanNone)} for ${mayMeanNone.inputs.window} weeks, which may mean “no change”`
          : isJudged && presence.is !== 'served'
            ? presence.reason
            : undefined,
        compared: isJudged ? 3 : 0,
      },
      {
        nothing: 'not every window was requested, or no path that cannot exist',
        evidence: { exchanges: 3, rows: 0, distinct: 3 },
      },
    );
  },
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
    const windows = windowsIn(sides);
    const sizes = windows.map(({ reading }) => reading.folds.upcs.size);
    if (windows.length < LIMITS.deltaWeeks.length || sizes[0] === 0) return [];
    const equal = [[0, 2] as const, [0, 1] as const, [1, 2] as const].filter(
      ([smaller, larger]) =>
        sizes[smaller] === sizes[larger] && (larger - smaller === 2 || (sizes[larger] ?? 0) >= SIGNIFICANT_SIZE),
    );
    const findings = equal.map(([smaller, larger]) => {
      const [fewer, weeks] = [LIMITS.deltaWeeks[smaller], LIMITS.deltaWeeks[larger]];
      return findingIn(
        (windows[larger] as (typeof windows)[number]).reading,
        `as-many-in-${fewer}-as-in-${weeks}-weeks`,
        `more changes in ${weeks} weeks than in ${fewer}`,
        `${sizes[larger]} in both`,
      );
    });
    return { of: windows.map(({ reading }) => reading), compared: Math.max(1, sizes[2] ?? 0), findings };
  },
  evidence: { rows: 0 },
  nothing: (sides) =>
    windowsIn(sides).length < LIMITS.deltaWeeks.length ? 'not every window was requested' : 'the 1-week delta is empty',
});

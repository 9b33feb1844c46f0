/** The windows of a delta: 1, 4 and 13 weeks, and no others where the profile states what these get: sections 4.3, 7 and 8. */
import { type DeltaWeeks, LIMITS, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import {
  type Declarations,
  decide,
  defineRule,
  describeResponse,
  type Finding,
  findingIn,
  inconclusive,
  isOk,
  kindOfStatus,
  otherStatus,
  type Reading,
  respondWith,
  type Steps,
  statusResult,
  step,
  untested,
} from '../../src/rule/index.ts';
import { presenceIn, presenceSteps, withOptionalControls } from '../../src/rule/served.ts';

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
    const { tested, ...steps } = withOptionalControls(presenceSteps(UPDATE_PRODUCTS));
    const windows = { one: request(1), four: request(4), thirteen: request(13) };
    return { ...steps, tested: { ...tested, optional: true as const }, ...windows };
  },
  counterexample: ({ thirteen }) => ({ thirteen: respondWith(thirteen, 400) }),
  judge(seen, { declarations }) {
    const windows = [seen.one[0], seen.four[0], seen.thirteen[0]].filter((each) => each !== undefined);
    const [first] = windows;
    if (!first) return untested('no window was requested');
    // If no smaller window has a row, the list may be missing or “not found”.
    const isFull = (reading: Reading) =>
      windows.slice(0, windows.indexOf(reading)).some(({ observation }) => !!observation?.rows);
    const problemOf = ({ observation }: Reading) => observation?.problem;
    const withoutList = windows.filter((each) => isFull(each) && problemOf(each)?.kind === 'rowsNotFound');
    const unread = windows.find(problemOf);
    if (unread && withoutList.length === 0) return inconclusive(problemOf(unread)?.message ?? '');
    const unsuccessful = windows.filter((each) => !isOk(each));
    if (unsuccessful.length === windows.length) return inconclusive(`no window gets a 2xx: ${describeResponse(first)}`);
    const stated = declarations.statuses(UPDATE_PRODUCTS);
    const notFound = [404, ...(stated.unknown ?? [])];
    const wrong = unsuccessful.filter((each) => isFull(each) || !notFound.includes(each.head?.status ?? 0));
    const mayMeanNone = unsuccessful.find((each) => !wrong.includes(each));
    const presence = presenceIn(seen, stated);
    const isJudged = presence && windows.length === LIMITS.deltaWeeks.length;
    return decide(
      {
        findings: [
          ...withoutList.map((each) => failureOf(each, 'no-list', problemOf(each)?.message ?? '')),
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

const OTHER_WINDOWS = [2, 3] as const;

/** Replaces the number in a spelling. */
const NUMBER = '\0';

/** A spelling with its number of weeks or days replaced; undefined if it contains no such number. */
function patternOf(spelling: string, weeks: number, daysOrWeeks: 1 | 7): string | undefined {
  const number = new RegExp(`(?<!\\d)0*${weeks * daysOrWeeks}(?!\\d)`);
  return number.test(spelling) ? spelling.replace(number, NUMBER) : undefined;
}

/**
 * How a request writes a window that the service does not have: as the profile spells it, or in the form of the spellings
 * for 4 and 13 weeks (`L4W`, `L13W`). Undefined if they have no form, or if the spelling means another window.
 * @example otherWindow(2, declarations) // 'P14D' where 4 weeks are P28D and 13 weeks are P91D
 */
function otherWindow(weeks: number, declarations: Declarations): string | number | undefined {
  const spellingOf = (window: number) => declarations.requestSpelling(UPDATE_PRODUCTS, 'window', window);
  const stated = spellingOf(weeks);
  const [derived] = ([1, 7] as const).flatMap((unit) => {
    const [pattern, other] = [4, 13].map((window) => patternOf(spellingOf(window), window, unit));
    return pattern !== undefined && pattern === other ? [pattern.replace(NUMBER, String(weeks * unit))] : [];
  });
  const text = stated === String(weeks) ? derived : stated;
  if (text === undefined || LIMITS.deltaWeeks.some((window) => spellingOf(window) === text)) return undefined;
  return text === stated ? weeks : text;
}

const otherWindows = (declarations: Declarations): (string | number)[] =>
  OTHER_WINDOWS.slice(0, declarations.draw('otherWindows')).flatMap((weeks) => otherWindow(weeks, declarations) ?? []);

export const malformedWindow = defineRule<Steps>({
  id: 'C.malformed-window',
  statement: 'C.delta-windows',
  demands:
    'A delta of 2 or 3 weeks is refused with a status that the profile states in the statuses.malformed of updateProducts itself.',
  how: [
    'updateProducts is requested for 4 weeks, which must succeed, and for 2 weeks, at `thorough` also for 3 weeks, as `request.spellings.window` writes it or in the form of the other windows (P4W and P13W give P2W).',
    'Windows written as words have no such form; the check is then untested.',
    'The rule fails if one of these gets something else than the stated status, twice.',
    'An overload or a denial proves nothing.',
  ],
  looksLike:
    'A service that knows further windows, or takes the nearest one, is legal; it does not state statuses.malformed at updateProducts.',
  subjects: [UPDATE_PRODUCTS],
  promise: 'operations.….statuses.malformed',
  needs: () => ['updateProducts.request', 'updateProducts.inputs.window'],
  isStated: ({ ownStatuses }, subject) => ownStatuses(subject).malformed !== undefined,
  unjudged: (subject, declarations) =>
    otherWindows(declarations).length === 0
      ? `the spellings of 4 and 13 weeks show no form for 2 weeks: state one under request.spellings.window."2" of ${subject}`
      : undefined,
  repeat: 'inconclusive',
  probe(subject, declarations): Steps {
    // A response with all windows is requested without one.
    if (!declarations.canFilterAlone(subject, 'window')) return {};
    const delta = (value: string | number) =>
      step({ operation: subject, inputs: { window: { value } }, accepts: 'any' });
    const [first, second] = otherWindows(declarations);
    if (first === undefined) return {};
    return {
      listed: delta(4),
      first: { ...delta(first), mayBeUnknown: true, after: ['listed'] },
      ...(second !== undefined && {
        second: { ...delta(second), mayBeUnknown: true, optional: true, after: ['listed'] },
      }),
    };
  },
  counterexample: ({ listed = [], first = [] }) => ({
    first: listed.map((each, at) => ({ ...each, inputs: first[at]?.inputs ?? each.inputs })),
  }),
  judge(seen, { declarations }) {
    const [listed] = seen.listed ?? [];
    if (!listed || !isOk(listed))
      return untested('the delta of 4 weeks does not succeed, so a refusal of others proves nothing');
    const sent = [...(seen.first ?? []), ...(seen.second ?? [])];
    const resultsOf = (result: ReturnType<typeof statusResult>) =>
      sent.filter((each) => statusResult(each, 'malformed', declarations) === result);
    const [about, accepted] = ['a window of other than 1, 4 or 13 weeks', 'other-window-accepted'];
    const findings = resultsOf('wrong').map((reading) => {
      const actual = `${describeResponse(reading)} for the window ${reading.inputs.window}`;
      return otherStatus(reading, 'malformed', { about, accepted, actual }, declarations);
    });
    const nothing = `another window got ${sent[0] ? describeResponse(sent[0]) : 'no response'}`;
    const compared = resultsOf('stated').length && sent.length;
    return decide({ of: sent, compared, findings }, { nothing, evidence: { rows: 0 } });
  },
});

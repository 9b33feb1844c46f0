/** A window of other than 1, 4 or 13 weeks, where the profile states what it gets: sections 4.3, 7 and 8. */
import { LIMITS, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import {
  type Declarations,
  decide,
  defineRule,
  describeResponse,
  findingIn,
  hasStatus,
  isBlocking,
  isOk,
  kindOfStatus,
  type Reading,
  type Steps,
  step,
  untested,
} from '../../src/rule/index.ts';

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

type Result = 'stated' | 'wrong' | 'nothing';

function resultOf(reading: Reading | undefined, declarations: Declarations): Result {
  const { malformed = [], ...others } = declarations.statuses(UPDATE_PRODUCTS);
  if (!reading) return 'nothing';
  const isStated = hasStatus(reading, malformed);
  const status = reading.head?.status ?? 0;
  if (isStated === true) return 'stated';
  if (isStated === undefined || status === 0 || isBlocking(status, others)) return 'nothing';
  return isOk(reading) || status >= 400 ? 'wrong' : 'nothing';
}

export const malformedWindow = defineRule<Steps>({
  id: 'C.malformed-window',
  statement: 'C.delta-windows',
  basis: 'profile',
  since: '0.2.0',
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
  unjudged: (subject, declarations) =>
    declarations.ownMalformed(subject) && otherWindows(declarations).length === 0
      ? `the spellings of 4 and 13 weeks show no form for 2 weeks: state one under request.spellings.window."2" of ${subject}`
      : undefined,
  repeat: 'inconclusive',
  probe(subject, declarations): Steps {
    // A response with all windows is requested without one.
    if (!declarations.ownMalformed(subject) || !declarations.canFilterAlone(subject, 'window')) return {};
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
    const { malformed = [] } = declarations.statuses(UPDATE_PRODUCTS);
    const resultsOf = (result: Result) => sent.filter((each) => resultOf(each, declarations) === result);
    const expected = `status ${malformed.join(' or ')} for a window of other than 1, 4 or 13 weeks, as the profile states in statuses.malformed of ${UPDATE_PRODUCTS}`;
    const findings = resultsOf('wrong').map((reading) =>
      findingIn(
        reading,
        isOk(reading) ? 'other-window-accepted' : kindOfStatus(reading),
        expected,
        `${describeResponse(reading)} for the window ${reading.inputs.window}`,
      ),
    );
    return decide(
      { of: sent, compared: resultsOf('stated').length && sent.length, findings },
      {
        nothing: `another window got ${sent[0] ? describeResponse(sent[0]) : 'no response'}`,
        evidence: { rows: 0 },
      },
    );
  },
});

/** A window of other than 1, 4 or 13 weeks, where the profile states what it gets: sections 4.3, 7 and 8. */
import { UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import {
  type Declarations,
  defineRule,
  describeResponse,
  type Finding,
  failed,
  hasStatus,
  inconclusive,
  isBlocking,
  isOk,
  kindOfStatus,
  passed,
  type Reading,
  type Steps,
  step,
  untested,
} from '../../src/rule/index.ts';

const OTHER_WINDOWS = [2, 3] as const;

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
  how: 'updateProducts is requested for 4 weeks, which must succeed, and for 2 weeks; if this gets something else than the stated status, for 3 weeks, too. The rule fails if both do, twice. An overload or a denial proves nothing.',
  looksLike:
    'A service that knows further windows, or takes the nearest one, is legal; it does not state statuses.malformed at updateProducts.',
  subjects: [UPDATE_PRODUCTS],
  promise: 'operations.….statuses.malformed',
  needs: () => ['updateProducts.request', 'updateProducts.inputs.window'],
  repeat: 'inconclusive',
  probe(subject, declarations): Steps {
    // A response with all windows is requested without one.
    if (!declarations.ownMalformed(subject) || !declarations.canFilterAlone(subject, 'window')) return {};
    const delta = (weeks: number) => step({ operation: subject, inputs: { window: { value: weeks } }, accepts: 'any' });
    const [first, second] = OTHER_WINDOWS;
    return {
      listed: delta(4),
      first: { ...delta(first), mayBeUnknown: true, after: ['listed'] },
      second: {
        ...delta(second),
        mayBeUnknown: true,
        optional: true,
        after: ['first'],
        when: (of) => resultOf(of('first')[0], declarations) === 'wrong',
      },
    };
  },
  counterexample: ({ listed = [], first = [] }) => ({
    first: listed.map((each, at) => ({ ...each, inputs: first[at]?.inputs ?? each.inputs })),
    second: listed,
  }),
  judge(seen, { declarations }) {
    const [listed] = seen.listed ?? [];
    if (!listed || !isOk(listed))
      return untested('the delta of 4 weeks does not succeed, so a refusal of others proves nothing');
    const sent = [...(seen.first ?? []), ...(seen.second ?? [])];
    const { malformed = [] } = declarations.statuses(UPDATE_PRODUCTS);
    if (sent.some((each) => resultOf(each, declarations) === 'stated'))
      return passed({ exchanges: sent.length, distinct: sent.length });
    const wrong = sent.filter((each) => resultOf(each, declarations) === 'wrong');
    const [first] = wrong;
    if (!first) return untested(`the window of 2 weeks got ${sent[0] ? describeResponse(sent[0]) : 'no response'}`);
    if (wrong.length < 2) return inconclusive(`${describeResponse(first)} for a window, but not confirmed`);
    return failed(
      wrong.map(
        (reading): Finding => ({
          kind: isOk(reading) ? 'other-window-accepted' : kindOfStatus(reading),
          expected: `status ${malformed.join(' or ')} for a window of other than 1, 4 or 13 weeks, as the profile states in statuses.malformed of ${UPDATE_PRODUCTS}`,
          actual: `${describeResponse(reading)} for ${reading.inputs.window} weeks`,
          exchange: reading.exchange,
        }),
      ),
    );
  },
});

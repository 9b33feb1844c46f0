/** A request without an id or window that the operation needs, where the profile states what it gets (section 7: not shown). */
import { neededInputs, OPERATIONS_WITH_INPUTS } from '../../src/contract/index.ts';
import { acceptedRequest, missingForRequest } from '../../src/rule/accepted-request.ts';
import {
  type Declarations,
  defineRule,
  describeResponse,
  type Finding,
  failed,
  hasStatus,
  isBlocking,
  isOk,
  kindOfStatus,
  onlyReading,
  openingOf,
  passed,
  type Reading,
  type Step,
  type Steps,
  step,
  untested,
} from '../../src/rule/index.ts';
import { servedSteps } from '../../src/rule/served-steps.ts';

type Result = 'stated' | 'wrong' | 'nothing';

function resultOf(reading: Reading, declarations: Declarations): Result {
  const { missing = [], ...others } = declarations.statuses(reading.operation);
  const isStated = hasStatus(reading, missing);
  if (isStated === true) return 'stated';
  const status = reading.head?.status ?? 0;
  if (isStated === undefined || isBlocking(status, others)) return 'nothing';
  if (isOk(reading)) return reading.observation?.problem === undefined ? 'wrong' : 'nothing';
  return status >= 400 ? 'wrong' : 'nothing';
}

export const missingInputs = defineRule<Steps>({
  id: 'every.missing-inputs',
  statement: 'operation.served',
  basis: 'profile',
  since: '0.2.0',
  demands:
    'A request that lacks the ids or the window that the operation needs gets a status that the profile states in statuses.missing of the operation itself.',
  how: 'A valid request must succeed. Then one without any id or window is sent and, where the operation needs ids below a catalogue, one with the id of the catalogue only. The rule fails if one of them gets a 2xx or an error that the profile does not state. An overload or a denial proves nothing.',
  looksLike:
    'A service that takes a default in place of what is missing, such as a window of 4 weeks, is legal; it does not state statuses.missing at the operation.',
  subjects: OPERATIONS_WITH_INPUTS,
  promise: 'operations.….statuses.missing',
  needs: (subject) => [openingOf(subject, 'request')],
  probe(subject, declarations): Steps {
    const needed = neededInputs(subject);
    const canLackAll = needed.every((input) => declarations.canOmit(subject, input));
    if (!declarations.ownMissing(subject) || !canLackAll) return {};
    const { own, ...sources } = acceptedRequest(subject, declarations) ?? {};
    if (!own) return { own: servedSteps(subject).tested };
    const incomplete: Step = step({
      operation: subject,
      accepts: 'any',
      mayBeUnknown: true,
      optional: true,
      after: ['own'],
      when: (of) => of('own').some(isOk),
    });
    return {
      ...sources,
      own,
      without: incomplete,
      ...(needed.length > 1 &&
        needed[0] === 'catalogueId' && {
          below: { ...incomplete, inputs: { catalogueId: { example: 'catalogueId', nth: 0 } } },
        }),
    };
  },
  counterexample: ({ own = [] }) => ({ without: own }),
  judge(seen, { subject, declarations }) {
    if (!acceptedRequest(subject, declarations)) return untested(missingForRequest(subject, declarations));
    const own = onlyReading(seen.own ?? []);
    if (!isOk(own)) return untested(`${describeResponse(own)} to the valid request, so others prove nothing`);
    const sent = [...(seen.without ?? []), ...(seen.below ?? [])];
    const { missing = [] } = declarations.statuses(subject);
    const findings = sent
      .filter((each) => resultOf(each, declarations) === 'wrong')
      .map((reading): Finding => {
        const lacking = neededInputs(subject).filter((input) => reading.inputs[input] === undefined);
        return {
          kind: isOk(reading) ? 'missing-input-accepted' : kindOfStatus(reading),
          expected: `status ${missing.join(' or ')} for a request without ${lacking.join(', ') || 'its inputs'}, as the profile states in statuses.missing of ${subject}`,
          actual: describeResponse(reading),
          exchange: reading.exchange,
        };
      });
    if (findings.length > 0) return failed(findings);
    const stated = sent.filter((each) => resultOf(each, declarations) === 'stated');
    const [first] = sent;
    if (stated.length > 0) return passed({ exchanges: stated.length + 1, distinct: stated.length });
    return untested(`the request without its inputs got ${first ? describeResponse(first) : 'no response'}`);
  },
});

/**
 * A request without an id, a window or the members of a body that the operation needs, where the profile states what it
 * gets (section 7: not shown).
 */
import { type Input, neededInputs, OPERATIONS_WITH_INPUTS, type OperationKey } from '../../src/contract/index.ts';
import { acceptedRequest, missingForRequest } from '../../src/rule/accepted-request.ts';
import {
  type Declarations,
  decide,
  defineRule,
  describeResponse,
  isOk,
  isReadable,
  needsOf,
  onlyReading,
  otherStatus,
  type Step,
  type Steps,
  statusResult,
  step,
  untested,
} from '../../src/rule/index.ts';

/** The inputs that the request of the profile carries, of those that the operation needs. */
const carriedInputs = (subject: OperationKey, declarations: Declarations): readonly Input[] =>
  neededInputs(subject).filter((input) => declarations.canOmit(subject, input) !== undefined);

/** Why no request can lack what the operation needs; undefined if one can, or if the profile states nothing about it. */
function whyUnjudged(subject: OperationKey, declarations: Declarations): string | undefined {
  if (!declarations.ownStatuses(subject).missing) return undefined;
  const carried = carriedInputs(subject, declarations);
  const fixed = carried.find((input) => !declarations.canOmit(subject, input));
  if (fixed !== undefined)
    return `no part of its request with {${fixed}} can be left out: write it in the query, a header, JSON, a form or multipart`;
  const needed = neededInputs(subject);
  if (carried.length === 0 && needed.length > 0) return `its request contains none of {${needed.join('}, {')}}`;
  if (needed.length === 0 && !declarations.withoutMembers(subject))
    return 'its request has no JSON object and no form with members, or has a query, too, which may contain what it needs';
  return acceptedRequest(subject, declarations) ? undefined : missingForRequest(subject, declarations);
}

export const missingInputs = defineRule<Steps>({
  id: 'every.missing-inputs',
  statement: 'operation.served',
  demands:
    'A request that lacks the ids, the window or the members of its body that the operation needs gets a status that the profile states in statuses.missing of the operation itself.',
  how: [
    'A valid request must succeed.',
    'Then one without any id or window is sent and, where the operation needs ids below a catalogue, one with the id of the catalogue only.',
    'To a POST of group A, whose inputs the document does not name, one is sent whose JSON object or form is empty.',
    'The rule fails if one of them gets a 2xx or an error that the profile does not state; an overload or a denial proves nothing.',
  ],
  looksLike:
    'A service that takes a default in place of what is missing, such as a window of 4 weeks, is legal; it does not state statuses.missing at the operation.',
  subjects: OPERATIONS_WITH_INPUTS,
  promise: 'operations.….statuses.missing',
  needs: (subject) => needsOf(subject, 'request'),
  unjudged: whyUnjudged,
  probe(subject, declarations) {
    const { own, ...sources } = acceptedRequest(subject, declarations) ?? {};
    if (!declarations.ownStatuses(subject).missing || whyUnjudged(subject, declarations) || !own) return {};
    const carried = carriedInputs(subject, declarations);
    const request = neededInputs(subject).length === 0 ? declarations.withoutMembers(subject) : undefined;
    const incomplete: Step = step({
      operation: subject,
      ...(request && { variant: { request } }),
      accepts: 'any',
      mayBeUnknown: true,
      optional: true,
      after: ['own'],
      when: (of) => of('own').some(isOk),
    });
    const below: Step = { ...incomplete, inputs: { catalogueId: { example: 'catalogueId', nth: 0 } } };
    const isBelow = carried.length > 1 && carried[0] === 'catalogueId';
    return { ...sources, own, without: incomplete, ...(isBelow && { below }) };
  },
  counterexample: ({ own = [] }) => ({ without: own }),
  judge(seen, { subject, declarations }) {
    const own = onlyReading(seen.own ?? []);
    if (!isOk(own)) return untested(`${describeResponse(own)} to the valid request, so others prove nothing`);
    const sent = [...(seen.without ?? []), ...(seen.below ?? [])];
    const resultsOf = (result: ReturnType<typeof statusResult>) =>
      sent.filter((each) => statusResult(each, 'missing', declarations) === result);
    const wrong = resultsOf('wrong').filter((each) => !isOk(each) || isReadable(each));
    const findings = wrong.map((reading) => {
      const lacking = carriedInputs(subject, declarations).filter((input) => reading.inputs[input] === undefined);
      const about = `a request without ${lacking.join(', ') || 'the members of its body'}`;
      return otherStatus(reading, 'missing', { about, accepted: 'missing-input-accepted' }, declarations);
    });
    const { length: compared } = resultsOf('stated');
    const got = sent[0] ? describeResponse(sent[0]) : 'no response';
    const nothing = `the request without its inputs got ${got}`;
    return decide({ compared, findings }, { nothing, evidence: { exchanges: compared + 1 } });
  },
});

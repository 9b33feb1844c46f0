/** An operation that accepts a request accepts the same request again: section 4. */
import { OPERATIONS, type OperationKey, operationOf } from '../../src/contract/index.ts';
import { equalCall } from '../../src/rule/draws.ts';
import {
  type Declarations,
  defineRule,
  describeResponse,
  failed,
  findingIn,
  inconclusive,
  isBlocking,
  isOk,
  kindOfStatus,
  needsOf,
  passed,
  type Reading,
  type ReadingsOf,
  respondWith,
  type Step,
  type Steps,
  untested,
} from '../../src/rule/index.ts';
import { errorNowAndThen, isServerError } from '../../src/rule/judge-server-errors.ts';
import { exampleRequest, STATUS_OPERATIONS } from '../../src/rule/list-requests.ts';
import { requiredInputs } from '../../src/rule/served.ts';

/** The status operations are requested several times by A.job-status. */
const SUBJECTS = OPERATIONS.map(({ key }) => key).filter((key) => !STATUS_OPERATIONS.includes(key));

/** Statuses that mean that nothing is there; any other may mean a limit, a duplicate or a refusal. */
const NOT_THERE = [404, 405, 410];

/** Whether a POST may start a job or store something: it is sent twice only. */
const isCostly = (subject: OperationKey): boolean => !['read', 'unclear'].includes(operationOf(subject).safety);

/** The steps that show whether other operations answer after an error. */
const OTHERS = 'other: ';

/** No other rule sends requests with this repetition. */
const REPETITION = 60;

/** Valid requests of other operations, one of each group. */
function otherRequests(subject: OperationKey, { claims, validRequest }: Declarations) {
  const others = OPERATIONS.filter(
    ({ key, safety }) => key !== subject && safety === 'read' && claims(key) && validRequest(key),
  );
  return new Map(others.map(({ key, group }) => [group, key]));
}

const callName = (nth: number): string => `call ${nth}`;

/**
 * The requests are those of the rules about equal requests of lists, so that they are sent once. If any response of the run
 * is a server error, one more shows whether the operation still fails.
 */
function requests(subject: OperationKey, declarations: Declarations): Steps {
  const { walk, request } = exampleRequest(subject, declarations);
  const count = isCostly(subject) ? 2 : declarations.draw('equalCalls');
  const calls: { [name: string]: Step } = {};
  for (let nth = 1; nth <= count; nth++) {
    const second = { ...request, repetition: nth - 1, ...(nth > 1 && { last: true as const }) };
    const call = isCostly(subject) ? second : equalCall(request, nth, declarations);
    calls[callName(nth)] = { ...call, ...(nth > 1 && { after: [callName(nth - 1)] }) };
  }
  const further = { repetition: REPETITION, optional: true } as const;
  const when = (of: ReadingsOf) => of('all').some(isServerError);
  calls[callName(count + 1)] = { ...request, ...further, after: Object.keys(calls), when };
  const after = Object.keys(calls);
  const isFailing = (of: ReadingsOf) => after.some((call) => of(call).some(isServerError));
  const others = [...otherRequests(subject, declarations)].map(([group, key]): [string, Step] => [
    OTHERS + group,
    { ...exampleRequest(key, declarations).request, ...further, after, when: isFailing },
  ]);
  return { ...walk, ...calls, ...Object.fromEntries(others), all: { ...request, fromAllRules: true, optional: true } };
}

/** Whether no data decides if the request is known: it has no values, and changes nothing, e.g. no map that is saved once. */
const isWithoutData = (subject: OperationKey): boolean =>
  operationOf(subject).safety === 'read' && Object.values(requiredInputs(subject)).every((source) => 'value' in source);

export const servedAgain = defineRule<Steps>({
  id: 'every.served-again',
  statement: 'operation.served',
  basis: 'derived',
  demands:
    'An operation that accepts a valid request is there for the same request again, and does not fail from then on.',
  how: [
    'The same request is sent three times (quick: twice, thorough: five times), a POST of group A twice, the last time after all other requests of the run.',
    'If one gets 2xx, none may get 405; a request without values, none 404 or 410 either; and the later ones may not all get 500 or 501 while other operations answer.',
    'The requests are sent again before the rule fails.',
    'Server errors now and then, and a refusal of a repeated read request, are inconclusive; a refusal of a repeated start or write is not judged.',
  ],
  looksLike: [
    'A server that refuses a repeated request because of a limit or as a duplicate, which is legal, looks like this violation; the status tells them apart: 404, 405 and 410 mean that nothing is there, 500 and 501 that it failed.',
    'So does a server that is overloaded for a moment; it answers when the request is sent again.',
  ],
  subjects: SUBJECTS,
  needs: (subject) => needsOf(subject, 'request'),
  repeat: 'inconclusive',
  probe: requests,
  counterexample: (seen) => ({ 'call 2': respondWith(seen['call 2'], 405) }),
  judge(seen, { subject, declarations }) {
    const statuses = declarations.statuses(subject);
    const calls = Object.entries(seen).flatMap(([name, [reading]]) =>
      reading && name.startsWith('call ') ? [{ name, reading }] : [],
    );
    const found = calls.filter(({ reading }) => isOk(reading));
    const missing = calls.filter(({ reading: { head } }) => NOT_THERE.includes(head?.status ?? 0));
    const failing = calls.filter(({ reading }) => isServerError(reading));
    const [call] = calls;
    if (!call) return untested('no request was sent');
    const isEqual = ({ inputs }: Reading) => JSON.stringify(inputs) === JSON.stringify(call.reading.inputs);
    const accepted = found[0]?.reading ?? seen.all?.find((each) => isOk(each) && isEqual(each));
    if (!accepted) return untested(`no request got a 2xx: ${describeResponse(call.reading)}`);
    const expected = `a 2xx for each of ${calls.length} equal requests`;
    const other = `${describeResponse(accepted)} for ${found[0]?.name ?? 'an earlier request'}`;
    const findingsIn = (broken: typeof calls) =>
      broken.map(({ name, reading }) =>
        findingIn(reading, kindOfStatus(reading), expected, `${describeResponse(reading)} for ${name}, ${other}`),
      );
    if (missing.length > 0) {
      const isData = ({ reading: { head } }: (typeof missing)[number]) =>
        head?.status !== 405 && (!isWithoutData(subject) || (statuses.unknown ?? []).includes(head?.status ?? 0));
      const doubt = `${findingsIn(missing)[0]?.actual}: what is requested may not be there any more`;
      const findings = findingsIn(missing.filter((each) => !isData(each)));
      return findings.length > 0 ? failed(findings) : inconclusive(doubt);
    }
    if (failing.length > 0) {
      const findings = findingsIn(failing);
      const isLasting = calls.slice(-failing.length).every(({ reading }) => isServerError(reading));
      const doOthersAnswer = Object.entries(seen).some(([name, other]) => name.startsWith(OTHERS) && other.some(isOk));
      if (isLasting && doOthersAnswer) return failed(findings, 'profile');
      const because = isLasting ? 'and other operations do not answer either' : 'but not each time';
      return inconclusive(`${findings[0]?.actual}, ${because}`);
    }
    const sometimes = errorNowAndThen(seen.all ?? []);
    if (sometimes !== undefined) return inconclusive(sometimes);
    const refused = calls.find(({ reading }) => !isOk(reading));
    const isRefused = refused?.reading.head && !isBlocking(refused.reading.head.status, statuses);
    if (isRefused && operationOf(subject).safety === 'read')
      return inconclusive(
        `${findingsIn([refused])[0]?.actual}; if the service limits requests, state the status in statuses.tooMany`,
      );
    if (found.length > 1) return passed({ exchanges: found.length, distinct: 1 });
    return untested(
      `only one request got a 2xx, another ${refused ? describeResponse(refused.reading) : 'was not sent'}`,
    );
  },
});

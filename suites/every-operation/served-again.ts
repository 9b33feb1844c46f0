/** An operation that accepts a request accepts the same request again: section 4. */
import { JOB_STATUS, OPERATIONS, type OperationKey, operationOf } from '../../src/contract/index.ts';
import { acceptedCoding } from '../../src/rule/call-order.ts';
import {
  type Declarations,
  defineRule,
  describeResponse,
  type Finding,
  failed,
  inconclusive,
  isOk,
  kindOfStatus,
  openingOf,
  passed,
  type Reading,
  respondWith,
  type Step,
  type Steps,
  untested,
} from '../../src/rule/index.ts';
import { exampleRequest } from '../../src/rule/list-requests.ts';
import { requiredInputs } from '../../src/rule/served-steps.ts';

/** The status operations are requested several times by A.job-status. */
const SUBJECTS = OPERATIONS.map(({ key }) => key).filter(
  (key) => !Object.values<OperationKey>(JOB_STATUS).includes(key),
);

/** Statuses that mean that nothing is there; any other may mean a limit, a duplicate or a refusal. */
const NOT_THERE = [404, 405, 410];

/** Whether a POST may start a job or store something: it is sent twice only. */
const isCostly = (subject: OperationKey): boolean => !['read', 'unclear'].includes(operationOf(subject).safety);

/** The requests are those of the rules about equal requests of lists, so that they are sent once. */
function requests(subject: OperationKey, declarations: Declarations): Steps {
  const { walk, request } = exampleRequest(subject, declarations);
  if (isCostly(subject)) return { 'call 1': request, 'call 2': { ...request, repetition: 1, after: ['call 1'] } };
  const calls = Array.from({ length: declarations.draw('equalCalls') }, (_, at): [string, Step] => {
    const acceptEncoding = acceptedCoding(at);
    const variant = acceptEncoding === undefined ? {} : { variant: { acceptEncoding } };
    const repeated = at === 0 ? {} : { repetition: at + 1, after: [`call ${at}`] };
    return [`call ${at + 1}`, { ...request, ...variant, ...repeated }];
  });
  return { ...walk, ...Object.fromEntries(calls) };
}

/** Whether no data decides if the request is known: it has no values, and changes nothing, e.g. no map that is saved once. */
const isWithoutData = (subject: OperationKey): boolean =>
  operationOf(subject).safety === 'read' && Object.values(requiredInputs(subject)).every((source) => 'value' in source);

export const servedAgain = defineRule<Steps>({
  id: 'every.served-again',
  statement: 'operation.served',
  basis: 'derived',
  since: '0.2.0',
  demands: 'An operation that accepts a valid request is there for the same request again.',
  how: 'The same request is sent three times (quick: twice, thorough: five times), a POST of group A twice. If one gets 2xx, none may get 405; a request without values, none 404 or 410 either. The requests are sent again before the rule fails. Any other refusal is not judged.',
  looksLike:
    'A server that refuses a repeated request because of a limit or as a duplicate, which is legal, looks like this violation; the status tells them apart: 404, 405 and 410 mean that nothing is there.',
  subjects: SUBJECTS,
  needs: (subject) => [openingOf(subject, 'request')],
  repeat: 'inconclusive',
  probe: requests,
  counterexample: (seen) => ({ 'call 2': respondWith(seen['call 2'], 405) }),
  judge(seen, { subject, declarations }) {
    const { unknown = [] } = declarations.statuses(subject);
    const calls = Object.entries(seen).flatMap(([name, [reading]]) =>
      reading && name.startsWith('call ') ? [{ name, reading }] : [],
    );
    const found = calls.filter(({ reading }) => isOk(reading));
    const missing = calls.filter(({ reading: { head } }) => NOT_THERE.includes(head?.status ?? 0));
    const [first] = found;
    if (!first)
      return untested(
        calls.length === 0
          ? 'no request was sent'
          : `no request got a 2xx: ${describeResponse(calls[0]?.reading as Reading)}`,
      );
    if (missing.length === 0) {
      const other = calls.find(({ reading }) => !isOk(reading));
      if (found.length < 2)
        return untested(
          `only one request got a 2xx, another ${other ? describeResponse(other.reading) : 'was not sent'}`,
        );
      return passed({ exchanges: found.length, distinct: 1 });
    }
    const findings = missing.map(
      ({ name, reading }): Finding => ({
        kind: kindOfStatus(reading),
        expected: `a 2xx for each of ${calls.length} equal requests`,
        actual: `${describeResponse(reading)} for ${name}, ${describeResponse(first.reading)} for ${first.name}`,
        exchange: reading.exchange,
      }),
    );
    const isData = ({ reading: { head } }: (typeof missing)[number]) =>
      head?.status !== 405 && (!isWithoutData(subject) || unknown.includes(head?.status ?? 0));
    if (missing.every(isData))
      return inconclusive(`${findings[0]?.actual}: what is requested may not be there any more`);
    return failed(findings.filter((_, at) => !isData(missing[at] as (typeof missing)[number])));
  },
});

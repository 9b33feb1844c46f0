/** The credentials of the profile are accepted by each operation that the profile says they cover (section 5: not shown). */
import { OPERATIONS, type OperationKey, operationOf } from '../../src/contract/index.ts';
import { acceptedRequest, missingForRequest, STATUS_OPERATIONS } from '../../src/rule/accepted-request.ts';
import {
  type Declarations,
  defineRule,
  describeResponse,
  failed,
  inconclusive,
  isOk,
  kindOfStatus,
  onlyReading,
  passed,
  type Reading,
  respondWith,
  type Step,
  type Steps,
  untested,
} from '../../src/rule/index.ts';
import { servedSteps } from '../../src/rule/served-steps.ts';

/** Headers of a response that counts requests: its refusal may be a limit. */
const LIMIT_HEADERS = /^(?:retry-after|(?:x-)?ratelimit(?:-.*)?)$/i;

/** Whether the response refuses the credentials: 401, 403, or a status that the profile states in `unauthorized`. */
function isRefused({ head, operation }: Reading, { statuses }: Declarations): boolean {
  if (!head) return false;
  const { unknown = [], malformed = [], unauthorized = [], tooMany = [] } = statuses(operation);
  if (unauthorized.includes(head.status)) return true;
  const isStated = [...unknown, ...malformed, ...tooMany].includes(head.status);
  return (head.status === 401 || head.status === 403) && !isStated;
}

/** Two other operations of the group that the same credentials cover and that change nothing. */
const controlsOf = (subject: OperationKey, declarations: Declarations): OperationKey[] =>
  OPERATIONS.filter(({ key, group, safety }) => {
    if (key === subject || group !== operationOf(subject).group || safety !== 'read') return false;
    return !STATUS_OPERATIONS.includes(key) && declarations.credentialsCover(key) && declarations.validRequest(key);
  })
    .map(({ key }) => key)
    .slice(0, 2);

export const credentialsAccepted = defineRule<Steps>({
  id: 'every.credentials',
  statement: 'operation.served',
  basis: 'profile',
  since: '0.2.0',
  demands: 'The operation accepts the credentials, where the profile states in authCovers that they cover it.',
  how: 'The operation is requested; a status operation with the id of a job that is started, or of the example job. If it refuses the credentials, two other operations of its group are requested, and then the operation again. The rule fails if it refuses them each time, also in a repetition, while another operation accepts them.',
  looksLike:
    'An operation that needs another scope is legal unless the profile promises that the credentials cover it; a limit of requests shows Retry-After or RateLimit, and expired credentials are refused by the other operations, too.',
  subjects: OPERATIONS.map(({ key }) => key),
  promise: 'authCovers',
  needs: () => [],
  repeat: 'inconclusive',
  unjudged: (subject, declarations) =>
    declarations.credentialsCover(subject) ? missingForRequest(subject, declarations) : undefined,
  probe(subject, declarations): Steps {
    if (!declarations.credentialsCover(subject)) return {};
    const { own, ...sources } = acceptedRequest(subject, declarations) ?? {};
    if (!own) return {};
    const whenRefused: Partial<Step> = {
      optional: true,
      when: (of) => of('own').some((reading) => isRefused(reading, declarations)),
    };
    const controls = controlsOf(subject, declarations).map(
      (key, at) =>
        [`control${at}`, { ...servedSteps(key).tested, ...whenRefused, repetition: 70, after: ['own'] }] as const,
    );
    const after = ['own', ...controls.map(([name]) => name)];
    return {
      ...sources,
      own,
      ...Object.fromEntries(controls),
      again: { ...own, ...whenRefused, repetition: 71, after },
    };
  },
  counterexample: ({ own }) => ({
    own: respondWith(own, 403),
    again: respondWith(own, 403),
    control0: own ?? [],
  }),
  judge(seen, { subject, declarations }) {
    const own = onlyReading(seen.own ?? []);
    if (!own.head) return inconclusive(`no response: ${own.failure}`);
    if (!isRefused(own, declarations)) {
      const cut = own.failure ?? own.observation?.problem?.message;
      if (isOk(own) && cut !== undefined) return inconclusive(`${describeResponse(own)}, but ${cut}`);
      if (isOk(own)) return passed({ exchanges: 1, distinct: 1 }, describeResponse(own));
      return untested(`${describeResponse(own)} does not show whether the credentials are accepted`);
    }
    const isLimit = own.head.headers.some(([name]) => LIMIT_HEADERS.test(name));
    if (isLimit) return inconclusive(`${describeResponse(own)}, with a limit of requests`);
    const accepting = ['control0', 'control1'].flatMap((name) => seen[name] ?? []).find(isOk);
    if (!accepting)
      return inconclusive(
        `${describeResponse(own)}, and no other operation of the group shows that the credentials work`,
      );
    const again = seen.again?.[0];
    if (!again || !isRefused(again, declarations))
      return inconclusive(
        `${describeResponse(own)} at first, and ${again ? describeResponse(again) : 'no response'} later`,
      );
    return failed([
      {
        kind: `credentials-${kindOfStatus(own)}`,
        expected: `${subject} accepts the credentials, as the profile states in authCovers`,
        actual: `${describeResponse(again)}, while ${accepting.operation} accepts them`,
        exchange: again.exchange,
      },
    ]);
  },
});

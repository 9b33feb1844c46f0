/**
 * What a request must contain: the credentials of the profile are accepted by each operation that it says they cover; others,
 * and requests without an id, a window or the members of a body, get what it states (sections 5 and 7: not shown).
 */
import {
  type Input,
  neededInputs,
  OPERATIONS,
  OPERATIONS_WITH_INPUTS,
  type OperationKey,
  operationOf,
} from '../../src/contract/index.ts';
import {
  type Declarations,
  decide,
  defineRule,
  describeResponse,
  failed,
  findingIn,
  inconclusive,
  isOk,
  isReadable,
  kindOfStatus,
  needsOf,
  onlyReading,
  otherStatus,
  passed,
  type Rule,
  type RuleLiteral,
  respondWith,
  type Step,
  type Steps,
  statusResult,
  step,
  untested,
} from '../../src/rule/index.ts';
import {
  acceptedRequest,
  type FilledFields,
  filledFields,
  isSameContent,
  missingForRequest,
  STATUS_OPERATIONS,
} from '../../src/rule/list-requests.ts';
import { servedSteps } from '../../src/rule/served.ts';
import type { Reading } from '../../src/rule/step.ts';

const OF_EACH_OPERATION = {
  statement: 'operation.served',
  subjects: OPERATIONS.map(({ key }) => key),
  needs: () => [],
  repeat: 'inconclusive',
} as const;

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
const controlsOf = (subject: OperationKey, { credentialsCover, validRequest }: Declarations) =>
  OPERATIONS.filter(({ key, group, safety }) => {
    if (key === subject || group !== operationOf(subject).group || safety !== 'read') return false;
    return !STATUS_OPERATIONS.includes(key) && credentialsCover(key) && validRequest(key);
  }).slice(0, 2);

export const credentialsAccepted = defineRule<Steps>({
  ...OF_EACH_OPERATION,
  id: 'every.credentials',
  demands: 'The operation accepts the credentials, where the profile states in authCovers that they cover it.',
  how: [
    'The operation is requested; a status operation with the id of a job that is started, or of the example job.',
    'If it refuses the credentials, two other operations of its group are requested, and then the operation again.',
    'The rule fails if it refuses them each time, also in a repetition, while another operation accepts them.',
  ],
  looksLike:
    'An operation that needs another scope is legal unless the profile promises that the credentials cover it; a limit of requests shows Retry-After or RateLimit, and expired credentials are refused by the other operations, too.',
  promise: 'authCovers',
  isStated: ({ credentialsCover }, subject) => credentialsCover(subject),
  unjudged: missingForRequest,
  probe(subject, declarations): Steps {
    const { own, ...sources } = acceptedRequest(subject, declarations) ?? {};
    if (!own) return {};
    const whenRefused: Partial<Step> = {
      optional: true,
      when: (of) => of('own').some((reading) => isRefused(reading, declarations)),
    };
    const controls: Steps = Object.fromEntries(
      controlsOf(subject, declarations).map(({ key }, at) => [
        `control${at}`,
        { ...servedSteps(key).tested, ...whenRefused, repetition: 70, after: ['own'] },
      ]),
    );
    const again = { ...own, ...whenRefused, repetition: 71, after: ['own', ...Object.keys(controls)] };
    return { ...sources, own, ...controls, again };
  },
  counterexample: ({ own }) => ({ own: respondWith(own, 403), again: respondWith(own, 403), control0: own ?? [] }),
  judge(seen, { subject, declarations }) {
    const own = onlyReading(seen.own ?? []);
    if (!own.head) return inconclusive(`no response: ${own.failure}`);
    const described = describeResponse(own);
    if (!isRefused(own, declarations)) {
      const cut = own.failure ?? own.observation?.problem?.message;
      if (!isOk(own)) return untested(`${described} does not show whether the credentials are accepted`);
      return cut === undefined
        ? passed({ exchanges: 1, distinct: 1 }, described)
        : inconclusive(`${described}, but ${cut}`);
    }
    const isLimit = own.head.headers.some(([name]) => LIMIT_HEADERS.test(name));
    if (isLimit) return inconclusive(`${described}, with a limit of requests`);
    const accepting = ['control0', 'control1'].flatMap((name) => seen[name] ?? []).find(isOk);
    if (!accepting)
      return inconclusive(`${described}, and no other operation of the group shows that the credentials work`);
    const [again] = seen.again ?? [];
    if (!again || !isRefused(again, declarations))
      return inconclusive(`${described} at first, and ${again ? describeResponse(again) : 'no response'} later`);
    const expected = `${subject} accepts the credentials, as the profile states in authCovers`;
    const actual = `${describeResponse(again)}, while ${accepting.operation} accepts them`;
    return failed([findingIn(again, `credentials-${kindOfStatus(own)}`, expected, actual)]);
  },
});

/** The promise that an operation refuses some credentials. */
interface Refusal extends Pick<RuleLiteral<Steps>, 'id' | 'demands' | 'looksLike'> {
  readonly promise: 'authRequired' | 'authSeparate' | 'authVerified' | 'authLimited';
  /** What the request has in place of the credentials of the operation. */
  readonly sent: string;
  /** How it is sent, if that is not all. */
  readonly how?: string;
  /** Why a run cannot send these credentials. */
  readonly unknown: string;
}

const LOGIN_PAGE = 'a login page with 200 has another media type, no fields of rows or another body.';

/** A rule: an operation refuses requests with other credentials than its own. */
const refusalRule = ({ promise, sent, how = '', unknown, ...rule }: Refusal): Rule =>
  defineRule<Steps>({
    ...OF_EACH_OPERATION,
    ...rule,
    how: [
      `The valid request is sent with the credentials of the operation and then once ${sent}${how}.`,
      'Where the profile has no examples, the ids are those of a walk or of a started job.',
      'The rule fails if both get a 2xx with the same content: rows with the same fields, or bodies that differ in ids and numbers only.',
    ],
    promise,
    isStated: ({ refusedCredentials }, subject) => refusedCredentials(subject, promise) !== undefined,
    unjudged: (subject, declarations) =>
      declarations.refusedCredentials(subject, promise) === 'unknown'
        ? unknown
        : missingForRequest(subject, declarations),
    probe(subject, declarations): Steps {
      const credentials = declarations.refusedCredentials(subject, promise);
      const { own: accepted, ...sources } = acceptedRequest(subject, declarations) ?? {};
      if (credentials === undefined || credentials === 'unknown' || !accepted) return {};
      const own: Step = { ...accepted, folds: { ...accepted.folds, ...filledFields } };
      const variant = { ...own.variant, credentials };
      // An attempt with invented credentials that proves nothing is not made.
      const whenAccepted: Partial<Step> =
        credentials === 'invalid' ? { optional: true, when: (of) => of('own').some(isOk) } : {};
      return { ...sources, own, refused: { ...own, variant, after: [...(own.after ?? []), 'own'], ...whenAccepted } };
    },
    counterexample: ({ own = [] }) => ({ refused: own }),
    judge(seen, { subject }) {
      const [own, other] = [seen.own, seen.refused].map((found) => found?.[0] as Reading<FilledFields> | undefined);
      if (!own?.head) return inconclusive(`no response: ${own?.failure}`);
      if (!isOk(own)) return untested(`${describeResponse(own)} to the request with the credentials of the operation`);
      if (!other) return untested(`no request ${sent} is known`);
      if (!other.head) return inconclusive(`no response ${sent}: ${other.failure}`);
      const described = describeResponse(other);
      if (!isOk(other)) return passed({ exchanges: 2, distinct: 1 }, `${described} ${sent}`);
      if (!isSameContent(own, other))
        return inconclusive(`${described} ${sent}, with other content, such as a login page`);
      const expected = `${subject} refuses a request ${sent}, as the profile states in ${promise}`;
      const actual = `${described}, with the content that the credentials of the operation get`;
      return failed([findingIn(other, 'not-refused', expected, actual)]);
    },
  });

export const credentialsRefused: readonly Rule[] = [
  refusalRule({
    id: 'every.credentials-required',
    promise: 'authRequired',
    demands:
      'The operation refuses a request without credentials, where the profile states in authRequired that it needs them.',
    sent: 'without credentials',
    looksLike: `A server that redirects to a login page, or returns one with 200, is legal; ${LOGIN_PAGE}`,
    unknown: 'its requests carry no credentials',
  }),
  refusalRule({
    id: 'every.credentials-separate',
    promise: 'authSeparate',
    demands:
      'The operation refuses the credentials that authFor gives to another group, where the profile states it in authSeparate.',
    sent: 'with the credentials of another group',
    looksLike: `A server where one account opens several groups is legal unless the profile promises the opposite; ${LOGIN_PAGE}`,
    unknown: 'no other group has other credentials in `authFor`',
  }),
  refusalRule({
    id: 'every.credentials-verified',
    promise: 'authVerified',
    demands:
      'The operation refuses invented credentials, where the profile states in authVerified that it verifies them.',
    sent: 'with invented credentials',
    how: ': values of the same length and characters in the same places, a token in the form of a JWT with another signature, a signature with another key, for Basic also another user name',
    looksLike: `A server that needs no credentials, and so reads none, is legal unless the profile promises that it verifies them; ${LOGIN_PAGE}`,
    unknown: 'its requests carry no credentials, or a client certificate, which cannot be invented',
  }),
  refusalRule({
    id: 'every.credentials-limited',
    promise: 'authLimited',
    demands:
      'The operation refuses the credentials of authFor.limited, which lack a right, where the profile states it in authLimited.',
    sent: 'with the credentials of authFor.limited',
    looksLike: `A server whose accounts all have the same rights is legal unless the profile promises the opposite; ${LOGIN_PAGE}`,
    unknown: 'the credentials `authFor.limited`, which it refuses, are missing',
  }),
];

/** The inputs that the request of the profile carries, of those that the operation needs. */
const carriedInputs = (subject: OperationKey, declarations: Declarations): readonly Input[] =>
  neededInputs(subject).filter((input) => declarations.canOmit(subject, input) !== undefined);

/** Why no request can lack what the operation needs; undefined if one can. */
function whyUnjudged(subject: OperationKey, declarations: Declarations): string | undefined {
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
  isStated: ({ ownStatuses }, subject) => ownStatuses(subject).missing !== undefined,
  unjudged: whyUnjudged,
  probe(subject, declarations) {
    const { own, ...sources } = acceptedRequest(subject, declarations) ?? {};
    if (whyUnjudged(subject, declarations) || !own) return {};
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

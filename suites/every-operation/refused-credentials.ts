/** An operation refuses requests without its credentials, where the profile states it (section 5: not shown). */
import { OPERATIONS, type OperationKey } from '../../src/contract/index.ts';
import { acceptedRequest, missingForRequest } from '../../src/rule/accepted-request.ts';
import {
  type Declarations,
  defineRule,
  describeResponse,
  failed,
  inconclusive,
  isOk,
  type Judgement,
  onlyReading,
  passed,
  type Reading,
  type Rule,
  type Step,
  type Steps,
  untested,
} from '../../src/rule/index.ts';
import { type FilledFields, filledFields, isSameContent } from '../../src/rule/same-content.ts';

type Promised = 'authRequired' | 'authSeparate' | 'authVerified' | 'authLimited';

/** Why a run cannot send the credentials that an operation refuses. */
const UNKNOWN_CREDENTIALS: Readonly<Record<Promised, string>> = {
  authRequired: 'its requests carry no credentials',
  authSeparate: 'no other group has other credentials in `authFor`',
  authVerified: 'its requests carry no credentials, or a client certificate, which cannot be invented',
  authLimited: 'the credentials `authFor.limited`, which it refuses, are missing',
};

/** The usual request, and then the same one with the credentials that the operation refuses. */
function refusedSteps(subject: OperationKey, declarations: Declarations, promise: Promised): Steps {
  const credentials = declarations.refusedCredentials(subject, promise);
  if (credentials === undefined || credentials === 'unknown') return {};
  const { own: accepted, ...sources } = acceptedRequest(subject, declarations) ?? {};
  if (!accepted) return {};
  const own: Step = { ...accepted, folds: { ...accepted.folds, ...filledFields } };
  const after = [...(own.after ?? []), 'own'];
  const refusal: Step = { ...own, variant: { ...own.variant, credentials }, after };
  // An attempt with invented credentials that proves nothing is not made.
  const whenAccepted: Partial<Step> =
    credentials === 'invalid' ? { optional: true, when: (of) => of('own').some(isOk) } : {};
  return { ...sources, own, refused: { ...refusal, ...whenAccepted } };
}

function judgeRefused(
  own: Reading<FilledFields>,
  other: Reading<FilledFields> | undefined,
  subject: OperationKey,
  sent: string,
  stated: string,
): Judgement {
  if (!own.head) return inconclusive(`no response: ${own.failure}`);
  if (!isOk(own)) return untested(`${describeResponse(own)} to the request with the credentials of the operation`);
  if (!other) return untested(`no request ${sent} is known`);
  if (!other.head) return inconclusive(`no response ${sent}: ${other.failure}`);
  if (!isOk(other)) return passed({ exchanges: 2, distinct: 1 }, `${describeResponse(other)} ${sent}`);
  if (!isSameContent(own, other))
    return inconclusive(`${describeResponse(other)} ${sent}, with other content, such as a login page`);
  return failed([
    {
      kind: 'not-refused',
      expected: `${subject} refuses a request ${sent}, as the profile states in ${stated}`,
      actual: `${describeResponse(other)}, with the content that the credentials of the operation get`,
      exchange: other.exchange,
    },
  ]);
}

interface RefusalRule extends Pick<Rule, 'id' | 'demands' | 'how' | 'looksLike'> {
  /** What the request has in place of the credentials of the operation. */
  readonly sent: string;
  readonly promise: Promised;
}

const refusalRule = ({ sent, promise, ...texts }: RefusalRule): Rule =>
  defineRule<Steps>({
    ...texts,
    statement: 'operation.served',
    basis: 'profile',
    since: '0.2.0',
    subjects: OPERATIONS.map(({ key }) => key),
    promise,
    needs: () => [],
    repeat: 'inconclusive',
    unjudged(subject, declarations) {
      const credentials = declarations.refusedCredentials(subject, promise);
      if (credentials === undefined) return undefined;
      return credentials === 'unknown' ? UNKNOWN_CREDENTIALS[promise] : missingForRequest(subject, declarations);
    },
    probe: (subject, declarations) => refusedSteps(subject, declarations, promise),
    counterexample: ({ own = [] }) => ({ refused: own }),
    judge(seen, { subject }) {
      const [own, refused] = [onlyReading(seen.own ?? []), seen.refused?.[0]];
      return judgeRefused(
        own as Reading<FilledFields>,
        refused as Reading<FilledFields> | undefined,
        subject,
        sent,
        promise,
      );
    },
  });

export const credentialsRequired = refusalRule({
  id: 'every.credentials-required',
  demands:
    'The operation refuses a request without credentials, where the profile states in authRequired that it needs them.',
  how: 'The valid request is sent with the credentials of the profile and then without any, with the ids of a walk or of a started job where the profile has no examples. The rule fails if both get a 2xx with the same content: rows with the same fields, or bodies that differ in ids and numbers only.',
  looksLike:
    'A server that redirects to a login page, or returns one with 200, is legal; the page has another media type, no fields of rows or another body.',
  sent: 'without credentials',
  promise: 'authRequired',
});

export const credentialsSeparate = refusalRule({
  id: 'every.credentials-separate',
  demands:
    'The operation refuses the credentials that authFor gives to another group, where the profile states it in authSeparate.',
  how: 'The valid request is sent with the credentials of the operation and then with those of another group, with the ids of a walk or of a started job where the profile has no examples. The rule fails if both get a 2xx with the same content: rows with the same fields, or bodies that differ in ids and numbers only.',
  looksLike:
    'A server where one account opens several groups is legal unless the profile promises the opposite; a login page with 200 has another media type, no fields of rows or another body.',
  sent: 'with the credentials of another group',
  promise: 'authSeparate',
});

export const credentialsVerified = refusalRule({
  id: 'every.credentials-verified',
  demands:
    'The operation refuses invented credentials, where the profile states in authVerified that it verifies them.',
  how: 'The valid request is sent with the credentials of the profile and then once with invented ones: values of the same length and characters in the same places, a token in the form of a JWT with another signature, a signature with another key, for Basic also another user name. The rule fails if both get a 2xx with the same content: rows with the same fields, or bodies that differ in ids and numbers only.',
  looksLike:
    'A server that needs no credentials, and so reads none, is legal unless the profile promises that it verifies them; a login page with 200 has another media type, no fields of rows or another body.',
  sent: 'with invented credentials',
  promise: 'authVerified',
});

export const credentialsLimited = refusalRule({
  id: 'every.credentials-limited',
  demands:
    'The operation refuses the credentials of authFor.limited, which lack a right, where the profile states it in authLimited.',
  how: 'The valid request is sent with the credentials of the operation and then once with those of authFor.limited. The rule fails if both get a 2xx with the same content: rows with the same fields, or bodies that differ in ids and numbers only.',
  looksLike:
    'A server whose accounts all have the same rights is legal unless the profile promises the opposite; a login page with 200 has another media type, no fields of rows or another body.',
  sent: 'with the credentials of authFor.limited',
  promise: 'authLimited',
});

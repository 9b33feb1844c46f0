/** A request that an operation accepts, with ids of the profile or those that the run learns, and its content (sections 4.1, 4.2). */
import { type Input, JOB_STATUS, type OperationKey } from '../contract/index.ts';
import { comparable, differences } from '../reading/signature.ts';
import { type Declarations, type Fold, fold, isValue, openingOf, type Reading, type Steps } from './index.ts';
import { jobKindOf, statusRequests } from './job-status.ts';
import { exampleRequest } from './list-requests.ts';
import { requiredInputs, servedSteps } from './served-steps.ts';

export const STATUS_OPERATIONS: readonly OperationKey[] = Object.values(JOB_STATUS);

/**
 * The request of an operation, as `own`, and the steps that supply its ids: those of a walk, or the start of a job for a
 * status operation. Undefined if no such request can be known to be valid.
 */
export function acceptedRequest(subject: OperationKey, declarations: Declarations): Steps | undefined {
  if (STATUS_OPERATIONS.includes(subject)) {
    const { start, first } = statusRequests(subject, declarations);
    const isBound = declarations.isFilled(openingOf(subject, 'request'));
    return isBound && first ? { ...(start && { start }), own: { ...first, accepts: 'any' } } : undefined;
  }
  const { walk, request } = exampleRequest(subject, declarations, 0, () => true);
  if (Object.keys(walk).length > 0) return { ...walk, own: request };
  return declarations.validRequest(subject) ? { own: { ...servedSteps(subject).tested, follow: true } } : undefined;
}

/** What a profile lacks for `acceptedRequest`, as a sentence. */
export function missingForRequest(subject: OperationKey, declarations: Declarations): string {
  const request = openingOf(subject, 'request');
  if (!declarations.isFilled(request)) return `the profile leaves open ${request}`;
  if (STATUS_OPERATIONS.includes(subject)) {
    const kind = jobKindOf(subject);
    return `no job is known: set jobs.${kind}.start or jobs.${kind}.example`;
  }
  const inputs = (Object.keys(requiredInputs(subject)) as Input[]).filter(
    (input) => declarations.examples(input, { operation: subject }).length === 0,
  );
  const [one] = inputs;
  const names = inputs.map((input) => `examples.${input}`).join(' and ');
  return one === undefined
    ? 'the profile gives no example values for the request'
    : `no valid request is known: set values that the service knows under ${names}`;
}

export type FilledFields = { readonly filled: Fold<ReadonlySet<string>> };

/** The fields with a value in some row: a row without any may be an error or a login document. */
export const filledFields: FilledFields = {
  filled: fold(
    'filled-fields',
    () => new Set<string>(),
    (filled, row) => {
      for (const [field, cell] of Object.entries(row)) if (isValue(cell)) filled.add(field);
    },
  ),
};

/** Whether two responses have the same content, apart from ids and numbers: a login page has another one. */
export function isSameContent(own: Reading<FilledFields>, other: Reading<FilledFields>): boolean {
  if (own.signature?.type !== other.signature?.type || other.observation?.problem) return false;
  const { filled } = own.folds;
  if (filled.size > 0) return [...filled].every((field) => other.folds.filled.has(field));
  if (!own.signature || !other.signature) return false;
  const [one, another] = comparable([own.signature, other.signature]);
  return one !== undefined && another !== undefined && !differences(one, another).includes('body');
}

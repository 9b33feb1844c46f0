/** The plain requests of a list: without filters, for each window of the delta, for each id that a walk finds. */

import { chainTo, type Input, JOB_STATUS, type OperationKey, operationOf, UPDATE_PRODUCTS } from '../contract/index.ts';
import { comparable, differences } from '../reading/signature.ts';
import { nodeStepOf, nodeSteps, normaliseId } from './catalogue-walk.ts';
import {
  type Declarations,
  type Fold,
  type FoldMap,
  fold,
  isOk,
  isValue,
  openingOf,
  plainInputs,
  type Reading,
  type Step,
  type Steps,
  step,
} from './index.ts';
import { jobKindOf, statusRequests } from './job-status.ts';
import { requiredInputs, servedSteps } from './served.ts';

/** The step whose readings are all lists of an operation that any rule of the run received. */
export const receivedLists = <F extends FoldMap>(operation: OperationKey, folds?: F): Step<F> =>
  step({
    operation,
    inputs: requiredInputs(operation),
    accepts: 'any',
    fromAllRules: 'lists',
    ...(folds && { folds }),
  });

/** One step per plain request of a list; rules share them. A repetition of the rule sends them again. */
export function listRequests(operation: OperationKey, declarations: Declarations): Steps {
  const all = operation === UPDATE_PRODUCTS ? plainInputs(operation) : { list: requiredInputs(operation) };
  return {
    ...Object.fromEntries(
      Object.entries(all).map(([name, inputs]) => [name, step({ operation, inputs, accepts: 'any' })]),
    ),
    ...(operationOf(operation).group === 'B' && nodeSteps(operation, declarations)),
  };
}

/**
 * The requests of an operation of group B: for the example ids, and for those that the walk finds. Without the openings
 * of the walk the examples are necessary.
 */
export function nodeListRequests(subject: OperationKey, declarations: Declarations): Steps & { readonly list: Step } {
  const nodes = nodeSteps(subject, declarations);
  const inputs = requiredInputs(subject);
  const isOptional = Object.keys(nodes).length > 0;
  return {
    ...nodes,
    list: step({ operation: subject, inputs, accepts: 'content', ...(isOptional && { optional: true }) }),
  };
}

/** Whether the profile has an example for each input that a request of an operation needs in a catalogue. */
function hasExamples(subject: OperationKey, declarations: Declarations, nth: number): boolean {
  const catalogueId = declarations.examples('catalogueId', { operation: subject })[nth];
  return (Object.keys(requiredInputs(subject)) as Input[]).every(
    (input) =>
      input === 'catalogueId' ||
      !declarations.binds(subject, `inputs.${input}`) ||
      declarations.examplesIn(input, subject, catalogueId).length > 0,
  );
}

/** Whether ids are known for a request of an operation in the nth example catalogue: those of another one may not exist in it. */
export const canRequestIn = (subject: OperationKey, declarations: Declarations, nth: number): boolean =>
  (nth === 0 || nth < declarations.examples('catalogueId', { operation: subject }).length) &&
  (hasExamples(subject, declarations, nth) ||
    (chainTo(subject).length > 0 && Object.keys(nodeSteps(subject, declarations)).length > 0));

/**
 * A request of an operation in the nth example catalogue with the example ids or, where the profile has none, with those of
 * the first request of the walk that gets rows, of those whose response is usable. `walk` are the steps that supply these; it is empty if there are examples.
 */
export function exampleRequest(
  subject: OperationKey,
  declarations: Declarations,
  nth = 0,
  isUsable: (reading: Reading) => boolean = isOk,
): { readonly walk: Steps; readonly request: Step } {
  const inputs = requiredInputs(subject);
  const inCatalogue = nth === 0 ? inputs : { ...inputs, catalogueId: { example: 'catalogueId' as const, nth } };
  const ofExamples = step({ operation: subject, inputs: inCatalogue, accepts: 'any' });
  const catalogueId = declarations.examples('catalogueId', { operation: subject })[nth];
  if (catalogueId === undefined || chainTo(subject).length === 0 || hasExamples(subject, declarations, nth))
    return { walk: {}, request: ofExamples };
  const walk = nodeSteps(subject, declarations);
  if (Object.keys(walk).length === 0) return { walk, request: ofExamples };
  const request = step({
    operation: subject,
    accepts: 'any',
    each: {
      from: [nodeStepOf(subject)],
      fold: 'items',
      as: { id: 'catalogueId' },
      max: 1,
      select(readings) {
        const found = readings.filter(
          (each) => isUsable(each) && normaliseId(each.inputs.catalogueId ?? '') === normaliseId(catalogueId),
        );
        const first = found.find(({ observation }) => !!observation?.rows) ?? found[0];
        return first ? [first.inputs] : [];
      },
      key: `first node of ${subject} in catalogue ${nth + 1}`,
    },
  });
  return { walk, request };
}

export const STATUS_OPERATIONS: readonly OperationKey[] = Object.values(JOB_STATUS);

/**
 * The request of an operation, as `own`, and the steps that supply its ids: those of a walk, or the start of a job for a
 * status operation. Undefined if no such request can be known to be valid.
 */
export function acceptedRequest(subject: OperationKey, declarations: Declarations): Steps | undefined {
  if (STATUS_OPERATIONS.includes(subject)) {
    const { start, first } = statusRequests(subject, declarations);
    const isBound = declarations.binds(subject, 'request');
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

/** Drafts one operation: its request, its response, its paging and its statuses. */

import { type Field, type Input, operationOf } from '../../contract/index.ts';
import { isPlainObject, objectAt } from '../plain-object.ts';
import type { Description } from './description.ts';
import { type DraftNotes, note } from './draft-notes.ts';
import type { DraftedOperation } from './drafted-operation.ts';
import type { DescribedOperation } from './operations.ts';
import { draftPaging, resolvePaging, withoutSinglePage } from './paging.ts';
import { draftRequest } from './requests.ts';
import { draftResponse } from './responses.ts';
import { draftStatuses } from './statuses.ts';

export function draftOperation(
  description: Description,
  described: DescribedOperation,
  draftNotes: DraftNotes,
): DraftedOperation {
  const { key } = described;
  const inputs: readonly Input[] = operationOf(key).inputs;
  // A delta without a window parameter may return all windows at once.
  const parameters = described.parameters.length;
  const responseDraft = draftResponse(
    description,
    described,
    inputs.includes('window') && parameters === 0,
    draftNotes,
  );
  const nameOf = (field: Field) => responseDraft.fields.get(field)?.names.join('.');
  const [category, categoryId] = [nameOf('category'), nameOf('categoryId')];
  const context = {
    categoryNames: { ...(category !== undefined && { category }), ...(categoryId !== undefined && { categoryId }) },
  };
  const drafted = draftRequest(description, described, context, draftNotes);
  const pages = draftPaging(key, drafted.parametersByInput, responseDraft, draftNotes);
  const { paging, sentInputs } = pages;
  const request =
    drafted.template && resolvePaging(key, drafted.template, drafted.parametersByInput, sentInputs, draftNotes);
  const response = {
    ...withoutSinglePage(key, responseDraft.template, pages, draftNotes),
    ...(paging && { paging }),
  };
  const named =
    responseDraft.accept !== undefined && request
      ? { ...request, headers: { ...objectAt(request, 'headers'), Accept: responseDraft.accept } }
      : request;
  if (named !== request)
    note(
      draftNotes,
      ['operations', key, 'request', 'headers', 'Accept'],
      'stated',
      'the response has several media types; this one is requested',
    );
  return {
    described,
    // A parameter of unknown meaning may be any input; without such parameters, an input without a parameter is absent.
    isUnderstood: drafted.template !== undefined && drafted.unused.length === 0 && !drafted.guessed,
    unusedParameters: drafted.unused.map(({ name }) => name),
    absent: responseDraft.absent,
    allWindowsAtOnce: isPlainObject(responseDraft.template.rows),
    parametersByInput: drafted.parametersByInput,
    fields: responseDraft.fields,
    profile: {
      ...(named && { request: named }),
      ...(Object.keys(response).length > 0 && { response }),
      ...draftStatuses(description, described, draftNotes),
    },
  };
}

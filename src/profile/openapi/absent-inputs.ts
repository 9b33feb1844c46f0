/** Determines which inputs an operation certainly lacks (`none`) and which remain undecided. */
import { type Input, operationOf, optionalParts } from '../../contract/index.ts';
import { addUndecided, type DraftNotes, note } from './draft-notes.ts';
import type { DraftedOperation } from './drafted-operation.ts';

/**
 * Whether an input without a parameter is certainly absent. The document mentions filters (sections 4.3 and 4.4)
 * without their parameters: at least one parameter filters the bulk list by category, and at least one operation the figures.
 */
function isCertainlyAbsent(input: Input, operation: DraftedOperation, all: readonly DraftedOperation[]): boolean {
  if (!operation.isUnderstood || operation.described.key.startsWith('POST')) return false;
  const { name, group } = operationOf(operation.described.key);
  if (name === 'allProducts')
    return operation.parametersByInput.has('category') || operation.parametersByInput.has('categoryId');
  if (name === 'updateProducts') return input !== 'window';
  return (
    group === 'D' &&
    all.some((other) => operationOf(other.described.key).group === 'D' && other.parametersByInput.has(input))
  );
}

/** Returns the operations with their `none`; inputs that may exist are left open. */
export function markAbsentInputs(all: readonly DraftedOperation[], draftNotes: DraftNotes): DraftedOperation[] {
  return all.map((operation) => {
    const { key } = operation.described;
    const at = ['operations', key];
    const inputs: readonly Input[] = operationOf(key).inputs;
    const missing = inputs.filter(
      (input) =>
        input !== 'upc' &&
        !operation.parametersByInput.has(input) &&
        !(input === 'window' && operation.allWindowsAtOnce),
    );
    const lacking = missing.filter((input) => isCertainlyAbsent(input, operation, all));
    const allowed = optionalParts(key);
    const none = [
      ...lacking.map((each) => `inputs.${each}`),
      ...operation.absent.map((each) => `fields.${each}`),
    ].filter((part) => allowed.includes(part));
    const open = missing.filter((each) => !none.includes(`inputs.${each}`));
    const unusedParameters =
      operation.unusedParameters.length > 0 ? `; not used so far: ${operation.unusedParameters.join(', ')}` : '';
    if (operation.profile.request !== undefined && open.length > 0)
      addUndecided(
        draftNotes,
        [...at, 'request'],
        `no described parameter clearly means ${open.map((each) => `{${each}}`).join(', ')}${unusedParameters}`,
      );
    if (none.length === 0) return operation;
    note(draftNotes, [...at, 'none'], 'stated', 'every described parameter and member has another meaning');
    return { ...operation, profile: { ...operation.profile, none } };
  });
}

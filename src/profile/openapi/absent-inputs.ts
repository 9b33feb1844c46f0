/** Determines which inputs an operation certainly lacks (`none`) and which remain undecided. */
import { type Input, OPEN_PARTS, operationOf, optionalParts } from '../../contract/index.ts';
import { type DraftNotes, leaveOpen, note } from './draft-notes.ts';
import type { DraftedOperation } from './drafted-operation.ts';

/**
 * Whether an input without a parameter is certainly absent. The document mentions filters (sections 4.3 and 4.4)
 * without their parameters: at least one parameter filters the bulk list by category, and at least one operation the figures.
 */
function maySayNone(input: Input, one: DraftedOperation, all: readonly DraftedOperation[]): boolean {
  if (!one.understood || one.described.key.startsWith('POST')) return false;
  const { name, group } = operationOf(one.described.key);
  if (name === 'allProducts') return one.carried.has('category') || one.carried.has('categoryId');
  if (name === 'updateProducts') return input !== 'window';
  return (
    group === 'D' && all.some((other) => operationOf(other.described.key).group === 'D' && other.carried.has(input))
  );
}

/** Returns the operations with their `none`; inputs that may exist are left open. */
export function withAbsent(all: readonly DraftedOperation[], draftNotes: DraftNotes): DraftedOperation[] {
  return all.map((one) => {
    const { key } = one.described;
    const at = ['operations', key];
    const inputs: readonly Input[] = OPEN_PARTS[operationOf(key).name].inputs;
    const missing = inputs.filter(
      (input) => input !== 'upc' && !one.carried.has(input) && !(input === 'window' && one.oneCall),
    );
    const lacking = missing.filter((input) => maySayNone(input, one, all));
    const allowed = optionalParts(key);
    const none = [...lacking.map((each) => `inputs.${each}`), ...one.absent.map((each) => `fields.${each}`)].filter(
      (part) => allowed.includes(part),
    );
    const open = missing.filter((each) => !none.includes(`inputs.${each}`));
    const unread = one.unread.length > 0 ? `; not used so far: ${one.unread.join(', ')}` : '';
    if (one.profile.request !== undefined && open.length > 0)
      leaveOpen(
        draftNotes,
        [...at, 'request'],
        `no described parameter clearly means ${open.map((each) => `{${each}}`).join(', ')}${unread}`,
      );
    if (none.length === 0) return one;
    note(draftNotes, [...at, 'none'], 'stated', 'every described parameter and member has another meaning');
    return { ...one, profile: { ...one.profile, none } };
  });
}

/** Drafts a profile from a description that `mdwi openapi` wrote: `x-mdwi` states what OpenAPI has no words for. */
import { OPERATIONS } from '../../contract/index.ts';
import { isPlainObject, objectAt, type PlainObject, textAt } from '../plain-object.ts';
import { draftAuth } from './auth.ts';
import { escapeVariables } from './constants.ts';
import type { Description } from './description.ts';
import { type DraftNotes, note } from './draft-notes.ts';
import { draftOperation } from './draft-operation.ts';
import type { DescribedOperation } from './operations.ts';
import { EXTENSION } from './write/extension.ts';

/** The facts of the whole profile; undefined if no profile is the source of the description. */
export function statedFacts({ root }: Description): PlainObject | undefined {
  const facts = root[EXTENSION];
  return isPlainObject(facts) ? facts : undefined;
}

/** Whether the description states the bindings of an operation. */
export const hasBindings = ({ node }: DescribedOperation): boolean => isPlainObject(node[EXTENSION]);

/**
 * Drafts a profile from the facts and bindings that a description states; operations without bindings are drafted as those
 * of any description.
 *
 * @param implemented the value of `implements` for the described operations
 */
export function draftFromExtension(
  description: Description,
  found: readonly DescribedOperation[],
  facts: PlainObject,
  implemented: unknown,
  draftNotes: DraftNotes,
): PlainObject {
  const operations = found.map((described) => {
    if (!hasBindings(described)) return [described.key, draftOperation(description, described, draftNotes).profile];
    note(draftNotes, ['operations', described.key], 'stated', EXTENSION);
    return [described.key, objectAt(described.node, EXTENSION)];
  });
  const { implements: stated, ...rest } = facts;
  // A profile without it implements all operations.
  const isWhole = stated === undefined && found.length === OPERATIONS.length;
  return {
    ...escapeVariables({
      name: textAt(objectAt(description.root, 'info'), 'title') ?? 'my-service',
      ...(!isWhole && { implements: stated ?? implemented }),
    }),
    ...draftAuth(description, found, draftNotes),
    ...escapeVariables({ ...rest, operations: Object.fromEntries(operations) }),
  };
}

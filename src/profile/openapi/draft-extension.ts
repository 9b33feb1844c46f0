/** Drafts a profile from a description that `mdwi openapi` wrote: `x-mdwi` states what OpenAPI has no words for. */
import { OPERATIONS, type OperationKey } from '../../contract/index.ts';
import { isPlainObject, listMember, objectAt, type PlainObject, textAt } from '../plain-object.ts';
import { draftAuth } from './auth.ts';
import { escapeVariables } from './constants.ts';
import type { Description } from './description.ts';
import { type DraftNotes, note } from './draft-notes.ts';
import { draftOperation } from './draft-operation.ts';
import type { DescribedOperation } from './operations.ts';
import { draftSchemas, type ResponseSchemas } from './schemas.ts';
import { EXTENSION } from './write/extension.ts';

/** The facts of the whole profile; undefined if no profile is the source of the description. */
export function statedFacts({ root }: Description): PlainObject | undefined {
  const facts = root[EXTENSION];
  return isPlainObject(facts) ? facts : undefined;
}

/** Whether the description states the bindings of an operation. */
export const hasBindings = ({ node }: DescribedOperation): boolean => isPlainObject(node[EXTENSION]);

/** The bindings of an operation without the statuses of its schemas. */
function bindingsOf({ node }: DescribedOperation): PlainObject {
  const bindings = objectAt(node, EXTENSION);
  const { schemas: _, ...response } = objectAt(bindings, 'response');
  return bindings.response === undefined ? bindings : { ...bindings, response };
}

/**
 * The schemas that a profile declares. Others describe what the simulator sent: only operations without bindings are drafted
 * from these.
 */
export function declaredSchemas(description: Description, found: readonly DescribedOperation[]): ResponseSchemas {
  const declaredBy = ({ node }: DescribedOperation) =>
    listMember(objectAt(objectAt(node, EXTENSION), 'response'), 'schemas');
  const { defs, stated } = draftSchemas(
    description,
    found.filter((each) => !hasBindings(each) || declaredBy(each).length > 0),
  );
  const declared = found.flatMap((each): [OperationKey, Record<string, string>][] => {
    const names = Object.entries(stated.get(each.key) ?? {}).filter(
      ([status]) =>
        !hasBindings(each) || [status, `${status[0]}XX`, 'default'].some((name) => declaredBy(each).includes(name)),
    );
    return names.length > 0 ? [[each.key, Object.fromEntries(names)]] : [];
  });
  return { defs, stated: new Map(declared) };
}

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
    return [described.key, bindingsOf(described)];
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

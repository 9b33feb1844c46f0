/** Which ids of group B a client may expect to be known: those that a list of the same catalogue contains (section 4.2). */
import { type Input, type OperationKey, operationOf, PAGING_INPUTS } from '../../contract/index.ts';
import type { Inputs } from '../../profile/template.ts';
import { ITEMS } from '../../rule/catalogue-walk.ts';
import type { Declarations, Row } from '../../rule/index.ts';
import type { ObservedResponses } from './observed-responses.ts';

const WITHOUT_ITEMS: readonly Input[] = ['catalogueId', ...PAGING_INPUTS];

/**
 * Whether a request of group B names only items that its catalogue lists, in observed traffic, or that the profile has as
 * examples. A response to any other id may be for something else. True for requests of the other groups.
 */
export function namesKnownItems(
  operation: OperationKey,
  inputs: Inputs,
  observed: ObservedResponses,
  declarations: Declarations,
): boolean {
  if (operationOf(operation).group !== 'B') return true;
  const { catalogueId } = inputs;
  const named = operationOf(operation).inputs.filter(
    (input) => !WITHOUT_ITEMS.includes(input) && inputs[input] !== undefined,
  );
  const isListed = (id: string): boolean =>
    observed.inGroup('B').some((list) => {
      const { rows = [] } = (list.folds.get(ITEMS.key) as { readonly rows: readonly Row[] } | undefined) ?? {};
      return String(list.inputs.catalogueId) === String(catalogueId) && rows.some((row) => String(row.id) === id);
    });
  return named.every((input) => {
    const id = String(inputs[input]);
    const examples = declarations.examples(input, { operation, ...(catalogueId !== undefined && { catalogueId }) });
    return examples.some((each) => String(each) === id) || isListed(id);
  });
}

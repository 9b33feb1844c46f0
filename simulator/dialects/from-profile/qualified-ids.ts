/**
 * Ids of metadata nodes that name their dimension, too: `product.label`. In the world, ids are unique within a dimension; a
 * profile whose requests name an attribute, group or hierarchy without its dimension needs ids that are unique in a catalogue.
 */
import { OPERATIONS } from '../../../src/contract/index.ts';
import type { ProfileData } from '../../../src/profile/schema.ts';
import { mentionedInputs } from '../../../src/profile/template.ts';
import type { MetadataNode } from '../../model/metadata.ts';

const QUALIFIABLE = ['attribute', 'group', 'hierarchy'] as const;

/** The kinds of nodes that a request of the profile names without their dimension. */
export const qualifiedKinds = ({ operations = {} }: ProfileData): ReadonlySet<string> =>
  new Set(
    QUALIFIABLE.filter((kind) =>
      OPERATIONS.some(({ key }) => {
        const request = operations[key]?.request;
        const inputs = request && mentionedInputs(request);
        return inputs?.has(kind) && !inputs.has('dimension');
      }),
    ),
  );

/** @example qualifiedId('product', 'label') // 'product.label' */
export const qualifiedId = (dimension: string, id: string): string => `${dimension}.${id}`;

/** The dimension and the id within it; the dimension is undefined for another id. */
export function parseQualifiedId(text: string): { readonly dimension?: string; readonly id: string } {
  const [, dimension, id] = /^([^.]+)\.(.+)$/.exec(text) ?? [];
  return dimension === undefined || id === undefined ? { id: text } : { dimension, id };
}

/** The id of a node as lists show it, with its dimension if the profile needs that. */
export function idOfNode({ key, kind, id }: MetadataNode, qualified: ReadonlySet<string>): string {
  const dimension = /\/dimension=([^/]+)\//.exec(key)?.[1];
  return qualified.has(kind) && dimension !== undefined ? qualifiedId(dimension, id) : id;
}

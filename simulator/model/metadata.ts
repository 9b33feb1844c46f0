/**
 * The metadata of the catalogues as one tree of nodes (section 2: catalogues have dimensions; dimensions have attributes,
 * groups, hierarchies and rows; those have levels and values; measures have share prompts). Ids recur from catalogue to
 * catalogue, what they name does not, so that an answer shows which catalogue it is for.
 */
export const NODE_KINDS = [
  'catalogue',
  'dimension',
  'attribute',
  'attributeValue',
  'group',
  'groupLevel',
  'groupLevelValue',
  'hierarchy',
  'hierarchyLevel',
  'hierarchyLevelValue',
  'dimensionRow',
  'measure',
  'sharePrompt',
  'refreshDate',
] as const;
export type NodeKind = (typeof NODE_KINDS)[number];

export interface MetadataNode {
  /** The path of ids from the catalogue down; unique. */
  readonly key: string;
  /** The key of the node above; empty for catalogues. */
  readonly parent: string;
  readonly kind: NodeKind;
  readonly id: string;
  readonly name: string;
  /** Of refresh dates: how many weeks before the as-of. */
  readonly weeksAgo: number;
}

interface CatalogueSketch {
  readonly name: string;
  /** Beside `product` and `period`, which all have. */
  readonly dimension: string;
  readonly refreshes: Readonly<Record<string, number>>;
}

const CATALOGUES: Readonly<Record<string, CatalogueSketch>> = {
  'CAT-RETAIL': { name: 'Retail Sales', dimension: 'market', refreshes: { weekly: 0, quarterly: 13 } },
  'CAT-PANEL': { name: 'Household Panel', dimension: 'household', refreshes: { weekly: 1, monthly: 4 } },
  'CAT-AUDIT': { name: 'Store Audit', dimension: 'outlet', refreshes: { monthly: 2 } },
};

export const nodeKeyOf = (parent: string, kind: NodeKind, id: string): string => `${parent}/${kind}=${id}`;

const titled = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1).replaceAll('-', ' ');

/** Every node of every catalogue, parents before children. */
export function metadataNodes(): MetadataNode[] {
  const nodes: MetadataNode[] = [];
  const add = (parent: string, kind: NodeKind, id: string, name: string, weeksAgo = 0): string => {
    const key = nodeKeyOf(parent, kind, id);
    nodes.push({ key, parent, kind, id, name, weeksAgo });
    return key;
  };
  for (const [catalogueId, sketch] of Object.entries(CATALOGUES)) {
    const catalogue = add('', 'catalogue', catalogueId, sketch.name);
    const many = (parent: string, kind: NodeKind, ids: readonly string[]): string[] =>
      ids.map((id) => add(parent, kind, id, `${titled(id)} (${sketch.name})`));
    const levelled = (owner: string, level: NodeKind, value: NodeKind, levels: readonly string[]) => {
      for (const key of many(owner, level, levels)) many(key, value, ['value-1', 'value-2', 'value-3']);
    };
    for (const dimension of many(catalogue, 'dimension', ['product', 'period', sketch.dimension])) {
      for (const attribute of many(dimension, 'attribute', ['label', 'code'])) {
        many(attribute, 'attributeValue', ['first', 'second', 'third']);
      }
      for (const group of many(dimension, 'group', ['top-sellers', 'new-items'])) {
        levelled(group, 'groupLevel', 'groupLevelValue', ['level-1', 'level-2']);
      }
      for (const hierarchy of many(dimension, 'hierarchy', ['standard', 'custom'])) {
        levelled(hierarchy, 'hierarchyLevel', 'hierarchyLevelValue', ['level-1', 'level-2', 'level-3']);
      }
      many(dimension, 'dimensionRow', ['row-1', 'row-2', 'row-3', 'row-4']);
    }
    for (const measure of many(catalogue, 'measure', ['dollars', 'units'])) {
      many(measure, 'sharePrompt', ['share-of-category', 'share-of-total']);
    }
    for (const [id, weeksAgo] of Object.entries(sketch.refreshes)) {
      add(catalogue, 'refreshDate', id, `${titled(id)} load (${sketch.name})`, weeksAgo);
    }
  }
  return nodes;
}

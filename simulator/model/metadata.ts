/**
 * The metadata of the catalogues as one tree of nodes (section 2: catalogues have dimensions; dimensions have attributes,
 * groups, hierarchies and rows; those have levels and values; measures have share prompts). Catalogues and parents share ids but not
 * names, so that an answer shows its catalogue and its parent.
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
  /** The path of ids from the catalogue to this node; unique. */
  readonly key: string;
  /** The key of the parent node; empty for catalogues. */
  readonly parent: string;
  readonly kind: NodeKind;
  readonly id: string;
  readonly name: string;
  /** The id of the item above it: in the same list, or among the values of the level above; empty without one. */
  readonly parentItem: string;
  /** For refresh dates: the number of weeks before the as-of date. */
  readonly weeksAgo: number;
}

interface CatalogueSketch {
  readonly name: string;
  /** The dimension besides `product` and `period`, which every catalogue has. */
  readonly dimension: string;
  readonly refreshes: Readonly<Record<string, number>>;
}

/** The catalogues by id. */
export const METADATA_CATALOGUES: Readonly<Record<string, CatalogueSketch>> = {
  'CAT-RETAIL': { name: 'Retail Sales', dimension: 'market', refreshes: { weekly: 0, quarterly: 13 } },
  'CAT-PANEL': { name: 'Household Panel', dimension: 'household', refreshes: { weekly: 1, monthly: 4 } },
  'CAT-AUDIT': { name: 'Store Audit', dimension: 'outlet', refreshes: { monthly: 2 } },
};

/** The rows of each dimension, with the row above each. */
const PARENT_ROWS: Readonly<Record<string, string>> = {
  'row-1': '',
  'row-2': 'row-1',
  'row-3': 'row-1',
  'row-4': 'row-2',
};

export const nodeKeyOf = (parent: string, kind: NodeKind, id: string): string => `${parent}/${kind}=${id}`;

const titleOf = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1).replaceAll('-', ' ');

/** Every node of every catalogue, parents before children. */
export function metadataNodes(): MetadataNode[] {
  const nodes: MetadataNode[] = [];
  const add = (parent: string, kind: NodeKind, id: string, name: string, more: Partial<MetadataNode> = {}): string => {
    const key = nodeKeyOf(parent, kind, id);
    nodes.push({ key, parent, kind, id, name, parentItem: '', weeksAgo: 0, ...more });
    return key;
  };
  for (const [catalogueId, sketch] of Object.entries(METADATA_CATALOGUES)) {
    const catalogue = add('', 'catalogue', catalogueId, sketch.name);
    const addAll = (
      parent: string,
      kind: NodeKind,
      ids: readonly string[],
      parentItemOf: (id: string) => string = () => '',
    ): string[] => {
      // The name shows the parent, so that equal ids below two parents differ in it.
      const owner = parent === catalogue ? '' : ` of ${titleOf(parent.slice(parent.lastIndexOf('=') + 1))}`;
      return ids.map((id) =>
        add(parent, kind, id, `${titleOf(id)}${owner} (${sketch.name})`, { parentItem: parentItemOf(id) }),
      );
    };
    const addLevels = (owner: string, level: NodeKind, value: NodeKind, levels: readonly string[]) => {
      // A value of a lower level is below the one with its id in the level above.
      for (const [at, key] of addAll(owner, level, levels).entries())
        addAll(key, value, ['value-1', 'value-2', 'value-3'], (id) => (at === 0 ? '' : id));
    };
    for (const dimension of addAll(catalogue, 'dimension', ['product', 'period', sketch.dimension])) {
      for (const attribute of addAll(dimension, 'attribute', ['label', 'code'])) {
        addAll(attribute, 'attributeValue', ['first', 'second', 'third']);
      }
      for (const group of addAll(dimension, 'group', ['top-sellers', 'new-items'])) {
        addLevels(group, 'groupLevel', 'groupLevelValue', ['level-1', 'level-2']);
      }
      for (const hierarchy of addAll(dimension, 'hierarchy', ['standard', 'custom'])) {
        addLevels(hierarchy, 'hierarchyLevel', 'hierarchyLevelValue', ['level-1', 'level-2', 'level-3']);
      }
      addAll(dimension, 'dimensionRow', Object.keys(PARENT_ROWS), (id) => PARENT_ROWS[id] ?? '');
    }
    for (const measure of addAll(catalogue, 'measure', ['dollars', 'units'])) {
      addAll(measure, 'sharePrompt', ['share-of-category', 'share-of-total']);
    }
    for (const [id, weeksAgo] of Object.entries(sketch.refreshes)) {
      add(catalogue, 'refreshDate', id, `${titleOf(id)} load (${sketch.name})`, { weeksAgo });
    }
  }
  return nodes;
}

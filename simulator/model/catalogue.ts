/** Answers of group B (section 4.2): walks the tree of metadata from the catalogue down to what was asked for. */
import type { Input, OperationName } from '../../src/contract/index.ts';
import { type MetadataNode, type NodeKind, nodeKeyOf } from './metadata.ts';
import type { Store } from './store.ts';
import type { Day, Item, ModelAnswer, Query, Refused, Unknown } from './types.ts';

type Step = readonly [input: Input & keyof Query, kind: NodeKind];

const catalogue: Step = ['catalogueId', 'catalogue'];
const dimension: Step = ['dimension', 'dimension'];
const group: Step = ['group', 'group'];
const hierarchy: Step = ['hierarchy', 'hierarchy'];

/** Per operation: the nodes named by the request, from the top, and the kind of node it lists below them. */
const WALKS = {
  logicalDimensions: [[catalogue], 'dimension'],
  refreshDates: [[catalogue], 'refreshDate'],
  dimensionAttributes: [[catalogue, dimension], 'attribute'],
  attributeValues: [[catalogue, dimension, ['attribute', 'attribute']], 'attributeValue'],
  dimensionGroups: [[catalogue, dimension], 'group'],
  dimensionHierarchies: [[catalogue, dimension], 'hierarchy'],
  dimensionRows: [[catalogue, dimension], 'dimensionRow'],
  groupLevels: [[catalogue, dimension, group], 'groupLevel'],
  groupLevelValues: [[catalogue, dimension, group, ['level', 'groupLevel']], 'groupLevelValue'],
  hierarchyLevels: [[catalogue, dimension, hierarchy], 'hierarchyLevel'],
  hierarchyLevelValues: [[catalogue, dimension, hierarchy, ['level', 'hierarchyLevel']], 'hierarchyLevelValue'],
  measureSharePrompts: [[catalogue, ['measure', 'measure']], 'sharePrompt'],
} as const satisfies Partial<Record<OperationName, readonly [steps: readonly Step[], lists: NodeKind]>>;

export type CatalogueOperation = keyof typeof WALKS | 'catalogues';

/** The key of the node the request names, or why there is none. */
function find(store: Store, steps: readonly Step[], query: Query): string | Refused | Unknown {
  let key = '';
  for (const [input, kind] of steps) {
    const id = query[input];
    if (id === undefined) return { kind: 'refused', reason: 'missing', input, detail: `${input} is needed` };
    key = nodeKeyOf(key, kind, String(id));
    if (!store.node(key)) return { kind: 'unknown', input, value: String(id) };
  }
  return key;
}

/** `Catalogues` needs a known catalogue id like all of group B, and lists every catalogue. */
export function answerCatalogue(store: Store, operation: CatalogueOperation, query: Query, asOf: Day): ModelAnswer {
  const [steps, lists] = operation === 'catalogues' ? ([[catalogue], 'catalogue'] as const) : WALKS[operation];
  const found = find(store, steps, query);
  if (typeof found !== 'string') return found;
  const item = ({ id, name, weeksAgo }: MetadataNode): Item =>
    lists === 'refreshDate' ? { id, name, date: asOf - 7 * weeksAgo } : { id, name };
  return { kind: 'items', items: store.children(lists === 'catalogue' ? '' : found, lists).map(item) };
}

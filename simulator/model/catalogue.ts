/** Answers of group B (section 4.2): follows the metadata tree from the catalogue to the requested node. */
import type { Input, OperationName } from '../../src/contract/index.ts';
import { type MetadataNode, type NodeKind, nodeKeyOf } from './metadata.ts';
import type { Store } from './store.ts';
import type { Day, Item, ItemCounts, ModelAnswer, Query, Rejected, Unknown } from './types.ts';

type Step = readonly [input: Input & keyof Query, kind: NodeKind];

const catalogue: Step = ['catalogueId', 'catalogue'];
const dimension: Step = ['dimension', 'dimension'];
const group: Step = ['group', 'group'];
const hierarchy: Step = ['hierarchy', 'hierarchy'];

/** Per operation: the nodes that the request names, from the root, and the kind of child nodes that it lists. */
const LISTINGS = {
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

export type CatalogueOperation = keyof typeof LISTINGS | 'catalogues';

/** The key of the node that the request names, or the reason why it does not exist. */
function find(store: Store, steps: readonly Step[], query: Query): string | Rejected | Unknown {
  let key = '';
  for (const [input, kind] of steps) {
    const id = query[input];
    if (id === undefined) return { kind: 'rejected', reason: 'missing', input, detail: `${input} is needed` };
    key = nodeKeyOf(key, kind, String(id));
    if (!store.node(key)) return { kind: 'unknown', input, value: String(id) };
  }
  return key;
}

/** How many nodes each operation lists for a node. */
const countsOf = (store: Store, { key, kind }: MetadataNode): ItemCounts =>
  Object.fromEntries(
    Object.entries(LISTINGS).flatMap(([name, [steps, lists]]) =>
      steps.at(-1)?.[1] === kind ? [[name, store.children(key, lists).length]] : [],
    ),
  );

/** Answers an operation of group B. `Catalogues` requires a known catalogue id and lists every catalogue. */
export function answerCatalogue(store: Store, operation: CatalogueOperation, query: Query, asOf: Day): ModelAnswer {
  const [steps, lists] = operation === 'catalogues' ? ([[catalogue], 'catalogue'] as const) : LISTINGS[operation];
  const found = find(store, steps, query);
  if (typeof found !== 'string') return found;
  const parent = lists === 'catalogue' ? undefined : query[steps.at(-1)?.[0] ?? 'catalogueId'];
  const item = (node: MetadataNode): Item => ({
    id: node.id,
    name: node.name,
    counts: countsOf(store, node),
    ...(parent !== undefined && { parent: String(parent) }),
    ...(node.parentItem !== '' && { parentItem: node.parentItem }),
    ...(lists === 'refreshDate' && { date: asOf - 7 * node.weeksAgo }),
  });
  return { kind: 'items', asOf, items: store.children(lists === 'catalogue' ? '' : found, lists).map(item) };
}

/** Demands on group B, catalogue metadata: sections 1, 2 and 4.2. */
import type { Rule } from '../../src/rule/index.ts';
import { catalogueDecides } from './catalogue-decides.ts';
import { graph } from './graph.ts';
import { itemDecides } from './item-decides.ts';
import { itemsOnce, listed, nodeCounts } from './lists.ts';
import { cataloguesKnown, metadataStable, notEmpty, refreshDay, unknownId } from './metadata.ts';
import { parentItems, parents } from './parents.ts';

export const catalogue: readonly Rule[] = [
  listed,
  catalogueDecides,
  cataloguesKnown,
  notEmpty,
  graph,
  itemDecides,
  parents,
  parentItems,
  itemsOnce,
  nodeCounts,
  refreshDay,
  metadataStable,
  unknownId,
];

/** Demands on group B, catalogue metadata: sections 1, 2 and 4.2. */
import type { Rule } from '../../src/rule/index.ts';
import { catalogueDecides } from './catalogue-id.ts';
import { graph } from './graph.ts';
import { itemDecides } from './item-decides.ts';
import { itemsOnce } from './items-once.ts';
import { listed } from './listed.ts';
import { cataloguesKnown, notEmpty } from './metadata.ts';
import { parentItems } from './parent-items.ts';
import { parents } from './parents.ts';
import { refreshDay } from './refresh-day.ts';
import { nodeCounts } from './row-counts.ts';
import { metadataStable } from './stability.ts';
import { unknownId } from './unknown-id.ts';

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

/** Faults of group B (sections 1, 2 and 4.2). */
import { type OperationName, operationOf, operationsOf } from '../../src/contract/index.ts';
import type { Query } from '../model/types.ts';
import { onItems, onRequest } from './hooks.ts';
import type { Fault } from './types.ts';

const ALL: readonly OperationName[] = operationsOf('B').map((key) => operationOf(key).name);
const WITHIN_DIMENSION: readonly OperationName[] = [
  'dimensionAttributes',
  'dimensionGroups',
  'dimensionHierarchies',
  'dimensionRows',
];

const forOneCatalogue = (query: Query): Query => ({ ...query, catalogueId: 'CAT-RETAIL' });

export const CATALOGUE_FAULTS = [
  {
    name: 'catalogue-ignored',
    statement: 'B.catalogue-id',
    says: 'Every operation of group B returns the data of one catalogue and ignores the requested id.',
    hooks: onRequest(ALL, forOneCatalogue),
  },
  {
    name: 'catalogue-ignored-dimensions',
    statement: 'B.catalogue-id',
    says: 'LogicalDimensions returns the data of one catalogue and ignores the requested id.',
    hooks: onRequest(['logicalDimensions'], forOneCatalogue),
  },
  {
    name: 'catalogue-ignored-refresh-dates',
    statement: 'B.catalogue-id',
    says: 'RefreshDates returns the data of one catalogue and ignores the requested id.',
    hooks: onRequest(['refreshDates'], forOneCatalogue),
  },
  {
    name: 'dimension-rows-unknown',
    statement: 'B.graph',
    says: 'Dimension/Rows treats every dimension of the catalogue as unknown.',
    strict: true,
    hooks: onRequest(['dimensionRows'], (query) => ({ ...query, catalogueId: `${query.catalogueId} ` })),
  },
  {
    name: 'catalogues-without-one',
    statement: 'B.metadata',
    says: 'Catalogues does not list the requested catalogue.',
    strict: true,
    hooks: onItems(['catalogues'], (items, { query }) => items.filter(({ id }) => id !== query.catalogueId)),
  },
  {
    name: 'attributes-nameless',
    statement: 'B.metadata',
    says: 'One attribute of a dimension has neither id nor name.',
    hooks: onItems(['dimensionAttributes'], (items) => [...items.slice(0, -1), {}]),
  },
  {
    name: 'share-prompts-nameless',
    statement: 'B.metadata',
    says: 'The share prompts have neither ids nor names.',
    hooks: onItems(['measureSharePrompts'], (items) => items.map(() => ({}))),
  },
  {
    name: 'refresh-date-impossible',
    statement: 'B.metadata',
    says: 'One refresh date is not a valid date.',
    hooks: onItems(['refreshDates'], (items) =>
      items.map((item, at) => (at === 0 ? { ...item, date: Number.NaN } : item)),
    ),
  },
  {
    name: 'refresh-dates-empty',
    statement: 'B.metadata',
    says: 'RefreshDates returns an empty list for a catalogue that is loaded weekly.',
    strict: true,
    hooks: onItems(['refreshDates'], () => []),
  },
  {
    name: 'dimension-listed-but-unknown',
    statement: 'B.graph',
    says: 'LogicalDimensions lists a dimension that is unknown to the operations for one dimension.',
    strict: true,
    hooks: onItems(['logicalDimensions'], (items) => [{ id: 'phantom', name: 'Phantom' }, ...items]),
  },
  {
    name: 'groups-of-another-dimension',
    statement: 'B.graph',
    says: 'The groups listed for a dimension have no levels in that dimension.',
    strict: true,
    hooks: onItems(['dimensionGroups'], (items) => items.map((item) => ({ ...item, id: `other-${item.id}` }))),
  },
  {
    name: 'hierarchy-levels-of-another-catalogue',
    statement: 'B.graph',
    says: 'The levels listed for a hierarchy belong to another catalogue, so their values are unknown.',
    strict: true,
    hooks: onItems(['hierarchyLevels'], (items) => items.map((item) => ({ ...item, id: `panel-${item.id}` }))),
  },
  {
    name: 'dimension-children-unknown',
    statement: 'B.graph',
    says: 'Attributes, groups, hierarchies and rows are unknown for every dimension but the first.',
    strict: true,
    hooks: onRequest(WITHIN_DIMENSION, (query) =>
      query.dimension === 'product' ? query : { ...query, dimension: `${query.dimension}-unknown` },
    ),
  },
] as const satisfies readonly Fault[];

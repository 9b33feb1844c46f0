/** The graph of catalogue metadata (section 2): which operation lists the items that another accepts. */
import type { Input } from './fields.ts';
import { ALL_CATEGORIES, ALL_PRODUCTS, REFRESH_DATES } from './operation-keys.ts';
import type { OperationKey } from './operations.ts';

/** The operation at the root of the graph: it lists the dimensions of a catalogue. */
export const LOGICAL_DIMENSIONS = 'POST /data-access/v1/Catalogue/LogicalDimensions' satisfies OperationKey;

/** The operation that lists the catalogues. */
export const CATALOGUES = 'POST /data-access/v1/Catalogues' satisfies OperationKey;

/** The operation that lists the rows of a dimension, of which measures may be some. */
export const DIMENSION_ROWS = 'POST /data-access/v1/Catalogue/Dimension/Rows' satisfies OperationKey;

/** The operation that lists the share prompts of a measure; no operation lists measures. */
export const SHARE_PROMPTS = 'POST /data-access/v1/Catalogue/Measure/SharePrompts' satisfies OperationKey;

export type CatalogueEdge = (typeof CATALOGUE_GRAPH)[number];

const edge = <C extends string, P extends string, I extends Input>(child: C, parent: P, as: I) => ({
  child: `POST /data-access/v1/Catalogue/${child}` as const,
  parent: `POST /data-access/v1/Catalogue/${parent}` as const,
  as,
});

/** The operation that lists the items each operation accepts, in the graph of section 2. */
export const CATALOGUE_GRAPH = [
  edge('Dimension/Attributes', 'LogicalDimensions', 'dimension'),
  edge('Dimension/Groups', 'LogicalDimensions', 'dimension'),
  edge('Dimension/Hierarchies', 'LogicalDimensions', 'dimension'),
  edge('Dimension/Rows', 'LogicalDimensions', 'dimension'),
  edge('Attribute/Values', 'Dimension/Attributes', 'attribute'),
  edge('Group/Levels', 'Dimension/Groups', 'group'),
  edge('Hierarchy/Levels', 'Dimension/Hierarchies', 'hierarchy'),
  edge('Group/Level/Values', 'Group/Levels', 'level'),
  edge('Hierarchy/Level/Values', 'Hierarchy/Levels', 'level'),
] as const satisfies readonly { child: OperationKey; parent: OperationKey; as: Input }[];

/** The edges of the graph from the logical dimensions down to an operation. */
export function chainTo(child: OperationKey): CatalogueEdge[] {
  const edge = CATALOGUE_GRAPH.find((each) => each.child === child);
  return edge ? [...chainTo(edge.parent), edge] : [];
}

/** The operations whose rows belong to a row of another list, besides those of the graph. */
const LISTED_FOR_ROWS = [
  { child: LOGICAL_DIMENSIONS, parent: CATALOGUES },
  { child: REFRESH_DATES, parent: CATALOGUES },
  { child: ALL_PRODUCTS, parent: ALL_CATEGORIES },
] as const satisfies readonly { child: OperationKey; parent: OperationKey }[];

/**
 * The operations that return rows for each row of a list, which that row may count.
 * @example countableFor('GET /PLATFORMAPI/prodRef/v1/allCategories') // ['GET /PLATFORMAPI/prodRef/v1/allProducts']
 */
export const countableFor = (operation: OperationKey): readonly OperationKey[] =>
  [...CATALOGUE_GRAPH, ...LISTED_FOR_ROWS].filter(({ parent }) => parent === operation).map(({ child }) => child);

/** The graph of catalogue metadata (section 2): which operation lists the items that another accepts. */
import type { Input, OperationKey } from '../contract/index.ts';
import { collect, type Declarations, openingOf, type Step, type Steps, step } from './index.ts';

/** The operation that lists the items each operation accepts, in the graph of section 2. */
export const CATALOGUE_GRAPH = [
  {
    child: 'POST /data-access/v1/Catalogue/Dimension/Attributes',
    parent: 'POST /data-access/v1/Catalogue/LogicalDimensions',
    as: 'dimension',
  },
  {
    child: 'POST /data-access/v1/Catalogue/Dimension/Groups',
    parent: 'POST /data-access/v1/Catalogue/LogicalDimensions',
    as: 'dimension',
  },
  {
    child: 'POST /data-access/v1/Catalogue/Dimension/Hierarchies',
    parent: 'POST /data-access/v1/Catalogue/LogicalDimensions',
    as: 'dimension',
  },
  {
    child: 'POST /data-access/v1/Catalogue/Dimension/Rows',
    parent: 'POST /data-access/v1/Catalogue/LogicalDimensions',
    as: 'dimension',
  },
  {
    child: 'POST /data-access/v1/Catalogue/Attribute/Values',
    parent: 'POST /data-access/v1/Catalogue/Dimension/Attributes',
    as: 'attribute',
  },
  {
    child: 'POST /data-access/v1/Catalogue/Group/Levels',
    parent: 'POST /data-access/v1/Catalogue/Dimension/Groups',
    as: 'group',
  },
  {
    child: 'POST /data-access/v1/Catalogue/Hierarchy/Levels',
    parent: 'POST /data-access/v1/Catalogue/Dimension/Hierarchies',
    as: 'hierarchy',
  },
  {
    child: 'POST /data-access/v1/Catalogue/Group/Level/Values',
    parent: 'POST /data-access/v1/Catalogue/Group/Levels',
    as: 'level',
  },
  {
    child: 'POST /data-access/v1/Catalogue/Hierarchy/Level/Values',
    parent: 'POST /data-access/v1/Catalogue/Hierarchy/Levels',
    as: 'level',
  },
] as const satisfies readonly { child: OperationKey; parent: OperationKey; as: Input }[];

/** The edges of the graph from the logical dimensions down to an operation. */
export function chainTo(child: OperationKey): (typeof CATALOGUE_GRAPH)[number][] {
  const edge = CATALOGUE_GRAPH.find((each) => each.child === child);
  return edge ? [...chainTo(edge.parent), edge] : [];
}

const key = (declarations: Declarations, operation: OperationKey): 'id' | 'name' =>
  declarations.isFilled(openingOf(operation, 'fields.id')) ? 'id' : 'name';

/** The requests along the chain to an operation: each uses the items that the one before lists. */
export function graphSteps(subject: OperationKey, declarations: Declarations): Steps {
  const root = 'POST /data-access/v1/Catalogue/LogicalDimensions';
  const steps: Record<string, Step> = {
    [root]: step({
      operation: root,
      inputs: { catalogueId: { example: 'catalogueId' } },
      accepts: 'content',
      folds: { items: collect(['id', 'name'], 1000) },
    }),
  };
  for (const { child, parent, as } of chainTo(subject)) {
    steps[child] = step({
      operation: child,
      each: {
        from: parent,
        fold: 'items',
        as: { [key(declarations, parent)]: as },
        max: declarations.draw('catalogueItems'),
        of: 'catalogue nodes',
      },
      accepts: child === subject ? 'response' : 'content',
      folds: { items: collect(['id', 'name'], 1000) },
    });
  }
  return steps;
}

/** The requests for the values of all levels of some groups and hierarchies, which form a tree (section 2). */
import { chainTo, type OperationKey } from '../contract/index.ts';
import { requestsForItems, sentField } from './catalogue-walk.ts';
import { type Declarations, isOk, type Reading, type Steps, step } from './index.ts';

/** The operation that lists the levels whose values an operation lists; undefined for other operations. */
export function levelsListOf(subject: OperationKey): OperationKey | undefined {
  const edge = chainTo(subject).at(-1);
  return edge?.as === 'level' ? edge.parent : undefined;
}

/** The lists of several levels, those of different catalogues in turn. */
function inTurn(lists: readonly Reading[]): readonly Reading[] {
  const several = lists.filter((each) => isOk(each) && (each.observation?.rows ?? 0) > 1);
  const byCatalogue = [...Map.groupBy(several, ({ inputs }) => String(inputs.catalogueId)).values()];
  const longest = Math.max(0, ...byCatalogue.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => byCatalogue.flatMap((each) => each.slice(at, at + 1))).flat();
}

/** The most levels of a group or hierarchy. */
const MAX_LEVELS = 20;

/**
 * The step that requests the values of all levels of the first nodes that `walk` lists levels of.
 * @param walk the steps of `nodeSteps`, which contain the lists of levels
 */
export function levelTreeSteps(subject: OperationKey, walk: Steps, declarations: Declarations): Steps {
  const edge = chainTo(subject).at(-1);
  if (!edge || levelsListOf(subject) === undefined || !(edge.parent in walk)) return {};
  const nodes = declarations.draw('levelTrees');
  return {
    'all levels': step({
      operation: subject,
      each: {
        from: [edge.parent],
        fold: 'items',
        as: { id: edge.as },
        max: Math.min(nodes * MAX_LEVELS, declarations.maxSubjects),
        select(lists) {
          const sent = sentField(edge, lists, declarations);
          return inTurn(lists)
            .slice(0, nodes)
            .flatMap((list) => requestsForItems(edge, sent, [list], declarations, 'first'));
        },
        key: `all levels of ${subject}`,
      },
      accepts: 'any',
      optional: true,
    }),
  };
}

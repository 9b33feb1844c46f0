/** Detects forms of shapes: tables, maps, paged lists. */
import { ANY_KEY, type Shape } from './shape.ts';

/** How many objects, elements or rows of cells occurred at a place. */
export const containerCount = (shape: Shape): number =>
  shape.count('object') + [...shape.widths.values()].reduce((sum, each) => sum + each, 0);

/** Whether both sides have rows of cells. */
export const areTables = (recorded: Shape, current: Shape): boolean =>
  recorded.widths.size > 0 && current.widths.size > 0;

/** Whether a place holds the next page of a list, which is absent on the last page. */
export const isNextPage = (path: string): boolean => /next|cursor|continuation|page_?token|has_?more/i.test(path);

/** Whether the elements of a list moved into a new element, or have another name. */
export const isMovedOrRenamed = (name: string, recordedParent: Shape, currentParent: Shape): boolean =>
  [...currentParent.members].some(
    ([each, { repeated, shape }]) => !recordedParent.members.has(each) && (repeated > 0 || shape.members.has(name)),
  );

/** Names the columns of tables if both sides have column names; names and positions cannot be compared. */
export function nameColumns(recorded: Shape, current: Shape): void {
  if (!recorded.hasNamedTable || !current.hasNamedTable) return;
  recorded.nameCells();
  current.nameCells();
}

/** Folds maps whose keys are data: several objects with the same members and nothing else, outside of lists. */
export function mergeMaps(recorded: Shape, current: Shape, inList: boolean): void {
  if (inList || !isMap(recorded) || !isMap(current)) return;
  recorded.mergeMembers();
  current.mergeMembers();
}

/** Names of time windows are not data, even if their objects have the same members. */
const WINDOW = /last|prior|previous|current|week|month|quarter|year|total|\d ?(?:w|wk|wks|m|y|d)$/i;

function isMap(shape: Shape): boolean {
  if ([...shape.members.keys()].some((name) => WINDOW.test(name))) return false;
  const members = [...shape.members.values()];
  if (members.length < 3 || shape.members.has(ANY_KEY)) return false;
  const [first, ...others] = members.map(({ shape: each }) =>
    each.count('object') === each.occurrences ? [...each.members.keys()].sort().join('\n') : undefined,
  );
  return first !== undefined && first !== '' && others.every((each) => each === first);
}

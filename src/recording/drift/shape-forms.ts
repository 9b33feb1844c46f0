/** Forms that shapes take: tables, maps, lists that go on. */
import { ANY_KEY, type Shape } from './shape.ts';

/** How many objects, elements or rows of cells a place held. */
export const holders = (shape: Shape): number =>
  shape.count('object') + [...shape.widths.values()].reduce((sum, each) => sum + each, 0);

/** Whether rows of cells stand on both sides. */
export const areTables = (was: Shape, is: Shape): boolean => was.widths.size > 0 && is.widths.size > 0;

/** Whether a place names the next page of a list: there is none where the list ends. */
export const isNextPage = (path: string): boolean => /next|cursor|continuation|page_?token|has_?more/i.test(path);

/** Whether elements of a list stand within an element that is new, or under another name, rather than nowhere. */
export const isElsewhere = (name: string, from: Shape, to: Shape): boolean =>
  [...to.members].some(
    ([each, { repeated, shape }]) => !from.members.has(each) && (repeated > 0 || shape.members.has(name)),
  );

/** Names columns of tables, where both sides name theirs: by name and by place cannot be compared. */
export function nameColumns(was: Shape, is: Shape): void {
  if (!was.hasNamedTable || !is.hasNamedTable) return;
  was.nameCells();
  is.nameCells();
}

/** A map keyed by names that are data: several objects of one kind beside nothing else, in a place that stands once. */
export function foldAlike(was: Shape, is: Shape, inList: boolean): void {
  if (inList || !isMap(was) || !isMap(is)) return;
  was.fold();
  is.fold();
}

/** Names of windows are names, however alike what they hold. */
const WINDOW = /last|prior|previous|current|week|month|quarter|year|total|\d ?(?:w|wk|wks|m|y|d)$/i;

function isMap(shape: Shape): boolean {
  if ([...shape.members.keys()].some((name) => WINDOW.test(name))) return false;
  const members = [...shape.members.values()];
  if (members.length < 3 || shape.members.has(ANY_KEY)) return false;
  const [first, ...others] = members.map(({ shape: each }) =>
    each.count('object') === each.seen ? [...each.members.keys()].sort().join('\n') : undefined,
  );
  return first !== undefined && first !== '' && others.every((each) => each === first);
}

/** The deltas of 1, 4 and 13 weeks, and the kinds of change that their rows show: new, changed, removed (sections 4.3 and 8). */
import { type DeltaWeeks, type Field, LIMITS, UPDATE_PRODUCTS } from '../contract/index.ts';
import { asUpc, type Declarations, type FoldMap, maybe, type Reading, rows, type Step, type UpcSet } from './index.ts';
import { upcs, upcsBy } from './upc-set.ts';

/** The delta of each window, as sides of a relation. */
export function deltas<F extends FoldMap>(fields: readonly Field[], folds: F, more: Pick<Step, 'alsoMatches'> = {}) {
  const delta = (weeks: DeltaWeeks) => maybe(rows(UPDATE_PRODUCTS, { weeks, fields, folds, ...more }));
  return { one: delta(1), four: delta(4), thirteen: delta(13) };
}

/** A requested window, and its reading. */
export interface DeltaWindow<R extends Reading> {
  readonly weeks: DeltaWeeks;
  readonly reading: R;
}

/** The requested windows of `deltas`, the smallest first. */
export const windowsIn = <R extends Reading>({
  one,
  four,
  thirteen,
}: Readonly<Record<'one' | 'four' | 'thirteen', R | undefined>>): DeltaWindow<R>[] =>
  [one, four, thirteen].flatMap((reading, at) =>
    reading ? [{ weeks: LIMITS.deltaWeeks[at] as DeltaWeeks, reading }] : [],
  );

/** The UPCs of a delta, also by the text of their kind of change. */
export const kindFolds = { upcs, byKind: upcsBy('changeKind') };

interface KindReading {
  readonly folds: { readonly upcs: UpcSet; readonly byKind: ReadonlyMap<string, UpcSet> };
}

/** Whether a row of deltas shows a product with such a text of its kind. */
export function hasKindIn(
  deltas: readonly KindReading[],
  isWanted: (text: string) => boolean,
): (upc: string) => boolean {
  const sets = deltas.flatMap(({ folds }) => [...folds.byKind].flatMap(([text, set]) => (isWanted(text) ? [set] : [])));
  return (upc) => sets.some((set) => set.has(upc));
}

/** Whether a text shows no removal. A profile that names removals only says that all other texts are none. */
const remains =
  ({ delta: { kinds } }: Declarations) =>
  (text: string): boolean =>
    !kinds ||
    (kinds.new.length + kinds.changed.length === 0
      ? !kinds.removed.includes(text)
      : [...kinds.new, ...kinds.changed].includes(text));

/**
 * Whether a product is not removed: each of its rows shows that it is new or changed, in every delta. Without declared
 * kinds, and where the profile states that none means removed, no product is removed. A text that it does not name is no proof.
 *
 * @example isNotRemovedIn([thirteen], declarations)('012345678905') // false if one of its rows is a removal
 */
export function isNotRemovedIn(deltas: readonly KindReading[], declarations: Declarations): (upc: string) => boolean {
  if (!declarations.delta.kinds || declarations.delta.statesNoRemovals) return () => true;
  const [isRemaining, isRemoved] = [hasKindIn(deltas, remains(declarations)), mayBeRemovedIn(deltas, declarations)];
  return (upc) => isRemaining(upc) && !isRemoved(upc);
}

/** Whether a row of deltas may show that a product was removed. A row without a text shows no removal. */
export const mayBeRemovedIn = (
  deltas: readonly KindReading[],
  declarations: Declarations,
): ((upc: string) => boolean) =>
  hasKindIn(deltas, (text) => !declarations.delta.statesNoRemovals && !remains(declarations)(text));

/**
 * The UPCs of a delta that it shows as removed, by a text that the profile names. A product with another text there, or in
 * one of the smaller windows, may have returned and is left out.
 */
export function removedIn(
  delta: KindReading,
  smaller: readonly KindReading[],
  declarations: Declarations,
): readonly string[] {
  const removed = declarations.delta.kinds?.removed ?? [];
  const isOther = hasKindIn([delta, ...smaller], (text) => !removed.includes(text));
  const listed = removed.flatMap((text) => [...(delta.folds.byKind.get(text)?.numbers ?? [])].map(asUpc));
  return listed.filter((upc) => !isOther(upc));
}

/** The kinds of change that the rows of a delta show: new, changed, removed (sections 4.3 and 8). */
import { asUpc, type Declarations, type Fold, type UpcSet, upcs, upcsBy } from './index.ts';

/** The UPCs of a delta, also by the text of their kind of change. */
export const kindFolds = { upcs, byKind: upcsBy('changeKind') } satisfies { readonly [name: string]: Fold<unknown> };

interface KindReading {
  readonly folds: { readonly upcs: UpcSet; readonly byKind: ReadonlyMap<string, UpcSet> };
}

type KindMeaning = 'remaining' | 'removed';

/** The UPCs of deltas by what the text of their kind shows. A text that the profile does not name may be a removal. */
function upcsByKind(deltas: readonly KindReading[], { delta }: Declarations): Record<KindMeaning, readonly UpcSet[]> {
  const { kinds } = delta;
  // A profile that names removals only says that all other texts are not removals.
  const remains = (text: string) =>
    !kinds ||
    (kinds.new.length + kinds.changed.length === 0
      ? !kinds.removed.includes(text)
      : [...kinds.new, ...kinds.changed].includes(text));
  const texts = deltas.flatMap(({ folds }) => [...folds.byKind]);
  const sets = (isWanted: (text: string) => boolean) => texts.filter(([text]) => isWanted(text)).map(([, set]) => set);
  return { remaining: sets(remains), removed: sets((text) => !remains(text)) };
}

/**
 * Whether a product is not removed: each of its rows shows that it is new or changed, in every delta. Without declared
 * kinds, and where the profile states that none means removed, no product is removed. A text that it does not name is no proof.
 *
 * @example isNotRemovedIn([thirteen], declarations)('012345678905') // false if one of its rows is a removal
 */
export function isNotRemovedIn(deltas: readonly KindReading[], declarations: Declarations): (upc: string) => boolean {
  if (!declarations.delta.kinds || declarations.delta.statesNoRemovals) return () => true;
  const { remaining, removed } = upcsByKind(deltas, declarations);
  return (upc) => remaining.some((set) => set.has(upc)) && !removed.some((set) => set.has(upc));
}

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
  const others = [delta, ...smaller].flatMap(({ folds }) =>
    [...folds.byKind].flatMap(([text, set]) => (removed.includes(text) ? [] : [set])),
  );
  return removed
    .flatMap((text) => [...(delta.folds.byKind.get(text)?.numbers ?? [])].map(asUpc))
    .filter((upc) => !others.some((set) => set.has(upc)));
}

/**
 * Whether a row of deltas may show that a product was removed. A row without a text shows no removal.
 *
 * @example mayBeRemovedIn([thirteen], declarations)('012345678905') // true if one of its rows is a removal
 */
export function mayBeRemovedIn(deltas: readonly KindReading[], declarations: Declarations): (upc: string) => boolean {
  if (declarations.delta.statesNoRemovals) return () => false;
  const { removed } = upcsByKind(deltas, declarations);
  return (upc) => removed.some((set) => set.has(upc));
}

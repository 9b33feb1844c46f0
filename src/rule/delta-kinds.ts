/** The kinds of change that the rows of a delta show: new, changed, removed (sections 4.3 and 8). */
import { type Declarations, type Fold, type UpcSet, upcs, upcsBy } from './index.ts';

/** The UPCs of a delta, also by the text of their kind of change. */
export const kindFolds = { upcs, byKind: upcsBy('changeKind') } satisfies { readonly [name: string]: Fold<unknown> };

interface KindReading {
  readonly folds: { readonly upcs: UpcSet; readonly byKind: ReadonlyMap<string, UpcSet> };
}

/**
 * Whether a product of deltas remains one: each of its rows shows that it is new or changed, in every delta. Without
 * declared kinds every product remains one. A text that the profile does not name is no proof.
 *
 * @example remainsIn([thirteen], declarations)('012345678905') // false if one of its rows is a removal
 */
export function remainsIn(deltas: readonly KindReading[], { delta }: Declarations): (upc: string) => boolean {
  const { kinds } = delta;
  if (!kinds) return () => true;
  // A profile that names removals only says that all other texts are not removals.
  const isOther = (text: string) =>
    kinds.new.length + kinds.changed.length === 0
      ? !kinds.removed.includes(text)
      : [...kinds.new, ...kinds.changed].includes(text);
  const texts = deltas.flatMap(({ folds }) => [...folds.byKind]);
  const [remaining, others] = [
    texts.filter(([text]) => isOther(text)).map(([, set]) => set),
    texts.filter(([text]) => !isOther(text)).map(([, set]) => set),
  ];
  return (upc) => remaining.some((set) => set.has(upc)) && !others.some((set) => set.has(upc));
}

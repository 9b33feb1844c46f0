/** Folds over the UPCs of a list. */
import type { Field } from '../contract/index.ts';
import { fold } from './fold.ts';
import { UpcSet } from './upc-set.ts';

/** The UPCs of a list. Values that are no UPC are counted in `unread`. */
export const upcs = fold(
  'upcs',
  () => new UpcSet(),
  (keys, { upc }) => {
    if (typeof upc === 'string') keys.add(upc);
    else keys.unread++;
  },
);

/** The UPCs of a list, grouped by a text field. */
export const upcsBy = (field: Field) =>
  fold<Map<string, UpcSet>, ReadonlyMap<string, UpcSet>>(
    `upcsBy:${field}`,
    () => new Map(),
    (groups, { upc, [field]: group }) => {
      if (typeof upc !== 'string' || typeof group !== 'string') return;
      if (!groups.has(group)) groups.set(group, new UpcSet());
      groups.get(group)?.add(upc);
    },
  );

/** The UPCs of the rows without a text in a field, which `upcsBy` omits. */
export const upcsWithout = (field: Field) =>
  fold(
    `upcsWithout:${field}`,
    () => new UpcSet(),
    (keys, { upc, [field]: cell }) => {
      if (typeof upc === 'string' && typeof cell !== 'string') keys.add(upc);
    },
  );

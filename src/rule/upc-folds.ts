/** Folds over the UPCs of a list. */

import type { Field } from '../contract/index.ts';
import type { Fold } from './fold.ts';
import { UpcSet } from './upc-set.ts';

/** The UPCs of a list. Values that are no UPC are counted in `unread`. */
export const upcs: Fold<UpcSet> = {
  key: 'upcs',
  start() {
    const keys = new UpcSet();
    return {
      row(row) {
        if (typeof row.upc === 'string') keys.add(row.upc);
        else keys.unread++;
      },
      done: () => keys,
    };
  },
};

/** The UPCs of a list, grouped by a text field. */
export function upcsBy(field: Field): Fold<ReadonlyMap<string, UpcSet>> {
  return {
    key: `upcsBy:${field}`,
    start() {
      const groups = new Map<string, UpcSet>();
      return {
        row(row) {
          const group = row[field];
          if (typeof row.upc !== 'string' || typeof group !== 'string') return;
          let keys = groups.get(group);
          if (!keys) {
            keys = new UpcSet();
            groups.set(group, keys);
          }
          keys.add(row.upc);
        },
        done: () => groups,
      };
    },
  };
}

/** The UPCs of the rows without a text in a field, which `upcsBy` omits. */
export function upcsWithout(field: Field): Fold<UpcSet> {
  return {
    key: `upcsWithout:${field}`,
    start() {
      const keys = new UpcSet();
      return {
        row(row) {
          if (typeof row.upc === 'string' && typeof row[field] !== 'string') keys.add(row.upc);
        },
        done: () => keys,
      };
    },
  };
}

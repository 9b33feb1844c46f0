/** Whether two responses have the same content, for requests that differ in their credentials. */
import { comparable, differences } from '../reading/signature.ts';
import { type Fold, isValue } from './fold.ts';
import type { Reading } from './reading.ts';

export type FilledFields = { readonly filled: Fold<ReadonlySet<string>> };

/** The fields with a value in some row: a row without any may be an error or a login document. */
export const filledFields: FilledFields = {
  filled: {
    key: 'filled-fields',
    start() {
      const filled = new Set<string>();
      return {
        row(row) {
          for (const [field, cell] of Object.entries(row)) if (isValue(cell)) filled.add(field);
        },
        done: () => filled,
      };
    },
  },
};

/** Whether two responses have the same content, apart from ids and numbers: a login page has another one. */
export function isSameContent(own: Reading<FilledFields>, other: Reading<FilledFields>): boolean {
  if (own.signature?.type !== other.signature?.type || other.observation?.problem) return false;
  const { filled } = own.folds;
  if (filled.size > 0) return [...filled].every((field) => other.folds.filled.has(field));
  if (!own.signature || !other.signature) return false;
  const [one, another] = comparable([own.signature, other.signature]);
  return one !== undefined && another !== undefined && !differences(one, another).includes('body');
}

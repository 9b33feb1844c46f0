/** Helpers of rules about one operation: its openings, and the one reading of a step that is sent once. */
import { type OpeningId, type OperationKey, operationOf } from '../contract/index.ts';
import type { Need, Reading } from './types.ts';

/**
 * The id of an opening of an operation.
 * @example openingOf('GET /PLATFORMAPI/prodRef/v1/allProducts', 'fields.upc') // 'allProducts.fields.upc'
 */
export const openingOf = (subject: OperationKey, part: string): OpeningId =>
  `${operationOf(subject).name}.${part}` as OpeningId;

/**
 * The openings of an operation that a rule needs; of a list, one.
 * @example needsOf(ALL_CATEGORIES, 'request', ['fields.category', 'fields.categoryId'])
 */
export const needsOf = (subject: OperationKey, ...parts: readonly (string | readonly string[])[]): Need[] =>
  parts.map((part) =>
    typeof part === 'string' ? openingOf(subject, part) : part.map((each) => openingOf(subject, each)),
  );

/** The reading of a step that is sent once. A rule is judged only if each of its steps that is not `optional` has one. */
export const onlyReading = <R extends Reading>(readings: readonly R[]): R => readings[0] as R;

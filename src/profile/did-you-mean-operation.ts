/** Finds the operation that a mistyped key means. */
import { OPERATIONS, type OperationKey } from '../contract/index.ts';
import { suggestionFor } from './did-you-mean.ts';

/** The part of an operation that differs from others, without method, prefix and UPC: `allProducts`, `products/{upc}`. */
const tailOf = (operation: string): string =>
  operation
    .slice(0, 200)
    .trim()
    .replace(/^[a-z]+\s+/i, '')
    .replace(/^.*\/(v\d+|webservices)\//i, '')
    // The version is missing.
    .replace(/^.*\/(prodRef|RetailMeasurement|data-access)\//i, '')
    .replace(/^\/+/, '')
    .replace(/\d{8,}/, '{upc}');

const KEYS_BY_TAIL = new Map<string, OperationKey>(OPERATIONS.map(({ key }) => [tailOf(key), key]));

/**
 * Returns ` (did you mean “KEY”?)`, or an empty string. A wrong method, prefix or version does not matter.
 * @example didYouMeanOperation('POST /allProduct') // ' (did you mean “GET /PLATFORMAPI/prodRef/v1/allProducts”?)'
 */
export function didYouMeanOperation(operation: string): string {
  const key = KEYS_BY_TAIL.get(suggestionFor(tailOf(operation), [...KEYS_BY_TAIL.keys()]) ?? '');
  return key === undefined ? '' : ` (did you mean “${key}”?)`;
}

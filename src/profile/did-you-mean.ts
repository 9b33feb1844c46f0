/** Finds the known word, or the operation, closest to a mistyped one. */
import { OPERATIONS, type OperationKey } from '../contract/index.ts';

type Levenshtein = Pick<typeof import('fastest-levenshtein'), 'distance'>;

const NO_SUGGESTION: Levenshtein = { distance: () => Number.POSITIVE_INFINITY };

let loaded: Levenshtein | undefined;

/** Loaded for a mistake only, and in Node only: a simulator in a browser suggests nothing. */
function levenshtein(): Levenshtein {
  loaded ??=
    globalThis.process?.getBuiltinModule?.('node:module').createRequire(import.meta.url)('fastest-levenshtein') ??
    NO_SUGGESTION;
  return loaded as Levenshtein;
}

const lettersOf = (word: string): string => [...word].sort().join('');

/** The Levenshtein distance; two swapped letters, which are one mistake, count once instead of twice. */
function mistakesBetween(a: string, b: string): number {
  const isSwapped = a.length === b.length && a !== b && lettersOf(a) === lettersOf(b);
  return levenshtein().distance(a, b) - (isSwapped ? 1 : 0);
}

/**
 * The closest of the known words, case-insensitive; undefined if none is close: at most a third of the word may
 * differ, and no more letters than `maxMistakes`.
 * @example closestWord('nmae', ['name', 'auth']) // 'name'
 */
export function closestWord(
  word: string,
  known: readonly string[],
  maxMistakes = Number.POSITIVE_INFINITY,
): string | undefined {
  const mistyped = word.slice(0, 100).toLowerCase();
  const mistakes = known.map((each) => ({ each, count: mistakesBetween(mistyped, each.toLowerCase()) }));
  const [best] = mistakes.toSorted((x, y) => x.count - y.count);
  const maxDistance = Math.min(maxMistakes, mistyped.length - 1, Math.max(1, Math.floor(mistyped.length / 3)));
  return best && best.count <= maxDistance ? best.each : undefined;
}

/**
 * The closest of the known words; if none is close, the only one that contains the word.
 * @example suggestionFor('url', ['base-url', 'profile']) // 'base-url'
 */
export function suggestionFor(word: string, known: readonly string[]): string | undefined {
  const closest = closestWord(word, known);
  if (closest !== undefined || word.length < 3) return closest;
  const containing = known.filter((each) => each.toLowerCase().includes(word.toLowerCase()));
  return containing.length === 1 ? containing[0] : undefined;
}

/** Returns ` (did you mean “name”?)`, or an empty string. */
export function didYouMean(word: string, known: readonly string[]): string {
  const suggestion = suggestionFor(word, known);
  return suggestion === undefined ? '' : ` (did you mean “${suggestion}”?)`;
}

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

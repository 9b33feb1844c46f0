/** Recognises secrets by their format, without treating other values as secrets. */

/** Longer texts are documents, not tokens. */
export const LONGEST_SECRET = 32 * 1024;
const SHORTEST_MIXED = 8;
const SHORTEST_OTHER = 16;

const NUMBER = /^[-+]?[$€£]?[\d.,' ]+%?$/;
const DATE = /^\d{4}-\d{2}(?:-\d{2})?(?:[T ][\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?$/;
const URL_LIKE = /^(?:[a-z][a-z0-9+.-]*:)?\/\//i;
/** Templates, and values that are masked already. */
const PLACEHOLDER_LIKE = /^(?:\*+|x+|\.+|\$?\{.*\}|<.*>|\[.*\])$/i;

/**
 * Whether a value found under the name of a secret has the format of a secret only: it can then be replaced everywhere.
 * UPCs (digits only, fewer than 16), prices, dates, words, names with blanks and URLs do not.
 * @example looksGenerated('7f3eA91c') // true
 * @example looksGenerated('012345678905') // false
 */
export function looksGenerated(value: string): boolean {
  if (value.length < SHORTEST_MIXED || value.length > LONGEST_SECRET || /\s/.test(value)) return false;
  if (DATE.test(value) || URL_LIKE.test(value) || PLACEHOLDER_LIKE.test(value)) return false;
  if (/^\d+$/.test(value)) return value.length >= SHORTEST_OTHER;
  if (NUMBER.test(value)) return false;
  return value.length >= SHORTEST_OTHER || (/\d/.test(value) && /[A-Za-z]/.test(value));
}

/** Names and words, as in catalogues. */
const WORDS = /^[\p{L}\p{M}][\p{L}\p{M} .,&'’/-]*$/u;
const LONGEST_WORDS = 24;

/**
 * Whether a declared value is distinguishable from data. It may have blanks and needs no digit; a short value, a number,
 * a date or a word may also be a code, a figure or a category.
 * @example isDistinctive('p&ss wörd!') // true
 * @example isDistinctive('Beverages') // false
 */
export function isDistinctive(value: string): boolean {
  if (value.length < SHORTEST_MIXED || DATE.test(value)) return false;
  if (/^\d+$/.test(value)) return value.length >= SHORTEST_OTHER;
  return !NUMBER.test(value) && !(value.length < LONGEST_WORDS && WORDS.test(value));
}

const SHORTEST_DECLARED = 6;

/**
 * Whether a value that the user declares as a credential can be searched within data. A word can, because one placeholder
 * replaces it everywhere; digits cannot, because they occur in UPCs and figures.
 * @example isSearchable('hunter2') // true
 * @example isSearchable('123456') // false
 */
export const isSearchable = (value: string): boolean =>
  value.length >= SHORTEST_DECLARED && !DATE.test(value) && !NUMBER.test(value);

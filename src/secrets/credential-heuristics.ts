/** Telling a secret by its looks, so that nothing else is taken for one. */

/** Longer texts are documents, not tokens. */
export const LONGEST_SECRET = 32 * 1024;
const SHORTEST_MIXED = 8;
const SHORTEST_OTHER = 16;

const NUMBER = /^[-+]?[$€£]?[\d.,' ]+%?$/;
const DATE = /^\d{4}-\d{2}(?:-\d{2})?(?:[T ][\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?$/;
const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:)?\/\//i;
/** Templates and values hidden by others. */
const STAND_IN = /^(?:\*+|x+|\.+|\$?\{.*\}|<.*>|\[.*\])$/i;

/**
 * Whether a value found under a telling name looks like a secret and like nothing else: it can then be replaced wherever
 * it stands. UPCs (digits only, fewer than 16), prices, dates, words, names with blanks, addresses do not.
 * @example isDistinct('7f3eA91c') // true
 * @example isDistinct('012345678905') // false
 */
export function looksGenerated(value: string): boolean {
  if (value.length < SHORTEST_MIXED || value.length > LONGEST_SECRET || /\s/.test(value)) return false;
  if (DATE.test(value) || ADDRESS.test(value) || STAND_IN.test(value)) return false;
  if (/^\d+$/.test(value)) return value.length >= SHORTEST_OTHER;
  if (NUMBER.test(value)) return false;
  return value.length >= SHORTEST_OTHER || (/\d/.test(value) && /[A-Za-z]/.test(value));
}

/** Names and words, of which catalogues are made. */
const WORDS = /^[\p{L}\p{M}][\p{L}\p{M} .,&'’/-]*$/u;
const LONGEST_WORDS = 24;

/**
 * Whether a declared value can be told from data: it may have blanks and needs no digit, but a short one, a number, a date,
 * a word could as well be a code, a figure or a category.
 * @example isTelling('p&ss wörd!') // true
 * @example isTelling('Beverages') // false
 */
export function isDistinctive(value: string): boolean {
  if (value.length < SHORTEST_MIXED || DATE.test(value)) return false;
  if (/^\d+$/.test(value)) return value.length >= SHORTEST_OTHER;
  return !NUMBER.test(value) && !(value.length < LONGEST_WORDS && WORDS.test(value));
}

const SHORTEST_SWORN = 6;

/**
 * Whether a value that is a credential by somebody’s word can be sought within data: words may be, for one placeholder
 * stands for a word wherever it stands; digits would be found in UPCs and figures.
 * @example isSeekable('hunter2') // true
 * @example isSeekable('123456') // false
 */
export const isSearchable = (value: string): boolean =>
  value.length >= SHORTEST_SWORN && !DATE.test(value) && !NUMBER.test(value);

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
export function isDistinct(value: string): boolean {
  if (value.length < SHORTEST_MIXED || value.length > LONGEST_SECRET || /\s/.test(value)) return false;
  if (DATE.test(value) || ADDRESS.test(value) || STAND_IN.test(value)) return false;
  if (/^\d+$/.test(value)) return value.length >= SHORTEST_OTHER;
  if (NUMBER.test(value)) return false;
  return value.length >= SHORTEST_OTHER || (/\d/.test(value) && /[A-Za-z]/.test(value));
}

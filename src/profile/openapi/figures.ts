/** Recognises the five figures of a performance row (section 4.4) by name. */
import type { Field } from '../../contract/index.ts';
import { wordsOf } from './name-words.ts';

type Figure = Extract<Field, `sales${string}` | 'percentChange'>;

/** Words of other figures and of values that are not figures. */
const OTHER =
  /^(units?|vol|volume|qty|quantity|share|price|avg|average|count|acv|distribution|dist|rank|index|stores?|baseline|base|promo|id|date|start|begin|end|from|ytd|eq|equivalent|forecast|budget|target)$/;
const MONEY = /^(sales?|dollars?|dol|usd|value|val|amt|amount|revenue|\$|spend|turnover)$/;
const CHANGE = /^(pct|percent|percentage|%|chg|change|growth|yoy|delta)$/;
const WINDOW_OF: Readonly<Record<string, Figure>> = {
  '4': 'sales4Weeks',
  four: 'sales4Weeks',
  '12': 'sales12Weeks',
  twelve: 'sales12Weeks',
  '52': 'sales52Weeks',
  fiftytwo: 'sales52Weeks',
};

/**
 * Returns the figure that a name denotes (words from the row down), and how well: 3 with a word for money, 2 if only
 * the window or the year is named.
 *
 * @example figureFromName(['figures', 'dollarSales4wk']) // { figure: 'sales4Weeks', fit: 3 }
 */
export function figureFromName(names: readonly string[]): { figure: Figure; fit: 2 | 3 } | undefined {
  const words = names.flatMap(wordsOf);
  if (words.some((word) => OTHER.test(word))) return undefined;
  const windows = new Set(words.flatMap((word) => (Object.hasOwn(WINDOW_OF, word) ? [WINDOW_OF[word] as Figure] : [])));
  const others = words.filter((word) => /^\d+$/.test(word) && !Object.hasOwn(WINDOW_OF, word));
  if (windows.size > 1 || others.length > 0) return undefined;
  const [window] = windows;
  const lastYear =
    words.some((word) => /^(ly|lya|ya|py|yago|lastyear|prioryear|previousyear|yearago)$/.test(word)) ||
    /\b(last|prior|prev|previous) (y|yr|year)\b|\b(year|yr) (ago|before)\b/.test(words.join(' '));
  const change = words.some((word) => CHANGE.test(word));
  const money = words.some((word) => MONEY.test(word));
  if (change) {
    const namesPercent = words.some((word) => /^(pct|percent|percentage|%|growth|yoy)$/.test(word));
    // A change over four or twelve weeks is another figure than that over the year.
    return window === 'sales4Weeks' || window === 'sales12Weeks'
      ? undefined
      : { figure: 'percentChange', fit: namesPercent && !window ? 3 : 2 };
  }
  if (lastYear)
    return window === 'sales4Weeks' || window === 'sales12Weeks'
      ? undefined
      : { figure: 'salesLastYear', fit: money && !window ? 3 : 2 };
  return window && { figure: window, fit: money ? 3 : 2 };
}

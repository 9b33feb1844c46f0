/** Splits names into words, so that `dollar_sales-4Wk`, `dollarSales4Wk` and `DollarSales4wk` are one name. */

/** @example wordsOf('salesLast4Weeks') // ['sales', 'last', '4', 'weeks'] */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/(\d+)/g, ' $1 ')
    .toLowerCase()
    .split(/[^\p{L}\d%$]+/u)
    .filter((word) => word !== '');
}

/** @example joinWords('Sub-Category Name') // 'subcategoryname' */
export const joinWords = (name: string): string => wordsOf(name).join('');

/** Formats a text as one line of limited length, for quoting in comments. */
export function quoteText(text: string, maxLength = 100): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return `“${line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line}”`;
}

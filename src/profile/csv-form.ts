/** Guesses how a CSV text is written. */

const DELIMITERS = [',', ';', '\t', '|'] as const;
const COMMENT = /^(#+|\/\/|--|;;)/;

/** What a profile writes under `csv`. */
interface CsvTextForm {
  readonly delimiter?: (typeof DELIMITERS)[number];
  readonly comment?: readonly string[];
}

/**
 * Guesses delimiter and comment lines from the beginning of a CSV text: those by which most lines have as many cells.
 * Undefined if both are the usual ones.
 *
 * @param type the media type; tab-separated values have tabs
 * @param isCut whether the last line may be incomplete
 */
export function csvFormOf(text: string, type: string, isCut: boolean): CsvTextForm | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const comment = COMMENT.exec(lines[0] ?? '')?.[1];
  const records = lines.filter((line) => comment === undefined || !line.startsWith(comment));
  const whole = isCut ? records.slice(0, -1) : records;
  const evenness = (delimiter: string): number => {
    const [first = 1, ...others] = whole.map((line) => line.split(delimiter).length);
    if (first < 2) return 0;
    return others.length === 0 ? first : others.filter((count) => count === first).length * first;
  };
  const [delimiter = ','] = [...DELIMITERS].sort((x, y) => evenness(y) - evenness(x));
  const usual = type.includes('tab-separated') ? '\t' : ',';
  if (delimiter === usual && comment === undefined) return undefined;
  return { ...(delimiter !== usual && { delimiter }), ...(comment !== undefined && { comment: [comment] }) };
}

/** The format of a text, as far as it matters to a client that parses it. */

const FORMATS: readonly (readonly [RegExp, string])[] = [
  [/^-?\d{1,7}$/, 'whole number'],
  [/^\d{4}-\d\d-\d\d$/, 'date'],
  [/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*(?:Z|[+-]\d\d:?\d\d)$/, 'time'],
  [/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/, 'local time'],
  [/^\d{4}-\d\d$/, 'month'],
  [/^\d{4}-?W\d\d(?:-?\d)?$/, 'week'],
  [/^\d{1,2}\/\d{1,2}\/(?:\d\d|\d{4})$/, 'date with slashes'],
  [/^\d{4}\/\d{1,2}\/\d{1,2}$/, 'date with slashes, year first'],
  [/^\d{1,2}\.\d{1,2}\.(?:\d\d|\d{4})$/, 'date with dots'],
  [/^\d{1,2}-[A-Za-z]{3}-\d{2,4}$/, 'date with month name'],
  [/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/, 'HTTP date'],
  [/^-?\d+\.\d+$/, 'decimal number'],
  [/^-?\d{8,}$/, 'digits'],
  [/^-?\d+(?:\.\d+)?[eE][+-]?\d+$/, 'number with exponent'],
  [/^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/, 'number with commas between thousands'],
  [/^-?\d{1,3}(?:\.\d{3})*,\d+$/, 'number with a decimal comma'],
  [/^[-(]?[$€£] ?-?[\d.,]+\)?$/, 'amount with currency'],
  [/^-?[\d.,]+ ?%$/, 'percentage with sign'],
  [/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, 'UUID'],
  [/^https?:\/\//i, 'URL'],
  [/^(?:true|false)$/i, 'true or false'],
];

/** Anything else. */
export const FREE_TEXT = 'text';

/** Formats of numbers that may be mixed in one place. */
const NUMBER_FORMATS: readonly string[] = ['whole number', 'decimal number', 'digits'];

/** Only the beginning of a longer text is matched. */
const MAX_MATCHED_LENGTH = 64;

/**
 * The name of a text’s format; for 8 or more digits it includes their number.
 * @example formatOf('012345678905') // '12 digits'
 */
export function formatOf(text: string): string {
  const name = FORMATS.find(([pattern]) =>
    pattern.test(text.length > MAX_MATCHED_LENGTH ? text.slice(0, MAX_MATCHED_LENGTH) : text),
  )?.[1];
  if (name === 'digits') return `${text.replace('-', '').length} digits`;
  return name ?? FREE_TEXT;
}

const isDigits = (format: string): boolean => / digits$/.test(format);
const withoutLength = (format: string): string => (isDigits(format) ? 'digits' : format);

/** Digits count as a code of fixed length (a UPC, a GTIN) if at least this many values have the same length. */
const MIN_CODE_COUNT = 20;
const CODE_FORMATS = ['12 digits', '13 digits', '14 digits'];

/**
 * Whether a client that handles the formats in `met` can also handle this format.
 * @param knownFormats how often each format occurred
 * @param typed whether texts and numbers are distinct: not in CSV and XML, where every value is a text
 */
export function isFamiliar(format: string, knownFormats: ReadonlyMap<string, number>, typed: boolean): boolean {
  if (knownFormats.has(format) || knownFormats.has(FREE_TEXT)) return true;
  const formats = [...knownFormats.keys()];
  const [onlyFormat] = formats.length === 1 ? formats : [];
  const isCode =
    onlyFormat !== undefined &&
    isDigits(onlyFormat) &&
    ((knownFormats.get(onlyFormat) ?? 0) >= MIN_CODE_COUNT || CODE_FORMATS.includes(onlyFormat));
  if (isCode) return false;
  const known = new Set(formats.map(withoutLength));
  const now = withoutLength(format);
  if (!NUMBER_FORMATS.includes(now)) return false;
  // Whole numbers grow, and some decimal numbers are whole.
  if (now !== 'decimal number') return NUMBER_FORMATS.some((each) => known.has(each));
  return !typed && NUMBER_FORMATS.some((each) => known.has(each));
}

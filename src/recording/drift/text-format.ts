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
export const FREE = 'text';

/** Formats of numbers that may be mixed in one place. */
const NUMBERS: readonly string[] = ['whole number', 'decimal number', 'digits'];

/** Only the beginning of a longer text is matched. */
const LONGEST = 64;

/**
 * The name of a text’s format; for 8 or more digits it includes their number.
 * @example formatOf('012345678905') // '12 digits'
 */
export function formatOf(text: string): string {
  const name = FORMATS.find(([pattern]) => pattern.test(text.length > LONGEST ? text.slice(0, LONGEST) : text))?.[1];
  if (name === 'digits') return `${text.replace('-', '').length} digits`;
  return name ?? FREE;
}

const isDigits = (format: string): boolean => / digits$/.test(format);
const withoutLength = (format: string): string => (isDigits(format) ? 'digits' : format);

/** Digits count as a code of fixed length (a UPC, a GTIN) if at least this many values have the same length. */
const MANY = 20;
const CODES = ['12 digits', '13 digits', '14 digits'];

/**
 * Whether a client that handles the formats in `met` can also handle this format.
 * @param met how often each format occurred
 * @param typed whether texts and numbers are distinct: not in CSV and XML, where every value is a text
 */
export function isFamiliar(format: string, met: ReadonlyMap<string, number>, typed: boolean): boolean {
  if (met.has(format) || met.has(FREE)) return true;
  const formats = [...met.keys()];
  const [only] = formats.length === 1 ? formats : [];
  const isCode = only !== undefined && isDigits(only) && ((met.get(only) ?? 0) >= MANY || CODES.includes(only));
  if (isCode) return false;
  const known = new Set(formats.map(withoutLength));
  const now = withoutLength(format);
  if (!NUMBERS.includes(now)) return false;
  // Whole numbers grow, and some decimal numbers are whole.
  if (now !== 'decimal number') return NUMBERS.some((each) => known.has(each));
  return !typed && NUMBERS.some((each) => known.has(each));
}

/** How a text is written, as far as a client that takes it apart would mind. */

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
  [/^\d{1,2}-[A-Za-z]{3}-\d{2,4}$/, 'date with a month’s name'],
  [/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/, 'HTTP date'],
  [/^-?\d+\.\d+$/, 'decimal number'],
  [/^-?\d{8,}$/, 'digits'],
  [/^-?\d+(?:\.\d+)?[eE][+-]?\d+$/, 'number with exponent'],
  [/^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/, 'number with commas between thousands'],
  [/^-?\d{1,3}(?:\.\d{3})*,\d+$/, 'number with a decimal comma'],
  [/^[-(]?[$€£] ?-?[\d.,]+\)?$/, 'amount with its currency'],
  [/^-?[\d.,]+ ?%$/, 'percentage with its sign'],
  [/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, 'UUID'],
  [/^https?:\/\//i, 'address'],
  [/^(?:true|false)$/i, 'true or false'],
];

/** Anything else. */
export const FREE = 'text';

/** Numbers of one kind in texts: a bulk of them may hold either. */
const NUMBERS: readonly string[] = ['whole number', 'decimal number', 'digits'];

/** Longer ones are looked at by their beginning only. */
const LONGEST = 64;

/**
 * The name of the way a text is written; digits in a number of 8 or more are told with it.
 * @example formatOf('012345678905') // '12 digits'
 */
export function formatOf(text: string): string {
  const name = FORMATS.find(([pattern]) => pattern.test(text.length > LONGEST ? text.slice(0, LONGEST) : text))?.[1];
  if (name === 'digits') return `${text.replace('-', '').length} digits`;
  return name ?? FREE;
}

const isDigits = (format: string): boolean => / digits$/.test(format);
const bare = (format: string): string => (isDigits(format) ? 'digits' : format);

/** A code of so many digits is one of a fixed length (a UPC, a GTIN) if as many values had it. */
const MANY = 20;
const CODES = ['12 digits', '13 digits', '14 digits'];

/**
 * Whether a text written so is nothing new to who has met these.
 * @param met how often each format was met
 * @param typed whether texts and numbers can be told apart there: not so in CSV and XML, where all is text
 */
export function isFamiliar(format: string, met: ReadonlyMap<string, number>, typed: boolean): boolean {
  if (met.has(format) || met.has(FREE)) return true;
  const formats = [...met.keys()];
  const [only] = formats.length === 1 ? formats : [];
  const isCode = only !== undefined && isDigits(only) && ((met.get(only) ?? 0) >= MANY || CODES.includes(only));
  if (isCode) return false;
  const known = new Set(formats.map(bare));
  const now = bare(format);
  if (!NUMBERS.includes(now)) return false;
  // Whole numbers grow, and among decimal ones some are whole.
  if (now !== 'decimal number') return NUMBERS.some((each) => known.has(each));
  return !typed && NUMBERS.some((each) => known.has(each));
}

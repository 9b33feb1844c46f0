/**
 * Converters: from the wire format of a value to its neutral value. The document fixes no types or formats
 * of bodies (section 2); a profile names the converter of a field, or the default one of its kind applies.
 *
 * Neutral values: a UPC is a string of 12 digits (section 8), money is in dollars, a percentage in percent, an id is a text or a number, a date is
 * a day number (days since 1970-01-01), a list is the nodes found.
 */
import type { FieldKind } from '../../contract/index.ts';
import { dateConverters } from './dates.ts';
import { figureConverters } from './figures.ts';
import { type Conversion, type Converter, converted, unconvertible } from './types.ts';
import { upcConverters } from './upcs.ts';

export { dayNumber, isoDate } from './dates.ts';
export type { Conversion, Converter, Neutral } from './types.ts';

function readText(raw: unknown): Conversion {
  if (typeof raw === 'string') return converted(raw);
  return typeof raw === 'number' || typeof raw === 'boolean' ? converted(String(raw)) : unconvertible('not a text');
}

function readTrimmed(raw: unknown): Conversion {
  return typeof raw === 'string' ? converted(raw.trim()) : readText(raw);
}

function readUrlPart(raw: unknown): Conversion {
  if (typeof raw !== 'string') return readText(raw);
  try {
    return converted(decodeURIComponent(raw));
  } catch {
    return unconvertible('not a valid part of a URL: % must be followed by two hex digits of UTF-8');
  }
}

/** All converters, by their names in profiles. */
const table = {
  ...upcConverters,
  text: { kinds: ['text', 'id'], means: 'a text; a number or boolean is converted to a text', read: readText },
  id: {
    kinds: ['id'],
    means: 'a text or a number, sent to other operations in the same type',
    read: (raw) => (typeof raw === 'number' && Number.isFinite(raw) ? converted(raw) : readText(raw)),
  },
  trimmed: { kinds: ['text', 'id'], means: 'a text without the blanks around it', read: readTrimmed },
  urlPart: {
    kinds: ['text', 'id'],
    means: 'a percent-encoded part of a URL (%2F is read as /), such as a job id in a Location header',
    read: readUrlPart,
  },
  ...figureConverters,
  ...dateConverters,
  list: {
    kinds: ['list'],
    means: 'the nodes as found',
    read: (raw) => (Array.isArray(raw) ? converted(raw) : unconvertible('not a list')),
  },
} as const satisfies Record<string, Converter>;

export type ConverterName = keyof typeof table;
export const CONVERTERS: Readonly<Record<ConverterName, Converter>> = table;
export const CONVERTER_NAMES = Object.keys(table) as [ConverterName, ...ConverterName[]];

const DEFAULTS = {
  upc: 'upcOrNumber',
  text: 'text',
  id: 'id',
  number: 'number',
  money: 'number',
  percent: 'number',
  date: 'iso',
  list: 'list',
} as const satisfies Record<FieldKind, ConverterName>;

/**
 * Returns the converter that a profile names for a field, or else the default converter of its kind.
 *
 * @example converterFor('money', 'cents').read(1234) // { value: 12.34 }
 */
export function converterFor(kind: FieldKind, name: ConverterName = DEFAULTS[kind]): Converter {
  return table[name];
}

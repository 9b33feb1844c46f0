/** Chooses the converter of a value by its schema. An uncertain converter is not chosen, because it could misread correct values. */
import { FIELDS, type Field } from '../../contract/index.ts';
import { CONVERTERS, type ConverterName } from '../converters/index.ts';
import type { DescribedValue } from './described-values.ts';
import { quoteText } from './name-words.ts';

/** The chosen converter and its reason. Without `as` the default converter is used; `doubt` says what the author must decide. */
export interface Choice {
  readonly as?: ConverterName;
  /** The number of decimal digits of the number, e.g. -3 for thousands. */
  readonly decimals?: number;
  readonly reason?: string;
  readonly doubt?: string;
}

const isNumeric = (type: string | undefined): boolean => type === 'number' || type === 'integer';

/** Returns the converter of a field for a described value. */
export function chooseConverter(field: Field, describedValue: DescribedValue): Choice {
  switch (FIELDS[field].kind) {
    case 'upc':
      return ofUpc(describedValue);
    case 'money':
      return ofMoney(describedValue);
    case 'percent':
      return ofPercent(describedValue);
    case 'date':
      return ofDate(describedValue);
    case 'text':
    case 'id':
      return ofText(describedValue);
    default:
      return {};
  }
}

/** A text between the line breaks of an indented document. */
function ofText(describedValue: DescribedValue): Choice {
  const padded = samplesOf(describedValue).find((each) => typeof each === 'string' && each !== each.trim());
  return padded === undefined ? {} : { as: 'trimmed', reason: 'an example with white space around it' };
}

const samplesOf = ({ schema }: DescribedValue): readonly unknown[] => [
  ...schema.examples,
  ...schema.enumValues.map(({ value }) => value),
];

/** The converters that can read every example and enum value; empty without examples. */
function convertersForExamples(describedValue: DescribedValue, names: readonly ConverterName[]): ConverterName[] {
  const samples = samplesOf(describedValue).filter((each) => each !== null && each !== undefined);
  if (samples.length === 0) return [];
  return names.filter((name) => samples.every((sample) => 'value' in CONVERTERS[name].read(sample)));
}

/** A value in the examples with digits, which none of the converters that a draft chooses can read; undefined if there is none. */
function unreadableExample(describedValue: DescribedValue, names: readonly ConverterName[]): string | undefined {
  const unread = samplesOf(describedValue).find(
    (sample) => /\d/.test(String(sample)) && !names.some((name) => 'value' in CONVERTERS[name].read(sample)),
  );
  return unread === undefined ? undefined : quoteText(String(unread).trim());
}

/** The number of digits of a text, by pattern or length. */
function digitsOf({ schema }: DescribedValue): number | undefined {
  const { pattern, minLength, maxLength } = schema;
  const [, zeros, formats] = /^\^(0*)(?:\\d|\[0-9\])\{(\d+)\}\$$/.exec(pattern ?? '') ?? [];
  if (formats !== undefined) return (zeros ?? '').length + Number(formats);
  return minLength !== undefined && minLength === maxLength && pattern === undefined ? minLength : undefined;
}

const BY_DIGITS: Readonly<Record<number, ConverterName>> = { 12: 'upc', 13: 'gtin13', 14: 'gtin14' };

const UPC_CONVERTERS: readonly ConverterName[] = ['upc', 'gtin13', 'gtin14', 'upcSeparated'];

function ofUpc(describedValue: DescribedValue): Choice {
  const { schema } = describedValue;
  if (isNumeric(schema.type)) return { as: 'upcNumber', reason: `type ${schema.type}` };
  const digits = digitsOf(describedValue);
  const stated = digits === undefined ? undefined : BY_DIGITS[digits];
  if (stated) return { as: stated, reason: schema.pattern ? `pattern ${schema.pattern}` : `length ${digits}` };
  const [byExample] = convertersForExamples(describedValue, UPC_CONVERTERS);
  // The default converter needs no note.
  if (byExample && byExample !== 'upc')
    return { as: byExample, reason: `example ${quoteText(String(samplesOf(describedValue)[0]))}` };
  if (byExample) return {};
  const unread = unreadableExample(describedValue, UPC_CONVERTERS);
  if (unread !== undefined) return { doubt: `the example ${unread} is no UPC in a known format: set as` };
  const [, match] = /\b(?:GTIN|EAN)[- ]?(13|14)\b/i.exec(`${describedValue.names.at(-1)} ${schema.description}`) ?? [];
  if (match)
    return {
      as: BY_DIGITS[Number(match)] as ConverterName,
      reason: `its name or description mentions ${match} digits`,
    };
  return /gtin|ean/i.test(describedValue.names.at(-1) ?? '')
    ? { doubt: 'the number of digits is unknown: 12, or as: gtin13 or gtin14' }
    : {};
}

/** Units of amounts: the words, the digits after the decimal point, and their name. */
const SCALES: readonly (readonly [RegExp, number, string])[] = [
  [/\b(thousands?|000s|in k|x ?1,?000)\b|000s\b/i, -3, 'thousands'],
  [/\b(millions?|in mm|x ?1,?000,?000)\b/i, -6, 'millions'],
];

function ofMoney(describedValue: DescribedValue): Choice {
  const { schema } = describedValue;
  const text = `${describedValue.names.join(' ')} ${schema.description}`;
  const scales = SCALES.filter(([words]) => words.test(text));
  if (scales.length > 1) return { doubt: 'its name or description mentions several units: set decimals or as' };
  const [scale] = scales;
  if (scale && !isNumeric(schema.type))
    return { doubt: `its name or description mentions ${scale[2]}: set decimals: ${scale[1]}` };
  if (scale) return { decimals: scale[1], reason: `its name or description mentions ${scale[2]}` };
  if (/\bcents\b|cents$|minor[ _-]?units?/i.test(text) && !/\bdollars and cents\b/i.test(text))
    return { as: 'cents', reason: 'its name or description mentions cents' };
  const samples = samplesOf(describedValue);
  if (samples.length > 0 && samples.every((each) => /^\d+$/.test(String(each))))
    return { doubt: 'its examples are whole numbers: as: number if they are dollars, as: cents if they are cents' };
  if (isNumeric(schema.type)) return { as: 'number', reason: `type ${schema.type}` };
  const [byExample] = convertersForExamples(describedValue, ['number', 'usd', 'decimalComma']);
  if (byExample) return { as: byExample, reason: `example ${quoteText(String(samplesOf(describedValue)[0]))}` };
  if (schema.format === 'decimal' || schema.format === 'double')
    return { as: 'number', reason: `format ${schema.format}` };
  return { doubt: 'a text without an example: if it is not a plain decimal number, set a converter' };
}

const PERCENT_CONVERTERS: readonly ConverterName[] = ['number', 'percentText', 'decimalComma'];

function ofPercent(describedValue: DescribedValue): Choice {
  const { schema } = describedValue;
  const text = `${describedValue.names.join(' ')} ${schema.description}`;
  if (/\b(fraction|ratio|as a decimal)\b|\b0?\.\d+ (=|is|means|for) [\d.]+ ?(%|per ?cent)/i.test(text))
    return { as: 'fraction', reason: 'its name or description mentions a fraction of one' };
  const [byExample] = convertersForExamples(describedValue, PERCENT_CONVERTERS);
  if (byExample && byExample !== 'number')
    return { as: byExample, reason: `example ${quoteText(String(samplesOf(describedValue)[0]))}` };
  const unread = byExample ? undefined : unreadableExample(describedValue, PERCENT_CONVERTERS);
  if (unread !== undefined) return { doubt: `the example ${unread} is no percentage in a known format: set as` };
  if (byExample === undefined && schema.type === 'string')
    return { doubt: 'a text without an example: if it is not a plain decimal number, set a converter' };
  const samples = samplesOf(describedValue).filter((each) => typeof each === 'number' && each !== 0) as number[];
  // A fraction with one digit after the point would be tens of percent.
  const isSmall = samples.some((each) => !Number.isInteger(each * 10)) && samples.every((each) => Math.abs(each) < 1);
  if (isSmall || (schema.minimum === -1 && (schema.maximum ?? 1) <= 1) || schema.maximum === 1)
    return { doubt: 'its examples or bounds are below 1: if 0.05 means 5 %, add as: fraction' };
  return {};
}

const DATE_FORMATS: readonly (readonly [RegExp, ConverterName])[] = [
  [/\bYYYY-?MM-?DDT/i, 'iso'],
  [/\bYYYY-MM-DD\b/i, 'iso'],
  [/\bYYYYMMDD\b/i, 'compact'],
  [/\bMM?[/-]DD?[/-]YYYY\b/i, 'us'],
  [/\bDD?[./-]MM?[./-]YYYY\b/i, 'european'],
  [/\bYYYY-?'?W'?(ww|WW)\b/, 'isoWeek'],
  [/\bISO (8601 )?week\b/i, 'isoWeek'],
  [/\bmilliseconds since\b|\bepoch milli/i, 'epochMillis'],
  [/\b(unix|epoch) (time|seconds|timestamp)|\bseconds since\b/i, 'epochSeconds'],
];

function ofDate(describedValue: DescribedValue): Choice {
  const { schema } = describedValue;
  if (schema.format === 'date' || schema.format === 'date-time')
    return { as: 'iso', reason: `format ${schema.format}` };
  const match = DATE_FORMATS.find(([form]) => form.test(`${schema.description} ${schema.format ?? ''}`));
  if (match) return { as: match[1], reason: `its description ${quoteText(schema.description)}` };
  const formats = convertersForExamples(describedValue, ['iso', 'compact', 'us', 'european', 'isoWeek', 'httpDate']);
  const sample = quoteText(String(samplesOf(describedValue)[0]));
  if (formats.includes('us') && formats.includes('european'))
    return { doubt: `the example ${sample} is ambiguous: as: us or as: european` };
  if (formats[0]) return { as: formats[0], reason: `example ${sample}` };
  const number = samplesOf(describedValue).find((each) => typeof each === 'number');
  if (isNumeric(schema.type) && typeof number === 'number' && number > 1e8)
    // 1e11 seconds is after the year 5000, 1e11 milliseconds is in 1973.
    return { as: number > 1e11 ? 'epochMillis' : 'epochSeconds', reason: `example ${sample}` };
  return { doubt: 'the date format is unknown; without a converter it is read as YYYY-MM-DD' };
}

/** Determines the converter of a value from its schema; never guesses one that could make a correct value wrong. */
import { FIELDS, type Field } from '../../contract/index.ts';
import { CONVERTERS, type ConverterName } from '../converters/index.ts';
import type { DescribedValue } from './described-values.ts';
import { quoteText } from './name-words.ts';

/** The converter and its reason; without `as` the default converter; `open` describes a doubt. */
export interface Choice {
  readonly as?: ConverterName;
  readonly from?: string;
  readonly open?: string;
}

const isNumeric = (type: string | undefined): boolean => type === 'number' || type === 'integer';

/** Returns the converter of a field for a described value. */
export function chooseConverter(field: Field, leaf: DescribedValue): Choice {
  switch (FIELDS[field].kind) {
    case 'upc':
      return ofUpc(leaf);
    case 'money':
      return ofMoney(leaf);
    case 'percent':
      return ofPercent(leaf);
    case 'date':
      return ofDate(leaf);
    default:
      return {};
  }
}

const samplesOf = ({ shape }: DescribedValue): readonly unknown[] => [
  ...shape.examples,
  ...shape.values.map(({ value }) => value),
];

/** The converter that reads every example, if there are examples. */
function fitting(leaf: DescribedValue, names: readonly ConverterName[]): ConverterName[] {
  const samples = samplesOf(leaf).filter((each) => each !== null && each !== undefined);
  if (samples.length === 0) return [];
  return names.filter((name) => samples.every((sample) => 'value' in CONVERTERS[name].read(sample)));
}

/** The number of digits of a text, by pattern or length. */
function digitsOf({ shape }: DescribedValue): number | undefined {
  const { pattern, minLength, maxLength } = shape;
  const [, zeros, written] = /^\^(0*)(?:\\d|\[0-9\])\{(\d+)\}\$$/.exec(pattern ?? '') ?? [];
  if (written !== undefined) return (zeros ?? '').length + Number(written);
  return minLength !== undefined && minLength === maxLength && pattern === undefined ? minLength : undefined;
}

const BY_DIGITS: Readonly<Record<number, ConverterName>> = { 12: 'upc', 13: 'gtin13', 14: 'gtin14' };

function ofUpc(leaf: DescribedValue): Choice {
  const { shape } = leaf;
  if (isNumeric(shape.type)) return { as: 'upcNumber', from: `type ${shape.type}` };
  const digits = digitsOf(leaf);
  const stated = digits === undefined ? undefined : BY_DIGITS[digits];
  if (stated) return { as: stated, from: shape.pattern ? `pattern ${shape.pattern}` : `length ${digits}` };
  const [byExample] = fitting(leaf, ['upc', 'gtin13', 'gtin14', 'upcSeparated']);
  // The default converter needs no note.
  if (byExample && byExample !== 'upc')
    return { as: byExample, from: `example ${quoteText(String(samplesOf(leaf)[0]))}` };
  if (byExample) return {};
  const [, match] = /\b(?:GTIN|EAN)[- ]?(13|14)\b/i.exec(`${leaf.names.at(-1)} ${shape.description}`) ?? [];
  if (match)
    return { as: BY_DIGITS[Number(match)] as ConverterName, from: `its name or description mentions ${match} digits` };
  return /gtin|ean/i.test(leaf.names.at(-1) ?? '')
    ? { open: 'the number of digits is unknown: 12, or as: gtin13 or gtin14' }
    : {};
}

function ofMoney(leaf: DescribedValue): Choice {
  const { shape } = leaf;
  const text = `${leaf.names.join(' ')} ${shape.description}`;
  if (/\b(thousands?|millions?|000s|in k)\b/i.test(text))
    return {
      open: 'the description mentions thousands or millions; no converter scales values, but a function in a TypeScript profile can',
    };
  if (/\bcents\b|cents$|minor[ _-]?units?/i.test(text) && !/\bdollars and cents\b/i.test(text))
    return { as: 'cents', from: 'its name or description mentions cents' };
  if (isNumeric(shape.type)) return { as: 'number', from: `type ${shape.type}` };
  const [byExample] = fitting(leaf, ['number', 'usd', 'decimalComma']);
  if (byExample) return { as: byExample, from: `example ${quoteText(String(samplesOf(leaf)[0]))}` };
  if (shape.format === 'decimal' || shape.format === 'double') return { as: 'number', from: `format ${shape.format}` };
  return { open: 'a text without an example: if it is not a plain decimal number, set a converter' };
}

function ofPercent(leaf: DescribedValue): Choice {
  const { shape } = leaf;
  const text = `${leaf.names.join(' ')} ${shape.description}`;
  if (/\b(fraction|ratio|as a decimal)\b|\b0?\.\d+ (=|is|means|for) [\d.]+ ?(%|per ?cent)/i.test(text))
    return { as: 'fraction', from: 'its name or description mentions a fraction of one' };
  const [byExample] = fitting(leaf, ['number', 'percentText', 'decimalComma']);
  if (byExample && byExample !== 'number')
    return { as: byExample, from: `example ${quoteText(String(samplesOf(leaf)[0]))}` };
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

function ofDate(leaf: DescribedValue): Choice {
  const { shape } = leaf;
  if (shape.format === 'date' || shape.format === 'date-time') return { as: 'iso', from: `format ${shape.format}` };
  const match = DATE_FORMATS.find(([form]) => form.test(`${shape.description} ${shape.format ?? ''}`));
  if (match) return { as: match[1], from: `its description ${quoteText(shape.description)}` };
  const written = fitting(leaf, ['iso', 'compact', 'us', 'european', 'isoWeek', 'httpDate']);
  const sample = quoteText(String(samplesOf(leaf)[0]));
  if (written.includes('us') && written.includes('european'))
    return { open: `the example ${sample} is ambiguous: as: us or as: european` };
  if (written[0]) return { as: written[0], from: `example ${sample}` };
  const number = samplesOf(leaf).find((each) => typeof each === 'number');
  if (isNumeric(shape.type) && typeof number === 'number' && number > 1e8)
    // 1e11 seconds is after the year 5000, 1e11 milliseconds is in 1973.
    return { as: number > 1e11 ? 'epochMillis' : 'epochSeconds', from: `example ${sample}` };
  return { open: 'the date format is unknown; without a converter it is read as YYYY-MM-DD' };
}

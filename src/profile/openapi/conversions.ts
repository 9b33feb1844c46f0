/** Which converter a value needs, where its schema states it; no guess is made that could make a right value wrong. */
import { FIELDS, type Field } from '../../contract/index.ts';
import { CONVERTERS, type ConverterName } from '../converters.ts';
import { quoteText } from './name-words.ts';
import type { DescribedValue } from './value-paths.ts';

/** The converter and what says so; without `as` the default one, with what is not sure about it where anything is not. */
export interface Choice {
  readonly as?: ConverterName;
  readonly from?: string;
  readonly open?: string;
}

const isNumeric = (type: string | undefined): boolean => type === 'number' || type === 'integer';

/** The converter of a field read from a leaf. */
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

/** The converter that reads every example, when there are examples. */
function fitting(leaf: DescribedValue, names: readonly ConverterName[]): ConverterName[] {
  const samples = samplesOf(leaf).filter((each) => each !== null && each !== undefined);
  if (samples.length === 0) return [];
  return names.filter((name) => samples.every((sample) => 'value' in CONVERTERS[name].read(sample)));
}

/** How many digits a text is said to have, by pattern or length. */
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
  // What fits the default needs no word.
  if (byExample && byExample !== 'upc')
    return { as: byExample, from: `example ${quoteText(String(samplesOf(leaf)[0]))}` };
  if (byExample) return {};
  const [, told] = /\b(?:GTIN|EAN)[- ]?(13|14)\b/i.exec(`${leaf.names.at(-1)} ${shape.description}`) ?? [];
  if (told)
    return { as: BY_DIGITS[Number(told)] as ConverterName, from: `its name or description says ${told} digits` };
  return /gtin|ean/i.test(leaf.names.at(-1) ?? '')
    ? { open: 'nothing says how many digits it has: 12, or as: gtin13 or gtin14' }
    : {};
}

function ofMoney(leaf: DescribedValue): Choice {
  const { shape } = leaf;
  const about = `${leaf.names.join(' ')} ${shape.description}`;
  if (/\b(thousands?|millions?|000s|in k)\b/i.test(about))
    return {
      open: 'the description speaks of thousands or millions; no converter scales, a function in a TypeScript profile can',
    };
  if (/\bcents\b|cents$|minor[ _-]?units?/i.test(about) && !/\bdollars and cents\b/i.test(about))
    return { as: 'cents', from: 'its name or description says cents' };
  if (isNumeric(shape.type)) return { as: 'number', from: `type ${shape.type}` };
  const [byExample] = fitting(leaf, ['number', 'usd', 'decimalComma']);
  if (byExample) return { as: byExample, from: `example ${quoteText(String(samplesOf(leaf)[0]))}` };
  if (shape.format === 'decimal' || shape.format === 'double') return { as: 'number', from: `format ${shape.format}` };
  return { open: 'a text without an example: if it is no plain decimal number, name a converter' };
}

function ofPercent(leaf: DescribedValue): Choice {
  const { shape } = leaf;
  const about = `${leaf.names.join(' ')} ${shape.description}`;
  if (/\b(fraction|ratio|as a decimal)\b|\b0?\.\d+ (=|is|means|for) [\d.]+ ?(%|per ?cent)/i.test(about))
    return { as: 'fraction', from: 'its name or description says a fraction of one' };
  const [byExample] = fitting(leaf, ['number', 'percentText', 'decimalComma']);
  if (byExample && byExample !== 'number')
    return { as: byExample, from: `example ${quoteText(String(samplesOf(leaf)[0]))}` };
  return {};
}

const WRITTEN: readonly (readonly [RegExp, ConverterName])[] = [
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
  const told = WRITTEN.find(([form]) => form.test(`${shape.description} ${shape.format ?? ''}`));
  if (told) return { as: told[1], from: `its description ${quoteText(shape.description)}` };
  const written = fitting(leaf, ['iso', 'compact', 'us', 'european', 'isoWeek', 'httpDate']);
  const sample = quoteText(String(samplesOf(leaf)[0]));
  if (written.includes('us') && written.includes('european'))
    return { open: `the example ${sample} may be read as: us or european` };
  if (written[0]) return { as: written[0], from: `example ${sample}` };
  const number = samplesOf(leaf).find((each) => typeof each === 'number');
  if (isNumeric(shape.type) && typeof number === 'number' && number > 1e8)
    // 1e11 seconds lie after the year 5000, 1e11 milliseconds in 1973.
    return { as: number > 1e11 ? 'epochMillis' : 'epochSeconds', from: `example ${sample}` };
  return { open: 'nothing says how the date is written; without a converter it is read as YYYY-MM-DD' };
}

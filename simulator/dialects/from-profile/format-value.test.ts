import { describe, expect, test } from 'vitest';
import {
  CONVERTER_NAMES,
  CONVERTERS,
  type ConverterName,
  converterFor,
} from '../../../src/profile/converters/index.ts';
import fc from '../../../src/seeded-fast-check.test.support.ts';
import { DEFAULT_FORMATTERS, FORMATTERS } from './format-value.ts';

const upc = fc.stringMatching(/^[0-9]{12}$/);
const text = fc.string({ unit: 'binary', minLength: 1 });
const cents = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 }).map((value) => value / 100);
/** Doubles other than minus zero. */
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value));
/** From year 1 to year 9999. */
const day = fc.integer({ min: -719_162, max: 2_932_896 });
/** 1970-01-04 was a Sunday. */
const sunday = fc.integer({ min: -100_000, max: 400_000 }).map((week) => 3 + 7 * week);

const VALUES: Record<keyof typeof FORMATTERS, fc.Arbitrary<string | number>> = {
  upc,
  upcNumber: upc,
  upcOrNumber: upc,
  gtin13: upc,
  gtin14: upc,
  upcSeparated: upc,
  text,
  id: text,
  trimmed: text.map((value) => value.trim()).filter((value) => value !== ''),
  urlPart: text,
  number,
  amount: number,
  cents,
  usd: number,
  decimalComma: number,
  fraction: fc.integer({ min: -1_000_000, max: 1_000_000 }).map((value) => value / 1000),
  percentText: number,
  iso: day,
  compact: day,
  us: day,
  european: day,
  isoWeek: sunday,
  epochSeconds: day,
  epochMillis: day,
  ordinal: day,
  excelSerial: fc.integer({ min: -25_000, max: 400_000 }),
  monthName: day,
  httpDate: day,
};

describe.each(Object.keys(FORMATTERS) as (keyof typeof FORMATTERS)[])('%s', (name) => {
  test('a written value is read back, as a value and as a text', () => {
    fc.assert(
      fc.property(VALUES[name], (value) => {
        const wire = FORMATTERS[name](value);
        expect(CONVERTERS[name].read(wire)).toEqual({ value });
        expect(CONVERTERS[name].read(String(wire))).toEqual({ value });
      }),
    );
  });
  test('leaves invalid values unchanged, so that a fault stays a fault', () => {
    const read = CONVERTERS[name].read(FORMATTERS[name]('no value 1'));
    if (['text', 'id', 'trimmed', 'urlPart'].includes(name)) expect(read).toEqual({ value: 'no value 1' });
    else expect(read).toHaveProperty('why');
  });
});

test('every converter except that of lists has a formatter', () => {
  expect(Object.keys(FORMATTERS).sort()).toEqual(CONVERTER_NAMES.filter((name) => name !== 'list').sort());
});

test.each(Object.entries(DEFAULT_FORMATTERS) as [keyof typeof DEFAULT_FORMATTERS, ConverterName][])(
  'a %s without a converter is read back',
  (kind, name) => {
    fc.assert(
      fc.property(VALUES[name as keyof typeof FORMATTERS], (value) => {
        expect(converterFor(kind).read(FORMATTERS[name as keyof typeof FORMATTERS](value))).toEqual({ value });
      }),
    );
  },
);

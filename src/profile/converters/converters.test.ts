import { describe, expect, it } from 'vitest';
import { FIELD_KINDS, FIELDS } from '../../contract/index.ts';
import fc from '../../seeded-fast-check.test.support.ts';
import {
  CONVERTER_NAMES,
  CONVERTERS,
  type ConverterName,
  converterFor,
  dayNumber,
  isoDate,
  type Neutral,
} from './index.ts';

/** What a converter makes of a raw value: the neutral value, or why there is none as `{ why }`. */
const read = (name: ConverterName, raw: unknown) => {
  const result = CONVERTERS[name].read(raw);
  return 'value' in result ? result.value : { why: result.why };
};

const UPC = '012345678905';
const NOVEMBER_21 = dayNumber(2026, 11, 21) as number;

describe('what converters read', () => {
  const cases: { readonly [N in ConverterName]: readonly (readonly [raw: unknown, value: Neutral])[] } = {
    upc: [
      [UPC, UPC],
      ['000000000000', '000000000000'],
    ],
    upcNumber: [
      [12345678905, UPC],
      ['12345678905', UPC],
      [UPC, UPC],
      [0, '000000000000'],
      [999999999999, '999999999999'],
    ],
    upcOrNumber: [
      [UPC, UPC],
      [12345678905, UPC],
    ],
    gtin13: [[`0${UPC}`, UPC]],
    gtin14: [[`00${UPC}`, UPC]],
    upcSeparated: [
      ['0-12345-67890-5', UPC],
      ['0 12345 67890 5', UPC],
      [UPC, UPC],
    ],
    text: [
      ['Salty Snacks ', 'Salty Snacks '],
      ['', ''],
      [7, '7'],
      [true, 'true'],
    ],
    id: [
      ['a-7 ', 'a-7 '],
      [7, 7],
      [true, 'true'],
    ],
    trimmed: [
      [' Salty Snacks\n', 'Salty Snacks'],
      [7, '7'],
    ],
    urlPart: [
      ['DRI%2F7f%3D%3D', 'DRI/7f=='],
      ['4711', '4711'],
      [7, '7'],
    ],
    number: [
      [12.5, 12.5],
      [0, 0],
      ['-1234.50', -1234.5],
      ['1e3', 1000],
      ['+.5', 0.5],
      ['7.', 7],
      [' 3 ', 3],
    ],
    amount: [
      [123450, 123450],
      ['-7.5', -7.5],
    ],
    cents: [
      [123450, 1234.5],
      ['-7', -0.07],
      [29, 0.29],
      [0, 0],
    ],
    usd: [
      ['$1,234.50', 1234.5],
      ['-$3', -3],
      ['$-3', -3],
      ['($3.00)', -3],
      ['(3.00)', -3],
      ['1,234.5', 1234.5],
      ['1234567.89', 1234567.89],
      ['$1,234,567', 1234567],
      ['US$5', 5],
      ['USD 5.10', 5.1],
      ['+$5', 5],
      ['-$0.00', 0],
      ['(0.00)', 0],
    ],
    decimalComma: [
      ['1.234,50', 1234.5],
      ['-1.234.567,8', -1234567.8],
      ['1 234,5', 1234.5],
      ['1\u202f234,5', 1234.5],
      ['1\u00a0234,5', 1234.5],
      ['12,5', 12.5],
      ['1234', 1234],
      ['1.234', 1234],
      [12.5, 12.5],
    ],
    fraction: [
      [0.125, 12.5],
      ['0.07', 7],
      [0.29, 29],
      [-1, -100],
      [1e-9, 1e-7],
    ],
    percentText: [
      ['12.5%', 12.5],
      ['+3 %', 3],
      ['-0.4%', -0.4],
      ['(0.4%)', -0.4],
      ['(0%)', 0],
      ['1,234.5%', 1234.5],
      ['1e-7%', 1e-7],
    ],
    iso: [
      ['2026-11-21', NOVEMBER_21],
      ['2026-11-21T23:30:00Z', NOVEMBER_21],
      ['2026-11-21T23:30:00.123-05:00', NOVEMBER_21],
      ['2026-11-21 23:30', NOVEMBER_21],
      ['2026-11-21t00:00:00z', NOVEMBER_21],
      ['2026-11-21Z', NOVEMBER_21],
      ['1970-01-01', 0],
      ['1969-12-31', -1],
      ['2024-02-29', dayNumber(2024, 2, 29) as number],
    ],
    compact: [
      ['20261121', NOVEMBER_21],
      [20261121, NOVEMBER_21],
    ],
    us: [
      ['11/21/2026', NOVEMBER_21],
      ['11-21-2026', NOVEMBER_21],
      ['11/21/2026 12:00:00 AM', NOVEMBER_21],
      ['1/2/1970', 1],
    ],
    european: [
      ['21.11.2026', NOVEMBER_21],
      ['21/11/2026', NOVEMBER_21],
      ['2-1-1970', 1],
    ],
    isoWeek: [
      ['2026-W47', NOVEMBER_21 + 1],
      ['2026W47', NOVEMBER_21 + 1],
      ['2026-W47-6', NOVEMBER_21],
      ['2026W476', NOVEMBER_21],
      ['2026-W53', dayNumber(2027, 1, 3) as number],
      ['2021-W01', dayNumber(2021, 1, 10) as number],
    ],
    epochSeconds: [
      [NOVEMBER_21 * 86400, NOVEMBER_21],
      [NOVEMBER_21 * 86400 + 86399, NOVEMBER_21],
      [-1, -1],
      ['86400', 1],
    ],
    epochMillis: [
      [NOVEMBER_21 * 86_400_000, NOVEMBER_21],
      ['86400000', 1],
    ],
    ordinal: [
      ['2026-325', NOVEMBER_21],
      ['2026325', NOVEMBER_21],
      [2026325, NOVEMBER_21],
    ],
    excelSerial: [
      [46347, NOVEMBER_21],
      ['46347.75', NOVEMBER_21],
      [25569, 0],
    ],
    monthName: [
      ['21-NOV-2026', NOVEMBER_21],
      ['21 November 2026', NOVEMBER_21],
      ['Nov 21, 2026', NOVEMBER_21],
      ['Nov. 21, 2026', NOVEMBER_21],
      ['2-Jan-1970 12:00:00 PM', 1],
    ],
    httpDate: [['Sat, 21 Nov 2026 23:59:59 GMT', NOVEMBER_21]],
    list: [
      [
        [1, 2],
        [1, 2],
      ],
      [[], []],
    ],
  };

  const each = Object.entries(cases).flatMap(([name, rows]) =>
    rows.map(([raw, value]) => [name as ConverterName, raw, value] as const),
  );
  it.each(each)('%s reads %j as %j', (name, raw, value) => {
    expect(read(name, raw)).toEqual(value);
  });

  const refused: { readonly [N in ConverterName]?: readonly unknown[] } = {
    upc: ['12345678905', '0123456789055', '01234567890X', '٠١٢٣٤٥٦٧٨٩٠٥', ` ${UPC}`, `${UPC}\n`, 123456789055],
    upcNumber: [1234567890123, -1, 1.5, 'abc', ''],
    upcOrNumber: ['12345678905', 1e15],
    gtin13: [UPC, '4006381333931', 12345678905],
    gtin14: [`10${UPC}`, `0${UPC}`],
    upcSeparated: ['0--12345-67890-5', '0-12345-67890', '-012345678905'],
    text: [{}, []],
    trimmed: [{}],
    number: ['1,234', '$5', '0x10', 'Infinity', '1e999', 'NaN', '', true, [], [5]],
    amount: ['$5', ''],
    cents: [1.5, '1.50', 1e17],
    ordinal: ['2026-000', '2025-366', '2026-11-21', '26-325'],
    excelSerial: [60, 1_795_219_200, '2026-11-21'],
    monthName: ['31-Feb-2026', '21-Novem-2026', '21-11-2026'],
    isoWeek: ['2026-W47-8', '2026-W476', '2025-W53', '2026-W00', '2026-47'],
    usd: ['-5-', 5, '5 EUR', '1,23', '12,34,567', '--5', '-$-5', '(-5)', '(5', '$', '.'],
    decimalComma: ['-5,00-', '1,234.50', '1.23', '1,2,3', ''],
    fraction: ['12%'],
    percentText: ['12.5', 12.5, '%', '(3%', '3%)', '(-3%)', '3%%', '1,23%'],
    iso: ['2026-02-30', '2025-02-29', '2026-13-01', '2026-00-10', '2026-1-1', '2026-11-21 or so', 20261121],
    compact: ['2026112', '20260230', '2026-11-21'],
    us: ['21/11/2026', '11/21-2026', '11/21/26'],
    european: ['11/21/2026', '30.2.2026'],
    epochSeconds: ['soon', Number.NaN, 1e300],
    epochMillis: [{}],
    httpDate: ['Sat, 21 Nov 2026', 'Sat, 21 Now 2026 08:00:00 GMT', 'Mon, 30 Feb 2026 08:00:00 GMT'],
    list: ['a', { a: 1 }],
  };
  it.each(
    Object.entries(refused).flatMap(([name, values]) => values.map((raw) => [name as ConverterName, raw] as const)),
  )('%s does not read %j', (name, raw) => {
    expect(read(name, raw)).toEqual({ why: expect.stringMatching(/^[^.]+/) });
  });

  it('no value makes a converter throw, and every number read is finite', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CONVERTER_NAMES),
        fc.oneof(fc.jsonValue(), fc.string(), fc.double(), fc.bigInt()),
        (name, raw) => {
          const value = read(name, raw);
          if (typeof value === 'number') expect(Number.isFinite(value)).toBe(true);
          if (CONVERTERS[name].kinds.includes('upc') && typeof value === 'string') expect(value).toMatch(/^[0-9]{12}$/);
        },
      ),
      { numRuns: 1500 },
    );
  });

  it('a date is read only where the calendar has one', () => {
    const number = (max: number) => fc.integer({ min: 0, max });
    fc.assert(
      fc.property(number(9999), number(13), number(32), (year, month, day) => {
        const text = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
        const value = read('iso', text);
        if (typeof value === 'number') expect(isoDate(value)).toBe(text);
        else
          expect(
            Number.isNaN(Date.parse(`${text}T00:00:00Z`)) || new Date(text).toISOString().slice(0, 10) !== text,
          ).toBe(true);
      }),
    );
  });
});

describe('which converter applies', () => {
  it.each(FIELD_KINDS)('the default one of %s is one of its kind', (kind) => {
    expect(converterFor(kind).kinds).toContain(kind);
  });

  it('every field kind has a converter, and every converter describes its format', () => {
    const served = new Set(Object.values(CONVERTERS).flatMap((converter) => converter.kinds));
    for (const { kind } of Object.values(FIELDS)) expect(served).toContain(kind);
    for (const converter of Object.values(CONVERTERS)) expect(converter.means.length).toBeGreaterThan(5);
  });
});

describe('day numbers', () => {
  it('count from 1970 and know the years below 100', () => {
    expect(dayNumber(1970, 1, 1)).toBe(0);
    expect(dayNumber(99, 1, 1)).toBeLessThan(dayNumber(1000, 1, 1) as number);
    expect(isoDate(dayNumber(99, 3, 4) as number)).toBe('0099-03-04');
    expect(dayNumber(2026, 2, 30)).toBeUndefined();
  });
});

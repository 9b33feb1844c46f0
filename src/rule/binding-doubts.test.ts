import { describe, expect, test } from 'vitest';
import { type Field, operationNamed } from '../contract/index.ts';
import { type Cell, Unconverted } from '../reading/types.ts';
import { BindingValues, bindingDoubt } from './binding-doubts.ts';

const BULK = operationNamed('allProducts').key;
const DELTA = operationNamed('updateProducts').key;
const CATEGORIES = operationNamed('allCategories').key;
const METADATA = operationNamed('performanceMetadata').key;

type Read = Partial<Record<typeof BULK, readonly Cell[]>>;

/** The doubt about a field of the bulk list, with what each operation read. */
function doubt(field: Field, read: Read, known: readonly string[] = []): string | undefined {
  const values = new BindingValues();
  for (const [operation, cells] of Object.entries(read) as [typeof BULK, readonly Cell[]][])
    for (const cell of cells) values.add(operation, field, cell);
  return bindingDoubt(values, BULK, field, known);
}
const not = (raw: unknown) => new Unconverted(raw, 'no value');

describe('values that do not convert', () => {
  test.each<[string, Field, readonly Cell[], RegExp | undefined]>([
    ['lists, all but one', 'brand', ['Sun', not(['a', 'b']), not(['c', 'd'])], /^2 of 3 values .* bind one of them/],
    ['one list among others', 'brand', ['Sun', 'Moon', not(['a', 'b'])], undefined],
    ['names in place of dates', 'activeOn', [not('Tea'), not('Rum')], /name the converter with as/],
    ['dates that do not exist', 'activeOn', [not('2026-02-30'), not('2026-02-31')], undefined],
    ['weeks that do not exist', 'activeOn', [not('2026-W54'), not('2026-W55')], undefined],
    ['UPCs of 11 digits', 'upc', [not('01234567890'), not(1_234_567_890)], undefined],
    ['names in place of UPCs', 'upc', [not('Tea'), not('cat-01')], /do not convert/],
    ['names in place of figures', 'sales4Weeks', [not('Tea'), not('N/A')], /do not convert/],
    ['figures in another notation', 'sales4Weeks', [not('1.234,50'), not('$3')], undefined],
  ])('%s', (_, field, cells, expected) => {
    const said = doubt(field, { [BULK]: cells });
    if (expected) expect(said).toMatch(expected);
    else expect(said).toBeUndefined();
  });
});

describe('values of something else', () => {
  test.each<[string, Field, Read, RegExp | undefined]>([
    [
      'names, of which one is known elsewhere',
      'category',
      { [BULK]: ['Tea', 'Rum'], [CATEGORIES]: [' TEA'] },
      undefined,
    ],
    [
      'names, of which none is',
      'category',
      { [BULK]: ['Tea', 'Rum'], [CATEGORIES]: ['1', '2'] },
      /^none of the 2 values/,
    ],
    ['names that only another group has', 'brand', { [BULK]: ['Sun'], [METADATA]: ['Moon'] }, undefined],
    ['no names elsewhere', 'brand', { [BULK]: ['Sun'] }, undefined],
    ['another market', 'market', { [BULK]: ['CA'], [METADATA]: ['US'] }, undefined],
    ['a market for each row', 'market', { [BULK]: ['1', '2', '3', '4', '5', '6', '7'] }, /^nearly each of 7 rows/],
    ['UPCs of another list', 'upc', { [BULK]: ['012345678905'], [DELTA]: ['111111111117'] }, /^none of the 1 value,/],
  ])('%s', (_, field, read, expected) => {
    const said = doubt(field, read);
    if (expected) expect(said).toMatch(expected);
    else expect(said).toBeUndefined();
  });

  test('values of another field', () => {
    const values = new BindingValues();
    for (const name of ['Tea', 'Rum', 'Gin']) {
      values.add(BULK, 'brand', name);
      values.add(CATEGORIES, 'category', name);
    }
    expect(bindingDoubt(values, BULK, 'brand', [])).toMatch(
      /^the 3 values, such as “Tea”, are those that .* has as category/,
    );
  });

  test('values that the profile names', () => {
    expect(doubt('category', { [BULK]: ['Tea', 'Rum'], [CATEGORIES]: ['1', '2'] }, ['tea'])).toBeUndefined();
  });
});

test('among several values that are read once, one that is no date is in doubt', () => {
  const values = new BindingValues();
  values.once(BULK, { values: { asOf: [20_000, not('week')] } });
  expect(bindingDoubt(values, BULK, 'asOf', [])).toMatch(/^1 of 1 value do/);
});

import { expect, test } from 'vitest';
import { placesIn, rowListsIn } from './places.ts';

const rows = (category: string) => [{ name: `${category} 1` }, { name: `${category} 2` }];

test('a map of lists under data is one list, with its keys', () => {
  const [list, ...parts] = rowListsIn({ rows: { 'Café y té': rows('a'), Pan: rows('b') } });
  expect(list).toMatchObject({ selector: '$.rows.*[*]', shape: { keys: ['mapKey', 'position'] } });
  expect(list?.nodes).toHaveLength(4);
  expect(parts.map(({ isPartOfMap }) => isPartOfMap)).toEqual([true, true]);
});

test('keys that other operations list as values are data, also where one of the lists is empty', () => {
  const document = { Tea: rows('a'), Coffee: [], Soda: rows('c') };
  const [list] = rowListsIn(document, (text) => text === 'Tea');
  expect(list).toMatchObject({ selector: '$.*[*]' });
  expect(rowListsIn(document).map(({ selector }) => selector)).toEqual(['$.Tea[*]', '$.Soda[*]']);
});

test('few lists under names, or lists of several forms, are lists of their own', () => {
  const selectors = (document: unknown) => rowListsIn(document).map(({ selector }) => selector);
  expect(selectors({ added: rows('a'), changed: rows('b') })).toEqual(['$.added[*]', '$.changed[*]']);
  expect(selectors({ a: rows('a'), b: rows('b'), c: [{ id: 1 }], d: rows('d') })).not.toContain('$.*[*]');
});

test('the digits of a UPC in several members are one place, and so is the last segment of an address', () => {
  const places = placesIn([{ upc: { body: '71871272533', check: '2' }, self: '/gw/products/718712725332' }], '@');
  expect(places.find(({ append }) => append)).toMatchObject({
    selector: '@.upc.body',
    append: ['@.upc.check'],
    cells: ['718712725332'],
  });
  expect(places.find(({ match }) => match)).toMatchObject({ selector: '@.self', cells: ['718712725332'] });
});

test('numbers side by side that are no UPC together stay apart', () => {
  const places = placesIn([{ size: { value: '12', packs: '4' } }], '@');
  expect(places.some(({ append }) => append)).toBe(false);
});

test('what each fifth item has is found in a long list', () => {
  const item = (at: number) => (at % 5 === 4 ? { period: `${at % 5}`, change: at } : { period: `${at % 5}`, sum: at });
  const nodes = Array.from({ length: 25 }, () => ({ figures: Array.from({ length: 5 }, (_, at) => item(at)) }));
  const selectors = placesIn(nodes, '@').map(({ selector }) => selector);
  expect(selectors).toContain("@.figures[?@.period=='4'].change");
});

test('figures with a decimal comma before a unit are read without it', () => {
  const match = (cells: readonly string[]) =>
    placesIn(
      cells.map((change) => ({ change })),
      '@',
    ).find((each) => each.match);
  expect(match(['0,1 %', '-12 %', ''])).toMatchObject({ selector: '@.change', cells: ['0,1', '-12', undefined] });
  expect(match(['0.1 %', '-12 %'])).toBeUndefined();
});

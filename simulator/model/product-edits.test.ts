import { beforeEach, expect, test } from 'vitest';
import { createClock } from './clock.ts';
import type { ModelAnswer } from './types.ts';
import { createWorld, type World } from './world.ts';

let world: World;
beforeEach(() => {
  world = createWorld({ seed: 1, products: 200, clock: createClock('2026-11-14'), listsRemovals: true });
});

const rowsOf = (category?: string) => {
  const answer = world.answer('allProducts', { ...(category !== undefined && { category }) });
  return [...(answer as Extract<ModelAnswer, { kind: 'products' }>).rows];
};
const deltaOf = (window: number) => {
  const answer = world.answer('updateProducts', { window }) as Extract<ModelAnswer, { kind: 'deltas' }>;
  return [...(answer.windows[0]?.rows ?? [])];
};
const lookUp = (upc: string) => world.answer('products', { upc });
/** The kinds of change of one product in the three windows. */
const kindsOf = (upc: string) => [1, 4, 13].map((window) => deltaOf(window).find((row) => row.upc === upc)?.changeKind);

const NEW_UPC = '999999999993';

test('an added product is in lists, look-ups and the filter of its category, and is new in all windows', () => {
  const before = rowsOf().length;
  const category = rowsOf()[3]?.category as string;
  world.products.edits.add(NEW_UPC, { description: 'Mine', category });
  expect(lookUp(NEW_UPC)).toMatchObject({ kind: 'product', product: { description: 'Mine', category } });
  expect(rowsOf()).toHaveLength(before + 1);
  expect(rowsOf(category).map(({ upc }) => upc)).toContain(NEW_UPC);
  expect(kindsOf(NEW_UPC)).toEqual(['new', 'new', 'new']);
  world.clock.advanceWeeks(2);
  expect(kindsOf(NEW_UPC)).toEqual([undefined, 'new', 'new']);
});

test('a change shows in look-up, list and deltas with one date, and moves a product between categories', () => {
  const { upc, category } = rowsOf().find((row) => row.changedOn === undefined) as { upc: string; category: string };
  const other = rowsOf().find((row) => row.category !== category)?.category as string;
  world.products.edits.change(upc, { category: other, brand: 'Mine' });
  expect(rowsOf(category).map((row) => row.upc)).not.toContain(upc);
  const listed = rowsOf(other).find((row) => row.upc === upc);
  expect(listed).toMatchObject({ brand: 'Mine', changedOn: world.clock.asOf() });
  expect(lookUp(upc)).toMatchObject({
    product: { ...listed, characteristics: [{ name: 'Brand', value: 'Mine' }, {}, {}, {}] },
  });
  expect(kindsOf(upc)).toEqual(['changed', 'changed', 'changed']);
});

test('the characteristics of a product state its brand', () => {
  const characteristicsOf = () => {
    const { product } = lookUp(NEW_UPC) as Extract<ModelAnswer, { kind: 'product' }>;
    return [product.brand, ...product.characteristics.map(({ name, value }) => `${name} ${value}`)];
  };
  world.products.edits.add(NEW_UPC, { brand: 'Mine', characteristics: [{ name: 'Size', value: '9 l' }] });
  expect(characteristicsOf()).toEqual(['Mine', 'Brand Mine', 'Size 9 l']);
  world.products.edits.change(NEW_UPC, { characteristics: [{ name: 'Brand', value: 'Other' }] });
  expect(characteristicsOf()).toEqual(['Other', 'Brand Other']);
  const two = { brand: 'Mine', characteristics: [{ name: 'Brand', value: 'Other' }] };
  expect(() => world.products.edits.change(NEW_UPC, two)).toThrow('the characteristic Brand is “Other”');
});

test('a delisted product is gone from lists and look-ups, and removed in the deltas since', () => {
  const { upc } = rowsOf().find((row) => row.changedOn === undefined) as { upc: string };
  world.products.edits.delist(upc);
  expect(lookUp(upc)).toMatchObject({ kind: 'unknown' });
  expect(rowsOf().map((row) => row.upc)).not.toContain(upc);
  expect(kindsOf(upc)).toEqual(['removed', 'removed', 'removed']);
  world.clock.advanceWeeks(1);
  expect(kindsOf(upc)).toEqual([undefined, 'removed', 'removed']);
  world.products.edits.add(upc, {});
  expect(kindsOf(upc)).toEqual(['new', 'new', 'new']);
});

test('a product that is added and delisted within a window is removed in every delta that contains its removal', () => {
  world.products.edits.add(NEW_UPC, {});
  world.clock.advanceWeeks(1);
  world.products.edits.delist(NEW_UPC);
  expect(kindsOf(NEW_UPC)).toEqual(['removed', 'removed', 'removed']);
  world.clock.advanceWeeks(1);
  expect(kindsOf(NEW_UPC)).toEqual([undefined, 'removed', 'removed']);
  world.products.edits.add(NEW_UPC, {});
  world.products.edits.delist(NEW_UPC);
  expect(kindsOf(NEW_UPC)).toEqual([undefined, 'removed', 'removed']);
});

test('an edit belongs to its data week: an earlier date shows the data before it', () => {
  const before = rowsOf();
  world.clock.advanceWeeks(3);
  world.products.edits.add(NEW_UPC, {});
  world.products.edits.delist(before[0]?.upc as string);
  world.clock.set('2026-11-14');
  expect(rowsOf()).toEqual(before);
});

test('a dialect that cannot state removals lists no removed products', () => {
  const silent = createWorld({ seed: 1, products: 200, clock: createClock('2026-11-14') });
  const [first] = silent.products.rows(silent.clock.asOf());
  silent.products.edits.delist(first?.upc as string);
  expect([...silent.products.changed(silent.clock.asOf(), 13)].map(({ upc }) => upc)).not.toContain(first?.upc);
});

test('an edit that contradicts the data is refused in one sentence and changes nothing', () => {
  const before = rowsOf();
  const { upc } = before[0] as { upc: string };
  const { edits } = world.products;
  expect(() => edits.add(upc, {})).toThrow(`the product ${upc} is listed already: change it instead`);
  expect(() => edits.change(NEW_UPC, {})).toThrow(`there is no product ${NEW_UPC} to change`);
  expect(() => edits.delist(NEW_UPC)).toThrow(`there is no product ${NEW_UPC} to delist`);
  expect(() => edits.add(NEW_UPC, { category: 'No such' })).toThrow(
    'there is no category “No such”; the categories are',
  );
  expect(rowsOf()).toEqual(before);
});

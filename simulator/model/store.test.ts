import { expect, test } from 'vitest';
import { metadataNodes, NODE_KINDS } from './metadata.ts';
import { BRAND_NAMES, CATEGORY_NAMES, EMPTY_CATEGORY } from './names.ts';
import { createStore } from './store.ts';

test('categories have their sub-categories, brands their manufacturers', () => {
  const store = createStore();
  const categories = Object.fromEntries(store.categories().map(({ name, subCategories }) => [name, subCategories]));
  expect(categories).toEqual(CATEGORY_NAMES);
  const brands = Object.groupBy(store.brands(), ({ manufacturer }) => manufacturer);
  expect(Object.keys(brands)).toEqual(Object.keys(BRAND_NAMES));
  expect(store.brands().length).toBe(Object.values(BRAND_NAMES).flat().length);
  expect(Object.hasOwn(CATEGORY_NAMES, EMPTY_CATEGORY)).toBe(true);
  expect(new Set(store.categories().map(({ id }) => id)).size).toBe(store.categories().length);
});

test('every metadata node is found by its key and among the children of its parent', () => {
  const store = createStore();
  const nodes = metadataNodes();
  expect(new Set(nodes.map(({ key }) => key)).size).toBe(nodes.length);
  expect(new Set(nodes.map(({ kind }) => kind)).size).toBe(NODE_KINDS.length);
  for (const node of nodes) {
    expect(store.node(node.key)).toMatchObject(node);
    expect(store.children(node.parent, node.kind).map(({ key }) => key)).toContain(node.key);
    if (node.parent !== '') expect(store.node(node.parent)).toBeDefined();
  }
  expect(store.node('nowhere')).toBeUndefined();
  expect(store.children('nowhere', 'group')).toEqual([]);
});

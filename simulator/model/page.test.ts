import { expect, test } from 'vitest';
import { createClock } from './clock.ts';
import { cutPage } from './page.ts';
import type { ModelAnswer } from './types.ts';
import { createWorld } from './world.ts';

const world = createWorld({ seed: 1, products: 100, clock: createClock('2026-11-14') });
const bulk = world.answer('allProducts', {}) as Extract<ModelAnswer, { kind: 'products' }>;

test('consecutive pages are the whole list, and the last page has no next', () => {
  const whole = [...bulk.rows];
  const found: unknown[] = [];
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const page: ModelAnswer = cutPage(bulk, { offset, limit: 30 });
    if (page.kind !== 'products') throw new Error('not a page of products');
    found.push(...page.rows);
    offset = page.next;
  }
  expect(found).toEqual(whole);
});

test('a page that ends with the list has no next', () => {
  expect(cutPage(bulk, { offset: 50, limit: 50 })).not.toHaveProperty('next');
  expect(cutPage(bulk, { offset: 50, limit: 49 })).toMatchObject({ next: 99 });
});

test('an offset without a limit skips rows', () => {
  const page = cutPage(bulk, { offset: 98 }) as typeof bulk;
  expect([...page.rows]).toEqual([...bulk.rows].slice(98));
});

test('rows after the page are not generated', () => {
  let made = 0;
  const rows = {
    *[Symbol.iterator]() {
      for (const row of bulk.rows) {
        made += 1;
        yield row;
      }
    },
  };
  cutPage({ ...bulk, rows }, { offset: 10, limit: 5 });
  expect(made).toBe(16);
});

test('performance rows, items and deltas have pages; a dialect cuts categories; whole lists stay unchanged', () => {
  const performance = world.answer('brandPerformance', {});
  expect(cutPage(performance, { limit: 2 })).toMatchObject({ next: 2, rows: { length: 2 } });
  const catalogues = world.answer('catalogues', { catalogueId: 'CAT-RETAIL' });
  expect(cutPage(catalogues, { limit: 2 })).toMatchObject({ next: 2, items: { length: 2 } });
  const deltas = cutPage(world.answer('updateProducts', {}), { limit: 3 }) as Extract<ModelAnswer, { kind: 'deltas' }>;
  expect(deltas.windows.map(({ rows }) => [...rows].length)).toEqual([3, 3, 3]);
  expect(deltas.next).toBe(3);
  const categories = world.answer('allCategories', {});
  expect(cutPage(categories, { limit: 1 })).toEqual({ ...categories, page: { offset: 0, limit: 1 } });
  expect(cutPage(bulk, {})).toBe(bulk);
});

import { beforeEach, describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationName } from '../../src/contract/index.ts';
import { createClock } from './clock.ts';
import type { Item, ModelAnswer, Query } from './types.ts';
import { createWorld, type World } from './world.ts';

let world: World;
beforeEach(() => {
  world = createWorld({ seed: 1, products: 300, clock: createClock('2026-11-14') });
});

const EXAMPLES: Query = {
  upc: '042100000177',
  catalogueId: 'CAT-RETAIL',
  dimension: 'product',
  attribute: 'label',
  group: 'top-sellers',
  hierarchy: 'standard',
  level: 'level-1',
  measure: 'dollars',
};
const items = (name: OperationName, query: Query): readonly Item[] => {
  const answer = world.answer(name, { ...EXAMPLES, ...query });
  if (answer.kind !== 'items') throw new Error(`${name} answered ${JSON.stringify(answer)}`);
  return answer.items;
};

test('every operation answers its example query, and two worlds answer equally', () => {
  const other = createWorld({ seed: 1, products: 300, clock: createClock('2026-11-14') });
  const plain = (answer: ModelAnswer) => JSON.stringify(answer, (key, value) => (key === 'rows' ? [...value] : value));
  for (const { name } of OPERATIONS) {
    const answer = world.answer(name, EXAMPLES);
    // The examples have no jobId, because a job must be started first.
    if (name.endsWith('JobStatus')) expect(answer, name).toMatchObject({ kind: 'rejected', input: 'jobId' });
    else expect(['rejected', 'unknown', 'internalError'], name).not.toContain(answer.kind);
    expect(plain(answer)).toBe(plain(other.answer(name, EXAMPLES)));
  }
});

describe('jobs', () => {
  test('a job is known to the status operation of its own kind only', () => {
    const drive = world.answer('drive', {});
    if (drive.kind !== 'jobStarted') throw new Error('not started');
    expect(world.answer('getReportJobStatus', { jobId: drive.jobId }).kind).toBe('unknown');
    expect(world.answer('getDriveJobStatus', { jobId: 'nonsense' }).kind).toBe('unknown');
    expect(world.answer('getDriveJobStatus', {})).toMatchObject({ kind: 'rejected', input: 'jobId' });
  });

  test('every started job and every survey has a unique id', () => {
    const ids = ['drive', 'drive', 'createlist', 'businesscount'].map((name) =>
      world.answer(name as OperationName, {}),
    );
    expect(new Set(ids.map((each) => each.kind === 'jobStarted' && each.jobId)).size).toBe(4);
    expect(world.answer('createSurvey', {})).not.toEqual(world.answer('createSurvey', {}));
  });
});

describe('catalogue metadata', () => {
  const CATALOGUES = ['CAT-RETAIL', 'CAT-PANEL', 'CAT-AUDIT'];

  test('catalogues have dimensions of their own', () => {
    const own = CATALOGUES.map((catalogueId) => items('logicalDimensions', { catalogueId }).map(({ id }) => id));
    expect(own).toEqual([
      ['product', 'period', 'market'],
      ['product', 'period', 'household'],
      ['product', 'period', 'outlet'],
    ]);
    expect(world.answer('dimensionRows', { catalogueId: 'CAT-PANEL', dimension: 'market' })).toEqual({
      kind: 'unknown',
      input: 'dimension',
      value: 'market',
    });
  });
});

describe('lists', () => {
  const rows = (name: OperationName, query: Query) => {
    const answer = world.answer(name, query);
    return answer.kind === 'products' ? [...answer.rows] : answer.kind === 'deltas' ? [...answer.windows[0]!.rows] : [];
  };

  test('the name and the id of a category give the same filter; together both must match', () => {
    expect(rows('allProducts', { category: 'Coffee' })).toEqual(rows('allProducts', { categoryId: 'cat-03' }));
    expect(rows('allProducts', { category: 'Coffee', categoryId: 'cat-01' })).toEqual([]);
    expect(rows('allProducts', { category: 'Coffee' }).length).toBeGreaterThan(0);
  });

  test('deltas can be filtered by category, and an answer without a window has all windows', () => {
    const filtered = rows('updateProducts', { window: 13, category: 'Tea' });
    expect(filtered).toEqual(rows('updateProducts', { window: 13 }).filter(({ category }) => category === 'Tea'));
    const all = world.answer('updateProducts', {});
    expect(all.kind === 'deltas' && all.windows.map(({ weeks }) => weeks)).toEqual([1, 4, 13]);
  });
});

test('names contain what filters must escape', () => {
  const answers = [world.answer('allCategories', {}), world.answer('brandPerformance', {})];
  const [categories, brands] = answers.map((answer) => JSON.stringify(answer));
  for (const awkward of ['&', "'", '\\"', '+', '/', '%', ',', 'è']) expect(categories).toContain(awkward);
  for (const brand of ['S, J & Co', 'Corner \\"Best\\"', 'Süßwerk', 'N+S', '5% Better', 'Half/Half'])
    expect(brands).toContain(brand);
});

test('a world of an impossible size is refused', () => {
  const clock = createClock('2026-11-14');
  for (const products of [-1, 1.5, 1e12, Number.NaN]) {
    expect(() => createWorld({ seed: 1, products, clock })).toThrow('products must be a whole number');
  }
});

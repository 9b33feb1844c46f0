import { expect, test } from 'vitest';
import { type Row, Unconverted } from '../reading/types.ts';
import { collect, everyRow, extent, type Fold, tally, texts } from './fold.ts';
import { sampleRows } from './sample-rows.ts';
import { upcs, upcsBy } from './upc-set.ts';

function run<T>(fold: Fold<T>, rows: readonly Row[], inputs = {}): T {
  const running = fold.start(inputs);
  rows.forEach((row, index) => {
    running.row(row, index);
  });
  return running.done();
}

test('tally counts values, nulls, gaps and unconverted values, with the rows of the first ones', () => {
  const rows: Row[] = [{ brand: 'a' }, { brand: null }, {}, { brand: new Unconverted(7, 'no') }, { brand: 'a' }];
  expect(run(tally('brand'), rows)).toMatchObject({
    rows: 5,
    values: 2,
    nulls: 1,
    missing: 1,
    unconverted: 1,
    distinct: 1,
  });
  expect(run(tally('brand'), rows).firstGaps.map((each) => each.index)).toEqual([1, 2]);
  expect(run(tally('brand'), rows).firstUnconverted[0]?.message).toContain('row 3');
});

test('an excused gap counts for nothing, in any form', () => {
  const excuse = { name: 'x', legal: (row: Row) => row.salesLastYear === 0 };
  const rows: Row[] = [
    { salesLastYear: 0, percentChange: null },
    { salesLastYear: 0, percentChange: new Unconverted('n/a', '') },
    { salesLastYear: 1 },
  ];
  expect(run(tally('percentChange', excuse), rows)).toMatchObject({ nulls: 0, missing: 1, unconverted: 0 });
});

test('upcs count rows without a readable one', () => {
  const set = run(upcs, [{ upc: '000000000001' }, { upc: new Unconverted('1', '') }, {}]);
  expect([set.size, set.unread]).toEqual([1, 2]);
  expect([
    ...run(upcsBy('category'), [{ upc: '000000000001', category: 'a' }, { upc: '000000000002' }]).keys(),
  ]).toEqual(['a']);
});

test('the sample does not depend on the order of rows, and contains a preferred row', () => {
  const rows: Row[] = Array.from({ length: 5000 }, (_, at) => ({ upc: String(100_000_000_000 + at * 7919) }));
  rows.push({ upc: '000000000042' });
  const zero = { name: 'zero', special: (row: Row) => String(row.upc).startsWith('0') };
  const size = { max: 6, seed: 0 };
  const chosen = run(sampleRows(['upc'], size, zero), rows);
  expect(chosen.length).toBe(6);
  expect(chosen[0]).toEqual({ upc: '000000000042' });
  expect(run(sampleRows(['upc'], size, zero), rows.toReversed())).toEqual(chosen);
  expect(run(sampleRows(['upc'], size), rows.slice(0, 3)).length).toBe(3);
  expect(run(sampleRows(['upc'], size), [{}])).toEqual([]);
});

test('extent, texts, collect, everyRow', () => {
  expect(run(extent('changedOn'), [{ changedOn: 5 }, {}, { changedOn: 2 }])).toEqual({
    values: 2,
    least: { value: 2, index: 2 },
    greatest: { value: 5, index: 0 },
  });
  expect([...run(texts('brand'), [{ brand: 'x' }, { brand: 'x' }]).counts]).toEqual([['x', 2]]);
  expect(run(texts('brand', 1), [{ brand: 'x' }, { brand: 'y' }]).complete).toBe(false);
  expect(run(collect(['brand'], 1), [{ brand: 'x', upc: '1' }, {}])).toEqual({
    rows: [{ brand: 'x' }],
    complete: false,
  });
  const check = everyRow('t', (row, inputs) =>
    row.brand === undefined ? undefined : row.brand === inputs.brand || { kind: 'k', message: 'other' },
  );
  expect(run(check, [{ brand: 'a' }, { brand: 'b' }, {}], { brand: 'a' })).toEqual({
    checked: 2,
    count: 1,
    first: [{ index: 1, kind: 'k', message: 'row 1: other' }],
  });
});

test('rows of one kind of breach do not hide another kind', () => {
  const missing = Array.from({ length: 50 }, () => ({}));
  const { firstGaps } = run(tally('upc'), [...missing, { upc: null }]);
  expect(firstGaps.map(({ kind }) => kind)).toEqual([...Array(5).fill('upc-missing'), 'upc-null']);
  expect(firstGaps.at(-1)).toEqual({ index: 50, kind: 'upc-null', message: 'row 50: upc is null' });
});

test('a sample contains the rows that a waiver names, besides the others', () => {
  const rows = Array.from({ length: 400 }, (_, at) => ({ upc: String(at).padStart(12, '0') }));
  const sampleWith = (drawn?: { upc: string }[]) => {
    const running = sampleRows(['upc'], { max: 6, seed: 1 }).start({}, drawn);
    rows.forEach((row, at) => {
      running.row(row, at);
    });
    return running.done();
  };
  const sample = sampleWith();
  const other = rows.find(({ upc }) => !sample.some((each) => each.upc === upc)) as { upc: string };
  expect(sampleWith([other, { upc: '999999999999' }])).toEqual([...sample, other]);
  expect(sampleWith([{ upc: String(sample[0]?.upc) }])).toEqual(sample);
});

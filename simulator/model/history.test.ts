/** What a client sees over half a year of weekly reloads does not contradict itself. */
import { describe, expect, test } from 'vitest';
import { createClock } from './clock.ts';
import type { Day, ModelAnswer, Product, ProductRow } from './types.ts';
import { createWorld, type World } from './world.ts';

const WEEKS = 26;
const EDITED = '960013000017';

type Kind = ModelAnswer['kind'];
function answerOf<K extends Kind>(world: World, kind: K, ...query: Parameters<World['answer']>) {
  const answer = world.answer(...query);
  if (answer.kind !== kind) throw new Error(`${query[0]} answered ${answer.kind}`);
  return answer as Extract<ModelAnswer, { kind: K }>;
}

interface Week {
  readonly asOf: Day;
  readonly rows: ReadonlyMap<string, ProductRow>;
  readonly deltas: ReadonlyMap<number, ReadonlyMap<string, ProductRow>>;
  readonly lookUps: readonly (Product | undefined)[];
  readonly looked: readonly string[];
}

const byUpc = (rows: Iterable<ProductRow>) => new Map([...rows].map((row) => [row.upc, row]));

function weekOf(world: World): Week {
  const { rows, asOf } = answerOf(world, 'products', 'allProducts', {});
  const deltas = answerOf(world, 'deltas', 'updateProducts', {}).windows;
  const changed = deltas.flatMap((window) => [...window.rows].map(({ upc }) => upc));
  const looked = [...new Set([...changed, ...[...rows].slice(0, 20).map(({ upc }) => upc)])];
  return {
    asOf,
    rows: byUpc(rows),
    deltas: new Map(deltas.map((window) => [window.weeks, byUpc(window.rows)])),
    looked,
    lookUps: looked.map((upc) => {
      const answer = world.answer('products', { upc });
      return answer.kind === 'product' ? answer.product : undefined;
    }),
  };
}

/** Half a year of a world in which products are added, changed and delisted. */
function historyOf(seed: number): Week[] {
  const world = createWorld({ seed, products: 300, clock: createClock('2026-11-14'), listsRemovals: true });
  const upcs = [...answerOf(world, 'products', 'allProducts', {}).rows].map(({ upc }) => upc);
  return Array.from({ length: WEEKS + 1 }, (_, nth) => {
    if (nth > 0) world.clock.advanceWeeks(1);
    const { edits } = world.products;
    if (nth === 2) edits.add(EDITED, {});
    if (nth === 3) edits.change(upcs[nth] as string, { description: 'Another description' });
    if (nth === 4) edits.delist(upcs[1] as string);
    if (nth === 9) edits.delist(EDITED);
    return weekOf(world);
  });
}

const shown = ({ upc, activeOn, firstActiveOn, changedOn, changeKind }: ProductRow) => ({
  upc,
  activeOn,
  firstActiveOn,
  changedOn,
  changeKind,
});
/** The rows for which something does not hold, so that a failure names them. */
const rowsBut = (rows: Iterable<ProductRow>, holds: (row: ProductRow) => boolean) =>
  [...rows].filter((row) => !holds(row)).map(shown);

describe.each([1, 2, 3, 77])('seed %i', (seed) => {
  const history = historyOf(seed);
  const pairs = history.slice(1).map((week, nth) => [history[nth] as Week, week] as const);

  test('dates of a product are in order, and within the time that lists cover', () => {
    for (const { asOf, rows } of history) {
      expect(rowsBut(rows.values(), (row) => row.firstActiveOn <= row.activeOn)).toEqual([]);
      expect(rowsBut(rows.values(), (row) => row.activeOn <= asOf && row.activeOn > asOf - 364)).toEqual([]);
      expect(
        rowsBut(
          rows.values(),
          ({ changedOn = asOf, firstActiveOn }) => changedOn <= asOf && changedOn >= firstActiveOn,
        ),
      ).toEqual([]);
    }
  });

  test('the past does not move: a first activity stays, other dates go forward', () => {
    for (const [before, after] of pairs) {
      const kept = [...after.rows.values()].filter(({ upc }) => before.rows.has(upc));
      const earlier = (row: ProductRow) => before.rows.get(row.upc) as ProductRow;
      expect(rowsBut(kept, (row) => row.firstActiveOn === earlier(row).firstActiveOn)).toEqual([]);
      expect(rowsBut(kept, (row) => row.activeOn >= earlier(row).activeOn)).toEqual([]);
      expect(
        rowsBut(kept, (row) => row.changedOn === undefined || row.changedOn >= (earlier(row).changedOn ?? 0)),
      ).toEqual([]);
      const moved = kept.filter((row) => row.changedOn !== earlier(row).changedOn && row.changedOn !== undefined);
      expect(rowsBut(moved, ({ changedOn = 0 }) => changedOn > before.asOf)).toEqual([]);
    }
  });

  test('a product is new once, and every week brings new ones', () => {
    const timesNew = new Map<string, number>();
    for (const { deltas } of history.slice(1))
      for (const { upc, changeKind } of deltas.get(1)?.values() ?? [])
        if (changeKind === 'new') timesNew.set(upc, (timesNew.get(upc) ?? 0) + 1);
    expect([...timesNew].filter(([, times]) => times > 1)).toEqual([]);
    for (const [before, after] of pairs) {
      const added = [...after.rows.values()].filter(({ upc }) => !before.rows.has(upc));
      expect(added.length).toBeGreaterThan(0);
      expect(rowsBut(added, (row) => row.firstActiveOn > before.asOf)).toEqual([]);
      expect(rowsBut(added, ({ upc }) => after.deltas.get(1)?.get(upc)?.changeKind === 'new')).toEqual([]);
    }
  });

  test('deltas contain exactly what changed, and agree with the list and the look-up', () => {
    for (const { asOf, rows, deltas, looked, lookUps } of history) {
      for (const [weeks, delta] of deltas) {
        const isInside = ({ changedOn = 0 }: ProductRow) => changedOn > asOf - 7 * weeks;
        const removed = [...delta.values()].filter(({ changeKind }) => changeKind === 'removed');
        expect(rowsBut(removed, ({ upc }) => !rows.has(upc))).toEqual([]);
        const listed = [...delta.values()].filter(({ changeKind }) => changeKind !== 'removed');
        expect(new Set(listed.map(({ upc }) => upc))).toEqual(
          new Set([...rows.values()].filter(isInside).map(({ upc }) => upc)),
        );
        for (const row of listed) expect(row).toMatchObject(rows.get(row.upc) as ProductRow);
        expect(rowsBut(listed, (row) => (row.changeKind === 'new') === row.firstActiveOn > asOf - 7 * weeks)).toEqual(
          [],
        );
      }
      for (const [nth, upc] of looked.entries()) {
        const { characteristics: _, ...found } = lookUps[nth] ?? {};
        expect(found, upc).toEqual(rows.get(upc) ?? {});
      }
    }
  });

  test('a removed product has the same dates in every window and in each week', () => {
    const seen = new Map<string, object>();
    for (const { deltas } of history)
      for (const delta of deltas.values())
        for (const row of delta.values()) {
          if (row.changeKind !== 'removed') continue;
          const { activeOn, firstActiveOn, changedOn, upc } = row;
          expect(firstActiveOn <= activeOn && activeOn <= (changedOn ?? 0), upc).toBe(true);
          expect({ activeOn, firstActiveOn, changedOn }, upc).toEqual(
            seen.get(upc) ?? { activeOn, firstActiveOn, changedOn },
          );
          seen.set(upc, { activeOn, firstActiveOn, changedOn });
        }
    expect(seen.size).toBe(2);
  });

  test('refresh dates move with the data', () => {
    const world = createWorld({ seed, products: 300, clock: createClock('2026-11-14') });
    for (const _ of [0, 1, 2]) {
      const { items, asOf } = answerOf(world, 'items', 'refreshDates', { catalogueId: 'CAT-RETAIL' });
      expect(items.every(({ date = 0 }) => date <= (asOf ?? 0))).toBe(true);
      expect(Math.max(...items.map(({ date = 0 }) => date))).toBe(world.clock.asOf());
      world.clock.advanceWeeks(1);
    }
  });

  test('at an earlier date nothing is known of later products', () => {
    const world = createWorld({ seed, products: 300, clock: createClock('2026-11-14') });
    const now = weekOf(world);
    world.clock.advanceWeeks(-3);
    const before = weekOf(world);
    expect(rowsBut(before.rows.values(), (row) => row.firstActiveOn <= before.asOf)).toEqual([]);
    expect(rowsBut(before.rows.values(), ({ upc }) => now.rows.has(upc))).toEqual([]);
  });
});

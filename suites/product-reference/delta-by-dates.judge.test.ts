import { expect } from 'vitest';
import { type Row, unreadable } from '../../src/rule/index.ts';
import { day, judgeCases, products } from '../judging.test.support.ts';

/** A Saturday; the windows of the reference profile begin on the Sunday after it, 1, 4 and 13 weeks before. */
const AS_OF = day('2026-11-14');
const stated = (asOf: number, rows: readonly Row[]) => ({ rows, values: { asOf: [asOf] } });
const row = (upc: number, changedOn: number | null, cells: Row = {}): Row => ({
  ...products(1, {}, upc)[0],
  changedOn,
  firstActiveOn: AS_OF - 3000,
  activeOn: AS_OF - 20,
  ...cells,
});

/** Products with a change on the first and last day of each window, and on the day before each. */
const listed = [
  row(1, AS_OF),
  row(2, AS_OF - 6),
  row(3, AS_OF - 7),
  row(4, AS_OF - 27),
  row(5, AS_OF - 28),
  row(6, AS_OF - 90),
  row(7, AS_OF - 91),
  row(8, null),
  row(9, null, { firstActiveOn: AS_OF - 27 }),
  ...products(3000, { changedOn: AS_OF - 200, firstActiveOn: AS_OF - 3000, activeOn: AS_OF }, 100),
];
const pick = (...upcs: number[]): Row[] => upcs.map((upc) => row(upc, AS_OF));
const WINDOWS = { one: pick(1, 2), four: pick(1, 2, 3, 4, 9), thirteen: pick(1, 2, 3, 4, 5, 6, 9) };

const at = (
  windows: Partial<typeof WINDOWS>,
  bulk: readonly Row[] = listed,
  { list = AS_OF, delta = AS_OF }: { list?: number; delta?: number } = {},
) => {
  const { one, four, thirteen } = { ...WINDOWS, ...windows };
  return {
    bulk: stated(list, bulk),
    one: stated(delta, one),
    four: stated(delta, four),
    thirteen: stated(delta, thirteen),
  };
};
const withoutAsOf = ({ bulk, ...windows }: ReturnType<typeof at>) => ({ ...windows, bulk: { rows: bulk.rows } });
const changed = (upc: number, cells: Row) =>
  listed.map((each) => (each.upc === row(upc, 0).upc ? { ...each, ...cells } : each));

judgeCases('C.delta-by-dates', {}, [
  ['every window as the list dates it', at({}), 'pass', { evidence: { exchanges: 4 } }],
  ['one of the last day is missing everywhere', at({ one: pick(2), four: pick(2, 3, 4, 9) }), 'fail'],
  [
    'one of the day before 1 week is removed',
    at({ one: [...pick(1, 2), row(3, AS_OF, { changeKind: 'removed' })] }),
    'pass',
  ],
  ['one that never changed is listed', at({ thirteen: pick(1, 2, 3, 4, 5, 6, 8, 9) }), 'fail'],
  [
    'a listed one with an unreadable date',
    at({ one: pick(1, 2, 8) }, changed(8, { changedOn: unreadable('x') })),
    'pass',
  ],
  ['one with two rows in the list, of which one is older', at({}, [...listed, row(1, AS_OF - 300)]), 'pass'],
  [
    'one with two rows in the list, of which one is after the as-of',
    at({ one: pick(2) }, [...listed, row(1, AS_OF + 1)]),
    'pass',
  ],
  ['rows without a readable UPC', at({ one: [...pick(1), { upc: unreadable('1') }] }), 'inconclusive'],
  [
    'no as-of in the delta',
    { ...at({}), one: { rows: pick(1, 2) } },
    'inconclusive',
    {
      because: expect.stringContaining('no as-of date'),
    },
  ],
  ['no dates at all', at({}, products(5)), 'untested'],
]);

const later = { list: AS_OF + 7 };
judgeCases('C.delta-by-dates', {}, [
  ['a list a reload ahead, and one is missing that was active before', at({ one: pick(1) }, listed, later), 'fail'],
  [
    'a list a reload ahead, and one is missing that may have returned',
    at({ one: pick(1) }, changed(2, { activeOn: AS_OF + 2 }), later),
    'inconclusive',
  ],
  ['a list without as-of that contains the week', withoutAsOf(at({ one: pick(1) })), 'fail'],
  [
    'a list without as-of or dates of the week',
    withoutAsOf(
      at(
        { one: pick(1, 2, 3) },
        listed.slice(2, 8).map((each) => ({ ...each, activeOn: null })),
      ),
    ),
    'inconclusive',
  ],
]);

// Without stated edges a window may count from the reload after the as-of date, and a date may differ by a day.
judgeCases('C.delta-by-dates', { profile: { dataWeek: { firstDay: null } } }, [
  ['the oldest six days missing', at({ four: pick(1, 2, 3) }, changed(9, { firstActiveOn: AS_OF - 22 })), 'pass'],
  ['a day before the window', at({ one: pick(1, 2), four: pick(1, 2, 3, 4, 5, 9) }), 'pass'],
  ['two days before the window', at({ four: pick(1, 2, 3, 4, 5, 9) }, changed(5, { changedOn: AS_OF - 30 })), 'fail'],
]);

judgeCases('C.delta-by-dates', { profile: { dataWeek: { endsOn: 'wednesday', changedOn: 'weekEnding' } } }, [
  [
    'a week that the window cuts',
    at({ one: pick(), four: pick(1, 9), thirteen: pick(1, 2, 9) }, [row(1, AS_OF - 24), row(9, AS_OF - 24)]),
    'pass',
  ],
]);

judgeCases('C.delta-by-dates', { profile: { dataWeek: { firstDay: 'included' } } }, [
  [
    'a first day that the profile includes and the service does not',
    at({}),
    'fail',
    {
      findings: [
        { kind: 'missing-in-1-weeks', actual: expect.stringContaining('000000000003') },
        { kind: 'missing-in-4-weeks', actual: expect.stringContaining('000000000005') },
        { kind: 'missing-in-13-weeks', actual: expect.stringContaining('000000000007') },
      ],
    },
  ],
]);
judgeCases('C.delta-by-dates', { profile: { dataWeek: null } }, [['no data week', at({}), 'untested']]);

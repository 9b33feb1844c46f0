import type { Row } from '../../src/rule/index.ts';
import { day, judgeCases, products } from '../judging.test.support.ts';

const AS_OF = day('2026-11-14');
const stated = (rows: readonly Row[], asOf = AS_OF) => ({ rows, values: { asOf: [asOf] } });
const changed = (from: number, cells: Row = {}): Row[] => products(1, { changeKind: 'changed', ...cells }, from);
const removed = (from: number): Row[] => changed(from, { changeKind: 'removed' });
const deltas = (thirteen: readonly Row[]) => ({ one: stated([]), four: stated([]), thirteen: stated(thirteen) });

judgeCases('C.delta-kinds', {}, [
  [
    'no kind that the profile names',
    deltas([...changed(1, { changeKind: 'C' }), ...changed(2, { changeKind: 'N' })]),
    'inconclusive',
  ],
]);
judgeCases('C.delta-kinds', { profile: { delta: { removedUnlisted: null, kinds: { removed: [] } } } }, [
  ['changes of a service that never removes a product', deltas(changed(1)), 'pass'],
  ['a removal, which the profile states does not occur', deltas([...changed(1), ...removed(2)]), 'fail'],
]);
judgeCases('C.delta-kinds', { profile: { delta: { newBy: null, kinds: { new: null, changed: null } } } }, [
  ['a profile that names removals only', deltas(changed(1, { changeKind: 'moved' })), 'untested'],
]);

const noRemovals = {
  profile: { delta: { removedUnlisted: null, newBy: null, kinds: { new: null, changed: null, removed: [] } } },
};
const listed = stated(products(3));
judgeCases('C.delta-within-bulk', noRemovals, [
  ['one without a kind is missing', { bulk: listed, ...deltas(products(4)) }, 'fail'],
]);
judgeCases('C.delta-within-bulk', {}, [
  ['one changed and was removed', { bulk: listed, ...deltas([...changed(1), ...changed(9), ...removed(9)]) }, 'pass'],
  [
    'one is missing in a list of another week',
    { bulk: stated(products(3), AS_OF + 7), ...deltas(changed(9)) },
    'inconclusive',
  ],
]);

judgeCases('C.delta-removed-unlisted', {}, [
  ['one that was removed and returned', { bulk: listed, ...deltas([...changed(2), ...removed(2)]) }, 'pass'],
  [
    'one that was removed in a larger window and is new in a smaller one',
    { bulk: listed, ...deltas([...changed(1), ...removed(2)]), one: stated(changed(2, { changeKind: 'new' })) },
    'pass',
  ],
  ['a list of another week', { bulk: stated(products(3), AS_OF + 7), ...deltas(removed(2)) }, 'inconclusive'],
]);

const found = (upc: number, cells: Row = {}) => {
  const [row = {}] = products(1, { characteristics: [{ name: 'a' }], ...cells }, upc);
  return { rows: [row], inputs: { upc: String(row.upc) } };
};
const unknown = (upc: number) => ({ ...found(upc), rows: [], status: 404 });
const looked = (rows: readonly Row[], responses: object[], list = AS_OF, one: readonly Row[] = []) => ({
  bulk: stated([], list),
  one: stated(one),
  thirteen: stated(rows),
  products: responses,
});
judgeCases('C.delta-in-look-up', {}, [
  ['one is unknown and removed', looked([...changed(1), ...removed(2)], [found(1), unknown(2)]), 'pass'],
  [
    'one of this week is unknown',
    looked([...changed(1), ...changed(2)], [found(1), unknown(2)], AS_OF, changed(2)),
    'pass',
  ],
  [
    'one is unknown, and the list is a reload ahead',
    looked([...changed(1), ...changed(2)], [found(1), unknown(2)], AS_OF + 7),
    'inconclusive',
  ],
]);

const row = (cells: Row) => changed(1, { category: 'Tea', changedOn: AS_OF - 20, ...cells });
const latest = (shown: Row, rows = row({}), one: readonly Row[] = []) => ({
  one: stated(one),
  thirteen: stated(rows),
  products: [found(1, { category: 'Tea', changedOn: AS_OF - 20, ...shown })],
});
judgeCases('C.look-up-latest', {}, [
  ['an earlier change of a product of this week', latest({ changedOn: AS_OF - 60 }, row({}), row({})), 'inconclusive'],
  ['a change of this week', latest({ changedOn: AS_OF + 2, category: 'Coffee' }), 'pass'],
  ['a change that the row should show', latest({ changedOn: AS_OF - 10 }), 'fail'],
  ['no date in the look-up', latest({ changedOn: null }), 'untested'],
  [
    'blanks that the look-up lacks',
    latest(
      { characteristics: ['red', ['Size', '10']] },
      row({ category: ' ', characteristics: ['red', '', null, ['Size', '10'], ['Unit', '']] }),
    ),
    'pass',
  ],
  [
    'an old characteristic',
    latest({ characteristics: ['red', 'small'] }, row({ characteristics: ['red', 'large'] })),
    'fail: other-characteristics',
  ],
  [
    'characteristics in another form',
    latest({ characteristics: ['red', 'small'] }, row({ characteristics: ['C1', 'S4'] })),
    'inconclusive',
  ],
  ['a stale value in the 4-week delta only', { ...latest({}), four: stated(row({ category: 'Coffee' })) }, 'fail'],
  [
    'an earlier change in the 4-week delta',
    { ...latest({}), four: stated(row({ category: 'Coffee', changedOn: AS_OF - 27 })) },
    'pass',
  ],
  [
    'another value in a 4-week delta of the week before',
    { ...latest({}), four: stated(row({ category: 'Coffee' }), AS_OF - 7) },
    'pass',
  ],
  [
    'two changes on one day, of which the 4-week delta shows one',
    { ...latest({}, [...row({}), ...row({ category: 'Coffee' })]), four: stated(row({ category: 'Coffee' })) },
    'pass',
  ],
]);

const dated = (rows: readonly Row[], asOf = AS_OF) => ({ bulk: stated(rows, asOf), one: stated([]), four: stated([]) });
const first = (upc: number, date: string): Row[] => products(1, { firstActiveOn: day(date) }, upc);
const added = (upc: number, cells: Row = {}): Row[] => changed(upc, { changeKind: 'new', ...cells });
const list = dated([...first(1, '2026-10-01'), ...first(2, '2020-01-01'), ...first(3, '2026-08-15')]);
judgeCases('C.delta-new', {}, [
  [
    'an old one that was removed and returned',
    { ...list, thirteen: stated([...added(2), ...removed(2), ...added(1)]) },
    'pass',
  ],
  ['a new one without a kind', { ...list, thirteen: stated([...products(1), ...changed(2)]) }, 'pass'],
  ['one first active on the day before the window', { ...list, thirteen: stated(added(3)) }, 'fail'],
  [
    'an old one called new, in a list of an earlier week',
    { ...dated(first(2, '2020-01-01'), AS_OF - 7), thirteen: stated(added(2)) },
    'inconclusive',
  ],
  [
    'one called changed that was first active after the as-of date of the delta',
    {
      ...dated([...first(1, '2026-11-17'), ...first(2, '2020-01-01')], AS_OF + 7),
      thirteen: stated([...changed(1), ...changed(2)]),
    },
    'pass',
  ],
]);
judgeCases('C.delta-new', { profile: { dataWeek: { firstDay: null } } }, [
  [
    'one first active on a day that may be in the window',
    { ...list, thirteen: stated([...added(3), ...added(1)]) },
    'pass',
  ],
]);

const inWeeks = {
  operations: {
    'GET /PLATFORMAPI/prodRef/v1/updateProducts': {
      response: { fields: { changedOn: { at: '@.changedOn', as: 'isoWeek' } } },
    },
  },
};
judgeCases('C.look-up-latest', { profile: inWeeks }, [
  ['a day of the week that the delta shows', latest({ changedOn: AS_OF - 26 }), 'pass'],
  ['a day of an earlier week', latest({ changedOn: AS_OF - 28 }), 'fail'],
]);

import type { Row } from '../../src/rule/index.ts';
import { day, judgeCases, products } from '../judging.test.support.ts';

const AS_OF = day('2026-11-14');
const stated = (rows: readonly Row[], asOf = AS_OF) => ({ rows, values: { asOf: [asOf] } });
const changed = (from: number, cells: Row = {}): Row[] => products(1, { changeKind: 'changed', ...cells }, from);
const removed = (from: number): Row[] => changed(from, { changeKind: 'removed' });
const deltas = (thirteen: readonly Row[]) => ({ one: stated([]), four: stated([]), thirteen: stated(thirteen) });

judgeCases('C.delta-kinds', {}, [
  ['kinds that the profile names', deltas([...changed(1), ...removed(2)]), 'pass'],
  ['another kind', deltas([...changed(1), ...changed(2, { changeKind: 'moved' })]), 'fail'],
  ['no kind', deltas(products(3)), 'untested'],
]);
judgeCases('C.delta-kinds', { profile: { delta: { kinds: { new: null, changed: null } } } }, [
  ['a profile that names removals only', deltas(changed(1, { changeKind: 'moved' })), 'untested'],
]);

const listed = stated(products(3));
judgeCases('C.delta-within-bulk', {}, [
  ['every product', { bulk: listed, ...deltas([...changed(1), ...changed(2)]) }, 'pass'],
  ['one is missing', { bulk: listed, ...deltas([...changed(1), ...changed(9)]) }, 'fail'],
  ['one is missing and removed', { bulk: listed, ...deltas([...changed(1), ...removed(9)]) }, 'pass'],
  ['one changed and was removed', { bulk: listed, ...deltas([...changed(1), ...changed(9), ...removed(9)]) }, 'pass'],
  ['one that is removed is listed', { bulk: listed, ...deltas([...changed(1), ...removed(2)]) }, 'pass'],
  [
    'one is missing in a list of another week',
    { bulk: stated(products(3), AS_OF + 7), ...deltas(changed(9)) },
    'inconclusive',
  ],
  ['removals only', { bulk: listed, ...deltas(removed(9)) }, 'untested'],
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
  ['every product', looked([...changed(1), ...changed(2)], [found(1), found(2)]), 'pass'],
  ['one is unknown', looked([...changed(1), ...changed(2)], [found(1), unknown(2)]), 'fail'],
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
  ['the same values', latest({}), 'pass'],
  ['a stale value', latest({ category: 'Coffee' }), 'fail'],
  ['an earlier change', latest({ changedOn: AS_OF - 60 }), 'fail'],
  ['an earlier change of a product of this week', latest({ changedOn: AS_OF - 60 }, row({}), row({})), 'inconclusive'],
  ['a change of this week', latest({ changedOn: AS_OF + 2, category: 'Coffee' }), 'pass'],
  ['a change that the row should show', latest({ changedOn: AS_OF - 10 }), 'fail'],
  ['two changes on one day', latest({ category: 'Coffee' }, [...row({}), ...row({ category: 'Coffee' })]), 'pass'],
  ['no date in the look-up', latest({ changedOn: null }), 'untested'],
]);

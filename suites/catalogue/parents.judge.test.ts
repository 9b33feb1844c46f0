import { type FakeResponse, judgeCases } from '../judging.test.support.ts';

const ROWS = 'POST /data-access/v1/Catalogue/Dimension/Rows';
const VALUES = 'POST /data-access/v1/Catalogue/Hierarchy/Level/Values';
const NODE = { catalogueId: 'cat', dimension: 'dim' };

type Items = Readonly<Record<string, string | null>>;
const rowsOf = (items: Items) =>
  Object.entries(items).map(([id, parentItem]) => ({ id, name: `Item ${id}`, parentItem }));
const rows = (items: Items, asOf: readonly number[] = []): FakeResponse => ({
  inputs: NODE,
  rows: rowsOf(items),
  values: { asOf },
});

judgeCases('B.parent-items', { subject: ROWS }, [
  ['a tree', { all: rows({ a: null, b: 'a', c: 'b' }) }, 'pass', { evidence: { rows: 2, distinct: 1 } }],
  ['a tree by names, in another case', { all: rows({ a: null, b: 'ITEM a' }) }, 'pass'],
  [
    'one unknown row',
    { all: rows({ a: null, b: 'a', c: 'x' }) },
    'fail',
    { findings: [{ kind: 'unknown-parent', row: 2 }] },
  ],
  ['roots that name 0', { all: rows({ a: '0', b: '0', c: 'a' }) }, 'pass'],
  ['rows that name two unknown ones', { all: rows({ a: 'x', b: 'y', c: 'a' }) }, 'fail'],
  ['rows by other ids', { all: rows({ a: '#1', b: '#2' }) }, 'inconclusive'],
  ['no tree', { all: rows({ a: null, b: null }) }, 'untested'],
  ['pages of two data weeks', { all: rows({ a: null, b: 'a', c: 'x' }, [1, 8]) }, 'inconclusive'],
  [
    'right in another response',
    { all: [rows({ a: null, b: 'a', c: 'x' }), rows({ a: null, b: 'a', c: 'b' })] },
    'inconclusive',
  ],
]);

const level = (name: string, items: Items, asOf: number | null = 1): FakeResponse => ({
  inputs: { ...NODE, hierarchy: 'h', level: name },
  rows: rowsOf(items),
  values: asOf === null ? {} : { asOf: [asOf] },
});
const levels = (...ids: readonly string[]) => ({
  'lists of levels': { inputs: { ...NODE, hierarchy: 'h' }, rows: ids.map((id) => ({ id })) },
});
const TOP = { a: null, b: null };

judgeCases('B.parent-items', { subject: VALUES }, [
  ['ids that levels share', { ...levels('1', '2'), all: [level('1', TOP), level('2', { a: 'a', b: 'b' })] }, 'pass'],
  [
    'a value of its own level',
    { ...levels('1', '2'), all: [level('1', TOP), level('2', { c: 'a', d: 'c' })] },
    'fail',
    { findings: [{ kind: 'other-level', row: 1 }] },
  ],
  [
    'an unknown value, of a level that was not read',
    { ...levels('1', '2', '3'), all: [level('1', TOP), level('2', { c: 'a', d: 'x' })] },
    'inconclusive',
  ],
  [
    'an unknown value, without the list of levels',
    { all: [level('1', TOP), level('2', { c: 'a', d: 'x' })] },
    'inconclusive',
  ],
  [
    'an unknown value, in another data week',
    { ...levels('1', '2'), all: [level('1', TOP, 8), level('2', { c: 'a', d: 'x' })] },
    'inconclusive',
  ],
  [
    'values of two levels',
    { ...levels('1', '2', '3'), all: [level('1', TOP), level('2', { c: 'a' }), level('3', { e: 'c', f: 'b' })] },
    'fail',
  ],
  ['roots that name 0', { ...levels('1', '2'), all: [level('1', { a: '0', b: '0' }), level('2', { c: 'a' })] }, 'pass'],
  [
    'values of another hierarchy',
    { all: [level('1', TOP), { ...level('2', { c: 'a' }), inputs: { ...NODE, hierarchy: 'x', level: '2' } }] },
    'inconclusive',
  ],
]);

judgeCases('B.items-once', { subject: ROWS }, [
  ['each once', { all: rows({ a: null, b: null }) }, 'pass', { evidence: { rows: 2 } }],
  [
    'an id twice',
    { all: { inputs: NODE, rows: [{ id: 'a', name: 'x' }, { id: 'b' }, { id: 'a', name: 'y' }] } },
    'fail',
    { findings: [{ kind: 'repeated', row: 2 }] },
  ],
  ['a name twice, without ids', { all: { inputs: NODE, rows: [{ name: 'x' }, { name: 'x' }] } }, 'fail'],
  [
    'one id and several names in each list',
    {
      all: ['x', 'y'].map((id) => ({
        inputs: { ...NODE, dimension: id },
        rows: [
          { id, name: 'a' },
          { id, name: 'b' },
        ],
      })),
    },
    'inconclusive',
  ],
  ['rows without id and name', { all: { inputs: NODE, rows: [{}, {}] } }, 'untested'],
  [
    'pages of two data weeks',
    { all: { inputs: NODE, rows: [{ id: 'a' }, { id: 'a' }], values: { asOf: [1, 8] } } },
    'untested',
  ],
  [
    'once in another response',
    { all: [{ inputs: NODE, rows: [{ id: 'a' }, { id: 'a' }] }, rows({ a: null })] },
    'inconclusive',
  ],
]);

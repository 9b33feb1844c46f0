import { expect } from 'vitest';
import { unreadable } from '../../src/rule/index.ts';
import { judgeCases } from '../judging.test.support.ts';

const ROOT = 'POST /data-access/v1/Catalogue/LogicalDimensions';
const GROUPS = 'POST /data-access/v1/Catalogue/Dimension/Groups';
const LEVELS = 'POST /data-access/v1/Catalogue/Group/Levels';
const REFRESH = 'POST /data-access/v1/Catalogue/RefreshDates';
const item = { id: 'a', name: 'A' };
const many = Array.from({ length: 3000 }, (_, at) => ({ id: `i${at}`, name: 'A' }));
const fields = (operation: string, patch: object) => ({ operations: { [operation]: { response: { fields: patch } } } });
const optional = { id: { required: null }, name: { required: null } };

judgeCases('B.metadata-listed', { subject: ROOT }, [
  [
    'each with id and name',
    { list: { rows: many } },
    'pass',
    { evidence: { exchanges: 1, rows: 3000, distinct: 1000 } },
  ],
  [
    'one of thousands has a name that is none',
    { list: { rows: [...many, { id: 'a', name: unreadable({}) }] } },
    'fail (profile)',
  ],
  ['no name', { list: { rows: [{ id: 'a' }] } }, 'fail (profile)', { findings: { length: 1 } }],
  ['no id understood', { list: { rows: [{ id: unreadable({}), name: 'A' }] } }, 'inconclusive', /id at/],
  ['an empty list', { list: {} }, 'untested'],
]);
judgeCases('B.metadata-listed', { subject: ROOT, profile: fields(ROOT, optional) }, [
  ['no name, which is not required', { list: { rows: [{ id: 'a' }] } }, 'pass', { evidence: { distinct: 1 } }],
  ['neither', { list: { rows: [{}] } }, 'fail (profile)'],
]);
judgeCases('B.metadata-listed', { subject: ROOT, profile: fields(ROOT, { id: { as: 'text' } }) }, [
  ['no id of the declared form', { list: { rows: [{ id: unreadable({}), name: 'A' }] } }, 'fail (profile)'],
]);
judgeCases('B.metadata-listed', { subject: ROOT, profile: fields(ROOT, { id: null }) }, [
  [
    'an id that is not read',
    { list: { rows: [{ name: 'A', id: unreadable({}) }] } },
    'pass',
    { evidence: { distinct: 1 } },
  ],
]);

const ask = (catalogueId: string, rows: readonly object[]) => ({ inputs: { catalogueId }, rows });
judgeCases('B.catalogue-decides', { subject: ROOT }, [
  [
    'another answer',
    { first: ask('A', [item]), second: ask('B', [item, item]) },
    'pass',
    { evidence: { exchanges: 2, rows: 3 } },
  ],
  ['one of them empty', { first: ask('A', [item]), second: ask('B', []) }, 'pass'],
  [
    'one of them empty, and no id or name in the other',
    { first: ask('A', [{}]), second: ask('B', []) },
    'inconclusive',
  ],
  [
    'the same',
    { first: ask('A', [item]), second: ask('B', [item]) },
    'fail',
    { findings: [{ expected: expect.stringMatching(/catalogue B and catalogue A/) }] },
  ],
  [
    'the same ids, which the profile reads as names, in other bodies',
    {
      first: { ...ask('A', [{ id: '1', name: '1' }]), body: 'one' },
      second: { ...ask('B', [{ id: '1', name: '1' }]), body: 'two' },
    },
    'untested',
  ],
  ['the same rows, in which nothing is read', { first: ask('A', [{}]), second: ask('B', [{}]) }, 'inconclusive'],
  ['both empty', { first: ask('A', []), second: ask('B', []) }, 'untested'],
]);

const ofBoth = { id: '1', name: 'Product' };
judgeCases('B.catalogue-decides', { subject: ROOT, profile: fields(ROOT, { grain: { at: '@.loaded' } }) }, [
  [
    'equal ids and names, told apart by a grain of the response',
    {
      first: { ...ask('A', [ofBoth]), values: { grain: [['A']] } },
      second: { ...ask('B', [ofBoth]), values: { grain: [['B']] } },
    },
    'pass',
  ],
]);

const echoed = { [REFRESH]: { response: { fields: { id: null }, echoes: { catalogueId: '$.of' } } } };
const refreshOf = (catalogueId: string, body: string) => ({ inputs: { catalogueId }, rows: [{ name: 'data' }], body });
judgeCases('B.catalogue-decides', { subject: REFRESH, profile: { operations: echoed } }, [
  ['the same but for the echo', { first: refreshOf('A1', 'of A1: 7'), second: refreshOf('B1', 'of B1: 7') }, 'fail'],
  ['a value like the id', { first: refreshOf('1', 'of 1: 1'), second: refreshOf('2', 'of 2: 2') }, 'untested'],
]);
judgeCases('B.catalogues-list-known', {}, [
  [
    'each',
    { list0: ask('A', [{ id: 'A' }]), list1: ask('B', [{ id: 'A' }, { id: 'B' }]) },
    'pass',
    { evidence: { exchanges: 2 } },
  ],
  ['one list empty', { list0: ask('A', [{ id: 'A' }]), list1: ask('B', []) }, 'fail'],
  ['all empty', { list0: ask('A', []), list1: ask('B', []) }, 'untested'],
]);

judgeCases('B.metadata-not-empty', { subject: ROOT }, [
  ['a row', { list: { rows: [item] } }, 'pass', { evidence: { rows: 1 } }],
  ['a row with an id', { list: { rows: [{ id: 'a' }] } }, 'pass'],
  ['a row with a name', { list: { rows: [{ name: 'a' }] } }, 'pass'],
  ['none', { list: {} }, 'fail'],
]);
judgeCases('B.metadata-not-empty', { subject: ROOT, profile: fields(ROOT, { id: null, name: null }) }, [
  ['a row in which nothing is read', { list: { rows: [{}] } }, 'pass'],
]);
judgeCases('B.metadata-not-empty', { subject: ROOT, profile: fields(ROOT, { id: null }) }, [
  ['a row without the one that is read', { list: { rows: [{}] } }, 'inconclusive'],
]);

const below = (...answers: object[]) => ({ [ROOT]: { rows: [item] }, [GROUPS]: answers });
judgeCases('B.graph', { subject: GROUPS }, [
  ['one with nothing below', below({ rows: [item] }, {}), 'pass'],
  ['nothing below any', below({}, {}), 'untested'],
  ['one unknown', below({ rows: [item] }, { status: 404 }), 'fail', { findings: { length: 1 } }],
  ['one that fails', below({ rows: [item] }, { status: 500 }), 'inconclusive'],
  ['one that does not answer', below({ rows: [item] }, { status: null }), 'inconclusive', /refused/],
]);
judgeCases('B.graph', { subject: GROUPS, profile: { catalogue: { connected: true } } }, [
  ['on the profile’s word', below({ status: 404 }), 'fail (profile)'],
]);
judgeCases('B.graph', { subject: LEVELS, profile: { operations: { [LEVELS]: { response: { rows: null } } } } }, [
  ['answers that are not read', { [LEVELS]: [{}] }, 'pass'],
]);

const [a, b] = [{ rows: [{ id: 'a' }] }, { rows: [{ id: 'b' }] }];
const catalogues = (first: readonly object[], second: readonly object[]) =>
  Object.fromEntries([
    ...first.map((response, at) => [`first catalogue ${at + 1}`, response]),
    ...second.map((response, at) => [`second catalogue ${at + 1}`, response]),
  ]);
judgeCases('B.metadata-stable', { subject: ROOT }, [
  [
    'each catalogue once got the content of the other',
    catalogues([a, b, a], [b, a, b]),
    'fail: content-of-another-request, content-of-another-request',
  ],
  [
    'one catalogue once got the content of the other: perhaps a lagging replica',
    catalogues([a, b, a], [b, b, b]),
    'inconclusive',
  ],
]);

const level = (hierarchy: string, parent: string | null = hierarchy): object => ({
  inputs: { catalogueId: 'c', dimension: 'd', hierarchy },
  rows: [{ id: 'l', parent }],
});
const listOf = (catalogue: string, dimension: string, ...ids: readonly string[]) => ({
  [ROOT]: { inputs: { catalogueId: catalogue }, rows: [{ id: dimension }] },
  'POST /data-access/v1/Catalogue/Dimension/Hierarchies': {
    inputs: { catalogueId: catalogue, dimension },
    rows: ids.map((id) => ({ id })),
  },
});
judgeCases('B.parents', { subject: 'POST /data-access/v1/Catalogue/Hierarchy/Levels' }, [
  [
    'one that is not there',
    { ...listOf('c', 'd', 'one', 'two'), all: [level('one', 'three'), level('two')] },
    'fail: other-parent',
  ],
  ['one of which nothing is known', { all: [level('one', 'three')] }, 'inconclusive'],
  ['another one, which lists the item, too', { all: [level('one'), level('two', 'one')] }, 'pass'],
  [
    'another one, which does not list the item',
    { all: [{ ...level('one'), rows: [{ id: 'm', parent: 'one' }] }, level('two', 'one')] },
    'fail',
  ],
  [
    'nodes by other ids, one for each list',
    { ...listOf('c', 'd', 'one', 'two'), all: [level('one', '#1'), level('two', '#2')] },
    'inconclusive',
  ],
  [
    'nodes by other ids, of which one is wrong',
    { ...listOf('c', 'd', 'one', 'two'), all: [level('one', '#1'), level('two', '#1')] },
    'fail',
  ],
  [
    'one parent in all lists',
    { ...listOf('c', 'd', 'one', 'two', 'three'), all: ['one', 'two', 'three'].map((each) => level(each, '#1')) },
    'inconclusive',
  ],
  ['none', { all: [level('one', null)] }, 'untested'],
]);

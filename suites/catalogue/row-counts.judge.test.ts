import { type FakeResponse, judgeCases } from '../judging.test.support.ts';

const LEVELS = 'POST /data-access/v1/Catalogue/Hierarchy/Levels';
const VALUES = 'POST /data-access/v1/Catalogue/Hierarchy/Level/Values';
const NODE = { catalogueId: 'c', dimension: 'd', hierarchy: 'h' };

/** A list of levels that state how many values they have: `null` for none, a text for a count that is no number. */
const levels = (counts: Readonly<Record<string, number | string | null>>, asOf: number | null = 1): FakeResponse => ({
  inputs: NODE,
  rows: Object.keys(counts).map((id) => ({ id })),
  stated: [
    {
      rows: Object.keys(counts).length,
      counts: [[], []],
      rowCounts: Object.entries(counts).map(([id, count], row) => ({ row, names: { id }, counts: [[], [count]] })),
      echoes: {},
      asOf: asOf === null ? [] : [asOf],
    },
  ],
});
const values = (level: string, ids: readonly string[], asOf: number | null = 1): FakeResponse => ({
  inputs: { ...NODE, level },
  rows: ids.map((id) => ({ id })),
  values: asOf === null ? {} : { asOf: [asOf] },
});
const of = (lists: FakeResponse | readonly FakeResponse[], counted: FakeResponse | readonly FakeResponse[]) => ({
  all: lists,
  [`all of ${VALUES}`]: counted,
});

judgeCases('B.counts-below', { subject: LEVELS }, [
  [
    'the number of values',
    of(levels({ one: 2, two: 3 }), values('one', ['a', 'b'])),
    'pass',
    { evidence: { distinct: 1, coverage: [{ of: 'counts of catalogue nodes', looked: 1, known: 2 }] } },
  ],
  [
    'one value more',
    of(levels({ one: 3 }), values('one', ['a', 'b'])),
    'fail',
    { findings: [{ kind: 'row-count', actual: 'row 0 states 3', row: 0 }] },
  ],
  ['a value twice, counted once', of(levels({ one: 2 }), values('one', ['a', 'b', 'b'])), 'pass'],
  ['a value twice, counted twice', of(levels({ one: 3 }), values('one', ['a', 'b', 'b'])), 'pass'],
  ['an unknown count', of(levels({ one: -1 }), values('one', ['a'])), 'untested'],
  [
    'a list that is not read to its end',
    of(levels({ one: 3 }), { ...values('one', ['a']), complete: false }),
    'untested',
  ],
  [
    'an earlier list agrees, that of the same data week does not',
    of(levels({ one: 1 }), [values('one', ['a'], 8), values('one', ['a', 'b'])]),
    'fail',
  ],
  [
    'several counts that end at the greatest one',
    of(levels({ one: 2, two: 2, three: 1 }), [
      values('one', ['a', 'b', 'c']),
      values('two', ['a', 'b', 'c', 'd']),
      values('three', ['a']),
    ]),
    'inconclusive',
  ],
  [
    'one count that is too low and the greatest one',
    of(levels({ one: 2, three: 1 }), [values('one', ['a', 'b', 'c']), values('three', ['a'])]),
    'fail',
  ],
]);

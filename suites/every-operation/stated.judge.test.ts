import { type Cell, type CodeUsage, type PageMetadata, Unconverted } from '../../src/reading/types.ts';
import { type FakeResponse, judgeCases } from '../judging.test.support.ts';

const CATEGORIES = 'GET /RetailMeasurement/v1/CategoryPerformance';
const DELTA = 'GET /PLATFORMAPI/prodRef/v1/updateProducts';

/** A list of pages: their rows, totals and as-of dates. */
const list = (...pages: readonly (readonly [rows: number, total: number | null, asOf?: number])[]): FakeResponse => ({
  rows: Array.from({ length: pages.reduce((sum, [rows]) => sum + rows, 0) }, () => ({})),
  stated: pages.map(
    ([rows, total, asOf]): PageMetadata => ({
      rows,
      counts: [[total]],
      echoes: {},
      asOf: asOf === undefined ? [] : [asOf],
    }),
  ),
});

judgeCases('every.counts', { subject: CATEGORIES }, [
  ['one page', { all: list([3, 3]) }, 'pass', { evidence: { exchanges: 1, rows: 3 } }],
  ['one page, one more', { all: list([3, 4]) }, 'fail', { findings: [{ kind: 'list-count', actual: 'it states 4' }] }],
  ['a total on the first page only', { all: list([3, 5], [2, null]) }, 'pass'],
  ['not read to its end', { all: { ...list([3, 9]), complete: false } }, 'untested'],
  ['an empty page behind the end', { all: list([3, 3], [0, 0]) }, 'pass'],
  ['pages of one as-of date', { all: list([3, 6, 1], [2, 6, 1]) }, 'fail'],
  ['pages without an as-of date', { all: list([3, 6], [2, 6]) }, 'inconclusive'],
  ['wrong once, right the second time', { all: [list([3, 4]), list([3, 3])] }, 'inconclusive'],
]);

const paged = { operations: { [CATEGORIES]: { response: { paging: { style: 'page', size: 3 } } } } };
const numbered = { query: { page: '{page}' } };
judgeCases(
  'every.counts',
  {
    subject: CATEGORIES,
    profile: { operations: { [CATEGORIES]: { request: numbered, ...paged.operations[CATEGORIES] } } },
  },
  [
    ['the last numbered page has fewer rows than its own total leaves', { all: list([3, 6], [2, 6]) }, 'fail'],
    ['two data weeks, each right in itself', { all: list([3, 6], [2, 5]) }, 'inconclusive'],
  ],
);

const ofPages = { counts: [{ at: '$.pages', of: 'pages' }] };
judgeCases(
  'every.counts',
  {
    subject: CATEGORIES,
    profile: {
      operations: {
        [CATEGORIES]: { request: numbered, response: { ...paged.operations[CATEGORIES].response, ...ofPages } },
      },
    },
  },
  [
    ['the number of pages', { all: list([3, 2], [2, 2]) }, 'pass', { evidence: { exchanges: 1 } }],
    ['an empty last page that counts', { all: list([3, 3], [3, 3], [0, 3]) }, 'pass'],
    ['no page of an empty list', { all: list([0, 0]) }, 'pass'],
    ['one page less on the first page, without an as-of date', { all: list([3, 1], [2, 2]) }, 'inconclusive'],
    ['a page behind the last one that it states', { all: list([3, 1], [2, 1]) }, 'fail'],
    ['a short page that states one more', { all: list([3, 2], [2, 3]) }, 'fail'],
  ],
);

const delta = (echo: unknown, window: number | undefined = 4): FakeResponse => ({
  inputs: window === undefined ? {} : { window },
  stated: [{ rows: 0, counts: [], echoes: { window: [{ value: echo as string }] }, asOf: [] }],
});
const spelled = { operations: { [DELTA]: { request: { spellings: { window: { 1: 'P1W', 4: 'P4W', 13: 'P13W' } } } } } };

judgeCases('every.echoes', { subject: DELTA, profile: spelled }, [
  ['as requested', { all: delta('4') }, 'pass', { evidence: { rows: 1 } }],
  ['as the request writes it', { all: delta('p4w') }, 'pass'],
  ['with a leading zero', { all: delta('04') }, 'pass'],
  ['another window', { all: delta('1') }, 'fail: other-window'],
  ['nothing', { all: delta(null) }, 'untested'],
]);

/** A page with one code that is listed, and codes that are not. */
const coded = (unlisted: readonly string[], table: Partial<CodeUsage>, asOf?: number): FakeResponse => ({
  rows: [{}],
  stated: [
    {
      rows: 1,
      counts: [],
      echoes: {},
      asOf: asOf === undefined ? [] : [asOf],
      codes: [
        {
          field: 'category',
          known: 1,
          unknown: unlisted.length,
          complete: true,
          asOf: [],
          unlisted: unlisted.map((code) => ({ code })),
          ...table,
        },
      ],
    },
  ],
});
const listed = { from: 'GET /PLATFORMAPI/prodRef/v1/allCategories' } as const;
const withCodes = {
  codes: { category: { '07': 'Tea' } },
  operations: { [CATEGORIES]: { response: { fields: { category: { code: 'category' } } } } },
};

judgeCases('every.codes', { subject: CATEGORIES, profile: withCodes }, [
  ['every code listed', { all: coded([], {}) }, 'pass', { evidence: { exchanges: 1, rows: 1 } }],
  [
    'a code that the profile does not list',
    { all: coded(['08'], {}) },
    'fail',
    { findings: [{ actual: '"08" is not' }] },
  ],
  ['a code that the table of the same week does not list', { all: coded(['08'], { ...listed, asOf: [7] }, 7) }, 'fail'],
  ['a table of another week', { all: coded(['08'], { ...listed, asOf: [0] }, 7) }, 'inconclusive'],
  ['a table without a date', { all: coded(['08'], listed, 7) }, 'inconclusive'],
  [
    'a table that was not read to its end',
    { all: coded(['08'], { ...listed, asOf: [7], complete: false }, 7) },
    'inconclusive',
  ],
  ['a table that was not read', { all: coded([], { ...listed, unread: 'status 500' }, 7) }, 'inconclusive'],
  ['no code', { all: coded([], { known: 0 }) }, 'untested'],
]);

const page = (...asOf: (number | null)[]) => ({ rows: [{ upc: '012345678905' }], values: { asOf } });
judgeCases('every.one-as-of', { subject: 'GET /PLATFORMAPI/prodRef/v1/allProducts' }, [
  [
    'two dates',
    { list: page(20_000, 19_993) },
    'fail',
    { findings: [{ kind: 'several-as-of-dates', actual: '2024-10-04, 2024-09-27' }] },
  ],
  ['a page without a date', { list: page(20_000, null) }, 'pass'],
  ['no date', { list: page() }, 'untested'],
]);

const listsOf = (...days: number[]) => days.map((asOf) => page(asOf));
const own = 'all: GET /PLATFORMAPI/prodRef/v1/allProducts';
const others = 'all: GET /PLATFORMAPI/prodRef/v1/updateProducts';
judgeCases('every.one-reload', { subject: 'GET /PLATFORMAPI/prodRef/v1/allProducts' }, [
  [
    'an earlier list that is of the same week then',
    { [others]: listsOf(20_000), [own]: listsOf(19_993), again: listsOf(20_000) },
    'pass',
  ],
  [
    'an earlier list that stays so',
    { [others]: listsOf(20_000), [own]: listsOf(19_993), again: listsOf(19_993) },
    'fail',
    { findings: [{ kind: 'earlier-week', actual: 'the as-of date 2024-09-27' }] },
  ],
  ['an earlier list once', { [others]: listsOf(20_000), [own]: listsOf(19_993) }, 'inconclusive'],
  [
    'an earlier list of another catalogue',
    { [others]: listsOf(20_000), [own]: { ...page(19_993), inputs: { catalogueId: 'another' } } },
    'untested',
  ],
  ['a later list', { [others]: listsOf(19_993), [own]: listsOf(20_000) }, 'pass'],
  [
    'more than a week earlier, on another weekday',
    { [others]: listsOf(20_000, 20_000), again: listsOf(19_991) },
    'inconclusive',
  ],
]);

const dated = (asOf: Cell[], ...activeOn: Cell[]) => ({
  rows: activeOn.map((cell) => ({ upc: '012345678905', activeOn: cell })),
  values: { asOf },
});
const wrong = new Unconverted('07/11/2026', 'not a date');
judgeCases('every.dates', { subject: 'GET /PLATFORMAPI/prodRef/v1/allProducts' }, [
  ['dates', { all: dated([20_000], 19_999, null) }, 'pass', { evidence: { rows: 2 } }],
  [
    'another notation in one row',
    { all: dated([20_000], 19_999, wrong) },
    'fail',
    { findings: [{ row: 1, actual: 'row 1: activeOn is "07/11/2026": not a date' }] },
  ],
  [
    'another notation of the as-of date',
    { all: dated([wrong], 19_999) },
    'fail',
    { findings: [{ actual: 'asOf is "07/11/2026": not a date' }] },
  ],
  ['no date', { all: dated([]) }, 'untested'],
]);
const withoutConverter = {
  operations: {
    'GET /PLATFORMAPI/prodRef/v1/allProducts': { response: { fields: { activeOn: { at: '@.activeOn', as: null } } } },
  },
};
judgeCases('every.dates', { subject: 'GET /PLATFORMAPI/prodRef/v1/allProducts', profile: withoutConverter }, [
  ['one notation that is not known', { all: dated([20_000], wrong, wrong) }, 'inconclusive', /set its converter/],
  ['in another response it is known', { all: [dated([20_000], wrong), dated([20_000], 19_000)] }, 'fail'],
]);

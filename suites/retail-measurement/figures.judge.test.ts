import { BRAND_PERFORMANCE, CATEGORY_PERFORMANCE } from '../../src/contract/index.ts';
import { unreadable } from '../../src/rule/index.ts';
import { judgeCases } from '../judging.test.support.ts';

const figures = { sales4Weeks: 1, sales12Weeks: 2, sales52Weeks: 110, salesLastYear: 100, percentChange: 10 };
const many = Array.from({ length: 3000 }, () => figures);
const without = (field: string) => ({
  operations: { [CATEGORY_PERFORMANCE]: { response: { fields: { [field]: null } } } },
});
const bind = (field: string, binding: object) => ({
  operations: { [CATEGORY_PERFORMANCE]: { response: { fields: { [field]: binding } } } },
});

judgeCases('D.five-figures', { subject: CATEGORY_PERFORMANCE }, [
  ['all five in every row', { list: { rows: many } }, 'pass', { evidence: { rows: 15_000 } }],
  ['no rows', { list: {} }, 'untested'],
  [
    'no percentage: last year 0',
    { list: { rows: [figures, { ...figures, salesLastYear: 0, percentChange: null }] } },
    'pass',
  ],
  [
    'no percentage that could be read: last year 0',
    { list: { rows: [figures, { ...figures, salesLastYear: 0, percentChange: unreadable('n/a') }] } },
    'pass',
  ],
  ['no percentage, last year known', { list: { rows: [...many, { ...figures, percentChange: null }] } }, 'fail'],
  [
    'a percentage absent, last year known',
    { list: { rows: [...many, { ...figures, percentChange: undefined }] } },
    'fail',
  ],
  ['one figure null in one of thousands', { list: { rows: [...many, { ...figures, sales12Weeks: null }] } }, 'fail'],
  [
    'one figure unreadable in one row',
    { list: { rows: [...many, { ...figures, sales4Weeks: unreadable('x') }] } },
    'fail',
  ],
  [
    'one figure in no row',
    { list: { rows: many.map((row) => ({ ...row, sales52Weeks: undefined })) } },
    'fail (profile)',
    { findings: { length: 1 } },
  ],
]);
judgeCases('D.five-figures', { subject: CATEGORY_PERFORMANCE, profile: without('sales4Weeks') }, [
  ['an unbound figure leaves it untested', { list: { rows: many } }, 'untested', /sales4Weeks/],
  ['but the bound ones are judged', { list: { rows: [...many, { ...figures, sales12Weeks: null }] } }, 'fail'],
]);
judgeCases(
  'D.five-figures',
  { subject: CATEGORY_PERFORMANCE, profile: bind('salesLastYear', { nullable: true, required: null }) },
  [
    [
      'a nullable last year, and no percentage with it',
      { list: { rows: [...many, { ...figures, salesLastYear: null, percentChange: null }] } },
      'pass',
    ],
    [
      'a nullable last year that is absent',
      { list: { rows: [...many, { ...figures, salesLastYear: undefined, percentChange: undefined }] } },
      'pass',
    ],
  ],
);
const fresh = { ...figures, salesLastYear: null, percentChange: null };
judgeCases('D.five-figures', { subject: CATEGORY_PERFORMANCE, profile: bind('salesLastYear', { required: null }) }, [
  [
    'a row that is new, it seems',
    { list: { rows: [...many, fresh] } },
    'inconclusive',
    /^1 rows contain neither .*nullable or required/,
  ],
  [
    'one that says n/a',
    { list: { rows: [figures, { ...fresh, salesLastYear: unreadable('n/a'), percentChange: unreadable('n/a') }] } },
    'inconclusive',
  ],
  ['no last year, but a change against it', { list: { rows: [figures, { ...fresh, percentChange: 1 }] } }, 'fail'],
  ['no row with a last year', { list: { rows: [fresh, fresh] } }, 'fail (profile)'],
  ['a new row, and another gap', { list: { rows: [figures, fresh, { ...figures, sales4Weeks: null }] } }, 'fail'],
]);
judgeCases('D.five-figures', { subject: CATEGORY_PERFORMANCE, profile: bind('salesLastYear', { required: true }) }, [
  ['last year, which the profile requires', { list: { rows: [...many, fresh] } }, 'fail'],
]);
judgeCases('D.five-figures', { subject: CATEGORY_PERFORMANCE, profile: bind('sales4Weeks', { as: null }) }, [
  [
    'no figure understood under no declared converter',
    { list: { rows: many.map((row) => ({ ...row, sales4Weeks: unreadable('1,0') })) } },
    'inconclusive',
  ],
]);

const windows = (sales4Weeks: unknown, sales12Weeks: unknown, sales52Weeks: unknown) =>
  ({ sales4Weeks, sales12Weeks, sales52Weeks }) as typeof figures;
judgeCases('D.windows-ordered', {}, [
  ['growing', { list: { rows: [windows(1, 2, 3)] } }, 'pass', { evidence: { rows: 1 } }],
  ['all alike', { list: { rows: [windows(5, 5, 5)] } }, 'pass'],
  ['nothing sold', { list: { rows: [windows(0, 0, 0)] } }, 'pass'],
  ['4 weeks above 12 by a cent', { list: { rows: [...many, windows(2.01, 2, 3)] } }, 'fail'],
  ['12 weeks above 52 by a cent', { list: { rows: [...many, windows(1, 3.01, 3)] } }, 'fail'],
  ['returns', { list: { rows: [windows(1, 2, 3), windows(1, -2, -3)] } }, 'pass', { evidence: { rows: 1 } }],
  ['returns only', { list: { rows: [windows(-1, -2, -3)] } }, 'untested'],
  [
    'a figure missing',
    { list: { rows: [windows(undefined, 1, 0), windows(3, null, 0), windows(3, 2, unreadable('x'))] } },
    'untested',
  ],
]);

const change = (sales52Weeks: number, salesLastYear: number | null, percentChange: number | null) => ({
  ...figures,
  sales52Weeks,
  salesLastYear,
  percentChange,
});
judgeCases('D.percent-change', {}, [
  ['to the decimal', { list: { rows: [change(110, 100, 10)] } }, 'pass'],
  ['rounded half a unit up', { list: { rows: [change(1_000_500, 1_000_000, 0.1)] } }, 'pass'],
  [
    'cut off rather than rounded, within the figures’ own rounding',
    { list: { rows: [change(110.05, 100, 10)] } },
    'pass',
  ],
  [
    'half a unit of a figure so large that nothing else is allowed',
    { list: { rows: [change(1.1005e12, 1e12, 10)] } },
    'pass',
  ],
  ['fallen', { list: { rows: [change(90, 100, -10)] } }, 'pass'],
  ['last year negative', { list: { rows: [change(90, -100, -190)] } }, 'pass'],
  [
    'a unit of the decimal off, one row of thousands',
    { list: { rows: [...many, change(1_100_000, 1_000_000, 10.1)] } },
    'fail',
  ],
  ['a unit of the decimal off downwards', { list: { rows: [change(1_100_000, 1_000_000, 9.9)] } }, 'fail'],
  ['of the wrong sign', { list: { rows: [change(90, 100, 10)] } }, 'fail'],
  ['a small last year: its rounding shows', { list: { rows: [change(2.01, 1, 100)] } }, 'pass'],
  ['a small last year, beyond its rounding', { list: { rows: [change(2.1, 1, 100)] } }, 'fail'],
  ['a large change of a large figure, far beyond rounding', { list: { rows: [change(10_000, 100, 9890)] } }, 'fail'],
  ['no last year', { list: { rows: [change(90, 0, 10), change(90, null, 10)] } }, 'untested'],
  ['no percentage', { list: { rows: [change(90, 100, null)] } }, 'untested'],
  ['no sales', { list: { rows: [{ ...change(0, 100, -100), sales52Weeks: undefined }] } }, 'untested'],
]);
judgeCases('D.percent-change', { profile: { figures: { percentChange: { of: 'sales12Weeks', decimals: 0 } } } }, [
  [
    'of the figure and decimals the profile names',
    { list: { rows: [{ ...figures, sales12Weeks: 120.4, percentChange: 20 }] } },
    'pass',
  ],
  ['of another figure', { list: { rows: [{ ...figures, sales12Weeks: 130, percentChange: 10 }] } }, 'fail'],
]);

const names = { category: 'Tea', subCategory: 'Green', manufacturer: 'Acme', brand: 'Sun' };
judgeCases('D.one-row-each', {}, [
  ['each once', { list: { rows: [names, { ...names, brand: 'Moon' }] } }, 'pass', { evidence: { distinct: 2 } }],
  ['one twice', { list: { rows: [names, { ...names, brand: 'Moon' }, names] } }, 'fail'],
  [
    'twice, at two grains',
    {
      list: {
        rows: [
          { ...names, grain: ['a'] },
          { ...names, grain: ['b'] },
        ],
      },
    },
    'pass',
  ],
  [
    'twice at one grain',
    {
      list: {
        rows: [
          { ...names, grain: ['a'] },
          { ...names, grain: ['a'] },
        ],
      },
    },
    'fail',
  ],
  [
    'rows of a coarser grain, which lack a name',
    { list: { rows: [names, { ...names, brand: null }, { ...names, brand: null }] } },
    'pass',
  ],
  ['no row with all four names', { list: { rows: [{ ...names, brand: undefined }] } }, 'untested'],
]);
judgeCases('D.one-row-per-category', {}, [
  ['each once', { list: { rows: [{ category: 'Tea' }, { category: 'Tea', subCategory: 'Green' }] } }, 'pass'],
  ['one twice', { list: { rows: [{ category: 'Tea' }, { category: 'Tea' }] } }, 'fail'],
  ['a row without any name', { list: { rows: [{}, {}] } }, 'untested'],
]);

judgeCases('D.market', { subject: BRAND_PERFORMANCE }, [
  [
    'as declared',
    { list: { rows: [{ market: 'Total US' }, { market: 'Total US' }] } },
    'pass',
    { evidence: { distinct: 1 } },
  ],
  ['once for the answer', { list: { values: { market: ['Total US'] } } }, 'pass'],
  ['another once for the answer', { list: { rows: [{ market: 'Total US' }], values: { market: ['Canada'] } } }, 'fail'],
  [
    'another in one row of thousands',
    { list: { rows: [...many.map(() => ({ market: 'Total US' })), { market: 'Canada' }] } },
    'fail',
  ],
  ['another throughout', { list: { rows: [{ market: 'Canada' }] } }, 'fail'],
  ['spelled otherwise than declared', { list: { rows: [{ market: 'total us' }] } }, 'fail'],
  [
    'none',
    { list: { rows: [{}, { market: null }, { market: unreadable(7) }], values: { market: [null] } } },
    'untested',
  ],
  ['nothing read', {}, 'untested'],
]);
judgeCases('D.market', { subject: BRAND_PERFORMANCE, profile: { markets: null } }, [
  [
    'plain spellings side by side',
    { list: { rows: [{ market: 'TOTAL U.S.' }, { market: 'United States' }] } },
    'pass',
    { evidence: { distinct: 2 } },
  ],
  ['one unknown spelling throughout', { list: { rows: [{ market: 'NATL' }, { market: 'NATL' }] } }, 'inconclusive'],
  ['one unknown spelling beside a plain one', { list: { rows: [{ market: 'US' }, { market: 'NATL' }] } }, 'fail'],
  [
    'two unknown spellings',
    { list: { rows: [{ market: 'NATL' }, { market: 'CA' }] } },
    'fail',
    { findings: [{ expected: 'the market Total US' }, {}] },
  ],
  [
    'letters of another alphabet are letters too',
    { list: { rows: [{ market: 'Total US' }, { market: 'Total USÄ' }] } },
    'fail',
  ],
]);

const required = {
  operations: { [CATEGORY_PERFORMANCE]: { response: { fields: { subCategory: { required: null } } } } },
};
judgeCases('D.category-rows-named', {}, [
  ['named', { list: { rows: [names] } }, 'pass'],
  ['an empty list', { list: {} }, 'untested'],
  ['one of thousands lacks a name', { list: { rows: [...many.map(() => names), { category: 'Tea' }] } }, 'fail'],
  ['one null', { list: { rows: [names, { ...names, category: null }] } }, 'fail'],
]);
judgeCases('D.rows-in-market', { subject: BRAND_PERFORMANCE }, [
  ['named', { list: { rows: [{ market: 'x' }] } }, 'pass'],
  ['one is not', { list: { rows: [{ market: 'x' }, { market: null }] } }, 'fail'],
]);
judgeCases('D.category-rows-named', { profile: required }, [
  ['what is not required may be missing', { list: { rows: [{ category: 'Tea' }] } }, 'pass'],
]);

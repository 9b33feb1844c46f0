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
  [
    'no percentage: last year 0',
    { list: { rows: [figures, { ...figures, salesLastYear: 0, percentChange: null }] } },
    'pass',
  ],
  [
    'a percentage absent, last year known',
    { list: { rows: [...many, { ...figures, percentChange: undefined }] } },
    'fail',
  ],
]);
judgeCases('D.five-figures', { subject: CATEGORY_PERFORMANCE, profile: without('sales4Weeks') }, [
  ['an unbound figure leaves it untested', { list: { rows: many } }, 'untested', /sales4Weeks/],
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

const windows = (sales4Weeks: unknown, sales12Weeks: unknown, sales52Weeks: unknown) =>
  ({ sales4Weeks, sales12Weeks, sales52Weeks }) as typeof figures;
judgeCases('D.windows-ordered', {}, [
  ['nothing sold', { list: { rows: [windows(0, 0, 0)] } }, 'pass'],
  ['4 weeks above 12 by a cent', { list: { rows: [...many, windows(2.01, 2, 3)] } }, 'fail'],
  ['12 weeks above 52 by a cent', { list: { rows: [...many, windows(1, 3.01, 3)] } }, 'fail'],
  ['returns', { list: { rows: [windows(1, 2, 3), windows(1, -2, -3)] } }, 'pass', { evidence: { rows: 1 } }],
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
  [
    'half a unit of a figure so large that nothing else is allowed',
    { list: { rows: [change(1.1005e12, 1e12, 10)] } },
    'pass',
  ],
  ['a unit of the decimal off downwards', { list: { rows: [change(1_100_000, 1_000_000, 9.9)] } }, 'fail'],
  ['a small last year: its rounding shows', { list: { rows: [change(2.01, 1, 100)] } }, 'pass'],
  ['a small last year, beyond its rounding', { list: { rows: [change(2.1, 1, 100)] } }, 'fail'],
  ['whole amounts: their rounding shows', { list: { rows: [change(30, 20, 47)] } }, 'pass'],
  ['whole amounts, beyond their rounding', { list: { rows: [change(30, 20, 30)] } }, 'fail'],
  ['no last year', { list: { rows: [change(90, 0, 10), change(90, null, 10)] } }, 'untested'],
  ['no percentage', { list: { rows: [change(90, 100, null)] } }, 'untested'],
  ['no sales', { list: { rows: [{ ...change(0, 100, -100), sales52Weeks: undefined }] } }, 'untested'],
]);
judgeCases('D.percent-change', { profile: { figures: { percentChange: { of: 'sales12Weeks', decimals: 0 } } } }, [
  ['of another figure', { list: { rows: [{ ...figures, sales12Weeks: 130, percentChange: 10 }] } }, 'fail'],
]);

const names = { category: 'Tea', subCategory: 'Green', manufacturer: 'Acme', brand: 'Sun' };
judgeCases('D.one-row-each', {}, [
  ['no row with all four names', { list: { rows: [{ ...names, brand: undefined }] } }, 'untested'],
]);
judgeCases('D.one-row-per-category', {}, [
  ['one twice', { list: { rows: [{ category: 'Tea' }, { category: 'Tea' }] } }, 'fail'],
]);

judgeCases('D.market', { subject: BRAND_PERFORMANCE }, [
  ['another once for the answer', { list: { rows: [{ market: 'Total US' }], values: { market: ['Canada'] } } }, 'fail'],
  ['another throughout', { list: { rows: [{ market: 'Canada' }] } }, 'fail'],
  [
    'none',
    { list: { rows: [{}, { market: null }, { market: unreadable(7) }], values: { market: [null] } } },
    'untested',
  ],
  ['nothing read', {}, 'untested'],
]);
judgeCases('D.market', { subject: BRAND_PERFORMANCE, profile: { markets: null } }, [
  ['one unknown spelling beside a plain one', { list: { rows: [{ market: 'US' }, { market: 'NATL' }] } }, 'fail'],
]);

const required = {
  operations: { [CATEGORY_PERFORMANCE]: { response: { fields: { subCategory: { required: null } } } } },
};
judgeCases('D.category-rows-named', {}, [['an empty list', { list: {} }, 'untested']]);

judgeCases('D.category-rows-named', { profile: required }, [
  ['what is not required may be missing', { list: { rows: [{ category: 'Tea' }] } }, 'pass'],
]);

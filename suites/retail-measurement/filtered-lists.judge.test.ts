import { day, judgeCases } from '../judging.test.support.ts';

const sun = { category: 'Tea', subCategory: 'Green', manufacturer: 'Acme', brand: 'Sun' };
const figures = { sales4Weeks: 1, sales12Weeks: 2, sales52Weeks: 11, salesLastYear: 10, percentChange: 10 };
const row = { ...sun, ...figures, market: 'Total US' };
const whole = { rows: [row, { ...row, brand: 'Moon' }], values: { asOf: [day('2026-04-18')] } };
const filtered = { ...whole, rows: [row], inputs: { brand: 'Sun' } };
const BRANDS = 'GET /RetailMeasurement/v1/BrandPerformance';
const CATEGORIES = 'GET /RetailMeasurement/v1/CategoryPerformance';

judgeCases('D.filtered-market', { subject: BRANDS }, [
  ['no market in filtered rows', { list: whole, all: [{ ...filtered, rows: [sun] }] }, 'untested'],
  ['a filter that the service refuses', { list: whole, all: [{ ...filtered, status: 400 }] }, 'untested'],
]);

judgeCases(
  'D.filtered-market',
  { subject: BRANDS, profile: { markets: null } },
  (
    [
      ['another one throughout, which the unfiltered rows do not name', 'Total West', {}, 'fail'],
      ['the market of the unfiltered rows in capitals', ' TOTAL-US ', {}, 'pass'],
      ['the market of the unfiltered rows with more words', 'Total US Stores', {}, 'inconclusive'],
      ['another one in another data week', 'Total West', { values: { asOf: [day('2026-04-25')] } }, 'inconclusive'],
    ] as const
  ).map(
    ([name, market, more, verdict]) =>
      [
        name,
        { list: whole, all: [whole, { ...filtered, rows: [{ ...row, market }], ...more }, filtered] },
        verdict,
      ] as const,
  ),
);

const other = { ...row, sales12Weeks: 4 };
judgeCases('D.filtered-brand-figures', { subject: BRANDS }, [
  [
    'a figure that is rounded to the next unit',
    { all: [whole, { ...filtered, rows: [{ ...row, sales12Weeks: 3 }] }] },
    'pass',
    { evidence: { rows: 1 } },
  ],
  ['another figure', { all: [whole, { ...filtered, rows: [other] }] }, 'fail'],
  [
    'another figure in another data week',
    { all: [whole, { ...filtered, rows: [other], values: { asOf: [day('2026-04-25')] } }] },
    'fail (plausible)',
  ],
  [
    'another figure without an as-of date',
    {
      all: [
        { ...whole, values: {} },
        { ...filtered, rows: [other], values: {} },
      ],
    },
    'fail (plausible)',
  ],
  ['rows that share their names', { all: [whole, { ...filtered, rows: [other, other] }] }, 'untested'],
  ['no unfiltered response', { all: [filtered] }, 'untested'],
  [
    'a figure that one response lacks',
    { all: [whole, { ...filtered, rows: [{ ...row, sales12Weeks: null }] }] },
    'untested',
  ],
]);

const tea = { category: 'Tea', subCategory: 'Green', ...figures };

const total = { ...tea, subCategory: null, sales4Weeks: 2 };
const withTotals = { ...whole, rows: [total, tea, { ...tea, subCategory: 'Black' }] };
const ofTea = { ...withTotals, inputs: { category: 'Tea' } };
const totalsOnly = { ...withTotals, rows: [total] };
judgeCases('D.filtered-category-figures', { subject: CATEGORIES }, [
  [
    'a total of the requested sub-category only',
    { all: [withTotals, { ...ofTea, rows: [{ ...total, sales4Weeks: 1 }, tea], inputs: { subCategory: 'Green' } }] },
    'pass',
    { evidence: { rows: 1 } },
  ],
  [
    'a part without a sub-category in place of a total',
    { all: [totalsOnly, { ...ofTea, rows: [{ ...total, sales4Weeks: 1 }, tea] }] },
    'untested',
    { because: 'the rows of filtered responses contain other kinds of names than the unfiltered rows' },
  ],
  ['no filtered response', { all: [withTotals] }, 'untested', { because: 'no filtered response has a row' }],
]);

import { judgeCases } from '../judging.test.support.ts';

const row = (
  category: string | null,
  subCategory: string | null,
  manufacturer: string | null,
  brand: string | null,
) => ({
  category,
  subCategory,
  manufacturer,
  brand,
});
const BRANDS = 'GET /RetailMeasurement/v1/BrandPerformance';
const rows = { rows: [row('Tea', 'Green', 'Acme', 'Sun'), row('Tea', 'Black', 'Bell', 'Moon')] };

judgeCases('D.metadata-pairs', { subject: BRANDS }, [
  ['the same pairs', { metadata: rows, rows }, 'pass', { evidence: { distinct: 4 } }],
  [
    'a brand under another manufacturer',
    { metadata: { rows: [row('Tea', 'Green', 'Acme', 'Sun'), row('Tea', 'Black', 'Acme', 'Moon')] }, rows },
    'fail: brand-under-another-manufacturer',
  ],
  [
    'one name in each row',
    { metadata: { rows: [row('Tea', null, null, null), row(null, 'Green', null, null)] }, rows },
    'not-applicable',
  ],
]);

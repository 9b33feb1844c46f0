/** The judges of what profiles promise about the names and UPCs of products. */
import { day, judgeCases } from '../judging.test.support.ts';

const AS_OF = day('2026-11-14');
const stated = (rows: object[], asOf = AS_OF) => ({ rows, values: { asOf: [asOf] } });
const product = { upc: '012345678905', subCategory: 'Green Tea', manufacturer: 'Acme', brand: 'Sun' };
const categories = stated([{ subCategory: 'Green Tea' }]);
const metadata = stated([{ manufacturer: 'ACME', brand: 'Sun', subCategory: 'Black Tea' }]);

judgeCases('C.names-listed', {}, [
  ['all are listed', { bulk: stated([product]), categories, metadata }, 'pass', { evidence: { distinct: 3 } }],
  [
    'another brand',
    { bulk: stated([product, { ...product, brand: 'Moon' }]), categories, metadata },
    'fail',
    { findings: [{ kind: 'brand-not-listed', actual: '"Moon" of 1 products is missing among its 1 names' }] },
  ],
  [
    'metadata of another week',
    {
      bulk: stated([product, { ...product, brand: 'Moon' }]),
      categories,
      metadata: { ...metadata, values: { asOf: [AS_OF - 7] } },
    },
    'inconclusive',
  ],
  [
    'no brand that the metadata lists',
    {
      bulk: stated([
        { ...product, brand: '17' },
        { ...product, brand: '18' },
      ]),
      categories,
      metadata,
    },
    'inconclusive',
  ],
  ['metadata without names', { bulk: stated([product]), categories, metadata: stated([]) }, 'inconclusive'],
]);

judgeCases('C.upc-check-digit', {}, [
  [
    'another digit',
    { list: stated([product, { upc: '012345678904' }]) },
    'fail',
    { findings: [{ kind: 'other-check-digit', row: 1 }] },
  ],
  ['no UPC', { list: stated([{ upc: null }]) }, 'untested'],
]);

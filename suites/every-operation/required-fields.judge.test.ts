import { type FakeResponse, judgeCases } from '../judging.test.support.ts';

const LOOK_UP = 'GET /PLATFORMAPI/prodRef/v1/products/{upc}';
const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
const LEVELS = 'POST /data-access/v1/Catalogue/Group/Levels';
const requiring = (key: string, field: string, at: string) => ({
  subject: key as never,
  profile: {
    operations: {
      [key]: {
        response: {
          fields: { ...(key !== LEVELS && { firstActiveOn: { required: null } }), [field]: { at, required: true } },
        },
      },
    },
  },
});
const rows = (...given: NonNullable<FakeResponse['rows']>): FakeResponse => ({ rows: given });
const known = { upc: '042100000177', characteristics: ['red'] };

judgeCases('every.required-fields', requiring(LOOK_UP, 'upc', '@.upc'), [
  ['a product with its UPC', { all: rows(known) }, 'pass'],
  ['one without', { all: rows({ ...known, upc: null }) }, 'fail (profile): upc-null'],
  ['no product', { all: rows({}) }, 'untested'],
  ['a message with a date', { all: { rows: [{}], values: { asOf: [20_000] } } }, 'untested'],
  ['an error', { all: { status: 404 } }, 'untested'],
]);
judgeCases('every.required-fields', requiring(BULK, 'firstActiveOn', '@.first'), [
  ['each row has it', { all: rows({ upc: '1', firstActiveOn: 1 }, { upc: '2', firstActiveOn: 2 }) }, 'pass'],
  ['one row has none', { all: rows({ upc: '1', firstActiveOn: 1 }, { upc: '2' }) }, 'fail'],
  [
    'one of two lists',
    { all: [rows({ upc: '1', firstActiveOn: 1 }), rows({ upc: '2' }, { upc: '3' })] },
    'fail (profile)',
  ],
  ['an empty list', { all: {} }, 'untested'],
]);
judgeCases('every.required-fields', requiring(LEVELS, 'parent', '@.parent'), [
  ['a single row without an id, too', { all: rows({}) }, 'untested'],
  ['a single row with an id', { all: rows({ id: 'level-1' }) }, 'fail (profile)'],
]);
judgeCases('every.required-fields', requiring(BULK, 'asOf', '$.asOf'), [
  ['a date in the envelope', { all: { ...rows({ upc: '1' }), values: { asOf: [20_000] } } }, 'pass'],
  ['none', { all: { ...rows({ upc: '1' }), values: { asOf: [] } } }, 'fail (profile)'],
]);

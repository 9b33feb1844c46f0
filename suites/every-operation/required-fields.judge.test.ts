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
  ['one without', { all: rows({ ...known, upc: null }) }, 'fail (profile): upc-null'],
  ['no product', { all: rows({}) }, 'untested'],
]);
judgeCases('every.required-fields', requiring(BULK, 'firstActiveOn', '@.first'), [
  ['each row has it', { all: rows({ upc: '1', firstActiveOn: 1 }, { upc: '2', firstActiveOn: 2 }) }, 'pass'],
]);

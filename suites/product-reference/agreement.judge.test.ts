/** The judges of rules that compare a product in two responses of one data week. */
import type { Row } from '../../src/rule/index.ts';
import { day, type FakeResponse, judgeCases } from '../judging.test.support.ts';

const AS_OF = day('2026-11-14');
const UPC = '012345678905';
const row = (cells: Row = {}): Row => ({
  upc: UPC,
  activeOn: AS_OF - 1,
  changedOn: AS_OF - 100,
  firstActiveOn: AS_OF - 500,
  characteristics: ['Acme'],
  ...cells,
});
const stated = (rows: readonly Row[], asOf = AS_OF): FakeResponse => ({ rows, values: { asOf: [asOf] } });
const filtered = (rows: readonly Row[], asOf = AS_OF) => ({ ...stated(rows, asOf), inputs: { category: 'Tea' } });

judgeCases('C.filter-agrees', {}, [
  [
    'another brand',
    { bulk: stated([row()]), filtered: filtered([row({ characteristics: ['Zest'] })]) },
    'fail',
    { findings: [{ kind: 'other-characteristics', exchange: '#filtered-0', row: 0 }] },
  ],
  [
    'the row of another week',
    { bulk: stated([row()]), filtered: filtered([row({ changedOn: AS_OF - 99 })], AS_OF - 7) },
    'untested',
  ],
  [
    'another date of change, and no as-of date',
    { bulk: { rows: [row()] }, filtered: filtered([row({ changedOn: AS_OF - 99 })]) },
    'inconclusive',
  ],
  [
    'a change that one of both shows already',
    { bulk: stated([row({ changedOn: AS_OF + 2, characteristics: ['Zest'] })]), filtered: filtered([row()]) },
    'pass',
  ],
  ['fewer members', { bulk: stated([row()]), filtered: filtered([{ upc: UPC, changedOn: null }]) }, 'pass'],
  [
    'one of the rows of the product',
    { bulk: stated([row({ characteristics: ['Zest'] }), row()]), filtered: filtered([row()]) },
    'pass',
  ],
]);

const lookUp = (cells: Row = {}, asOf: number | undefined = AS_OF): FakeResponse => ({
  inputs: { upc: UPC },
  rows: [row({ characteristics: ['Acme', '12 oz'], ...cells })],
  values: { asOf: asOf === undefined ? [] : [asOf] },
});
const without = { ...lookUp(), values: {} };
const OTHER_UPC = '049000028911';
/** Another product that shows one brand in both responses, which proves that both write it in one form. */
const other = { ...lookUp({ upc: OTHER_UPC }), inputs: { upc: OTHER_UPC } };
const bulk = stated([row(), row({ upc: OTHER_UPC })]);

judgeCases('C.look-up-agrees', {}, [
  ['another first activity', { bulk, products: lookUp({ firstActiveOn: AS_OF - 501 }) }, 'fail'],
  ['another week', { bulk, products: lookUp({ firstActiveOn: AS_OF - 501 }, AS_OF - 7) }, 'pass'],
  [
    'another brand of the same version',
    { bulk, products: [lookUp({ characteristics: ['Zest'] }, AS_OF - 7), other] },
    'fail',
  ],
  [
    'characteristics in another form',
    {
      bulk,
      products: [lookUp({ characteristics: ['B-17'] }), { ...other, rows: [row({ characteristics: ['B-17'] })] }],
    },
    'inconclusive',
  ],
  [
    'a later version, and no as-of date',
    { bulk, products: { ...without, rows: [row({ changedOn: AS_OF - 50, characteristics: ['Zest'] })] } },
    'inconclusive',
  ],
  [
    'a change that the list shows already',
    { bulk: stated([row({ changedOn: AS_OF + 1 })]), products: lookUp() },
    'untested',
  ],
  ['fewer values', { bulk, products: lookUp({ changedOn: null, characteristics: [] }) }, 'pass'],
]);
const otherNotation = {
  operations: {
    'GET /PLATFORMAPI/prodRef/v1/products/{upc}': {
      response: { fields: { firstActiveOn: { at: '@.firstActiveOn', as: 'epochMillis' } } },
    },
  },
};
judgeCases('C.look-up-agrees', { profile: otherNotation }, [
  ['a day apart in another notation', { bulk, products: lookUp({ firstActiveOn: AS_OF - 501 }) }, 'pass'],
]);

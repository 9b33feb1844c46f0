/** The ladder of decisions, and relations between lists. */
import { describe, expect, test } from 'vitest';
import { patchedReference } from '../../suites/patched-reference.test.support.ts';
import { ALL_PRODUCTS, type OperationKey, UPDATE_PRODUCTS } from '../contract/index.ts';
import { declarationsOf } from './declarations.ts';
import {
  type Comparison,
  decide,
  each,
  findingIn,
  notApplicable,
  type Reading,
  relationRule,
  rows,
  UpcSet,
  upcs,
} from './index.ts';

/** A list of products with the last digits of their UPCs; null: a UPC that cannot be read. */
function listOf(exchange: string, ...digits: (number | null)[]) {
  const set = new UpcSet();
  for (const digit of digits) {
    if (digit === null) set.unread++;
    else set.add(String(digit).padStart(12, '0'));
  }
  const observation = { rows: digits.length, complete: true, values: {}, digest: '' };
  return { exchange, operation: ALL_PRODUCTS as OperationKey, inputs: {}, observation, folds: { upcs: set } };
}

const one = listOf('#1', 1, 2);
const two = listOf('#2', 2, 3, 4);
const finding = findingIn(one, 'wrong', 'right', 'wrong');

describe('the first rung that holds decides', () => {
  test.each<[string, Comparison | Comparison[], object]>([
    ['found', [{ doubt: 'x' }, { compared: 1, findings: [finding] }], { verdict: 'fail', findings: [finding] }],
    ['found on another basis', { findings: [finding], basis: 'profile' }, { verdict: 'fail', basis: 'profile' }],
    ['doubtful', [{ compared: 2 }, { doubt: 'x' }, { doubt: 'y' }], { verdict: 'inconclusive', because: 'x' }],
    ['nothing compared', [{ of: [one] }, {}], { verdict: 'untested', because: 'nothing' }],
    ['nothing at all', [], { verdict: 'untested' }],
    [
      'proved, each reading once',
      [
        { of: [one, two], compared: 1 },
        { of: [two], compared: 2 },
      ],
      { verdict: 'pass', evidence: { exchanges: 2, rows: 5, distinct: 3 } },
    ],
  ])('%s', (_, comparisons, expected) => {
    expect(decide(comparisons, { nothing: 'nothing' })).toMatchObject(expected);
  });

  test('the rung of no comparison and the evidence may be those of the rule', () => {
    expect(decide([], { nothing: notApplicable('x') }).verdict).toBe('not-applicable');
    const compared = { of: [one], compared: 7 };
    expect(decide(compared, { nothing: '', counted: 'rows' })).toMatchObject({ evidence: { rows: 7, distinct: 0 } });
    expect(decide(compared, { nothing: '', counted: 'both' })).toMatchObject({ evidence: { rows: 7, distinct: 7 } });
    expect(decide(compared, { nothing: '', evidence: { exchanges: 3 }, note: 'n' })).toMatchObject({
      evidence: { exchanges: 3, distinct: 7 },
      note: 'n',
    });
  });
});

describe('each product', () => {
  const says = { at: two, kind: 'missing', expected: 'all' };

  test('is in another list, or a finding names those that are not', () => {
    expect(each(one).isIn(listOf('#3', 1, 2, 3), says)).toEqual({ of: [one, expect.anything()], compared: 2 });
    expect(each(one).isIn(two, says)).toMatchObject({
      compared: 2,
      findings: [{ kind: 'missing', exchange: '#2', actual: '1 UPCs are missing, e.g. 000000000001' }],
    });
    expect(each(one, (upc) => upc.endsWith('2')).isIn(two, says)).toMatchObject({ of: [one, two], compared: 1 });
    expect(each(['000000000001']).isIn(two.folds.upcs, { ...says, of: [one], since: '0.2.0' })).toMatchObject({
      of: [one],
      findings: [{ since: '0.2.0' }],
    });
  });

  test('is not in another list', () => {
    const actual = (count: number, examples: string) => `${count}: ${examples}`;
    expect(each(one).isNotIn(two, { ...says, actual })).toMatchObject({ findings: [{ actual: '1: 000000000002' }] });
    expect(each(one).isNotIn(listOf('#3', 9), says)).not.toHaveProperty('findings');
  });

  test('that is missing proves nothing with a doubt, or where rows cannot be read', () => {
    expect(each(one).isIn(two, { ...says, doubt: 'older' })).toMatchObject({ doubt: 'older' });
    expect(each(one).isIn(two, { ...says, doubt: (actual) => `${actual}?` }).doubt).toContain('000000000001?');
    expect(each(one).isIn(two, { ...says, readable: [listOf('#4', null)] }).doubt).toContain('1 rows');
    expect(each(two).isIn(two, { ...says, doubt: 'older', readable: [listOf('#4', null)] })).not.toHaveProperty(
      'doubt',
    );
  });
});

test('needs and probe of a rule follow from its sides', async () => {
  const rule = relationRule({
    id: 'C.x',
    statement: 'C.delta',
    basis: 'derived',
    since: '0.2.0',
    demands: 'x',
    how: ['One.', 'Two.'],
    subjects: [UPDATE_PRODUCTS],
    promises: ['deltaKinds'],
    sides: {
      delta: rows(UPDATE_PRODUCTS, { weeks: 4, fields: ['upc'], folds: { upcs } }),
      bulk: rows(ALL_PRODUCTS, { fields: ['upc', ['category', 'categoryId']], folds: { upcs }, accepts: 'content' }),
    },
    compare: ({ delta, bulk }) => each(delta).isIn(bulk, { at: delta, kind: 'missing', expected: 'all' }),
    nothing: (sides) => Object.keys(sides).join(),
  });
  expect(rule).toMatchObject({ how: 'One. Two.', repeat: 'pass' });
  expect(rule.needs(UPDATE_PRODUCTS)).toEqual([
    'deltaKinds',
    'updateProducts.request',
    'updateProducts.rows',
    'updateProducts.inputs.window',
    'updateProducts.fields.upc',
    'allProducts.request',
    'allProducts.rows',
    'allProducts.fields.upc',
    ['allProducts.fields.category', 'allProducts.fields.categoryId'],
  ]);
  const declarations = declarationsOf(await patchedReference({}));
  const context = { subject: UPDATE_PRODUCTS as OperationKey, declarations };
  expect(rule.probe(UPDATE_PRODUCTS, declarations)).toMatchObject({
    delta: { operation: UPDATE_PRODUCTS, inputs: { window: { value: 4 } }, accepts: 'complete' },
    bulk: { operation: ALL_PRODUCTS, accepts: 'content' },
  });
  const judge = (delta: Reading) => rule.judge({ delta: [delta], bulk: [two] }, context);
  expect(judge(one).verdict).toBe('fail');
  expect(judge(listOf('#3', 3))).toMatchObject({ verdict: 'pass', evidence: { exchanges: 2, distinct: 1 } });
  expect(judge(listOf('#3'))).toMatchObject({ verdict: 'untested', because: 'delta,bulk' });
});

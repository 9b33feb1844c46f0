/** The template of rules about repeated requests of drawn subjects, by the example of look-ups. */
import { expect } from 'vitest';
import { callOrder, distinctParts } from '../../src/rule/draws.ts';
import { type FakeResponse, judgeCases, products } from '../judging.test.support.ts';

/** A response to the nth request of a product; null: the product is unknown. */
const response = (subject: number, content: string | null, asOf: readonly number[] = []): FakeResponse => {
  const [row = {}] = products(1, { characteristics: [content] }, subject);
  const inputs = { upc: String(row.upc) };
  return content === null ? { inputs, status: 404 } : { inputs, rows: [row], values: { asOf } };
};

/** Requests each of some products three times, in a shuffled order. */
function calls(
  subjects: number,
  contentOf: (subject: number, nth: number, at: number) => string | null,
  asOf: readonly number[] = [],
) {
  const counts = new Map<number, number>();
  let at = 0;
  const parts = distinctParts(callOrder(subjects, 3, 1)).map((part, index) => {
    const responses = part.map((subject) => {
      const nth = (counts.get(subject) ?? 0) + 1;
      counts.set(subject, nth);
      return response(subject, contentOf(subject, nth, at++), asOf);
    });
    return [`part ${index + 1}`, responses] as const;
  });
  return Object.fromEntries(parts);
}

const own = (subject: number) => `product ${subject}`;

judgeCases('C.lookup-stable', {}, [
  [
    'the same each time',
    calls(9, own),
    'pass',
    { evidence: { distinct: 9, coverage: [{ of: 'products', looked: 9 }] } },
  ],
  ['one product differs once', calls(9, (of, nth) => (of === 4 && nth === 2 ? 'old' : own(of))), 'inconclusive'],
  [
    'one product differs once within one data week',
    calls(9, (of, nth) => (of === 4 && nth === 2 ? 'old' : own(of)), [100]),
    'fail: changed',
  ],
  [
    'each product is unknown after its second request',
    calls(9, (of, nth) => (nth > 2 ? null : own(of))),
    'fail',
    { findings: expect.arrayContaining([expect.objectContaining({ kind: 'changed-by-call' })]) },
  ],
  ['no product is known', calls(9, () => null), 'untested'],
  [
    'a member that changes with each response',
    calls(9, (of, nth) => own(of) + nth),
    'untested',
    { because: expect.stringContaining('changes each time') },
  ],
  [
    'another product',
    { 'part 1': [{ ...response(1, 'x'), rows: products(1, { characteristics: ['x'] }, 2) }] },
    'fail: other-product',
  ],
  [
    'a server error is no difference',
    { ...calls(9, own), 'part 14': [{ inputs: response(1, 'x').inputs as object, status: 503 }] },
    'pass',
  ],
]);

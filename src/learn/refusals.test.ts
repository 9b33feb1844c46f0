import { expect, test } from 'vitest';
import type { Answer } from './ask.ts';
import { contrastOf, findRefusalIn, isRefusalBy, refusalConditions } from './refusals.ts';

test.each([
  [
    { errors: [{ code: 404, text: 'no such product' }] },
    { at: '$.errors[0]', code: { at: '$.errors[0].code', value: 404 } },
  ],
  [
    { status: 'ERROR', message: 'unknown' },
    { at: '$.status', is: 'ERROR' },
  ],
  [
    { Envelope: [{ Body: [{ Fault: [{ faultstring: [{ '#text': 'no' }] }] }] }] },
    { at: '$.Envelope[0].Body[0].Fault[0]' },
  ],
])('%j is a refusal', (document, refusal) => {
  expect(findRefusalIn(document, false)).toEqual(refusal);
});

test.each([
  { items: [{ upc: '042100000177' }], errors: {} },
  { product: { upc: '042100000177' }, error: { code: 0, message: 'OK' } },
  { items: [{ a: 1 }, { a: 2 }], errors: { warnings: 'slow' } },
])('%j is none', (document) => {
  expect(findRefusalIn(document, false)).toBeUndefined();
});

test('a job that failed is no refusal of its status', () => {
  expect(findRefusalIn({ jobId: '17', status: 'FAILED' }, true)).toBeUndefined();
});

test('a node that valid answers have is no refusal by its presence', () => {
  const seen = [{ at: '$.error', code: { at: '$.error.code', value: 404 } }];
  expect(refusalConditions(seen, [{ items: [] }])).toEqual([
    { at: '$.error.code', is: 404, like: 404 },
    { at: '$.error', present: true },
  ]);
  expect(refusalConditions(seen, [{ items: [], error: { code: 0 } }])).toEqual([
    { at: '$.error.code', is: 404, like: 404 },
  ]);
});

test('a header that all valid answers share, and an invalid one does not, shows refusals', () => {
  const answer = (code: string) => {
    const head = { status: 200, headers: [['X-RC', code]] };
    return { document: 'text', head } as unknown as Answer;
  };
  const condition = contrastOf([answer('0'), answer('0')], answer('12'));
  expect(condition).toEqual({ at: '$response.header.X-RC', isNot: '0' });
  expect([answer('8'), answer('0')].map((each) => condition && isRefusalBy(condition, each))).toEqual([true, false]);
  expect(contrastOf([answer('0'), answer('4')], answer('12'))).toBeUndefined();
});

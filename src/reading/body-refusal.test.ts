import { expect, test } from 'vitest';
import { parseProfile } from '../profile/parse-profile.ts';
import { bindRefusals, findRefusal } from './body-refusal.ts';

const conditionsOf = (refusal: unknown) =>
  parseProfile(JSON.stringify({ name: 'x', refusal }), 'x.json').data.refusal ?? [];
const found = (refusal: unknown, document: unknown, headers: [string, string][] = []) =>
  findRefusal(bindRefusals(conditionsOf(refusal)), document, { status: 200, headers })?.because;

test.each([
  [{ at: '$.status', is: 'ERROR' }, { status: 'ERROR' }, '$.status is "ERROR"'],
  [{ at: '$.status', is: ['FAILED', 'ERROR'] }, { status: 'OK' }, undefined],
  [{ at: '$.code', is: 7 }, { code: '7' }, '$.code is "7"'],
  [{ at: '$.success', is: false }, { success: false }, '$.success is false'],
  [{ at: '$.success', isNot: true }, { success: false }, '$.success is not true'],
  [{ at: '$.success', isNot: true }, { success: true }, undefined],
  [{ at: '$.success', isNot: true }, { items: [] }, undefined],
  [{ at: '$.success', isNot: ['OK', 'PARTIAL'] }, { success: 'NO' }, '$.success is not "OK" or "PARTIAL"'],
  [{ at: '$.error', present: true }, { error: { code: 1 } }, '$.error is present'],
  [{ at: '$.error', present: true }, { error: null }, undefined],
  [{ at: '$.errors', present: true }, { errors: [] }, undefined],
  [{ at: '$.errors[*]', present: true }, { errors: [{}, { code: 2 }] }, '$.errors[*] is present'],
  [{ at: '$.data', present: false }, { errors: [1] }, '$.data is absent'],
  [{ at: '$.data', present: false }, { data: null }, '$.data is absent'],
  [{ at: '$.data', present: false }, { data: [] }, undefined],
  [{ at: '$.Fault[0].code[0]', is: 'E1' }, { Fault: [{ code: [{ '#text': 'E1' }] }] }, '$.Fault[0].code[0] is "E1"'],
  [
    [
      { at: '$.a', is: 1 },
      { at: '$.b', is: 1 },
    ],
    { b: 1 },
    '$.b is 1',
  ],
])('%j in %j: %s', (refusal, document, because) => {
  expect(found(refusal, document)).toBe(because);
});

test('a header may contain the refusal', () => {
  const refusal = { at: '$response.header.X-Result', isNot: 'OK' };
  expect(found(refusal, {}, [['x-result', 'DENIED']])).toBe('$response.header.X-Result is not "OK"');
  expect(found(refusal, {}, [['x-result', 'OK']])).toBeUndefined();
});

test.each([
  [{ at: '$.a' }, 'needs exactly one condition, is, isNot, present, but has none'],
  [{ at: '$.a', is: 1, present: true }, 'needs exactly one condition, is, isNot, present, but has is and present'],
  [{ at: '@.a', is: 1 }, 'is a selector within a row; a refusal concerns the whole response'],
  [{ at: '$.a', is: 1, like: 200 }, 'refusal.like'],
])('%j is refused', (refusal, problem) => {
  expect(() => conditionsOf(refusal)).toThrow(problem);
});

import { expect, test } from 'vitest';
import { mergePatch } from './patched-profile.ts';

test.each([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('%j patched with %j is %j (RFC 7396, appendix A)', (target, patch, merged) => {
  expect(mergePatch(target, patch)).toEqual(merged);
});

test('the target stays as it was', () => {
  const target = { a: { b: 1 } };
  mergePatch(target, { a: { b: null } });
  expect(target).toEqual({ a: { b: 1 } });
});

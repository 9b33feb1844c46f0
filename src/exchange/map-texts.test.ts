import { expect, test } from 'vitest';
import { mapTexts } from './map-texts.ts';

test('changes every text, and nothing else', () => {
  const value = { a: 'x', b: ['x', { c: 'y', d: 1, e: null, f: true }], verdict: 'x' };
  expect(mapTexts(value, (text) => `${text}!`, new Set(['verdict']))).toEqual({
    a: 'x!',
    b: ['x!', { c: 'y!', d: 1, e: null, f: true }],
    verdict: 'x',
  });
});

import { expect, test } from 'vitest';
import { lanePrefix, splitLane } from './names.ts';

test('a prefix of the base address chooses the lane', () => {
  expect(splitLane('/api/x?y=1')).toEqual({ lane: 'main', target: '/api/x?y=1' });
  expect(splitLane('/~/ci-2/api/x?y=1')).toEqual({ lane: 'ci-2', target: '/api/x?y=1' });
  expect(splitLane('/~/ci')).toEqual({ lane: 'ci', target: '/' });
  expect(splitLane('/~/ci?x')).toEqual({ lane: 'ci', target: '/?x' });
  for (const target of ['/~/', '/~//x', '/~/../x', '/~/a%2Fb/x']) expect(splitLane(target)).toBeUndefined();
  expect([lanePrefix('main'), lanePrefix('ci')]).toEqual(['', '/~/ci']);
});

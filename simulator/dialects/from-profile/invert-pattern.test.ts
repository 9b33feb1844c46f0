import { expect, test } from 'vitest';
import { frameOf } from './value.ts';

test.each([
  ['^job (\\S+) is', 'job 4711 is'],
  ['/([^/?]+)$', '/4711'],
  ['[?&]ticket=([^&]+)', '?ticket=4711'],
  ['(?:^|&)job=([^&]*)', 'job=4711'],
  ['(?:/jobs/|/tasks/)([0-9]+)(?:$|\\?)', '/jobs/4711'],
  ['[#>]([0-9]+)[<;]', '#4711<'],
  ['job\\s+is\\s(\\S+)\\s*$', 'job is 4711'],
])('a value is written where %s finds it', (pattern, text) => {
  expect(frameOf(pattern, ['4711'])?.('4711')).toBe(text);
});

test.each(['^(?:[a-z]+ ){2}([0-9]+)', '[^a]x+y([0-9]+)'])('no text is invented for %s', (pattern) => {
  expect(frameOf(pattern, ['4711'])).toBeUndefined();
});

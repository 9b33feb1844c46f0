import { expect, test } from 'vitest';
import { isReplayMiss } from './replay-miss.ts';

const head = { status: 502, reasonPhrase: '', headers: [['X-Mdwi-Miss', 'not-recorded']] } as const;

test.each([
  ['http://127.0.0.1:8080/x', true],
  ['http://localhost:8080/x', true],
  ['http://[::1]:8080/x', true],
  ['https://staging.example/x', false],
  ['http://127.0.0.1.example/x', false],
])('a replay’s header on %s counts: %s', (url, counts) => {
  expect(isReplayMiss(head, url)).toBe(counts);
});

test('a miss needs both the status and the header', () => {
  expect(isReplayMiss({ ...head, status: 503 }, 'http://127.0.0.1/')).toBe(false);
  expect(isReplayMiss({ ...head, headers: [] }, 'http://127.0.0.1/')).toBe(false);
});

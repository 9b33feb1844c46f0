import { expect, onTestFinished, test, vi } from 'vitest';
import { retryDelay } from './retry-after.ts';

const head = (status: number, ...headers: [string, string][]) => ({ status, reasonPhrase: '', headers });
const date = 'Sat, 01 Jan 2000 00:00:00 GMT';

test.each([
  ['200 is taken', head(200, ['Retry-After', '1']), 1, undefined],
  ['500 is taken', head(500, ['Retry-After', '1']), 1, undefined],
  ['503 without a word is taken', head(503), 1, undefined],
  ['503 with nonsense is taken', head(503, ['Retry-After', 'soon']), 1, undefined],
  ['seconds', head(503, ['retry-AFTER', ' 7 ']), 1, 7000],
  ['429 backs off', head(429), 1, 500],
  ['429 backs off further', head(429), 2, 1000],
  [
    'a date against the server’s own clock',
    head(429, ['Date', date], ['Retry-After', 'Sat, 01 Jan 2000 00:00:09 GMT']),
    1,
    9000,
  ],
  ['a date in the past', head(503, ['Date', date], ['Retry-After', 'Fri, 31 Dec 1999 00:00:00 GMT']), 1, 0],
])('%s', (_, answer, tries, delay) => {
  expect(retryDelay(answer, tries)).toBe(delay);
});

test('a status that the profile declares as 429 is treated like it', () => {
  expect(retryDelay(head(420), 1, { tooMany: [420] })).toBe(500);
  expect(retryDelay(head(420, ['Retry-After', '3']), 1, { tooMany: [420] })).toBe(3000);
  expect(retryDelay(head(420), 1, { tooMany: [509] })).toBeUndefined();
});

test('a date without a Date header is measured by the client’s clock', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-21T09:59:55Z') });
  onTestFinished(() => void vi.useRealTimers());
  expect(retryDelay(head(503, ['Retry-After', 'Sat, 21 Nov 2026 10:00:00 GMT']), 1)).toBe(5000);
});

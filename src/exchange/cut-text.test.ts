import { expect, test } from 'vitest';
import { cutText } from './cut-text.ts';

test.each([
  ['short', 5, 'short'],
  ['words and more words', 12, 'words and mo…'],
  ['the token eyJhbGciOiJIUzI1NiJ9', 20, 'the token eyJhbGci…'],
  ['{"token":"eyJhbGciOiJIUzI1NiJ9"}', 25, '{"token":"eyJhbGci…'],
  ['c2VjcmV0LXRva2VuLXNlY3JldA==', 20, 'c2VjcmV0…'],
])('%s cut to %i is %s', (text, length, cut) => {
  expect(cutText(text, length)).toBe(cut);
});

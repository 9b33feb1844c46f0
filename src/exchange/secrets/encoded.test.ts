import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodedCase, hideAndRead } from './encoded.test.support.ts';

// `node scripts/encoded-secrets.ts 10000` tries more.
test('a secret is hidden in whatever one or two encodings make of it, and all else is as it was', () => {
  expect(() => fc.assert(fc.property(encodedCase, hideAndRead), { numRuns: 300 })).not.toThrow();
});

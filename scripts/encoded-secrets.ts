/**
 * Hides secrets that encoders spelled in up to two encodings, also repeated and between other encoded texts, and reads the
 * results with decoders of its own.
 *
 *   node scripts/encoded-secrets.ts [cases, default 10000] [seed]
 */
import fc from 'fast-check';
import { checkHiding, encodedCase } from '../src/secrets/encoded.test.support.ts';

const [cases = '10000', seed] = process.argv.slice(2);
fc.assert(fc.property(encodedCase, checkHiding), {
  numRuns: Number(cases),
  endOnFailure: false,
  ...(seed !== undefined && { seed: Number(seed) }),
});
console.log(`${cases} cases: no secret is readable`);

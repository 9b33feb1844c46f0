/** Faultless simulators of other data and years. */
import { test } from 'vitest';
import { expectConformant } from './conforming.test.support.ts';

test.each([{}, { seed: 2 }, { seed: 3, products: 50 }, { asOf: '2025-01-04' }])(
  'a faultless simulator with %j is conformant, also under --strict',
  (options) => expectConformant(options),
);

import { join } from 'node:path';

/** Where `scripts/bundle-checkout.ts` writes bundles of the checkout before the tests. */
export const BUNDLES = join(import.meta.dirname, '..', 'node_modules', '.cache', 'mdwi-checkout');

/** The command line of the checkout, which starts in half of the time of its modules. */
export const MAIN = join(BUNDLES, 'src', 'cli', 'main.js');

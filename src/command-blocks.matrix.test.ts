/** Every command block of docs is run, from the packed package. */
import { testPages } from './command-pages.test.support.ts';

testPages((page) => page !== 'README.md');

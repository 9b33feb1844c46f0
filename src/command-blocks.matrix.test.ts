/** Every command block of docs is run, from the packed package. */
import { testPages } from './command-blocks.test.support.ts';

testPages((page) => page !== 'README.md');

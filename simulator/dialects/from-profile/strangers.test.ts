/** The profile of a stranger that the simulator cannot follow in everything: `strangers.matrix.test.ts` has the others. */
import { testStrangers } from './strangers.test.support.ts';

testStrangers((name) => name === 'kontrast');

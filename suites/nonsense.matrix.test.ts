/** Nonsense proves nothing. */
import { testNonsense } from './nonsense.test.support.ts';

testNonsense(15);

/** Nonsense proves nothing: a few kinds of it, of those of `nonsense.matrix.test.ts`. */
import { testNonsense } from './nonsense.test.support.ts';

testNonsense(2);

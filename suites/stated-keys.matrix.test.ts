/** Each promise of a profile is judged where only it is stated. */
import { test } from 'vitest';
import { expectJudged, STATED } from './stated-keys.test.support.ts';

test.each(Object.keys(STATED))('%s alone is judged on top of a bundled profile', expectJudged);

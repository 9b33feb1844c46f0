/** The verdicts of recordings with hidden secrets and invented data, in more dialects than `secrets.test.ts` tries. */
import { test } from 'vitest';
import { checkLikeData, checkScrubbed } from './secrets.test.support.ts';

test.each(['hypermedia', 'tabular', 'xml'] as const)(
  'secrets that look like data wreck none, and rotated credentials still match: %s',
  (dialect) => checkLikeData(dialect),
);

test.each([
  { dialect: 'tabular', fault: 'figure-null-in-one-row' },
  { dialect: 'hypermedia', groups: ['A', 'D'] },
] as const)('invented figures and files leave the verdicts as they were: $dialect $fault', checkScrubbed);

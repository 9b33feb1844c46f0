import { test } from 'vitest';
import { expectUnchanged, type UnchangedCase } from './record-again.test.support.ts';

const CASES: readonly UnchangedCase[] = [
  { dialect: 'reference', ids: 'uuid', noise: true, groups: ['A'] },
  { dialect: 'reference', ids: 'short', groups: ['A'] },
  { dialect: 'hypermedia', ids: 'short', noise: true, groups: ['A'] },
  { dialect: 'tabular', ids: 'short', groups: ['A'] },
  { dialect: 'terse', ids: 'hex', noise: true, groups: ['A'] },
];

test.each(CASES)('an unchanged service changes no byte: $dialect, $ids ids, noise $noise', expectUnchanged);

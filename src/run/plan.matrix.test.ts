import { test } from 'vitest';
import { expectRunToKeepToPlan } from './plan.test.support.ts';

test.each([
  ['hypermedia', 'all'],
  ['xml', 'all'],
  ['tabular', 'all'],
  ['terse', 'read'],
  ['terse', 'all'],
] as const)(
  'a run of the dialect %s at safety %s keeps to its plan, whose bound is of use',
  async (dialect, safety) => await expectRunToKeepToPlan(dialect, safety),
);

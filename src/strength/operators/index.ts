/** All operators. */
import { ANSWER_OPERATORS } from './answers.ts';
import { JOB_OPERATORS } from './jobs.ts';
import { ROW_OPERATORS } from './rows.ts';
import type { Operator } from './types.ts';
import { VALUE_OPERATORS } from './values.ts';

export const OPERATORS: readonly Operator[] = [
  ...ROW_OPERATORS,
  ...VALUE_OPERATORS,
  ...ANSWER_OPERATORS,
  ...JOB_OPERATORS,
];

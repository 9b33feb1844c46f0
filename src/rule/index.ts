/** Types and functions that rules use. */
export type { Statuses } from '../profile/schema.ts';
export type { Row } from '../reading/types.ts';
export * from './counterexample.ts';
export type { Declarations } from './declarations.ts';
export * from './folds.ts';
export * from './one-operation.ts';
export * from './served.ts';
export * from './types.ts';
export * from './upc-set.ts';
export * from './verdicts.ts';

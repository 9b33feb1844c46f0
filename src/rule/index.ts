/** Types and functions that rules use. */
export type { Statuses } from '../profile/schema.ts';
export type { PageMetadata, Row } from '../reading/types.ts';
export * from './counterexample.ts';
export type { Declarations } from './declarations.ts';
export * from './draws.ts';
export * from './finding-kinds.ts';
export * from './fold.ts';
export * from './relation.ts';
export * from './rule-set.ts';
export * from './sample-rows.ts';
export * from './served.ts';
export * from './step.ts';
export * from './types.ts';
export * from './upc-set.ts';
export * from './verdicts.ts';

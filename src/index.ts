/** The public door of the package: what a profile written in TypeScript and a reader of reports need. */
export { defineProfile } from './profile/load.ts';
export type { ProfileInput } from './profile/schema.ts';
export type { SelectorFunction } from './profile/selector.ts';
export type { Outcome, Result, Run } from './run/types.ts';

/** What the interface document says, as typed tables. Nothing here knows of a wire format, a client or a rule. */
export * from './fields.ts';
export * from './limits.ts';
export * from './openings.ts';
export * from './operation-keys.ts';
export * from './operations.ts';
export * from './resources.ts';
export * from './statements.ts';

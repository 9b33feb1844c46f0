/** The interface document as typed tables, independent of wire formats, the client and the rules. */
export * from './catalogue-graph.ts';
export * from './fields.ts';
export * from './limits.ts';
export * from './openings.ts';
export * from './operation-keys.ts';
export * from './operation-kinds.ts';
export * from './operations.ts';
export * from './promises.ts';
export * from './resources.ts';
export * from './sampling.ts';
export * from './statements.ts';
export * from './summaries.ts';

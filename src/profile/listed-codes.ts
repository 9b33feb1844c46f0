/** The kinds of tables of codes. It does not import the schema, so that a run does not load zod. */
import type { CodeTableSource, ListedCodes } from './schema/codes.ts';

/** Whether an operation lists the codes. */
export const isListedByOperation = (source: CodeTableSource): source is ListedCodes => Object.hasOwn(source, 'from');

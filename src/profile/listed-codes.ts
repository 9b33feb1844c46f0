/** Kinds of tables of codes. Without the schema, so that a run imports it and loads no zod. */
import type { CodeTableSource, ListedCodes } from './schema/codes.ts';

/** Whether an operation lists the codes. */
export const isListed = (source: CodeTableSource): source is ListedCodes => Object.hasOwn(source, 'from');

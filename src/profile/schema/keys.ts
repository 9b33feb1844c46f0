/** The keys of a profile: their schemas with the sentence that editors and the page of keys show. */
import { z } from 'zod';

/** A key that a profile may have. */
export const optional = <S extends z.ZodType>(schema: S, says: string) => schema.optional().describe(says);

export const flag = (says: string) => optional(z.boolean(), says);

/** A fact that a profile may state, or deny with `false`: then no rule judges it. */
export const fact = <S extends z.ZodType>(schema: S, says: string) =>
  optional(z.union([schema, z.literal(false)]), says);

/** Refuses a value. @param path below the value that is refined */
export const reject = (context: z.RefinementCtx, path: PropertyKey[], message: string): void =>
  context.addIssue({ code: 'custom', path, message });

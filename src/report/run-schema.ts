/** The published JSON Schema of run.json. A test validates runs against it. */
import { z } from 'zod';
import { OPERATIONS, SAFETY_LADDER } from '../contract/index.ts';
import { BASES, VERDICTS } from '../rule/index.ts';
import { INTERRUPT_SIGNALS } from '../run/interruption.ts';
import { OUTCOMES } from '../run/types.ts';

const count = z.int().min(0);
const fraction = z.tuple([count, count]);
const operation = z.enum(OPERATIONS.map((each) => each.key));
const basis = z.enum(Object.keys(BASES));

export const runSchema = z.strictObject({
  schema: z.literal(1).describe('The version of this format.'),
  outcome: z.enum(OUTCOMES),
  outcomeInScope: z.string().describe('The outcome with the groups and safety class it covers.'),
  exitCode: z.int(),
  reason: z.string().optional(),
  manifest: z.strictObject({
    suite: z.string(),
    target: z.string(),
    profile: z.string(),
    groups: z.array(z.string()),
    safety: z.enum(Object.keys(SAFETY_LADDER)),
    strict: z.boolean(),
    startedAt: z.iso.datetime(),
    durationMs: z.number().min(0),
    requests: count,
    node: z.string(),
    interrupted: z
      .enum(INTERRUPT_SIGNALS)
      .optional()
      .describe('The signal that interrupted the run, which is then partial.'),
  }),
  fractions: z.strictObject({
    provable: fraction.describe('Checks testable under this profile, of all in scope.'),
    proved: fraction.describe('Checks passed, of those provable.'),
    unproved: count.describe('Provable checks that neither passed nor failed.'),
  }),
  results: z.array(
    z.strictObject({
      rule: z.string(),
      operation,
      statement: z.string(),
      section: z.string().describe('The section of the interface document.'),
      basis,
      gating: z.boolean(),
      verdict: z.enum(VERDICTS),
      waived: z.boolean(),
      evidence: z.strictObject({ exchanges: count, rows: count, distinct: count }),
      findings: z.array(
        z.strictObject({
          expected: z.string(),
          actual: z.string(),
          exchange: z.string().optional(),
          row: count.optional(),
        }),
      ),
      note: z.string().optional(),
      openings: z.array(z.string()).optional(),
    }),
  ),
  exchanges: z.array(
    z.strictObject({
      id: z.string(),
      operation,
      method: z.string(),
      url: z.string(),
      status: z.int().optional(),
      failure: z.string().optional(),
      notRecorded: z.literal(true).optional(),
      bytes: count,
      ms: z.number(),
      curl: z.string().optional(),
      begins: z.string().optional(),
    }),
  ),
  openings: z.array(
    z.strictObject({
      opening: z.string(),
      asks: z.string(),
      fill: z.string(),
      section: z.string(),
      rules: z.array(z.string()),
    }),
  ),
});

/** JSON Schema (2020-12) of run.json. */
export function runJsonSchema(): object {
  return { title: 'mdwi run', ...z.toJSONSchema(runSchema) };
}

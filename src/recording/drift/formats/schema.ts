/** The report of a comparison, and the published JSON Schema of drift.json. */
import { z } from 'zod';
import { INTERRUPT_SIGNALS } from '../../../run/interruption.ts';
import { CLASSES, DIFFERENCE_KINDS, type DifferenceKind } from '../classes.ts';

const count = z.int().min(0);
const driftClass = z.enum(CLASSES);
const side = z.strictObject({
  name: z.string().describe('A recording, or the address of a service.'),
  at: z.string().describe('The time of the recording, or of the requests.'),
  requests: count,
});

export const driftSchema = z.strictObject({
  schema: z.literal(1).describe('The version of this format.'),
  exitCode: z.int(),
  reason: z.string().optional(),
  failOn: z.enum([...CLASSES, 'none']),
  was: side,
  is: side,
  compared: count.describe('Number of compared responses.'),
  counts: z.strictObject(
    Object.fromEntries(CLASSES.map((each) => [each, count])) as Record<(typeof CLASSES)[number], typeof count>,
  ),
  differences: z
    .array(
      z.strictObject({
        class: driftClass,
        kind: z.enum(Object.keys(DIFFERENCE_KINDS) as DifferenceKind[]),
        operation: z.string().describe('As in the document, or method and path of any other request.'),
        path: z.string().describe('The path in the response, or the id of a rule.'),
        count: z.string().describe('The number of responses with the difference, and of all compared.'),
        was: z.string().optional(),
        is: z.string().optional(),
      }),
    )
    .describe('One per operation and path, worst first.'),
  ignored: count,
  notCompared: z.array(z.strictObject({ operation: z.string(), requests: count, because: z.string() })),
  notes: z.array(z.string()),
  interrupted: z
    .enum(INTERRUPT_SIGNALS)
    .optional()
    .describe('The signal that interrupted the comparison, which is then partial.'),
});

export type DriftReport = z.infer<typeof driftSchema>;

/** JSON Schema (2020-12) of drift.json. */
export function driftJsonSchema(): object {
  return { title: 'mdwi drift', ...z.toJSONSchema(driftSchema) };
}

/** What an author writes of a known failure. */
import { z } from 'zod';
import { INPUT_NAMES } from '../contract/index.ts';

const text = z.string().min(1);

/** A known failure, in a file of waivers or in the configuration. */
export const waiverSchema = z
  .strictObject({
    rule: text.describe('A rule id; * matches any text.'),
    operation: text.optional().describe('An operation; * matches any text. Default: every operation of the rule.'),
    reason: text.describe('Why the failure is accepted.'),
    owner: text.optional().describe('Who mends it.'),
    expires: z.iso.date('must be a day such as 2027-01-31').optional().describe('The last day on which it is valid.'),
    intermittent: z.boolean().optional().describe('The check passes now and then.'),
    fingerprint: text.optional().describe('Only this finding; default: every failure of the rule.'),
    fingerprints: z.array(text).min(1).optional().describe('Only these findings.'),
    inputs: z
      .array(z.partialRecord(z.enum(INPUT_NAMES), z.union([text, z.number(), z.boolean()])))
      .min(1)
      .optional()
      .describe('Inputs of the requests that showed it, e.g. upc: every run requests them.'),
  })
  .superRefine(({ intermittent, expires }, context) => {
    if (intermittent && expires === undefined)
      context.addIssue({
        code: 'custom',
        path: ['intermittent'],
        message: 'needs expires: a waiver that is never gone must end on a date',
      });
  });

export type WaiverData = z.output<typeof waiverSchema>;

/** A file of waivers: a list, or a map with it under `waivers`, as in a configuration. */
export const waiverFileSchema = z.strictObject({ waivers: z.array(waiverSchema) });

/** How to read a response: its format, selectors of rows and values, paging of lists, statuses and body schemas. */
import { z } from 'zod';
import { FIELD_NAMES } from '../../contract/index.ts';
import { isStandardSchema, type StandardSchema } from '../body-schema/types.ts';
import { CONVERTER_NAMES } from '../converters/index.ts';
import { refusal } from './refusal.ts';
import { selector } from './selector.ts';

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}

const field = z
  .union([
    selector,
    z.strictObject({
      at: selector,
      match: z
        .string()
        .refine(isPattern, 'is not a regular expression')
        .optional()
        .describe('The part of the text that is the value: a regular expression; its first group where it has one.'),
      missing: z
        .array(z.string().min(1))
        .min(1)
        .optional()
        .describe('Texts that mean “no value”, e.g. [N/A, "-"]; an empty or blank text always does.'),
      as: z.enum(CONVERTER_NAMES).optional().describe('The converter from the wire to the neutral value.'),
      required: z.boolean().optional().describe('Every row has a value; a missing one is a failure.'),
      nullable: z.boolean().optional().describe('The value may be null or absent.'),
    }),
  ])
  .transform((value) => (typeof value === 'object' ? value : { at: value }));

const paging = z.discriminatedUnion('style', [
  z.strictObject({
    style: z.literal('page'),
    first: z.int().default(1),
    size: z.int().positive().optional(),
    maxPages: z.int().positive().optional(),
  }),
  z.strictObject({ style: z.literal('offset'), size: z.int().positive(), maxPages: z.int().positive().optional() }),
  z.strictObject({ style: z.literal('cursor'), next: selector, maxPages: z.int().positive().optional() }),
  z.strictObject({
    style: z.literal('link'),
    rel: z.string().default('next'),
    maxPages: z.int().positive().optional(),
  }),
  z.strictObject({ style: z.literal('next'), next: selector, maxPages: z.int().positive().optional() }),
]);

const bodySchema = z
  .union([
    z.custom<StandardSchema>(isStandardSchema, 'is neither a path, a JSON Schema nor a Standard Schema such as zod’s'),
    z.string().min(1),
    z.record(z.string(), z.json()),
  ])
  .describe(
    'The schema of a body: a JSON Schema (2020-12, or draft-07 by its $schema) inline, or the path of a JSON or YAML file, relative to this profile; in TypeScript any Standard Schema too.',
  );

export const response = z.strictObject({
  media: z
    .enum(['json', 'ndjson', 'csv', 'xml', 'text', 'binary'])
    .optional()
    .describe('Default: the media type of Content-Type. Binary, such as a picture, must be declared here.'),
  csv: z
    .strictObject({ delimiter: z.enum([',', ';', '|', '\t']) })
    .optional()
    .describe('Separator of two cells; default: a comma, or a tab for a tab-separated media type.'),
  rows: z
    .union([selector, z.strictObject({ '1': selector, '4': selector, '13': selector })])
    .optional()
    .describe(
      'Selector of the rows, e.g. $.products[*]; for a delta with all windows in one response, one selector per window.',
    ),
  fields: z
    .partialRecord(z.enum(FIELD_NAMES as [(typeof FIELD_NAMES)[number], ...typeof FIELD_NAMES]), field)
    .optional(),
  paging: paging.optional(),
  refusal: refusal.optional(),
  schemas: z
    .record(
      z.string().regex(/^(?:[1-5]\d\d|[1-5]XX|default|refusal)$/, 'must be written as 200, 2XX, default or refusal'),
      bodySchema,
    )
    .optional()
    .describe(
      'The schema of the JSON body of a response, by status (200, 2XX, default for all others), or of a refusal in a 2xx.',
    ),
  sample: z
    .json()
    .optional()
    .describe(
      'A successful body, as the template of the simulator: decoded as the selectors read it (XML as its tree), inline or the path of a .json file relative to the profile.',
    ),
});

const refusalStatuses = z.array(z.int().min(400).max(599)).min(1);
const resultStatuses = z.array(z.int().min(200).max(599)).min(1);

export const statuses = z
  .strictObject({
    unknown: resultStatuses.optional().describe('Statuses of a look-up of a well-formed but unknown value.'),
    malformed: resultStatuses.optional().describe('Statuses of a look-up of a malformed UPC.'),
    unauthorized: refusalStatuses
      .optional()
      .describe('Statuses that, like 401, mean that the credentials are not accepted.'),
    tooMany: refusalStatuses.optional().describe('Statuses that, like 429, mean too many requests.'),
  })
  .superRefine(({ unknown = [], malformed = [], unauthorized = [], tooMany = [] }, context) => {
    const twice = [...unauthorized, ...tooMany].find((each) => unknown.includes(each) || malformed.includes(each));
    if (twice === undefined) return;
    context.addIssue({
      code: 'custom',
      message: `${twice} cannot mean both a result (unknown, malformed) and a refusal (unauthorized, tooMany)`,
    });
  })
  .describe('Meanings of statuses; statuses that are not listed are not checked.');

export type ResponseProfile = z.output<typeof response>;
export type FieldBinding = z.output<typeof field>;
export type Paging = z.output<typeof paging>;

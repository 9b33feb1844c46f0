/** How an answer is read: its format, where rows and values stand, how lists are paged, what statuses and bodies are. */
import { z } from 'zod';
import { FIELD_NAMES } from '../../contract/index.ts';
import { isStandardSchema, type StandardSchema } from '../body-schema/types.ts';
import { CONVERTER_NAMES } from '../converters.ts';
import { checkSelector, type SelectorFunction } from '../selector.ts';

const selector = z
  .union([
    z.string().superRefine((text, context) => {
      const wrong = checkSelector(text);
      if (wrong) context.addIssue({ code: 'custom', message: wrong });
    }),
    z.custom<SelectorFunction>((value) => typeof value === 'function', 'must be a function (in TypeScript)'),
  ])
  .describe(
    'Where a value stands: `@…` within a row, `$…` within the whole answer (RFC 9535), or `$response.header.NAME`.',
  );

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
        .refine(isPattern, 'it is no regular expression')
        .optional()
        .describe('The part of the text that is the value: a regular expression; its first group where it has one.'),
      missing: z
        .array(z.string().min(1))
        .min(1)
        .optional()
        .describe('Texts that stand where there is no value, e.g. [N/A, "-"]; a blank text needs no mention.'),
      as: z.enum(CONVERTER_NAMES).optional().describe('The converter from the wire to the neutral value.'),
      required: z.boolean().optional().describe('Every row carries it; a gap is then a failure.'),
      nullable: z.boolean().optional().describe('It may legally be null or absent.'),
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
    z.custom<StandardSchema>(isStandardSchema, 'it is no path, no JSON Schema and no Standard Schema such as zod’s'),
    z.string().min(1),
    z.record(z.string(), z.json()),
  ])
  .describe(
    'What a body fits: a JSON Schema (2020-12, or draft-07 by its $schema) inline, or a JSON or YAML file of one, by its path beside this profile; in TypeScript any Standard Schema too.',
  );

export const response = z.strictObject({
  media: z
    .enum(['json', 'ndjson', 'csv', 'xml', 'text', 'binary'])
    .optional()
    .describe('Default: what Content-Type says; binary, such as a picture, only where it is named here.'),
  csv: z
    .strictObject({ delimiter: z.enum([',', ';', '|', '\t']) })
    .optional()
    .describe('What stands between two cells; default: a comma, or a tab where the media type says so.'),
  rows: z
    .union([selector, z.strictObject({ '1': selector, '4': selector, '13': selector })])
    .optional()
    .describe('Where the rows stand, e.g. $.products[*]; for a delta answered in one call, one selector per window.'),
  fields: z
    .partialRecord(z.enum(FIELD_NAMES as [(typeof FIELD_NAMES)[number], ...typeof FIELD_NAMES]), field)
    .optional(),
  paging: paging.optional(),
  schemas: z
    .record(z.string().regex(/^(?:[1-5]\d\d|[1-5]XX|default)$/, 'must be written as 200, 2XX or default'), bodySchema)
    .optional()
    .describe('By status (200, 2XX, default for all others): what the JSON body of an answer fits.'),
  sample: z
    .json()
    .optional()
    .describe(
      'A successful body, for the simulator to lay its values over: decoded as the selectors see it (XML as its tree), inline or the path of a .json file beside the profile.',
    ),
});

const refusing = z.array(z.int().min(400).max(599)).min(1);
const answering = z.array(z.int().min(200).max(599)).min(1);

export const statuses = z
  .strictObject({
    unknown: answering.optional().describe('What a look-up of something well-formed but unknown is answered with.'),
    malformed: answering.optional().describe('What a look-up of a malformed UPC is answered with.'),
    unauthorized: refusing.optional().describe('What says, as 401 does, that the credentials do not do.'),
    tooMany: refusing.optional().describe('What says, as 429 does, that there were too many requests.'),
  })
  .superRefine(({ unknown = [], malformed = [], unauthorized = [], tooMany = [] }, context) => {
    const twice = [...unauthorized, ...tooMany].find((each) => unknown.includes(each) || malformed.includes(each));
    if (twice === undefined) return;
    context.addIssue({
      code: 'custom',
      message: `${twice} cannot say both that the request was answered (unknown, malformed) and that it was turned away (unauthorized, tooMany)`,
    });
  })
  .describe('What statuses mean here; nothing is demanded of those that are not stated.');

export type ResponseProfile = z.output<typeof response>;
export type FieldBinding = z.output<typeof field>;
export type Paging = z.output<typeof paging>;

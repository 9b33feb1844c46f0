/** How to build a valid request: parameters, headers, bodies, and the wire format of neutral values. */
import { z } from 'zod';
import { INPUT_NAMES, type Input, PAGING_INPUTS } from '../../contract/index.ts';
import { optional } from './keys.ts';

export const scalarSchema = z.union([z.string(), z.number(), z.boolean()]);

const inputExamples = Object.fromEntries(
  INPUT_NAMES.map((input) => [input, z.array(scalarSchema).min(1).optional()]),
) as { readonly [I in Input]: z.ZodOptional<z.ZodArray<typeof scalarSchema>> };

/** Unknown UPCs and jobs have keys of their own, and a window or a page is no value that a service lists. */
const NEVER_UNKNOWN: readonly Input[] = ['upc', 'jobId', 'window', ...PAGING_INPUTS];
const unknownExamples = Object.fromEntries(
  INPUT_NAMES.filter((input) => !NEVER_UNKNOWN.includes(input)).map((input) => [input, scalarSchema.optional()]),
) as { readonly [I in Input]: z.ZodOptional<typeof scalarSchema> };

export const examples = z.strictObject({
  ...inputExamples,
  unknown: optional(
    z.strictObject(unknownExamples),
    'Per input, a well-formed value that does not exist in the service, for `statuses.unknown`; default: invented in the form of listed values.',
  ),
  byCatalogue: optional(
    z.record(z.string(), z.strictObject(inputExamples)),
    'Values of one catalogue, by its id, in place of those that hold for every catalogue.',
  ),
});

const clauses = z
  .strictObject({
    join: z.string().describe('Separator of two clauses, e.g. " and ".'),
    clauses: z
      .array(z.string())
      .min(1)
      .describe('Clauses with {inputs}; a clause whose input is not requested is left out.'),
    quote: optional(
      z.enum(['odata', 'backslash', 'none']),
      "How a quote inside an inserted value is escaped: odata doubles ', backslash puts \\ before it. Default: odata where the clause puts the value between ', backslash where between \", else none.",
    ),
  })
  .describe("A composite expression such as `category eq '{category}' and brand eq '{brand}'`.");

/** Values by name: a list repeats the name. */
const pairs = z.record(z.string(), z.union([scalarSchema, clauses, z.array(scalarSchema)]));

const file = z.strictObject({
  filename: z.string().describe('The name of the file; it may contain {inputs}.'),
  type: optional(z.string(), 'The media type of the file; default application/octet-stream.'),
  text: z.string().describe('The content of the file; it may contain {inputs}.'),
});

export const request = z
  .strictObject({
    query: optional(pairs, 'Query parameters: a list repeats the name.'),
    headers: optional(z.record(z.string(), z.string()), 'Headers of the request.'),
    json: optional(z.json(), 'A JSON body; strings may contain {inputs}.'),
    form: optional(pairs, 'An application/x-www-form-urlencoded body; a list repeats the name.'),
    multipart: optional(
      z.record(z.string(), z.union([scalarSchema, z.array(scalarSchema), file])),
      'A multipart/form-data body: values and files by name; a list repeats the name.',
    ),
    xml: optional(z.string(), 'An XML body; inserted values are escaped.'),
    raw: optional(
      z.strictObject({ type: z.string().describe('Its media type.'), text: z.string().describe('The body.') }),
      'Any other body, sent as written.',
    ),
    spellings: optional(
      z.partialRecord(z.enum(INPUT_NAMES as string[]), z.record(z.string(), scalarSchema)),
      'The wire format of a neutral value, e.g. window: { "1": P1W, "4": P4W, "13": P13W }.',
    ),
    codes: optional(
      z.partialRecord(z.enum(INPUT_NAMES), z.string()),
      'Inputs that are sent as codes: the name of the table in `codes` that states their meanings. `spellings` then writes the code.',
    ),
  })
  .refine(
    (value) =>
      [value.json, value.form, value.multipart, value.xml, value.raw].filter((each) => each !== undefined).length <= 1,
    {
      message: 'a request has one body: keep one of json, form, multipart, xml, raw',
    },
  );

export type RequestTemplate = z.output<typeof request>;
export type RequestPairs = z.output<typeof pairs>;

/**
 * The shape of a profile: one implementation's filling of what the document leaves open (design: one file per
 * implementation). Everything is optional but the name; what is not filled stays open.
 */
import { z } from 'zod';
import {
  FIELD_NAMES,
  GROUPS,
  INPUT_NAMES,
  JOB_KINDS,
  OPERATIONS,
  type OperationKey,
  partsThatMayLack,
} from '../contract/index.ts';
import { type BodySchemas, isStandardSchema, type StandardSchema } from './body-schema/types.ts';
import { CONVERTER_NAMES } from './converters.ts';
import { checkSelector, type SelectorFunction } from './selector.ts';

const operationKey = z.enum(OPERATIONS.map((each) => each.key) as [OperationKey, ...OperationKey[]]);
const group = z.enum(Object.keys(GROUPS) as (keyof typeof GROUPS)[]);
const scalar = z.union([z.string(), z.number(), z.boolean()]);

const selector = z
  .union([
    z.string().superRefine((text, context) => {
      const wrong = checkSelector(text);
      if (wrong) context.addIssue({ code: 'custom', message: wrong });
    }),
    z.custom<SelectorFunction>((value) => typeof value === 'function'),
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
      as: z.enum(CONVERTER_NAMES).optional().describe('The converter from the wire to the neutral value.'),
      required: z.boolean().optional().describe('Every row carries it; a gap is then a failure.'),
      nullable: z.boolean().optional().describe('It may legally be null or absent.'),
    }),
  ])
  .transform((value) => (typeof value === 'object' ? value : { at: value }));

const clauses = z
  .strictObject({
    join: z.string().describe('What stands between two clauses, e.g. " and ".'),
    clauses: z
      .array(z.string())
      .min(1)
      .describe('Clauses with {inputs}; a clause whose input is not asked for is left out.'),
    quote: z
      .enum(['odata', 'backslash', 'none'])
      .optional()
      .describe(
        "How a quote inside an inserted value is escaped: odata doubles ', backslash puts \\ before it. Default: odata where the clause puts the value between ', backslash where between \", else none.",
      ),
  })
  .describe("A composite expression such as `category eq '{category}' and brand eq '{brand}'`.");

const request = z
  .strictObject({
    query: z.record(z.string(), z.union([scalar, clauses, z.array(scalar)])).optional(),
    headers: z.record(z.string(), z.string()).optional(),
    json: z.json().optional().describe('A JSON body; strings may hold {inputs}.'),
    form: z.record(z.string(), scalar).optional().describe('An application/x-www-form-urlencoded body.'),
    xml: z.string().optional().describe('An XML body; inserted values are escaped.'),
    raw: z.strictObject({ type: z.string(), text: z.string() }).optional().describe('Any other body, sent as written.'),
    spellings: z
      .partialRecord(z.enum(INPUT_NAMES as [string, ...string[]]), z.record(z.string(), scalar))
      .optional()
      .describe('How a neutral value is spelled here, e.g. window: { "1": P1W, "4": P4W, "13": P13W }.'),
  })
  .refine((value) => [value.json, value.form, value.xml, value.raw].filter((each) => each !== undefined).length <= 1, {
    message: 'a request has one body: keep one of json, form, xml, raw',
  });

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

const response = z.strictObject({
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
    .record(z.string().regex(/^(?:[1-5]\d\d|[1-5]XX|default)$/, 'a status is written 200, 2XX or default'), bodySchema)
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

const statuses = z
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

const operation = z.strictObject({
  request: request.optional().describe('How a valid request is built. An empty object says: a bare request is valid.'),
  response: response.optional(),
  statuses: statuses.optional().describe('What statuses mean here, before what is said at the top.'),
  none: z
    .array(z.string())
    .optional()
    .describe(
      'What this operation does not have, e.g. [fields.manufacturer, inputs.brand]; what the document demands cannot be named.',
    ),
});

const NONE_RULE =
  'name parts the operation may lack, e.g. fields.market or inputs.brand; what the document demands cannot be left out';

const authScheme = z.discriminatedUnion('scheme', [
  z.strictObject({ scheme: z.literal('none') }),
  z.strictObject({ scheme: z.literal('apiKey'), in: z.enum(['header', 'query']), name: z.string(), value: z.string() }),
  z.strictObject({ scheme: z.literal('basic'), username: z.string(), password: z.string() }),
  z.strictObject({ scheme: z.literal('bearer'), token: z.string() }),
  z.strictObject({ scheme: z.literal('headers'), headers: z.record(z.string(), z.string()) }),
  z.strictObject({
    scheme: z.literal('oauth2'),
    tokenUrl: z.string().describe('Where client credentials are exchanged for a token.'),
    clientId: z.string(),
    clientSecret: z.string(),
    scope: z.string().optional(),
    credentialsIn: z.enum(['header', 'body']).default('header'),
  }),
  z.strictObject({
    scheme: z.literal('mtls'),
    cert: z.string().describe('The file of the client certificate (PEM).'),
    key: z.string().describe('The file of its key (PEM).'),
    ca: z.string().optional(),
    passphrase: z.string().optional(),
  }),
]);

const weekday = z.enum(['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']);
const dateMeaning = z.enum(['day', 'weekEnding', 'weekStarting']);

const REFRESH_DATES = 'POST /data-access/v1/Catalogue/RefreshDates';

export const profileSchema = z
  .strictObject({
    $schema: z.string().optional(),
    name: z.string().min(1).describe('Whose dialect this is.'),
    description: z.string().optional(),
    implements: z
      .array(z.union([group, operationKey]))
      .min(1)
      .optional()
      .describe('Groups or operations served; absent: all 41.'),
    auth: z.union([authScheme, z.array(authScheme)]).optional(),
    authExcept: z.array(operationKey).optional().describe('Operations that need no credentials, and are sent none.'),
    headers: z.record(z.string(), z.string()).optional().describe('Sent with every request.'),
    prefixes: z
      .partialRecord(
        z.union([group, operationKey]),
        z.string().regex(/^(?:\/[^/?#\s]+)+$/, 'a prefix is a path such as /retail, without a slash at its end'),
      )
      .optional()
      .describe(
        'What stands between the base address and the documented paths of a group or operation, e.g. { C: /reference }.',
      ),
    examples: z
      .partialRecord(
        z.enum(INPUT_NAMES as [(typeof INPUT_NAMES)[number], ...typeof INPUT_NAMES]),
        z.array(scalar).min(1),
      )
      .optional()
      .describe('Safe values the service knows, per input.'),
    unknownUpc: z.string().optional().describe('A well-formed UPC the service does not know; default 999999999993.'),
    statuses: statuses.optional(),
    operations: z
      .partialRecord(operationKey, operation)
      .superRefine((operations, context) => {
        for (const [key, declared] of Object.entries(operations)) {
          for (const [at, part] of (declared?.none ?? []).entries()) {
            const allowed = partsThatMayLack(key as OperationKey);
            if (allowed.includes(part)) continue;
            context.addIssue({
              code: 'custom',
              path: [key, 'none', at],
              message: `“${part}” is not allowed: ${NONE_RULE} (allowed here: ${allowed.join(', ') || 'nothing'})`,
            });
          }
        }
      })
      .optional(),
    jobs: z
      .partialRecord(
        z.enum(JOB_KINDS as [(typeof JOB_KINDS)[number], ...typeof JOB_KINDS]),
        z.strictObject({
          start: operationKey
            .optional()
            .describe(
              'The POST that starts a job of this kind; its response.fields.jobId says where the id comes back.',
            ),
          example: scalar
            .optional()
            .describe('The id of a job of this kind whose status can be read without starting one.'),
        }),
      )
      .optional(),
    dataWeek: z
      .strictObject({
        endsOn: weekday.describe(
          'The last day of a data week; windows may be counted from the newest one that ended by the as-of.',
        ),
        activeOn: dateMeaning.default('day'),
        changedOn: dateMeaning.default('day'),
        refreshDate: z
          .union([z.literal('newest'), z.strictObject({ id: scalar })])
          .optional()
          .describe(
            'Answers that hold no as-of stand at this date of RefreshDates: the newest, or that of the item with the id.',
          ),
        firstDay: z
          .enum(['included', 'excluded'])
          .optional()
          .describe('Is the day exactly N weeks before the as-of inside the window?'),
      })
      .optional(),
    catalogue: z
      .strictObject({
        distinguishing: z
          .array(operationKey)
          .min(1)
          .optional()
          .describe('Group B operations whose answers differ from catalogue to catalogue.'),
        connected: z
          .literal(true)
          .optional()
          .describe(
            'What one operation of group B lists, the operation below it knows: its failure to is then gating.',
          ),
      })
      .optional(),
    markets: z
      .strictObject({
        products: z.array(z.string()).min(1).optional(),
        performance: z.array(z.string()).min(1).optional(),
      })
      .optional()
      .describe('How the US market of products and the market Total US of performance rows are spelled in answers.'),
    figures: z
      .strictObject({
        percentChange: z
          .strictObject({
            of: z.enum(['sales4Weeks', 'sales12Weeks', 'sales52Weeks']),
            decimals: z.int().min(0).max(10),
          })
          .optional()
          .describe('The percentage change is (of − last year) ÷ last year × 100, rounded to so many decimals.'),
      })
      .optional(),
    upc: z
      .strictObject({ admits: z.array(z.enum(['trim', 'pad', 'ean13', 'gtin14', 'separators'])).default([]) })
      .optional()
      .describe('Normalisations the service applies to a look-up although the document fixes 12 digits; reported.'),
    limits: z
      .strictObject({
        requestsPerSecond: z.number().positive().optional(),
        timeoutMs: z.int().positive().optional(),
        maxRequests: z.int().positive().optional(),
        maxBodyBytes: z.int().positive().optional(),
      })
      .optional(),
  })
  .superRefine(({ dataWeek, operations }, context) => {
    if (dataWeek?.refreshDate === undefined || operations?.[REFRESH_DATES]?.response?.fields?.date) return;
    context.addIssue({
      code: 'custom',
      path: ['dataWeek', 'refreshDate'],
      message: `nothing says where the date stands: bind fields.date in the response of ${REFRESH_DATES}`,
    });
  });

/** A profile as its author writes it. */
export type ProfileInput = z.input<typeof profileSchema>;
/** A profile as the machine uses it: defaults filled, fields in their long form. */
export type ProfileData = z.output<typeof profileSchema>;
export type OperationProfile = z.output<typeof operation>;
export type RequestTemplate = z.output<typeof request>;
export type ResponseProfile = z.output<typeof response>;
export type FieldBinding = z.output<typeof field>;
export type Paging = z.output<typeof paging>;
export type AuthScheme = z.output<typeof authScheme>;
export type Statuses = z.output<typeof statuses>;

/** A loaded profile: its data, where it came from, and the values that must never be shown. */
export interface Profile {
  readonly data: ProfileData;
  /** The file's path, or `bundled:NAME`. */
  readonly source: string;
  /** Resolved `${ENV}` values; redacted from everything written. */
  readonly secrets: readonly string[];
  /** What `response.schemas` states, ready for use. */
  readonly bodySchemas?: BodySchemas;
}

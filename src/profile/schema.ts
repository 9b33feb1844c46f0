/**
 * The shape of a profile: one implementation's filling of what the document leaves open (design: one file per
 * implementation). Everything is optional but the name; what is not filled stays open.
 */
import { z } from 'zod';
import { GROUPS, INPUT_NAMES, JOB_KINDS, OPERATIONS, type OperationKey, optionalParts } from '../contract/index.ts';
import type { BodySchemas } from './body-schema/types.ts';
import type { VariableUse } from './environment.ts';
import { authScheme } from './schema/auth.ts';
import { request, scalarSchema } from './schema/request.ts';
import { response, statuses } from './schema/response.ts';

export type { AuthScheme } from './schema/auth.ts';
export type { RequestTemplate } from './schema/request.ts';
export type { FieldBinding, Paging, ResponseProfile } from './schema/response.ts';

const operationKey = z.enum(OPERATIONS.map((each) => each.key) as [OperationKey, ...OperationKey[]]);
const group = z.enum(Object.keys(GROUPS) as (keyof typeof GROUPS)[]);

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
        z.string().regex(/^(?:\/[^/?#\s]+)+$/, 'must be a path such as /retail, without a slash at its end'),
      )
      .optional()
      .describe(
        'What stands between the base address and the documented paths of a group or operation, e.g. { C: /reference }.',
      ),
    examples: z
      .partialRecord(
        z.enum(INPUT_NAMES as [(typeof INPUT_NAMES)[number], ...typeof INPUT_NAMES]),
        z.array(scalarSchema).min(1),
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
            const allowed = optionalParts(key as OperationKey);
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
          example: scalarSchema
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
          .union([z.literal('newest'), z.strictObject({ id: scalarSchema })])
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
        maxRequests: z
          .int()
          .positive()
          .optional()
          .describe('Requests on the wire: pages, repeats, redirects and those for a token count; default 10 000.'),
        maxBodyBytes: z.int().positive().optional(),
        minBytesPerSecond: z
          .number()
          .nonnegative()
          .optional()
          .describe('The slowest body that is still read, on the average of each window; default 100, 0 for any.'),
        rateWindowMs: z
          .int()
          .positive()
          .optional()
          .describe('The length of such a window; default one minute, or twice timeoutMs where that is longer.'),
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
export type Statuses = z.output<typeof statuses>;

/** A loaded profile: its data, where it came from, and the values that must never be shown. */
export interface Profile {
  readonly data: ProfileData;
  /** The file's path, or `bundled:NAME`. */
  readonly source: string;
  /** Resolved `${ENV}` values; redacted from everything written. */
  readonly secrets: readonly string[];
  /** Where the environment gave a value. */
  readonly variables?: readonly (VariableUse & { readonly value: string })[];
  /** Where a variable is named that is not set; its text stands there. Only where the profile was loaded to be looked at. */
  readonly unset?: readonly VariableUse[];
  /** `:LINE` of a place in the file, for messages; empty where there are no lines. */
  readonly lineOf?: (path: readonly PropertyKey[]) => string;
  /** What `response.schemas` states, ready for use. */
  readonly bodySchemas?: BodySchemas;
}

/**
 * The schema of a profile: what one implementation declares for the openings of the document (one file per
 * implementation). Only the name is required; what is not declared remains open.
 */
import { z } from 'zod';
import {
  ALL_PRODUCTS,
  type Field,
  GROUPS,
  JOB_KINDS,
  LIMITED_AUTH,
  type OperationKey,
  operationOf,
  optionalParts,
  PARENT_ITEM_PLACES,
  PRODUCT_LOOKUP,
  PRODUCT_NAMES,
  REFRESH_DATES,
  UPDATE_PRODUCTS,
} from '../contract/index.ts';
import type { BodySchemas } from './body-schema/types.ts';
import type { VariableUse } from './environment.ts';
import { isListedByOperation } from './listed-codes.ts';
import { authScheme } from './schema/auth.ts';
import { codes } from './schema/codes.ts';
import { delta } from './schema/delta.ts';
import { jobKind } from './schema/jobs.ts';
import { fact, flag, optional, reject } from './schema/keys.ts';
import { limits } from './schema/limits.ts';
import { refusal } from './schema/refusal.ts';
import { examples, request, scalarSchema } from './schema/request.ts';
import { operationKey, response, statuses } from './schema/response.ts';

export type { AuthScheme } from './schema/auth.ts';
export type { CodeTableSource, ListedCodes } from './schema/codes.ts';
export type { RefusalCondition } from './schema/refusal.ts';
export type { RequestTemplate } from './schema/request.ts';
export type { CountBinding, EchoBinding, FieldBinding, Paging, ResponseProfile } from './schema/response.ts';
export type { RowShape } from './schema/shape.ts';

export const groupKey = z.enum(Object.keys(GROUPS) as (keyof typeof GROUPS)[]);

const groupOrOperation = z.union([groupKey, operationKey]);
const groupsOrOperations = z.array(groupOrOperation).min(1);

const operation = z.strictObject({
  request: optional(
    request,
    'How to build a valid request. An empty object means: a request without parameters is valid.',
  ),
  response: optional(response, 'How to read a response.'),
  examples: optional(examples, 'Values that only this operation accepts, in place of those of `examples`.'),
  statuses: optional(
    statuses,
    'Meanings of statuses at this operation; they override those at the top of the profile.',
  ),
  none: optional(
    z.array(z.string()),
    'Parts this operation does not have, e.g. [fields.manufacturer, inputs.brand]; parts that the document requires cannot be listed.',
  ),
});

const NONE_RULE =
  'list parts the operation may lack, e.g. fields.market or inputs.brand; parts that the document requires cannot be listed';

const credentials = z.union([authScheme, z.array(authScheme)]);
const weekday = z.enum(['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']);
const dateMeaning = z.enum(['day', 'weekEnding', 'weekStarting']);

/** Whether the day exactly N weeks before the as-of date is inside the window. */
const windowEdge = z.enum(['included', 'excluded']);

export const profileSchema = z
  .strictObject({
    $schema: optional(z.string(), 'The schema for editors.'),
    name: z.string().min(1).describe('Name of the implementation.'),
    description: optional(z.string(), 'A sentence for readers.'),
    implements: optional(groupsOrOperations, 'Groups or operations served; absent: all 41.'),
    auth: optional(credentials, 'The credentials of all requests: one scheme or a list.'),
    authExcept: optional(
      z.array(operationKey),
      'Operations that need no credentials; requests to them are sent without.',
    ),
    authFor: optional(
      z.partialRecord(z.union([groupKey, operationKey, z.literal(LIMITED_AUTH)]), credentials),
      'Credentials of a group or operation in place of `auth`; those of an operation win over those of its group. `limited`: credentials for `authLimited`.',
    ),
    authCovers: optional(
      groupsOrOperations,
      'Groups and operations that accept the credentials; an operation of these that refuses them steadily, while others accept them, is a failure.',
    ),
    authRequired: optional(groupsOrOperations, 'Groups and operations that refuse a request without credentials.'),
    authSeparate: optional(
      groupsOrOperations,
      'Groups and operations that refuse the credentials that `authFor` gives to another group.',
    ),
    authVerified: optional(
      groupsOrOperations,
      'Groups and operations that refuse invented credentials (of the same length, a JWT with another signature, HMAC with another key, for basic another user, too), which a run sends once to each, never to a tokenUrl or a login. Where a service locks the key of failed signatures, name one operation.',
    ),
    authLimited: optional(
      groupsOrOperations,
      'Groups and operations that refuse the credentials `authFor.limited`, which lack a right.',
    ),
    headers: optional(z.record(z.string(), z.string()), 'Headers of every request.'),
    prefixes: optional(
      z.partialRecord(
        groupOrOperation,
        z.string().regex(/^(?:\/[^/?#\s]+)+$/, 'must be a path such as /retail, without a trailing slash'),
      ),
      'Path prefix between the base URL and the documented paths of a group or operation, e.g. { C: /reference }.',
    ),
    examples: optional(examples, 'Values that exist in the service and are safe to request, per input.'),
    unknownUpc: optional(z.string(), 'A well-formed UPC that does not exist in the service; default 999999999993.'),
    statuses: statuses.optional(),
    refusal: optional(
      refusal,
      'Which 2xx responses of any operation are refusals; response.refusal of an operation replaces it.',
    ),
    schemas: optional(
      z.string().min(1),
      'A JSON or YAML file with the body schemas of operations, relative to the profile: its `operations` have them by operation and status as `response.schemas`, `#/$defs/NAME` is a part of the file. Schemas that an operation states itself go before.',
    ),
    operations: optional(
      z.partialRecord(operationKey, operation).superRefine((operations, context) => {
        for (const [key, declared] of Object.entries(operations)) {
          for (const [at, part] of (declared?.none ?? []).entries()) {
            const allowed = optionalParts(key as OperationKey);
            if (allowed.includes(part)) continue;
            reject(
              context,
              [key, 'none', at],
              `“${part}” is not allowed: ${NONE_RULE} (allowed here: ${allowed.join(', ') || 'nothing'})`,
            );
          }
        }
      }),
      'The operations, by method and path as in the document.',
    ),
    jobs: optional(
      z.partialRecord(z.enum(JOB_KINDS), jobKind(operationKey)),
      'Kinds of jobs: how they start, and their states.',
    ),
    dataWeek: z
      .strictObject({
        endsOn: weekday.describe(
          'The last weekday of a data week; windows may end at the newest data week complete by the as-of date.',
        ),
        activeOn: dateMeaning.default('day').describe('What the date `activeOn` is: a day, or that of its week.'),
        changedOn: dateMeaning.default('day').describe('What the date `changedOn` is.'),
        firstActiveOn: optional(dateMeaning, 'What the date `firstActiveOn` is; default day.'),
        refreshDate: optional(
          z.union([
            z.literal('newest'),
            z.strictObject({ id: scalarSchema.describe('The id of the item with the date.') }),
          ]),
          'The as-of date of responses that contain none, from RefreshDates: the newest date, or that of the item with the id.',
        ),
        refreshDateIs: optional(
          z.union([
            z.literal('lastDay'),
            z.strictObject({
              reloadDay: z.int().min(0).max(31).describe('Days from the last day of the data week to the reload.'),
            }),
          ]),
          'What the refresh date is: the last day of the data week, or the day of the reload, this number of days after it. Without it the date only shows that the data changed.',
        ),
        onePerList: flag('All pages of one list are of one data week, so that they contain one as-of date.'),
        oneReload: optional(
          z.union([z.boolean(), groupsOrOperations]),
          'A reload changes all lists at once, so that their as-of dates are of one data week at any time; true, or the groups and operations of which that is true.',
        ),
        firstDay: optional(
          z.union([
            windowEdge,
            z.strictObject({
              allProducts: optional(windowEdge, 'Of the 52 weeks of the bulk list.'),
              updateProducts: optional(windowEdge, 'Of the weeks of a delta.'),
            }),
          ]),
          'Is the day exactly N weeks before the as-of inside the window? One value for both lists, or one per list: { allProducts: included, updateProducts: excluded }.',
        ),
      })
      .optional(),
    delta: delta.optional(),
    codes: codes.optional(),
    catalogue: z
      .strictObject({
        distinguishing: optional(
          z.array(operationKey).min(1),
          'Group B operations whose responses depend on the catalogue.',
        ),
        distinguishes: optional(
          z.partialRecord(
            z.enum(['dimension', 'attribute', 'group', 'hierarchy', 'level', 'measure']),
            z.array(operationKey).min(1),
          ),
          'Per input, the operations whose responses are never equal for two of its values in one catalogue, unless they are empty.',
        ),
        neverEmpty: optional(
          z.array(operationKey).min(1),
          'Group B operations that return at least one row for each item that the operation above lists.',
        ),
        parentItems: fact(
          z.partialRecord(operationKey, z.enum(PARENT_ITEM_PLACES)),
          'Per operation of group B, where the item is that an item names at fields.parentItem: in the same list, or in the list of the level above.',
        ),
        itemsOnce: fact(
          z.array(operationKey).min(1),
          'Group B operations whose lists contain each item, by its id or else its name, once.',
        ),
        connected: optional(
          z.literal(true),
          'Whether each item that one group B operation lists is found by the operation below it; a failure is then gating.',
        ),
      })
      .optional(),
    markets: optional(
      z.strictObject({
        products: optional(z.array(z.string()).min(1), 'How products write the US market.'),
        performance: optional(z.array(z.string()).min(1), 'How performance rows write Total US.'),
      }),
      'The values in responses for the US market of products and the market Total US of performance rows.',
    ),
    products: z
      .strictObject({
        listed: fact(
          z.array(z.enum(PRODUCT_NAMES)).min(1),
          'The names of products that other operations list: sub-categories by allCategories, if it is bound there, or else like manufacturers and brands by BrandPerformance/Metadata.',
        ),
        firstActiveBefore: fact(
          z.array(z.enum(['activeOn', 'changedOn'])).min(1),
          'The dates of a row of the bulk list that are never before its firstActiveOn.',
        ),
      })
      .optional(),
    metadata: optional(
      z.strictObject({ pairs: z.boolean().describe('Whether rows pair the names.') }),
      'A row of BrandPerformance/Metadata names a category with one of its sub-categories, a manufacturer with one of its brands, or both; all of these are listed.',
    ),
    figures: z
      .strictObject({
        percentChange: optional(
          z.strictObject({
            of: z
              .enum(['sales4Weeks', 'sales12Weeks', 'sales52Weeks'])
              .describe('The sales that are compared with last year.'),
            decimals: z.int().min(0).max(10).describe('Decimals of the rounded percentage.'),
          }),
          'The percentage change is (of − last year) ÷ last year × 100, rounded to this number of decimals.',
        ),
        windowsOrdered: flag(
          'Sales of a longer window are never below those of a shorter one, where none is negative.',
        ),
        sums: fact(
          z.enum(['equal', 'atLeast']),
          'Dollar sales of a category row are the sums of the brand rows with its names (equal), or not less than these, since some brands have no row (atLeast).',
        ),
      })
      .optional(),
    upc: z
      .strictObject({
        admits: z
          .array(z.enum(['trim', 'pad', 'ean13', 'gtin14', 'separators']))
          .default([])
          .describe(
            'Normalisations the service applies to the UPC of a look-up although the document requires 12 digits; they are reported.',
          ),
        checkDigit: flag('The last digit of each UPC of a list is its check digit.'),
      })
      .optional(),
    limits: limits.optional(),
  })
  .superRefine(({ codes = {}, operations = {} }, context) => {
    for (const [name, source] of Object.entries(codes)) {
      if (!isListedByOperation(source)) continue;
      const listing = operations[source.from];
      const missing = listing?.request
        ? (source.rows ?? listing.response?.rows)
          ? undefined
          : 'response.rows'
        : 'request';
      const isListedCode = (code: string | undefined) => {
        const other = code === undefined ? undefined : codes[code];
        return other !== undefined && isListedByOperation(other);
      };
      const listed =
        Object.entries(listing?.response?.fields ?? {}).find(([, { code }]) => isListedCode(code)) ??
        Object.entries(listing?.request?.codes ?? {}).find(([, code]) => isListedCode(code));
      const problem = missing
        ? `the table cannot be read: declare ${missing} of ${source.from}`
        : operationOf(source.from).safety !== 'read'
          ? `${source.from} may change something on the service: name an operation that only reads`
          : listed &&
            `${listed[0]} of ${source.from} is a code that an operation lists, too: such a table cannot list codes`;
      if (problem) reject(context, ['codes', name, 'from'], problem);
    }
    for (const [key, { request, response } = {}] of Object.entries(operations)) {
      const uses = [
        ...Object.entries(request?.codes ?? {}).map(([input, code]) => ({ path: ['request', 'codes', input], code })),
        ...(['fields', 'echoes'] as const).flatMap((part) =>
          Object.entries(response?.[part] ?? {}).map(([name, binding]) => ({
            path: ['response', part, name, 'code'],
            // A text that is no selector is still a text here.
            code: binding && typeof binding === 'object' && 'code' in binding ? binding.code : undefined,
          })),
        ),
      ];
      for (const { path, code } of uses)
        if (code !== undefined && !Object.hasOwn(codes, code))
          reject(
            context,
            ['operations', key, ...path],
            `names the table “${code}”, which is missing in codes (there: ${Object.keys(codes).join(', ') || 'none'})`,
          );
    }
  })
  .superRefine(({ catalogue, dataWeek, delta, operations }, context) => {
    /** Whether the profile binds a field that a statement is about; it is refused otherwise. */
    const isBound = (path: PropertyKey[], what: string, key: OperationKey, field: Field): boolean => {
      if (operations?.[key]?.response?.fields?.[field]) return true;
      reject(context, path, `the location of the ${what} is missing: bind fields.${field} in the response of ${key}`);
      return false;
    };
    for (const [key, place] of Object.entries(catalogue?.parentItems || {})) {
      const path = ['catalogue', 'parentItems', key];
      if (place === 'levelAbove' && !key.endsWith('/Level/Values'))
        reject(context, path, `${key} does not list values of a level: write list`);
      else isBound(path, 'item', key as OperationKey, 'parentItem');
    }
    for (const [at, field] of (delta?.latestValues || []).entries())
      ([UPDATE_PRODUCTS, PRODUCT_LOOKUP] as const).every((key) =>
        isBound(['delta', 'latestValues', at], 'value', key, field),
      );
    const kinds = delta?.kinds || {};
    if (Object.values(kinds).some((texts) => texts && texts.length > 0))
      isBound(['delta', 'kinds'], 'kind', UPDATE_PRODUCTS, 'changeKind');
    if (delta?.newBy && !kinds.new?.length)
      reject(context, ['delta', 'newBy'], 'the texts of new products are missing: set delta.kinds.new');
    if (delta?.removedUnlisted && kinds.removed?.length === 0)
      reject(
        context,
        ['delta', 'removedUnlisted'],
        'promises something about removed products, but delta.kinds.removed states that there are none',
      );
    if (delta?.newBy) isBound(['delta', 'newBy'], 'date', ALL_PRODUCTS, delta.newBy);
    for (const [at, date] of (delta?.dates || []).entries())
      isBound(['delta', 'dates', at], 'date', ALL_PRODUCTS, date);
    if (dataWeek?.refreshDate !== undefined) isBound(['dataWeek', 'refreshDate'], 'date', REFRESH_DATES, 'date');
    else if (dataWeek?.refreshDateIs !== undefined)
      reject(
        context,
        ['dataWeek', 'refreshDateIs'],
        'the refresh date is missing: write refreshDate: newest, or refreshDate: { id: … }',
      );
  });

/** A profile as its author writes it, before defaults. */
export type ProfileInput = z.input<typeof profileSchema>;
/** A parsed profile: defaults applied, fields in their long form. */
export type ProfileData = z.output<typeof profileSchema>;
export type OperationProfile = z.output<typeof operation>;
export type Statuses = z.output<typeof statuses>;

/** A loaded profile: its data, its source, and the secret values. */
export interface Profile {
  readonly data: ProfileData;
  /** The file's path, or `bundled:NAME`. */
  readonly source: string;
  /** Resolved `${ENV}` values; redacted from everything written. */
  readonly secrets: readonly string[];
  /** Each use of an environment variable that is set. */
  readonly variables?: readonly (VariableUse & { readonly value: string })[];
  /** Each use of a variable that is not set; its text is kept. Empty unless loaded with `unset: 'keep'`. */
  readonly unset?: readonly VariableUse[];
  /** `:LINE` of a location in the file, for messages; empty for sources without lines. */
  readonly lineOf?: (path: readonly PropertyKey[]) => string;
  /** The compiled `response.schemas`. */
  readonly bodySchemas?: BodySchemas;
}

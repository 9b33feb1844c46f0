/** How to read a response: its format, selectors of rows and values, paging of lists, statuses and body schemas. */
import { z } from 'zod';
import { FIELD_NAMES, FIELDS, type Field, type FieldKind, INPUT_NAMES, OPERATIONS } from '../../contract/index.ts';
import { isStandardSchema, type StandardSchema } from '../body-schema/types.ts';
import { CONVERTER_NAMES, CONVERTERS, type ConverterName } from '../converters/index.ts';
import { EVERY } from '../path-steps.ts';
import { checkSelector, compileSelector } from '../selector.ts';
import { flag, optional, reject } from './keys.ts';
import { refusal } from './refusal.ts';
import { scalarSchema } from './request.ts';
import { matchedPart, selector } from './selector.ts';
import { shape } from './shape.ts';

export const operationKey = z.enum(OPERATIONS.map(({ key }) => key));

/** How a value is written at its place. */
const format = {
  match: matchedPart.optional(),
  missing: optional(
    z.array(z.string().min(1)).min(1),
    'Texts that mean “no value”, e.g. [N/A, "-"]; an empty or blank text always does.',
  ),
  append: optional(
    z.array(selector).min(1),
    'Selectors of further parts of the text, e.g. of a UPC in several members: [@.item, @.check].',
  ),
  separator: optional(z.string(), 'What is put between the parts of `append`; default nothing.'),
  split: optional(z.string().min(1), 'What separates the values of a list in one text, e.g. the "|" of Tea|Coffee.'),
  keys: optional(z.literal(true), 'The values are the names of the members of the object that is found.'),
  decimals: optional(
    z.union([z.int().min(-12).max(12), selector]),
    'How many digits of the number are decimals, e.g. 2 for cents, -3 for thousands; or where this number is.',
  ),
  as: optional(z.enum(CONVERTER_NAMES), 'The converter from the wire to the neutral value.'),
};

const perWindow = z.strictObject({ '1': selector, '4': selector, '13': selector });

/** A value without statements about rows, such as an entry of a table of codes. */
export const value = z
  .union([selector, z.strictObject({ at: selector, ...format })])
  .transform((each): z.output<typeof field> => (typeof each === 'object' ? each : { at: each }));

export const field = z
  .union([
    selector,
    z.strictObject({
      at: selector,
      ...format,
      code: optional(z.string(), 'The value is a code: the name of the table in `codes` that states its meaning.'),
      required: flag('Every row has a value; a missing one is a failure.'),
      nullable: flag('The value may be null or absent.'),
    }),
  ])
  .transform((value) => (typeof value === 'object' ? value : { at: value }));

/** Converters that profiles of 0.1.0 name for values of another kind, where they state nothing. */
export const isWithoutEffect = (kind: FieldKind, as: ConverterName): boolean =>
  (['text', 'trimmed', 'urlPart'].includes(as) && !['text', 'id', 'list'].includes(kind)) ||
  (['list', 'number'].includes(as) && ['text', 'id'].includes(kind));

type Fields = { [F in Field]?: z.output<typeof field> | undefined };

/** Reads the values of such a field by the default converter of its kind. */
const withoutVoidConverters = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, binding]) => {
      const { as, ...more } = binding ?? {};
      if (as === undefined || !isWithoutEffect(FIELDS[name as Field].kind, as)) return [name, binding];
      // A UPC is read with its blanks otherwise.
      return [name, as === 'trimmed' ? { match: '\\S(?:.*\\S)?', ...more } : more];
    }),
  );

const count = z.strictObject({
  at: z
    .union([selector, perWindow])
    .describe('Selector of the count; for a delta with all windows in one response, one selector per window.'),
  of: z
    .union([z.enum(['page', 'list', 'pages']), operationKey])
    .describe(
      'What it counts: the rows of this response, or of all pages of this request; the pages; or the rows that another operation returns for a row of this one, such as allProducts for a row of allCategories. A difference fails if both lists contain one as-of date.',
    ),
  ...format,
});

const echo = z
  .union([
    selector,
    z.strictObject({
      at: selector,
      ...format,
      spellings: optional(
        z.record(z.string(), scalarSchema),
        'How the response writes a neutral value, if neither as it is nor as in the request.',
      ),
      code: optional(
        z.string(),
        'The response repeats a code: the name of the table in `codes` that states its meaning.',
      ),
    }),
  ])
  .transform((value) => (typeof value === 'object' ? value : { at: value }));

const pageSize = z.int().positive().describe('The rows of a full page.');
const maxPages = optional(z.int().positive(), 'Pages of one list at most; default 1000.');

const paging = z.discriminatedUnion('style', [
  z.strictObject({
    style: z.literal('page'),
    first: z.int().default(1).describe('The number of the first page.'),
    size: pageSize.optional(),
    maxPages,
  }),
  z.strictObject({ style: z.literal('offset'), size: pageSize, maxPages }),
  z.strictObject({
    style: z.literal('cursor'),
    next: selector.describe('Where the response contains the next cursor.'),
    size: pageSize.optional(),
    maxPages,
  }),
  z.strictObject({
    style: z.literal('link'),
    rel: z.string().default('next').describe('The relation of the next page in the Link header.'),
    size: pageSize.optional(),
    maxPages,
  }),
  z.strictObject({
    style: z.literal('next'),
    next: selector.describe('Where the response contains the URL of the next page.'),
    size: pageSize.optional(),
    maxPages,
  }),
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

const responseKeys = z.strictObject({
  media: optional(
    z.enum(['json', 'ndjson', 'csv', 'xml', 'text', 'binary']),
    'Default: the media type of Content-Type. Binary, such as a picture, must be declared here.',
  ),
  csv: optional(
    z.strictObject({
      delimiter: optional(
        z.enum([',', ';', '|', '\t']),
        'Separator of two cells; default: a comma, or a tab for a tab-separated media type.',
      ),
      header: optional(
        z.int().min(0).max(100),
        'The record with the names of the columns, default 1; records before it are no rows. 0: there is none, and a row is a list of cells, @[0].',
      ),
      comment: optional(
        z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]).transform((each) => [each].flat()),
        'Lines that begin with this text, or one of these, are no records; $response.line[…] reads their cells.',
      ),
    }),
    'How CSV is written.',
  ),
  rows: optional(
    z.union([selector, perWindow]),
    'Selector of the rows, e.g. $.products[*]; for a delta with all windows in one response, one selector per window.',
  ),
  shape: shape.optional(),
  fields: optional(
    z.partialRecord(z.enum(FIELD_NAMES), field).transform(withoutVoidConverters),
    'What a row, or the response, contains: selectors by field.',
  ),
  counts: optional(
    z.array(count).min(1),
    'The counts of rows that the response states. A total of anything else (before filtering, estimated, capped, rounded) is not listed; a text such as 100+ is not judged. A total of several pages is judged where all pages contain one as-of date, or have numbers or offsets.',
  ),
  echoes: optional(
    z.partialRecord(z.enum(INPUT_NAMES), echo),
    'Where the response repeats a value of the request, by input, once or in each row. Names are compared in any case and spacing, numbers with any leading zeros; page, size and range never.',
  ),
  paging: optional(
    paging,
    'How a list is continued: `page` and `offset` by number, `cursor`, `link` (Link header), `next` (a URL). With `page` and `offset` it ends with an empty page, one of fewer rows than `size` (unless an earlier page was longer or a total says more), or 404, 410 or 416 after the first; else where nothing names the next page. Where the request contains {pageSize}, a list is read again in smaller pages.',
  ),
  refusal: refusal.optional(),
  schemas: optional(
    z.record(
      z.string().regex(/^(?:[1-5]\d\d|[1-5]XX|default|refusal)$/, 'must be written as 200, 2XX, default or refusal'),
      bodySchema,
    ),
    'The schema of the JSON body of a response, by status (200, 2XX, default for all others), or of a refusal in a 2xx. For statuses that proxies and limits send (401, 403, 407, 413, 429, 502 to 504 and the like) only a schema for exactly this status counts. Each line of NDJSON is validated by itself; CSV and XML have no schemas. Each row or whole body gives its first violation.',
  ),
  sample: optional(
    z.json(),
    'A successful body, as the template of the simulator: decoded as the selectors read it (XML as its tree), inline or the path of a .json file relative to the profile.',
  ),
});

/** The wildcards of a rows path that consists of names, indexes and wildcards; undefined for any other selector. */
function wildcardsOf(rows: unknown): number | undefined {
  const steps = typeof rows === 'string' && checkSelector(rows) === undefined ? compileSelector(rows).steps : undefined;
  return steps?.filter((step) => step === EVERY).length;
}

/** The converters of the values of a list: those of texts. */
const kindsConverted = (kind: FieldKind): readonly FieldKind[] => (kind === 'list' ? ['list', 'text'] : [kind]);

/**
 * What is wrong with how a value is written; undefined if nothing is.
 * @param name what the value is, for the message
 */
export function valueProblem(
  name: string,
  kind: FieldKind,
  { at, append, separator, split, keys, decimals, code, as }: Omit<FieldBinding, 'at'> & { readonly at: unknown },
): string | undefined {
  if (code !== undefined && kind !== 'text' && kind !== 'id') return `has a code, but ${name} is no text`;
  const kinds: readonly FieldKind[] = as === undefined ? [] : CONVERTERS[as].kinds;
  if (as !== undefined && !kindsConverted(kind).some((each) => kinds.includes(each))) {
    const allowed = CONVERTER_NAMES.filter((each) =>
      kindsConverted(kind).some((other) => CONVERTERS[each].kinds.includes(other)),
    );
    return `has as: ${as}, which reads no value of ${name} (allowed here: ${allowed.join(', ')})`;
  }
  if (separator !== undefined && !append) return 'has separator, which joins the parts of append: declare append';
  if (split !== undefined && (keys || append || decimals !== undefined))
    return 'has split beside keys, append or decimals: a text that is split is one text';
  if (keys && append) return 'has keys and append: names of members have no further parts';
  if (decimals !== undefined && !['number', 'money', 'percent'].includes(kind))
    return `has decimals, but ${name} is no number`;
  const scopeOf = (each: unknown) => (typeof each === 'string' ? each[0] : undefined);
  const other = append?.find((each) => scopeOf(each) !== scopeOf(at));
  return other === undefined
    ? undefined
    : `appends ${String(other)}, which is not read in the same place as ${String(at)}: write all with @ or all with $`;
}

export const response = responseKeys.superRefine(
  ({ rows, shape: declared, fields = {}, counts = [], echoes = {} }, context) => {
    for (const [name, binding] of Object.entries(fields)) {
      const problem = valueProblem(name, FIELDS[name as keyof typeof FIELDS].kind, binding);
      if (problem) reject(context, ['fields', name], problem);
    }
    for (const [index, { at, ...binding }] of counts.entries())
      for (const each of typeof at === 'object' ? Object.values(at) : [at]) {
        const problem = valueProblem('a count', 'number', { at: each, ...binding });
        if (problem) reject(context, ['counts', index], problem);
      }
    for (const [input, binding] of Object.entries(echoes)) {
      const problem = valueProblem('an echo', 'text', binding);
      if (problem) reject(context, ['echoes', input], problem);
    }
    if (!declared) return;
    if (rows === undefined)
      return reject(context, ['shape'], 'shapes the nodes that response.rows finds: declare response.rows');
    for (const each of typeof rows === 'object' ? Object.values(rows) : [rows]) {
      const wildcards = wildcardsOf(each);
      const { keys = [], parents = [] } = declared;
      if ((keys.length > 0 || parents.length > 0) && wildcards === undefined)
        return reject(
          context,
          ['shape'],
          'keys and parents need response.rows as a path of names, indexes and wildcards, such as $.shelf.*',
        );
      if (keys.length > (wildcards ?? 0))
        return reject(
          context,
          ['shape', 'keys'],
          `names ${keys.length} keys, but response.rows has ${wildcards} wildcards ([*] or .*)`,
        );
      // The last wildcard finds the row itself.
      const isRow = typeof each === 'string' && /(?:\[\*\]|\.\*)$/.test(each);
      const above = (wildcards ?? 0) - (isRow ? 1 : 0);
      if (parents.length > above)
        return reject(
          context,
          ['shape', 'parents'],
          `names ${parents.length} nodes, but the wildcards of response.rows find ${above} above the row`,
        );
    }
  },
);

const refusalStatuses = z.array(z.int().min(400).max(599)).min(1);
const resultStatuses = z.array(z.int().min(200).max(599)).min(1);

export const statuses = z
  .strictObject({
    unknown: optional(
      resultStatuses,
      'Statuses of a request with a well-formed but unknown value: at the top of a look-up; at an operation of group B of one with one unknown id, 200 included where it gets an empty list; at a status operation of the id of another kind, or of no job; at getSaveMap, allProducts and group D of an unknown map, category or name.',
    ),
    malformed: optional(
      resultStatuses,
      'Statuses of a look-up of a malformed UPC; at updateProducts itself, of a window of other than 1, 4 or 13 weeks, written like those (P2W beside P4W); where these are words, state 2 weeks in spellings.window.',
    ),
    missing: optional(
      resultStatuses,
      'At an operation itself: statuses of a request without its ids or window (below a catalogue, with the id of the catalogue only), or of a POST of group A without a query with an empty JSON object or form. Not for a service that takes a default.',
    ),
    unauthorized: optional(refusalStatuses, 'Statuses that, like 401, mean that the credentials are not accepted.'),
    tooMany: optional(refusalStatuses, 'Statuses that, like 429, mean too many requests.'),
  })
  .superRefine(({ unknown = [], malformed = [], missing = [], unauthorized = [], tooMany = [] }, context) => {
    const results = [...unknown, ...malformed, ...missing];
    const twice = [...unauthorized, ...tooMany].find((each) => results.includes(each));
    if (twice === undefined) return;
    reject(
      context,
      [],
      `${twice} cannot mean both a result (unknown, malformed, missing) and a refusal (unauthorized, tooMany)`,
    );
  })
  .describe('Meanings of statuses; statuses that are not listed are not checked.');

export type ResponseProfile = z.output<typeof response>;
export type FieldBinding = z.output<typeof field>;
export type Paging = z.output<typeof paging>;
export type CountBinding = z.output<typeof count>;
export type EchoBinding = z.output<typeof echo>;

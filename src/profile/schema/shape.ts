/** How the nodes that `rows` finds become rows, where they are not rows as they are. */
import { z } from 'zod';
import { optional } from './keys.ts';
import { selector } from './selector.ts';

const isIn = (start: '@' | '$', what: string) =>
  selector.refine(
    (at) => typeof at !== 'string' || at.startsWith(start),
    `must be a selector ${what}, such as ${start}.a.b`,
  );
const inRow = isIn('@', 'within a row');
const inResponse = isIn('$', 'within the whole response');
const name = z.string().min(1);

const text = z
  .strictObject({
    media: z.enum(['json', 'ndjson', 'csv', 'xml']).describe('How the text is written.'),
    encoding: z.enum(['plain', 'base64', 'gzip']).default('plain').describe('gzip: compressed, then in base64.'),
    rows: optional(inResponse, 'The rows in the text, default $[*].'),
    delimiter: optional(z.enum([',', ';', '|', '\t']), 'Separator of two cells of csv.'),
  })
  .refine(({ media, delimiter }) => media === 'csv' || delimiter === undefined, {
    message: 'has delimiter, which separates the cells of csv: remove it',
  })
  .describe(
    'Each node is a text that contains the rows, such as CSV within JSON: rows $.file, text { media: csv, encoding: gzip }.',
  );

/** The forms that turn nodes into rows; a response has at most one of them. */
const SOURCES = ['text', 'zip', 'columns', 'cube'] as const;

export const shape = z
  .strictObject({
    text: text.optional(),
    zip: optional(
      z.union([z.literal(true), z.strictObject({ name: inRow, cells: inRow })]),
      'Each node is an object of lists of one length, { data: { upc: […], cat: […] } }: rows $.data, zip true; or a column, [ { id: upc, values: […] } ]: zip { name: @.id, cells: @.values }.',
    ),
    columns: optional(
      z.union([z.literal('first'), inResponse]),
      'Each node is a list of cells; their names are in the first node (first), or where the selector finds them: $.columns[*].name for { columns: [ { name: UPC } ], rows: [ […] ] }.',
    ),
    cube: optional(
      z
        .strictObject({
          axes: z
            .record(name, inResponse)
            .refine((axes) => Object.keys(axes).length > 0, 'needs at least one axis')
            .describe('The positions of each axis, the slowest first: a list, or a map from position names.'),
          separator: optional(z.string().min(1), 'What separates the positions in a key such as 0:2:1.'),
          series: optional(
            name,
            'The nodes of a key are no values, but contain a map of them here, whose keys are further positions.',
          ),
        })
        .refine(({ separator, series }) => series === undefined || separator !== undefined, {
          message: 'series needs separator, which joins the key of a series and the keys in it',
        }),
      'The node is a list of values in the order of the axes (JSON-stat: rows $.value, axes { brand: $.dimension.brand.category.index }), or a map such as { "0:1": [7.5] } (SDMX-JSON: separator :); a row has a position per axis and `value`.',
    ),
    keys: optional(
      z.array(name).min(1),
      'Names under which rows get the keys of the wildcards in `rows`, that of the last wildcard last: { shelf: { "012345678905": {…} } } has rows $.shelf.*, keys [upc]; maps in maps rows $.tree.*.*, keys [category, upc].',
    ),
    parents: optional(
      z.array(name).min(1),
      'Names under which rows get the nodes above them, the nearest last: { cats: [ { name, products: [ {…} ] } ] } has rows $.cats[*].products[*], parents [cat], and the field @.cat.name.',
    ),
    pivot: optional(
      z.strictObject({
        by: z.array(inRow).describe('What nodes of one row have in common; an empty list: all nodes are one row.'),
        key: inRow,
        value: inRow,
        as: name.describe('The member of the row that gets the values by key.'),
      }),
      "Several nodes are one row: { brand, period: 4W, dollars } has by [@.brand], key @.period, value @.dollars, as w, and the field @.w['4W'].",
    ),
    join: optional(
      z.record(
        name,
        z.strictObject({
          in: inResponse.describe('The list of nodes, or the map from key to node.'),
          where: optional(inRow, 'The key of a node in the list.'),
          equals: inRow.describe('The same key in the row.'),
        }),
      ),
      "Rows get the node of another part of the response that has their key, such as `included` of JSON:API: in $.included[?@.type=='categories'], where @.id, equals @.relationships.category.data.id; of a dictionary, { labels: { c1: Tea } }: in $.labels, equals @.c.",
    ),
  })
  .superRefine((declared, context) => {
    const sources = SOURCES.filter((each) => declared[each] !== undefined);
    const reject = (message: string) => context.addIssue({ code: 'custom', message });
    if (sources.length > 1) reject(`has ${sources.join(' and ')}, but nodes become rows in one way: keep one`);
    if (sources.length > 0 && (declared.keys || declared.parents))
      reject(`has ${sources[0]}, which finds the rows itself, so that keys and parents name nothing: remove them`);
    if (Object.keys(declared).length === 0) reject('is empty: state a form, or remove it');
  })
  .describe('How the nodes that `rows` finds become rows.');

export type RowShape = z.output<typeof shape>;

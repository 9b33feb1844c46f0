/** Reads the description of a line-based response: NDJSON describes one line, CSV its columns or an example. */

import { csvFormOf } from '../csv-form.ts';
import { memberOf } from '../plain-object.ts';
import type { DescribedMedia } from './described-media.ts';
import type { Description } from './description.ts';
import { examplesOf } from './parameters.ts';
import { resolveSchema } from './resolved-schema.ts';

/** The schema of the whole response: lines are a list. */
export function schemaOf(media: DescribedMedia, type: string, node: unknown, description: Description): unknown {
  const schema = memberOf(node, 'schema');
  if (media === 'json' || media === 'xml') return schema;
  const resolvedSchema = resolveSchema(description, schema);
  if (resolvedSchema.type === 'array') return schema;
  if (resolvedSchema.members.size > 0) return { type: 'array', items: schema };
  const [header = [], first = []] = linesOf(type, node);
  const properties = Object.fromEntries(
    header.map((name, at) => [name, { type: 'string', ...(first[at] !== undefined && { example: first[at] }) }]),
  );
  return { type: 'array', items: { type: 'object', properties } };
}

/** How the example of a CSV response is written; undefined: as usual. */
export const exampleFormOf = (type: string, node: unknown): ReturnType<typeof csvFormOf> =>
  csvFormOf(exampleOf(node), type, false);

/** The cells of the records of the example; a quoted cell with a delimiter or a line break in it is not read as one. */
export function linesOf(type: string, node: unknown): string[][] {
  const { delimiter = type.includes('tab-separated') ? '\t' : ',', comment = [] } = exampleFormOf(type, node) ?? {};
  return exampleOf(node)
    .split(/\r?\n/)
    .filter((line) => !comment.some((each) => line.startsWith(each)))
    .map((line) => line.split(delimiter).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1')));
}

const EMPTY_DESCRIPTION: Description = { source: '', root: {}, files: new Map(), unresolvedReferences: new Map() };

function exampleOf(node: unknown): string {
  const text = examplesOf(EMPTY_DESCRIPTION, node, resolveSchema(EMPTY_DESCRIPTION, memberOf(node, 'schema'))).find(
    (each) => typeof each === 'string',
  );
  return typeof text === 'string' ? text.trim() : '';
}

/** Tries the bodies of an operation: what is written for each selector must be found where it reads. */
import { FIELDS, type Operation } from '../../../src/contract/index.ts';
import type { BodySchema, SchemaBreach } from '../../../src/profile/body-schema/types.ts';
import { compileSelector } from '../../../src/profile/selector.ts';
import { type Composer, Rows } from './compose-body.ts';
import type { OperationCodec, selectorsOf } from './operation-codec.ts';
import { announce } from './paging.ts';
import { WRITE } from './serialize.ts';
import type { Unwritable } from './unwritable.ts';
import type { NeutralRow, Value } from './value.ts';
import { problemOf, successOf } from './write.ts';

const NO_HEAD = { status: 200, headers: [] };

/** Neutral values to try a body with, each another one. */
function valueFor(field: keyof typeof FIELDS, nth: number): Value {
  const kind: string = FIELDS[field].kind;
  if (kind === 'upc') return String(100_000_000_000 + nth);
  if (kind === 'date') return 20_000 + nth;
  if (kind === 'list')
    return [
      { name: 'Colour', value: 'red' },
      { name: 'Size', value: '1 l' },
    ];
  return kind === 'text' ? `${field} ${nth}` : 100 + nth;
}

const tellingOf = (fields: readonly string[], row: number): NeutralRow =>
  Object.fromEntries(fields.map((field, at) => [field, valueFor(field as keyof typeof FIELDS, at + row * 50)]));

/** The body as a reader would decode it. */
function settled(node: unknown): unknown {
  if (node instanceof Rows) return Array.from(node.each, settled);
  if (Array.isArray(node)) return node.map(settled);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(Object.entries(node).map(([name, each]) => [name, settled(each)]));
}
const textOf = (node: unknown): unknown =>
  typeof node === 'object' && node !== null && '#text' in node ? node['#text'] : node;

/** Answered with one thing, and not with a list. */
const isSingle = ({ group, name }: Operation): boolean =>
  name === 'products' || (group === 'A' && name !== 'getAllProspectFilters');

/** Writes a body of two rows and looks whether every selector finds in it what was written for it. */
export function findUnwritableBody(
  parts: OperationCodec,
  rowsAt: NonNullable<Parameters<typeof selectorsOf>[0]['rows']> | undefined,
  fields: readonly string[],
  bindings: { readonly [field: string]: { readonly at: unknown } | undefined },
): Unwritable[] {
  const one = isSingle(parts.operation);
  const tellings = one ? [tellingOf(fields, 0)] : [tellingOf(fields, 0), tellingOf(fields, 1)];
  let body: unknown;
  for (const { composer } of parts.composers) body = composer.compose(tellings, tellings[0] as NeutralRow, one, body);
  if (parts.paging) ({ body } = announce(parts.paging, 7, { query: new URLSearchParams() }, 'http://host/path', body));
  const decoded = settled(body);
  for (const _ of WRITE[parts.media](body, {
    delimiter: parts.delimiter,
    columns: parts.composers[0]?.composer.columns ?? [],
  }));
  const outside = surveySchemas(parts, decoded);
  for (const { window, composer } of parts.composers) {
    const source = typeof rowsAt === 'object' ? rowsAt[window as '1'] : rowsAt;
    const found = source === undefined ? [] : compileSelector(source).select(decoded, NO_HEAD);
    const rows = found.length === 1 && Array.isArray(found[0]) ? (found[0] as unknown[]) : found;
    const clashes = fields.filter(
      (field) => !isFound(field, bindings[field]?.at as string, rows, decoded, composer, tellings),
    );
    for (const field of clashes)
      outside.push({
        key: `response.fields.${field}`,
        why: `what is written at ${String(bindings[field]?.at)} is not found there again: another selector leads to the same place or through it, or it cannot stand there as ${parts.media}`,
      });
  }
  return outside;
}

/** A synchronous schema’s first word against a value; of one that takes its time nothing is known beforehand. */
function breachOf(schema: BodySchema | undefined, value: unknown): string | undefined {
  const breaches = schema?.check(value);
  const [first] = Array.isArray(breaches) ? (breaches as SchemaBreach[]) : [];
  return first && `${first.path.length === 0 ? 'the body' : first.path.join('/')} should be ${first.expected}`;
}

/** Holds the written bodies against the schemas the profile states for them. */
function surveySchemas(parts: OperationCodec, body: unknown): Unwritable[] {
  const { schemas, statuses } = parts;
  const of = (status: number): [string, BodySchema] | undefined =>
    [String(status), `${String(status)[0]}XX`, 'default'].flatMap((key): [string, BodySchema][] => {
      const schema = schemas.get(key);
      return schema ? [[key, schema]] : [];
    })[0];
  const outside: Unwritable[] = [];
  const hold = (status: number, value: unknown, advice: string): void => {
    const found = of(status);
    const breach = breachOf(found?.[1], value);
    if (found && breach) outside.push({ key: `response.schemas["${found[0]}"]`, why: `${breach}; ${advice}` });
  };
  // In lines of JSON each line is what the schema is for.
  const values = parts.media === 'ndjson' ? (body as unknown[]) : parts.media === 'json' ? [body] : [];
  for (const value of values.slice(0, 1))
    hold(successOf(parts), value, 'what the fields do not tell can be shown by response.sample');
  const refusals = new Set([400, ...(statuses.unknown ?? [404]), ...(statuses.malformed ?? [])]);
  for (const status of [...refusals].filter((each) => each >= 400))
    hold(
      status,
      JSON.parse(JSON.stringify(problemOf(status, 'Bad request', 'why'))),
      'errors are told as problem details',
    );
  return outside;
}

function isFound(
  field: string,
  source: string,
  rows: readonly unknown[],
  decoded: unknown,
  composer: Composer,
  tellings: readonly NeutralRow[],
): boolean {
  const selector = compileSelector(source);
  if (selector.scope === 'header') return true;
  const isList = FIELDS[field as keyof typeof FIELDS].kind === 'list';
  const wrote = (told: NeutralRow | undefined) =>
    composer.wireOf(field as keyof typeof FIELDS, told?.[field as keyof typeof FIELDS]);
  const finds = (node: unknown, told: NeutralRow | undefined): boolean => {
    const nodes = selector.select(node, NO_HEAD);
    if (isList) return nodes.length > 0;
    return nodes.length === 1 && textOf(nodes[0]) === wrote(told);
  };
  if (selector.scope === 'row') return tellings.every((told, at) => rows[at] !== undefined && finds(rows[at], told));
  if (composer.lists.includes(field as keyof typeof FIELDS)) {
    const nodes = selector.select(decoded, NO_HEAD).map(textOf);
    return tellings.every((told) => nodes.includes(wrote(told)));
  }
  return finds(decoded, tellings[0]);
}

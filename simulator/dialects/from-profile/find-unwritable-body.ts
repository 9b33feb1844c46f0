/** Tests the bodies of an operation: each selector must find the value that was written for it. */
import { FIELDS, type Field, type Operation } from '../../../src/contract/index.ts';
import type { BodySchema, SchemaBreach } from '../../../src/profile/body-schema/types.ts';
import { compileSelector } from '../../../src/profile/selector.ts';
import { completed, decodedBody } from './complete-body.ts';
import type { Composer } from './compose-body.ts';
import { errorBody, type StatedSchema, schemaFor } from './error-body.ts';
import type { OperationCodec } from './operation-codec.ts';
import { csvOf, SERIALIZERS } from './serialize.ts';
import type { NeutralRow, Value } from './value.ts';
import { composeResponse, successOf } from './write.ts';
import type { Unwritable } from './write-path.ts';

const NO_HEAD = { status: 200, headers: [] };

/** A distinct neutral value for a test body. */
function valueFor(field: Field, nth: number): Value {
  const kind: string = FIELDS[field].kind;
  if (kind === 'upc') return String(100_000_000_000 + nth);
  if (kind === 'date') return 20_000 + nth;
  if (kind === 'list')
    return [
      { name: 'Colour', value: 'red' },
      { name: 'Size', value: '1 l' },
    ];
  return kind === 'text' || kind === 'id' ? `${field} ${nth}` : 100 + nth;
}

const testRowOf = (fields: readonly Field[], row: number): NeutralRow =>
  Object.fromEntries(fields.map((field, at) => [field, valueFor(field, at + row * 50)]));

const textOf = (node: unknown): unknown =>
  typeof node === 'object' && node !== null && '#text' in node ? node['#text'] : node;

/** Whether an operation returns a single object, not a list. */
const isSingle = ({ group, name }: Operation): boolean =>
  name === 'products' || (group === 'A' && name !== 'getAllProspectFilters');

/** Writes a body of two rows and checks that the selectors of the `checked` fields find the value that was written for it. */
export function findUnwritableBody(
  codec: OperationCodec,
  fields: readonly Field[],
  checked: readonly Field[],
): Unwritable[] {
  const { rows: rowsAt, fields: bindings = {} } = codec.response;
  const isSingleObject = isSingle(codec.operation) || codec.composers.some(({ composer }) => composer.isOneRow);
  const testRows = isSingleObject ? [testRowOf(fields, 0)] : [testRowOf(fields, 0), testRowOf(fields, 1)];
  const values = testRows[0] as NeutralRow;
  const content = { lists: [{ window: '', rows: testRows }], values, isSingle: isSingleObject, next: 7 };
  const draft = composeResponse(content, codec, {}, { query: new URLSearchParams() }, 'http://host/path');
  const decoded = decodedBody(draft.body);
  const csv = csvOf(codec.response, draft, codec.composers[0]?.composer.columns);
  for (const _ of SERIALIZERS[codec.media](draft.body, csv));
  const unwritable = checkSchemas(codec, decoded);
  for (const { at, present } of codec.refusals)
    if (present === false && compileSelector(at).select(decoded, NO_HEAD).length === 0)
      unwritable.push({
        key: 'response.refusal',
        why: `a success needs a value at ${String(at)}: bind a field there, or write it into response.sample`,
      });
  for (const { window, composer } of codec.composers) {
    const source = typeof rowsAt === 'object' ? rowsAt[window as '1'] : rowsAt;
    const found = source === undefined ? [] : compileSelector(source).select(decoded, NO_HEAD);
    const rows = found.length === 1 && Array.isArray(found[0]) ? (found[0] as unknown[]) : found;
    const unreadableFields = checked.filter(
      (field) => !isFound(field, bindings[field]?.at as string, rows, decoded, composer, testRows),
    );
    for (const field of unreadableFields)
      unwritable.push({
        key: `response.fields.${field}`,
        why: `a value written at ${String(bindings[field]?.at)} cannot be read back: another selector writes to the same place or through it, or ${codec.media} cannot contain it there`,
      });
  }
  return unwritable;
}

/** The first breach of a synchronous schema. The result of an asynchronous schema is not available here. */
function breachOf(schema: BodySchema | undefined, value: unknown): string | undefined {
  const breaches = schema?.check(value);
  const [first] = Array.isArray(breaches) ? (breaches as SchemaBreach[]) : [];
  return first && `${first.path.length === 0 ? 'the body' : first.path.join('/')} ${first.expected}`;
}

/** Validates the bodies of successes and errors against the schemas of the profile, as they are completed by these. */
function checkSchemas(codec: OperationCodec, body: unknown): Unwritable[] {
  const { schemas, statuses, media } = codec;
  const unwritable = new Map<string, Unwritable>();
  const validate = (found: StatedSchema | undefined, value: unknown): void => {
    const breach = breachOf(found?.schema, value);
    if (found && breach) unwritable.set(found.key, { key: `response.schemas["${found.key}"]`, why: breach });
  };
  // In NDJSON the schema describes one line.
  const values = media === 'ndjson' ? (body as unknown[]) : media === 'json' ? [body] : [];
  const success = schemaFor(schemas, successOf(codec));
  for (const value of values.slice(0, 1)) validate(success, completed(success, value));
  const statusesOfErrors = new Set([
    400,
    ...(statuses.unknown ?? [404]),
    ...(statuses.malformed ?? []),
    ...(statuses.missing ?? []),
  ]);
  for (const status of [...statusesOfErrors].filter((each) => each >= 400)) {
    const stated = schemaFor(schemas, status);
    validate(stated, errorBody({ status, title: 'Bad request', detail: 'why' }, stated?.schema).body);
  }
  return [...unwritable.values()];
}

function isFound(
  field: Field,
  source: string,
  rows: readonly unknown[],
  decoded: unknown,
  composer: Composer,
  testRows: readonly NeutralRow[],
): boolean {
  const selector = compileSelector(source);
  if (selector.scope === 'header') return true;
  const isList = FIELDS[field].kind === 'list';
  const wireOf = (values: NeutralRow | undefined) => composer.wireOf(field, values?.[field]);
  const finds = (node: unknown, values: NeutralRow | undefined): boolean => {
    const nodes = selector.select(node, NO_HEAD);
    if (isList) return nodes.length > 0;
    return nodes.length === 1 && textOf(nodes[0]) === wireOf(values);
  };
  if (selector.scope === 'row')
    return testRows.every((values, at) => rows[at] !== undefined && finds(rows[at], values));
  if (composer.lists.includes(field)) {
    const nodes = selector.select(decoded, NO_HEAD).map(textOf);
    return testRows.every((values) => nodes.includes(wireOf(values)));
  }
  return finds(decoded, testRows[0]);
}

/** Reads the rows of an answer as a binding does. */
import type { Field } from '../../contract/index.ts';
import { isPlainObject, type PlainObject } from '../../profile/plain-object.ts';
import type { FieldBinding, RowShape } from '../../profile/schema.ts';
import { bindFields, toRow, toValues } from '../../reading/cells.ts';
import { type Row, Unconverted } from '../../reading/types.ts';
import type { Answer } from '../ask.ts';
import { tableOf } from './code-tables.ts';
import { shapedRows } from './shaped-lists.ts';

/** Rows by window, or one list. */
export type RowsSelector = string | { readonly '1': string; readonly '4': string; readonly '13': string };

const fieldBindings = (fields: unknown): { [F in Field]?: FieldBinding } =>
  Object.fromEntries(
    Object.entries((fields ?? {}) as Record<string, unknown>).flatMap(([field, value]) => {
      if (value === undefined) return [];
      return [[field, isPlainObject(value) ? { ...value, table: tableOf(value) } : { at: value }]];
    }),
  ) as { [F in Field]?: FieldBinding };

/** Reads the rows of an answer as a response binding does; values that do not convert are `Unconverted`. */
export function readRows(
  response: PlainObject,
  { document, head, inputs }: Pick<Answer, 'document' | 'head' | 'inputs'>,
): Row[] {
  const rows = response.rows as RowsSelector | undefined;
  if (rows === undefined || document === undefined) return [];
  const selector = typeof rows === 'string' ? rows : rows[String(inputs.window ?? 13) as '1' | '4' | '13'];
  const { rowBindings } = bindFields(fieldBindings(response.fields), 'row');
  return shapedRows({ selector, shape: response.shape as RowShape | undefined }, { document, head }).map((node) =>
    toRow(rowBindings, node, head),
  );
}

/** Reads a field that a response states once. */
export function readOnce(field: Field, binding: unknown, { document, head, lines }: Answer): unknown {
  const { responseBindings } = bindFields(fieldBindings({ [field]: binding }), 'response');
  const [value] = toValues(responseBindings, document, { ...head, ...(lines && { lines }) })[field] ?? [];
  return value instanceof Unconverted ? undefined : value;
}

/** The fields of a response that are codes, with their tables. */
import type { Field } from '../contract/index.ts';
import { isListedByOperation } from '../profile/listed-codes.ts';
import type { Profile } from '../profile/schema.ts';
import type { CodedBinding, FieldBindings } from '../reading/cells.ts';
import { type CodeTable, type CodeTables, codeTableOf, unreadTable } from '../reading/code-table.ts';

const inlineTablesCache = new WeakMap<Profile['data'], CodeTables>();

/** The tables that a profile contains; those of operations are not read. */
export function inlineTables({ data }: Profile): CodeTables {
  const known = inlineTablesCache.get(data);
  if (known) return known;
  const tables = new Map(
    Object.entries(data.codes ?? {}).map(([name, source]): [string, CodeTable] => [
      name,
      isListedByOperation(source)
        ? unreadTable(`it is listed by ${source.from}`, source.from)
        : codeTableOf(Object.entries(source), { complete: true, asOf: [] }),
    ]),
  );
  inlineTablesCache.set(data, tables);
  return tables;
}

const codedFieldsCache = new WeakMap<CodeTables, WeakMap<FieldBindings, FieldBindings>>();

/** Bindings with the tables of their codes. */
export function codedBindings<
  B extends { readonly [name: string]: { readonly code?: string | undefined } | undefined },
>(bindings: B, tables: CodeTables): B & { readonly [N in keyof B]: { readonly table?: CodeTable } } {
  const coded = Object.entries(bindings).map(([name, binding]) => {
    const table = binding?.code === undefined ? undefined : tables.get(binding.code);
    return [name, table ? { ...binding, table } : binding];
  });
  return Object.fromEntries(coded);
}

/** The bindings of a response with the tables of their codes. Equal arguments return the same object, which is compiled once. */
export function codedFields(fields: FieldBindings, tables: CodeTables): FieldBindings {
  const entries = Object.entries(fields) as [Field, CodedBinding][];
  if (entries.every(([, { code }]) => code === undefined)) return fields;
  const ofTables = codedFieldsCache.get(tables) ?? new WeakMap<FieldBindings, FieldBindings>();
  codedFieldsCache.set(tables, ofTables);
  const known = ofTables.get(fields);
  if (known) return known;
  const coded = codedBindings(fields, tables);
  ofTables.set(fields, coded);
  return coded;
}

/** The fields that are codes. */
export const codedFieldsIn = (fields: FieldBindings): { readonly field: Field; readonly table: CodeTable }[] =>
  (Object.entries(fields) as [Field, CodedBinding][]).flatMap(([field, { table }]) =>
    table ? [{ field, table }] : [],
  );

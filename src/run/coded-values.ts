/** Fields and inputs that are codes: tables state their meanings, which the rules use. */
import type { Field, Input } from '../contract/index.ts';
import { sentInputs } from '../exchange/request.ts';
import { isListedByOperation } from '../profile/listed-codes.ts';
import type { Profile, RequestTemplate } from '../profile/schema.ts';
import type { Inputs, InputValue } from '../profile/template.ts';
import type { CodedBinding, FieldBindings } from '../reading/cells.ts';
import { type CodeTable, type CodeTables, codeTableOf, meaningOf, unreadTable } from '../reading/code-table.ts';
import { UnknownCode } from '../reading/types.ts';
import { normaliseName } from '../rule/choose-names.ts';
import type { RequestSpec } from './request-spec.ts';

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

/** The template of a request: that of its variant, or of its operation. */
const templateOf = ({ data }: Profile, { operation, variant }: RequestSpec): RequestTemplate | undefined =>
  variant.request ?? data.operations?.[operation]?.request;

/** The inputs that a request contains as codes, with the names of their tables; without `inputs`, those that it may contain. */
export const codedInputsOf = (template: RequestTemplate | undefined, inputs?: Inputs): [Input, string][] =>
  (Object.entries(template?.codes ?? {}) as [Input, string][]).filter(
    ([input]) => !inputs || inputs[input] !== undefined,
  );

/** The code of a meaning; names in any case and spacing if the table has no equal one. */
function codeOf(table: CodeTable, value: InputValue): string | { readonly why: string } {
  const meaning = String(value);
  const equal = table.codes.has(meaning) ? [meaning] : [];
  const similar = [...table.codes.keys()].filter((each) => normaliseName(each) === normaliseName(meaning));
  const [found, ...others] = equal.length > 0 ? equal : similar;
  const code = found === undefined || others.length > 0 ? undefined : table.codes.get(found);
  if (code !== undefined) return code;
  if (table.unread !== undefined) return { why: `the table was not read: ${table.unread}` };
  return { why: found === undefined ? 'the table lists no code for it' : 'the table lists several codes for it' };
}

/** A request with the codes of its inputs, or with the reason why it cannot be sent. */
export function withCodes(profile: Profile, spec: RequestSpec, tables: CodeTables): RequestSpec {
  const coded = codedInputsOf(templateOf(profile, spec), sentInputs(spec.inputs, spec.variant));
  if (coded.length === 0) return spec;
  const { request: _, ...rest } = spec;
  const sentCodes: { [I in Input]?: InputValue } = {};
  for (const [input, name] of coded) {
    const value = spec.inputs[input] as InputValue;
    const table = tables.get(name);
    const code = table ? codeOf(table, value) : { why: 'the table is missing in the profile' };
    if (typeof code !== 'string')
      return { ...rest, unsendable: `${input} ${JSON.stringify(value)} has no code in codes.${name}: ${code.why}` };
    sentCodes[input] = code;
  }
  return { ...rest, sentCodes };
}

/** Observed inputs with meanings in place of codes; undefined if a meaning is unknown. */
export function withMeanings(
  template: RequestTemplate | undefined,
  inputs: Inputs,
  tables: CodeTables,
): Inputs | undefined {
  const meanings = codedInputsOf(template, inputs).map(([input, name]) => {
    const table = tables.get(name);
    return [input, table ? meaningOf(table, String(inputs[input])) : undefined] as const;
  });
  if (meanings.some(([, meaning]) => meaning === undefined || meaning instanceof UnknownCode)) return undefined;
  return { ...inputs, ...Object.fromEntries(meanings) } as Inputs;
}

/** How the simulator writes codes: by the table of the profile, or as the field that the listing operation writes as the code. */
import type { Field, Input, OperationKey } from '../../../src/contract/index.ts';
import { isListedByOperation } from '../../../src/profile/listed-codes.ts';
import type {
  EchoBinding,
  FieldBinding,
  ListedCodes,
  ProfileData,
  RequestTemplate,
  ResponseProfile,
} from '../../../src/profile/schema.ts';
import type { WrittenBinding } from './value.ts';
import type { Unwritable } from './write-path.ts';

type Bindings = { readonly [F in Field]?: FieldBinding };

/** The id that rows of the world contain beside a name. */
const ID_OF: Partial<Record<Field, Field>> = { category: 'categoryId' };

/** The field of a row that is the code: the listing operation writes it where the table reads the code, and the meaning beside it. */
function codeField({ operations }: ProfileData, field: Field, { from, rows, code, meaning }: ListedCodes) {
  const bound = operations?.[from]?.response?.fields ?? {};
  const id = ID_OF[field];
  const isListedThere = id && rows === undefined && bound[id]?.at === code.at && bound[field]?.at === meaning.at;
  return isListedThere ? id : undefined;
}

/** The place of a selector of an entry in the whole response, with `$`. */
const placeIn = (rows: unknown, at: unknown): string | undefined => {
  if (typeof at !== 'string') return undefined;
  return at.startsWith('@') && typeof rows === 'string' ? rows + at.slice(1) : at;
};

/**
 * The field that the listing operation writes at the place of the meanings; for a table that it writes nothing of, the
 * market, of which there is one list.
 */
function listedField({ operations }: ProfileData, { from, rows, meaning }: ListedCodes): Field | undefined {
  const response = operations?.[from]?.response;
  const place = placeIn(rows ?? response?.rows, meaning.at);
  const bound = Object.entries(response?.fields ?? {}).find(([, { at }]) => placeIn(response?.rows, at) === place);
  return bound?.[0] as Field | undefined;
}

/** A code that depends on the meaning only: the document shows none. There is one market. */
function generatedCode(field: Field, meaning: string): string {
  if (field === 'market') return '1';
  let hash = 0x811c9dc5;
  for (const each of meaning) hash = Math.imul(hash ^ (each.codePointAt(0) as number), 0x01000193) >>> 0;
  return hash.toString(36).toUpperCase();
}

const MARKETS_LISTED_BY = 'GET /RetailMeasurement/v1/BrandPerformance/Metadata';

const inlineCodes = (table: Readonly<Record<string, string>>) => {
  const codes = new Map(Object.entries(table).map(([code, meaning]) => [meaning, code]));
  return { codeOf: (meaning: string): string | undefined => codes.get(meaning) };
};

/** How the codes of a table are written; undefined if an operation lists them and the simulator does not write that list. */
function codesOf(
  data: ProfileData,
  field: Field,
  name: string | undefined,
): Pick<WrittenBinding, 'codeOf' | 'from'> | undefined {
  const table = name === undefined ? undefined : data.codes?.[name];
  if (!table) return {};
  if (!isListedByOperation(table)) return inlineCodes(table);
  const from = codeField(data, field, table);
  if (from) return { from };
  const listed = listedField(data, table) ?? (table.from === MARKETS_LISTED_BY ? 'market' : undefined);
  return listed === field ? { codeOf: (meaning) => generatedCode(field, meaning) } : undefined;
}

/** The states and kinds of change that the profile declares: a pattern must find these. */
function declaredValues({ jobs = {}, delta }: ProfileData, field: Field): readonly string[] | undefined {
  const states = Object.values(jobs).flatMap(({ states: all }) => all || []);
  const declared = { state: states, changeKind: Object.values(delta?.kinds || {}).flat() };
  const values = declared[field as keyof typeof declared]?.map(String) ?? [];
  return values.length > 0 ? values : undefined;
}

/** The bindings with what is written for a code. */
export function writtenFields(data: ProfileData, fields: Bindings): { readonly [F in Field]?: WrittenBinding } {
  const entries = Object.entries(fields) as [Field, FieldBinding][];
  return Object.fromEntries(
    entries.map(([field, binding]): [Field, WrittenBinding] => {
      const isCoded = binding.code !== undefined && data.codes?.[binding.code] !== undefined;
      const values = isCoded ? undefined : declaredValues(data, field);
      return [field, { ...binding, ...codesOf(data, field, binding.code), ...(values && { values }) }];
    }),
  );
}

/** What an operation writes besides its fields: the codes of the tables that it lists, beside their meanings. */
export function listedCodeBindings(data: ProfileData, operation: OperationKey): [Field, WrittenBinding][] {
  const response = data.operations?.[operation]?.response;
  return Object.values(data.codes ?? {}).flatMap((table): [Field, WrittenBinding][] => {
    if (!isListedByOperation(table) || table.from !== operation) return [];
    const rows = table.rows ?? response?.rows;
    const field = listedField(data, table);
    const placed = (value: ListedCodes['code']) => ({
      ...value,
      at: table.rows ? (placeIn(rows, value.at) ?? value.at) : value.at,
    });
    if (!field && operation !== MARKETS_LISTED_BY) return [];
    if (field && codeField(data, field, table)) return [];
    const codeOf = (meaning: string): string => generatedCode(field ?? 'market', meaning);
    const code: [Field, WrittenBinding] = [field ?? 'market', { ...placed(table.code), codeOf }];
    return field ? [code] : [code, ['market', placed(table.meaning)]];
  });
}

type Echoes = NonNullable<ResponseProfile['echoes']>;

/** The echoes with the codes of inline tables, by their meanings. */
export const writtenEchoes = (
  { codes = {} }: ProfileData,
  echoes: Echoes,
): { readonly [I in Input]?: EchoBinding & Pick<WrittenBinding, 'codeOf'> } =>
  Object.fromEntries(
    Object.entries(echoes).map(([input, echo]) => {
      const table = 'code' in echo && echo.code !== undefined ? codes[echo.code] : undefined;
      if (!table || isListedByOperation(table)) return [input, echo];
      return [input, { ...echo, ...inlineCodes(table) }];
    }),
  );

/** Reads codes of a request: the meanings of inline tables, and the ids of categories. */
export function decodedQuery(
  { codes = {} }: ProfileData,
  { codes: coded = {} }: RequestTemplate,
  inputs: { readonly [I in Input]?: string },
): { readonly [I in Input]?: string } {
  const entries = Object.entries(inputs).flatMap(([input, value]): [string, string][] => {
    const name = coded[input as Input];
    const table = name === undefined ? undefined : codes[name];
    if (!table) return [[input, value]];
    if (isListedByOperation(table)) return [[ID_OF[input as Field] ?? input, value]];
    return [[input, Object.hasOwn(table, value) ? (table[value] as string) : value]];
  });
  return Object.fromEntries(entries);
}

/** The inputs whose codes the simulator cannot read. */
export const unreadableCodes = (data: ProfileData, { codes: coded = {} }: RequestTemplate): Unwritable[] =>
  Object.entries(coded).flatMap(([input, name]) => {
    const table = data.codes?.[name];
    if (!table || !isListedByOperation(table) || codeField(data, input as Field, table)) return [];
    const why = `the simulator reads ids of categories only among the codes that ${table.from} lists; for other codes write an inline table`;
    return [{ key: `request.codes.${input}`, why }];
  });

/** The codes that the simulator cannot write. */
export const unwritableCodes = (data: ProfileData, fields: Bindings): Unwritable[] =>
  (Object.entries(fields) as [Field, FieldBinding][]).flatMap(([field, { code }]) => {
    if (codesOf(data, field, code)) return [];
    const table = data.codes?.[code as string] as ListedCodes;
    const why = `the simulator does not know the codes that ${table.from} lists: it needs a field at the place of the meaning there; otherwise write an inline table`;
    return [{ key: `response.fields.${field}.code`, why }];
  });

/** How the simulator writes codes: by the table of the profile, or as the field that the listing operation writes as the code. */
import type { Field, Input } from '../../../src/contract/index.ts';
import { isListedByOperation } from '../../../src/profile/listed-codes.ts';
import type {
  EchoBinding,
  FieldBinding,
  ListedCodes,
  ProfileData,
  RequestTemplate,
  ResponseProfile,
} from '../../../src/profile/schema.ts';
import type { Unwritable } from './unwritable.ts';
import type { WrittenBinding } from './value.ts';

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

/** The bindings with what is written for a code. */
export function writtenFields(data: ProfileData, fields: Bindings): { readonly [F in Field]?: WrittenBinding } {
  const entries = Object.entries(fields) as [Field, FieldBinding][];
  return Object.fromEntries(
    entries.map(([field, binding]): [Field, WrittenBinding] => {
      const table = binding.code === undefined ? undefined : data.codes?.[binding.code];
      if (!table) return [field, binding];
      if (!isListedByOperation(table))
        return [
          field,
          { ...binding, codeOf: new Map(Object.entries(table).map(([code, meaning]) => [meaning, code])) },
        ];
      const from = codeField(data, field, table);
      return [field, { ...binding, ...(from && { from }) }];
    }),
  );
}

type Echoes = NonNullable<ResponseProfile['echoes']>;

/** The echoes with the codes of inline tables, by their meanings. */
export const writtenEchoes = (
  { codes = {} }: ProfileData,
  echoes: Echoes,
): { readonly [I in Input]?: EchoBinding & { readonly codeOf?: ReadonlyMap<string, string> } } =>
  Object.fromEntries(
    Object.entries(echoes).map(([input, echo]) => {
      const table = 'code' in echo && echo.code !== undefined ? codes[echo.code] : undefined;
      if (!table || isListedByOperation(table)) return [input, echo];
      return [input, { ...echo, codeOf: new Map(Object.entries(table).map(([code, meaning]) => [meaning, code])) }];
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
export function unreadableCodes(data: ProfileData, { codes: coded = {} }: RequestTemplate): Unwritable[] {
  return Object.entries(coded).flatMap(([input, name]) => {
    const table = data.codes?.[name];
    if (!table || !isListedByOperation(table) || codeField(data, input as Field, table)) return [];
    return [{ key: `request.codes.${input}`, why: whyUnknownCodes(table) }];
  });
}

const whyUnknownCodes = ({ from }: ListedCodes): string =>
  `the simulator does not know the codes that ${from} lists: it writes the ids of categories, where the table reads code and meaning at the places of categoryId and category; for other codes write an inline table`;

/** The codes that the simulator cannot write. */
export function unwritableCodes(data: ProfileData, fields: Bindings): Unwritable[] {
  return (Object.entries(fields) as [Field, FieldBinding][]).flatMap(([field, { code }]) => {
    const table = code === undefined ? undefined : data.codes?.[code];
    if (!table || !isListedByOperation(table) || codeField(data, field, table)) return [];
    return [{ key: `response.fields.${field}.code`, why: whyUnknownCodes(table) }];
  });
}

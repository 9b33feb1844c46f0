/** How the simulator writes codes: by the table of the profile, or as the field that the listing operation writes as the code. */
import type { Field } from '../../../src/contract/index.ts';
import { isListed } from '../../../src/profile/listed-codes.ts';
import type { FieldBinding, ListedCodes, ProfileData } from '../../../src/profile/schema.ts';
import type { Unwritable } from './unwritable.ts';
import type { WrittenBinding } from './value.ts';

type Bindings = { readonly [F in Field]?: FieldBinding };

/** The id that rows of the world contain beside a name. */
const ID_OF: Partial<Record<Field, Field>> = { category: 'categoryId' };

/** The field of a row that is the code: the listing operation writes it where the table reads the code, and the meaning beside it. */
function codeField({ operations }: ProfileData, field: Field, { from, rows, code, meaning }: ListedCodes) {
  const bound = operations?.[from]?.response?.fields ?? {};
  const id = ID_OF[field];
  const isListedSo = id && rows === undefined && bound[id]?.at === code.at && bound[field]?.at === meaning.at;
  return isListedSo ? id : undefined;
}

/** The bindings with what is written for a code. */
export function writtenFields(data: ProfileData, fields: Bindings): { readonly [F in Field]?: WrittenBinding } {
  const entries = Object.entries(fields) as [Field, FieldBinding][];
  return Object.fromEntries(
    entries.map(([field, binding]): [Field, WrittenBinding] => {
      const table = binding.code === undefined ? undefined : data.codes?.[binding.code];
      if (!table) return [field, binding];
      if (!isListed(table))
        return [
          field,
          { ...binding, codeOf: new Map(Object.entries(table).map(([code, meaning]) => [meaning, code])) },
        ];
      const from = codeField(data, field, table);
      return [field, { ...binding, ...(from && { from }) }];
    }),
  );
}

/** The codes that the simulator cannot write. */
export function unwritableCodes(data: ProfileData, fields: Bindings): Unwritable[] {
  return (Object.entries(fields) as [Field, FieldBinding][]).flatMap(([field, { code }]) => {
    const table = code === undefined ? undefined : data.codes?.[code];
    if (!table || !isListed(table) || codeField(data, field, table)) return [];
    const why = `the simulator does not know the codes that ${table.from} lists: it writes the ids of categories, where the table reads code and meaning at the places of categoryId and category; for other codes write an inline table`;
    return [{ key: `response.fields.${field}.code`, why }];
  });
}

/** Profiles with one wrong binding: a field reads another value of its row, nothing that converts, or several values as one. */
import type { DialectName } from '../simulator/dialects/names.ts';
import { type Field, type OperationKey, operationOf } from '../src/contract/index.ts';
import type { FieldBinding, Profile } from '../src/profile/schema.ts';
import type { StatusAndHeaders } from '../src/profile/selector.ts';
import { composedSelector } from '../src/reading/composed-selector.ts';
import { patchedProfile } from '../src/selftest/patched-profile.ts';

export interface WrongBinding {
  readonly dialect: DialectName;
  readonly operation: OperationKey;
  readonly field: Field;
  /** What the field reads: a name of `MISREADINGS`, or another field of the row. */
  readonly reads: string;
}

type Find = (node: unknown, head: StatusAndHeaders) => readonly unknown[];

const isValue = (found: unknown): boolean => found !== undefined && found !== null && found !== '';

/** A number of 12 digits for a text, each text another one. */
const codeOf = (text: string): string =>
  `${[...text].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 999_983, 7)}`.padStart(12, '5');

/** Reads several values in the rows that have the first value that is found, or in all others. */
const severalIf =
  (isOfFirst: boolean) =>
  (find: Find): Find => {
    let first: unknown;
    return (node, head) => {
      const found = find(node, head);
      first ??= found.find(isValue);
      return isValue(found[0]) && (found[0] === first) === isOfFirst ? [...found, 'more'] : found;
    };
  };

/** What a wrong binding finds in place of what the right one finds. */
export const MISREADINGS = {
  structures: (find) => (node, head) => (find(node, head).some(isValue) ? [{ of: {} }] : []),
  several: (find) => (node, head) => (find(node, head).some(isValue) ? [...find(node, head), 'more'] : []),
  'several in all rows but those of one value': severalIf(false),
  'several in the rows of one value': severalIf(true),
  codes: (find) => (node, head) =>
    find(node, head).map((found) => (['string', 'number'].includes(typeof found) ? codeOf(String(found)) : found)),
  'a constant': (find) => (node, head) => find(node, head).map((found) => (isValue(found) ? 'N01' : found)),
} as const satisfies Record<string, (find: Find) => Find>;

const bindingOf = ({ data }: Profile, operation: OperationKey, field: Field): FieldBinding =>
  data.operations?.[operation]?.response?.fields?.[field] as FieldBinding;

/** All wrong bindings of a dialect for the groups. Characteristics are a list: several of them are none too many. */
export async function wrongBindings(dialect: DialectName, groups: readonly string[]): Promise<WrongBinding[]> {
  const profile = await patchedProfile(dialect);
  return Object.entries(profile.data.operations ?? {}).flatMap(([key, declared]) => {
    const operation = key as OperationKey;
    if (!groups.includes(operationOf(operation).group)) return [];
    const fields = Object.keys(declared?.response?.fields ?? {}) as Field[];
    const scopeOf = (field: Field) => composedSelector(bindingOf(profile, operation, field), 'row').scope;
    return fields.flatMap((field) => {
      const others = fields.filter((other) => other !== field && scopeOf(other) === scopeOf(field));
      const misreadings = Object.keys(MISREADINGS).filter(
        (each) => field !== 'characteristics' || !each.startsWith('several'),
      );
      return [...misreadings, ...others].map((reads) => ({ dialect, operation, field, reads }));
    });
  });
}

/** The profile of a dialect with a wrong binding. */
export async function wrongProfile({ dialect, operation, field, reads }: WrongBinding): Promise<Profile> {
  const profile = await patchedProfile(dialect);
  const {
    keys: _,
    append: __,
    separator: ___,
    split: ____,
    decimals: _____,
    ...right
  } = bindingOf(profile, operation, field);
  const read = bindingOf(profile, operation, reads in MISREADINGS ? field : (reads as Field));
  const hasRows = profile.data.operations?.[operation]?.response?.rows !== undefined;
  const { select } = composedSelector(read, hasRows ? 'row' : 'response');
  const misread: (find: Find) => Find = MISREADINGS[reads as keyof typeof MISREADINGS] ?? ((find) => find);
  const operations = structuredClone(profile.data.operations ?? {});
  const fields = operations[operation]?.response?.fields as { [F in Field]?: FieldBinding };
  fields[field] = { ...right, at: misread(select) };
  return { ...profile, data: { ...profile.data, operations } };
}

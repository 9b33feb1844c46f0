/** Compares and chooses names of categories, brands and similar. */
import type { Field } from '../contract/index.ts';
import { type Reading, type Row, texts } from './index.ts';

/**
 * Normalises case, spaces and Unicode form of a name for comparison: the document demands none of these. Capitals first,
 * since “ß” and “SS” are equal in capitals only.
 */
export const normaliseName = (name: string): string =>
  IS_PLAIN.test(name)
    ? name.toLowerCase()
    : name.normalize('NFC').trim().replace(/\s+/g, ' ').toUpperCase().toLowerCase();

/** ASCII without outer or repeated blanks: most names, of which a list contains thousands. */
const IS_PLAIN = /^[!-~]+(?: [!-~]+)*$/;

const hasSpecialCharacter = (name: string): boolean => /[^A-Za-z0-9]/.test(name);

/** Sorts names by how likely a filter mishandles them: a prefix of another name, characters that need encoding, then any other. */
export function specialNamesFirst(names: readonly string[]): string[] {
  const unique = [...new Set(names.filter((name) => name !== ''))];
  const normalised = new Map(unique.map((name) => [name, normaliseName(name)]));
  const isPrefix = (name: string) => {
    const start = normalised.get(name) as string;
    return unique.some((other) => other !== name && normalised.get(other)?.startsWith(start));
  };
  const kinds = [
    isPrefix,
    (name: string) => /[&+%#/?=;]/.test(name),
    (name: string) => /['"\\]/.test(name),
    (name: string) => /[^\x20-\x7e]/.test(name),
    (name: string) => / /.test(name),
    (name: string) => !hasSpecialCharacter(name),
  ];
  // One of each kind first, so that a small limit includes every kind.
  const first = kinds.flatMap((is) => unique.filter((name) => is(name)).slice(0, 1));
  return [...new Set([...first, ...unique.filter(hasSpecialCharacter), ...unique])];
}

/** Sorts rows by {@link specialNamesFirst} of one field; one row per name. */
export function chooseSpecialNames(field: 'category' | 'categoryId' | 'subCategory' | 'manufacturer' | 'brand') {
  return (rows: readonly Row[]): readonly Row[] => {
    const byName = new Map<string, Row>();
    for (const row of rows) {
      const name = row[field];
      if (typeof name === 'string' && !byName.has(name)) byName.set(name, row);
    }
    return specialNamesFirst([...byName.keys()]).map((name) => byName.get(name) as Row);
  };
}

/** The texts of each of some fields. */
export const nameFolds = <F extends Field>(fields: readonly F[]) =>
  Object.fromEntries(fields.map((each) => [each, texts(each)])) as Record<F, ReturnType<typeof texts>>;

type Named<F extends Field> = Pick<Reading, 'observation'> & {
  readonly folds: { readonly [N in F]: { readonly counts: ReadonlyMap<string, number> } };
};

/** The names that a list contains in a field, in rows or read once. */
export function namesIn<F extends Field>({ folds, observation }: Named<F>, field: F): Set<string> {
  const once = (observation?.values[field as Field] ?? []).filter(
    (value): value is string => typeof value === 'string',
  );
  return new Set([...folds[field].counts.keys(), ...once].map(normaliseName));
}

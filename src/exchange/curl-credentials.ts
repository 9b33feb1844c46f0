/** Writes credentials in curl commands as shell variables, never as values. */
import { type CommandValues, schemeRow, schemesIn } from '../profile/auth-schemes.ts';
import type { Profile } from '../profile/schema.ts';
import { withoutSecretParts } from '../profile/url-query.ts';
import { variableMark } from './shell-text.ts';

type Lines = readonly (readonly [name: string, value: string])[];

/** What a command contains besides its request. Texts may contain marks of variables. */
export interface CurlCredentials {
  readonly headers: Lines;
  readonly query: Lines;
  /** Options of curl: pairs of name and argument. */
  readonly options: Lines;
  /** What variables mean that are not in the environment; shown after the command. */
  readonly notes: readonly string[];
  /** Replaces values of environment variables in a text by marks of these variables. */
  hide(text: string): string;
}

export const NO_CURL_CREDENTIALS: CurlCredentials = {
  headers: [],
  query: [],
  options: [],
  notes: [],
  hide: (text) => text,
};

/** Shorter values of environment variables are not replaced: they also occur by chance. */
const MIN_VALUE_LENGTH = 4;

/**
 * Returns the credentials of a profile as a command contains them.
 * @param authKey the key of `authFor` of the request; absent: those of `auth`
 * @example asCurl(request, curlCredentialsOf(profile)) // curl -sS -i -g -H "X-Api-Key: $ACME_KEY" …
 */
export function curlCredentialsOf({ data, variables = [], unset = [] }: Profile, authKey?: string): CurlCredentials {
  const notes: string[] = [];
  const placeOf = (path: readonly PropertyKey[]) => path.join('.');

  /** A value of the profile as a command contains it; a literal value in the file becomes a variable named `ownName`. */
  const valueAt = (path: readonly PropertyKey[], value: string, ownName: string): string => {
    const at = <U extends { readonly path: readonly PropertyKey[] }>(uses: readonly U[]) =>
      uses.filter((use) => placeOf(use.path) === placeOf(path));
    const known = at(variables).map(({ name, value: text }) => [text, name] as const);
    const unknown = at(unset).map(({ name }) => [`\${${name}}`, name] as const);
    if (known.length + unknown.length === 0) {
      notes.push(`${ownName} is ${placeOf(path)} of the profile`);
      return variableMark(ownName);
    }
    return [...known, ...unknown].reduce(
      (text, [part, name]) => text.replaceAll(part, () => variableMark(name)),
      value,
    );
  };

  const computed = (name: string, meaning: string): string => {
    const note = `${name} is ${meaning}`;
    if (!notes.includes(note)) notes.push(note);
    return variableMark(name);
  };
  const commandValues = (at: readonly PropertyKey[]): CommandValues => ({
    value: (path, value, ownName) => valueAt([...at, ...path], value, ownName),
    isFromEnvironment: (path) =>
      [...variables, ...unset].some((use) => placeOf(use.path) === placeOf([...at, ...path])),
    token: (name, url, remark = '') => computed(name, `a token of ${withoutSecretParts(url)}${remark}`),
    computed,
    place: (path) => placeOf([...at, ...path]),
  });
  const own = schemesIn(data).filter(({ of }) => of === authKey);
  const all = own.map(({ scheme, path }) => schemeRow(scheme).inCommand(scheme, commandValues(path)));
  const values = variables
    .filter(({ value }) => value.length >= MIN_VALUE_LENGTH)
    .flatMap(({ name, value }) => [...new Set([value, encodeURIComponent(value)])].map((form) => ({ name, form })))
    .toSorted((x, y) => y.form.length - x.form.length);
  return {
    headers: all.flatMap(({ headers = [] }) => headers),
    query: all.flatMap(({ query = [] }) => query),
    options: all.flatMap(({ options = [] }) => options),
    notes,
    hide: (text) => values.reduce((hidden, { name, form }) => hidden.replaceAll(form, () => variableMark(name)), text),
  };
}

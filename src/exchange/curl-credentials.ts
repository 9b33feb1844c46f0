/** Writes credentials in curl commands as shell variables, never as values. */
import type { AuthScheme, Profile } from '../profile/schema.ts';
import { variableMark } from './shell-text.ts';
import { withoutSecretParts } from './url.ts';

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

const shellName = (text: string): string =>
  text
    .replace(/\W+/g, '_')
    .replace(/^(?=\d|$)/, 'X')
    .toUpperCase();

/**
 * Returns the credentials of a profile as a command contains them.
 * @example asCurl(request, curlCredentialsOf(profile)) // curl -sS -i -g -H "X-Api-Key: $ACME_KEY" …
 */
export function curlCredentialsOf({ data, variables = [], unset = [] }: Profile): CurlCredentials {
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

  const credentialsIn = (scheme: AuthScheme, at: readonly PropertyKey[]): Partial<CurlCredentials> => {
    switch (scheme.scheme) {
      case 'none':
        return {};
      case 'apiKey': {
        const line = [scheme.name, valueAt([...at, 'value'], scheme.value, 'API_KEY')] as const;
        return scheme.in === 'header' ? { headers: [line] } : { query: [line] };
      }
      case 'bearer':
        return { headers: [['authorization', `Bearer ${valueAt([...at, 'token'], scheme.token, 'TOKEN')}`]] };
      case 'headers':
        return {
          headers: Object.entries(scheme.headers).map(([name, value]) => [
            name,
            valueAt([...at, 'headers', name], value, shellName(name)),
          ]),
        };
      case 'basic': {
        const user = [...variables, ...unset].some(({ path }) => placeOf(path) === placeOf([...at, 'username']))
          ? valueAt([...at, 'username'], scheme.username, 'USERNAME')
          : scheme.username;
        return { options: [['-u', `${user}:${valueAt([...at, 'password'], scheme.password, 'PASSWORD')}`]] };
      }
      case 'oauth2':
        notes.push(`ACCESS_TOKEN is a token of ${withoutSecretParts(scheme.tokenUrl)}`);
        return { headers: [['authorization', `Bearer ${variableMark('ACCESS_TOKEN')}`]] };
      case 'mtls':
        return {
          options: [
            ['--cert', scheme.cert],
            ['--key', scheme.key],
            ...(scheme.ca === undefined ? [] : [['--cacert', scheme.ca] as const]),
            ...(scheme.passphrase === undefined
              ? []
              : [['--pass', valueAt([...at, 'passphrase'], scheme.passphrase, 'PASSPHRASE')] as const]),
          ],
        };
    }
  };
  const { auth } = data;
  const all = [auth ?? []].flat().map((each, at) => credentialsIn(each, Array.isArray(auth) ? ['auth', at] : ['auth']));
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

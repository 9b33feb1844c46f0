/** Formats a request as a curl command, with credentials as shell variables, never as values. */
import { randomUUID } from 'node:crypto';
import { type CommandValues, schemeRow, schemesIn } from '../profile/auth-schemes.ts';
import type { Profile } from '../profile/schema.ts';
import { withoutSecretParts } from '../profile/url-query.ts';
import { isPrintable } from './printable.ts';
import type { WireRequest } from './types.ts';

/** Random, so that no response can contain it and make the shell expand a variable. */
const NONCE = randomUUID();
const MARKS = new RegExp(`\uE000${NONCE} (\\w+)\uE001`, 'g');

/** Marks a shell variable in a text until the text is quoted. */
const variableMark = (name: string): string => `\uE000${NONCE} ${name}\uE001`;

/** A word in `$'…'` (POSIX.1-2024, bash, zsh), with control characters as escapes. */
const withEscapes = (text: string): string =>
  `$'${[...text]
    .map((char) => {
      if (char === '\\' || char === "'") return `\\${char}`;
      if (char !== '#' && isPrintable(char)) return char;
      return [...Buffer.from(char)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
    })
    .join('')}'`;

const single = (text: string): string => (isPrintable(text) ? `'${text.replaceAll("'", `'\\''`)}'` : withEscapes(text));

/** Writes variables for double quotes, in braces where the next character could belong to the name. */
const expanded = (text: string): string =>
  text.replace(MARKS, (mark, name: string, at: number) =>
    /^\w/.test(text.slice(at + mark.length)) ? `\${${name}}` : `$${name}`,
  );

/**
 * Quotes a text as one word of a shell, in one line.
 * @example quote(`key: ${variableMark('ACME_KEY')}`) // "key: $ACME_KEY", with the double quotes
 */
function quote(text: string): string {
  const around = text.split(MARKS).filter((_, at) => at % 2 === 0);
  if (around.length === 1) return single(text);
  if (!around.some((part) => /["\\$`!]/.test(part) || !isPrintable(part))) return `"${expanded(text)}"`;
  return text
    .split(MARKS)
    .map((part, at) => (at % 2 === 1 ? `"$${part}"` : part && single(part)))
    .join('');
}

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

const NO_CURL_CREDENTIALS: CurlCredentials = {
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

const MAX_BODY_BYTES = 4096;

/** A word of a command line, quoted only where a shell would interpret it. */
export const shellWord = (text: string): string => (/^[\w./:@%+-]+$/.test(text) ? text : quote(text));

/** The body as text, or undefined where a shell word cannot contain it. */
function asText(body: Uint8Array): string | undefined {
  if (body.length > MAX_BODY_BYTES) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

function bodyWords(request: WireRequest, hide: (text: string) => string): string[] {
  const { body } = request;
  if (!body || body.length === 0) return [];
  // curl would add a Content-Type.
  const typed = request.headers.some(([name]) => name.toLowerCase() === 'content-type');
  const text = asText(body);
  return [
    ...(typed ? [] : ['-H', quote('Content-Type:')]),
    // `--data-raw` does not interpret a leading @. A body that is not text is named as a file to create.
    ...(text === undefined
      ? ['--data-binary', quote(`@body-of-${body.length}-bytes`)]
      : ['--data-raw', quote(hide(text))]),
  ];
}

/** Replaces a credential in a request that was sent. */
const MASKED = '***';

/**
 * Formats a request as a shell command of one line, with its body if that is text of at most 4 KiB. `-g` and
 * `--path-as-is` prevent curl from changing the URL. Masked credentials of the request become shell variables.
 * @example asCurl({ method: 'GET', url: 'http://h/p', headers: [] }) // "curl -sS -i -g --path-as-is 'http://h/p'"
 */
export function toCurl(request: WireRequest, credentials: CurlCredentials = NO_CURL_CREDENTIALS): string {
  const { hide } = credentials;
  const own = request.anonymous ? NO_CURL_CREDENTIALS : credentials;
  const names = new Set(own.headers.map(([name]) => name.toLowerCase()));
  const isReplaced = ([name, value]: readonly [string, string]) =>
    names.has(name.toLowerCase()) || (value === MASKED && own !== NO_CURL_CREDENTIALS);
  const body = bodyWords(request, hide);
  const parts = ['curl', '-sS', '-i', '-g'];
  // With -X HEAD curl would wait for a body.
  if (request.method === 'HEAD') parts.push('--head');
  else if (request.method !== 'GET' || body.length > 0) parts.push('-X', quoteIfNeeded(request.method));
  for (const [option, argument] of own.options) parts.push(option, quote(argument));
  for (const [name, value] of [...request.headers.filter((line) => !isReplaced(line)), ...own.headers]) {
    if (name.toLowerCase() === 'accept' && value === '*/*') continue;
    parts.push('-H', quote(value === '' ? `${name};` : `${name}: ${hide(value)}`));
  }
  const query = own.query.map(([name, value]) => `${encodeURIComponent(name)}=${value}`).join('&');
  const url = `${hide(request.url)}${query && (request.url.includes('?') ? '&' : '?')}${query}`;
  const notes = [...own.notes, ...(request.invalidCredentials ? ['the run sent invented credentials'] : [])];
  const comment = notes.length > 0 ? [`# ${notes.join('; ')}`] : [];
  return [...parts, ...body, '--path-as-is', quote(url), ...comment].join(' ');
}

const quoteIfNeeded = (word: string): string => (/^[A-Za-z]+$/.test(word) ? word : quote(word));

/** Signs a request with an HMAC (RFC 2104) over a message that a profile states, in templates of its headers and query. */
import { builtinModule } from '../../builtin-module.ts';
import { latin1, textOfUtf8, utf8 } from '../../bytes.ts';
import { escapeRegExp } from '../../text-patterns.ts';
import type { AuthScheme } from '../schema/auth.ts';
import { withQuery } from '../url-query.ts';

/** The parts of a request that a signature may cover. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  /** The host with its port, as in the header `Host`. */
  readonly host: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

/** The values of a signature that differ from request to request. */
export interface SignatureInputs {
  /** In the notation of the scheme. */
  readonly timestamp: string;
  readonly nonce: string;
}

type Signed = SignedRequest & SignatureInputs;

const sha256 = (body: Uint8Array, encoding: 'hex' | 'base64'): string =>
  builtinModule('node:crypto').createHash('sha256').update(body).digest(encoding);

const queryOf = (target: string): string => target.split(/\?(.*)/s)[1] ?? '';

/** The pairs of a query as sent, sorted by name and then by value. */
function sortedQuery(target: string): string {
  const pairs = queryOf(target)
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => pair.split(/=(.*)/s));
  const compare = (x = '', y = ''): number => (x < y ? -1 : x > y ? 1 : 0);
  return pairs
    .toSorted((x, y) => compare(x[0], y[0]) || compare(x[1], y[1]))
    .map(([name, value]) => (value === undefined ? name : `${name}=${value}`))
    .join('&');
}

interface Variable {
  readonly means: string;
  of(signed: Signed): string;
}

/** The variables of templates by name; `{header.NAME}` is the value of a header. */
export const VARIABLES: Readonly<Record<string, Variable>> = {
  method: { means: 'the method', of: ({ method }) => method },
  lowercaseMethod: { means: 'the method in lower case', of: ({ method }) => method.toLowerCase() },
  target: { means: 'path and query as sent', of: ({ target }) => target },
  path: { means: 'the path as sent', of: ({ target }) => target.split('?', 1)[0] ?? '' },
  query: { means: 'the query as sent, without ?', of: ({ target }) => queryOf(target) },
  sortedQuery: {
    means: 'the pairs of the query, sorted',
    of: ({ target }) => sortedQuery(target),
  },
  host: { means: 'the host with its port, if it has one', of: ({ host }) => host },
  timestamp: { means: 'the time', of: ({ timestamp }) => timestamp },
  nonce: { means: 'a random UUID', of: ({ nonce }) => nonce },
  body: { means: 'the body', of: ({ body }) => textOfUtf8(body) },
  bodySha256Hex: { means: 'the SHA-256 of the body in hex', of: ({ body }) => sha256(body, 'hex') },
  bodySha256Base64: { means: 'the SHA-256 of the body in Base64', of: ({ body }) => sha256(body, 'base64') },
};

/** The variable of the signature, in headers and query parameters only. */
const SIGNATURE = 'signature';
const HEADER = /^header\.(.+)$/;
/** A variable, or an escaped brace. */
const VARIABLE = /\{\{|\}\}|\{([A-Za-z][\w.-]*)\}/g;

const headerOf = ({ headers }: Signed, name: string): string =>
  headers
    .filter(([each]) => each.toLowerCase() === name.toLowerCase())
    .map(([, value]) => value)
    .join(', ');

/** The names of the variables in a template. */
const variablesOf = (template: string): string[] =>
  [...template.matchAll(VARIABLE)].flatMap(([, name]) => (name === undefined ? [] : [name]));

/** Whether a template contains the signature. */
export const holdsSignature = (template: string): boolean => variablesOf(template).includes(SIGNATURE);

/** What a variable means, for people. */
export const meaningOfVariable = (name: string): string => {
  const header = HEADER.exec(name)?.[1];
  return header === undefined ? (VARIABLES[name]?.means ?? '') : `the value of the header ${header}`;
};

/** What is wrong with the variables of a template, as the end of a sentence. @param where what the template writes */
export function variableProblem(template: string, where: 'message' | 'carrier'): string | undefined {
  // A body may contain what HTTP forbids in a header.
  const inCarrier = [...Object.keys(VARIABLES).filter((name) => name !== 'body'), SIGNATURE];
  const names = [...(where === 'message' ? Object.keys(VARIABLES) : inCarrier), 'header.NAME'];
  const wrong = variablesOf(template).find((name) => !names.includes(name) && !HEADER.test(name));
  if (wrong === undefined) return undefined;
  const allowed = names.map((name) => `{${name}}`).join(', ');
  return `contains {${wrong}}, which is not a variable ${where === 'message' ? 'of a signed message' : 'of a header or parameter with a signature'}; allowed are ${allowed}, and {{ for a brace`;
}

/** Fills a template. @param replace returns the text of a variable */
export const fillVariables = (template: string, replace: (name: string) => string): string =>
  template.replace(VARIABLE, (whole, name?: string) => (name === undefined ? whole.slice(1) : replace(name)));

/** Matches the texts of a template. The first `{timestamp}` and the first `{nonce}` are groups of these names. */
export function variablePattern(template: string): RegExp {
  const named = new Set<string>();
  let [source, end] = ['', 0];
  for (const { 0: whole, 1: name, index } of template.matchAll(VARIABLE)) {
    source += escapeRegExp(template.slice(end, index) + (name === undefined ? whole.slice(1) : ''));
    end = index + whole.length;
    if (name === undefined) continue;
    const isGroup = (name === 'timestamp' || name === 'nonce') && !named.has(name);
    source += isGroup ? `(?<${name}>.*?)` : '.*?';
    named.add(name);
  }
  return new RegExp(`^${source}${escapeRegExp(template.slice(end))}$`, 's');
}

/** Returns the text of a variable for a request. */
const textOfVariable =
  (signed: Signed, signature = '') =>
  (name: string): string => {
    if (name === SIGNATURE) return signature;
    const header = HEADER.exec(name)?.[1];
    return header === undefined ? (VARIABLES[name]?.of(signed) ?? '') : headerOf(signed, header);
  };

export type HmacScheme = Extract<AuthScheme, { scheme: 'hmac' }>;
type Lines = readonly (readonly [name: string, value: string])[];

/** The bytes of a key; undefined if it does not have its declared encoding. */
export function keyBytes({ key, keyEncoding }: Pick<HmacScheme, 'key' | 'keyEncoding'>): Uint8Array | undefined {
  if (keyEncoding === 'utf8') return utf8(key);
  if (keyEncoding === 'hex')
    return /^(?:[\da-f]{2})+$/i.test(key)
      ? Uint8Array.from(key.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
      : undefined;
  try {
    return latin1(atob(key.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    return undefined;
  }
}

/** Templates without the signature, or those with it. */
const templatesOf = (templates: Readonly<Record<string, string>> = {}, withSignature: boolean): Lines =>
  Object.entries(templates).filter(([, template]) => holdsSignature(template) === withSignature);

/**
 * Returns the headers and query parameters that a scheme adds to a request. The signature covers those that do not
 * contain it.
 * @param request with all other credentials; its target is without the parameters of the scheme
 */
export function signatureParts(
  scheme: HmacScheme,
  request: SignedRequest,
  inputs: SignatureInputs,
): { readonly headers: Lines; readonly query: Lines } {
  const { headers, query, message, algorithm, encoding } = scheme;
  const fill = (templates: Lines, replace: (name: string) => string): Lines =>
    templates.map(([name, template]) => [name, fillVariables(template, replace)]);
  const ownValues = textOfVariable({ ...request, ...inputs });
  const ownHeaders = fill(templatesOf(headers, false), ownValues);
  const ownQuery = fill(templatesOf(query, false), ownValues);
  const names = new Set(ownHeaders.map(([name]) => name.toLowerCase()));
  const signed = {
    ...request,
    ...inputs,
    target: withQuery(request.target, ownQuery),
    headers: [...request.headers.filter(([name]) => !names.has(name.toLowerCase())), ...ownHeaders],
  };
  const signature = builtinModule('node:crypto')
    .createHmac(algorithm, keyBytes(scheme) ?? utf8(scheme.key))
    .update(fillVariables(message, textOfVariable(signed)))
    .digest(encoding);
  const values = textOfVariable(signed, signature);
  return {
    headers: [...ownHeaders, ...fill(templatesOf(headers, true), values)],
    query: [...ownQuery, ...fill(templatesOf(query, true), values)],
  };
}

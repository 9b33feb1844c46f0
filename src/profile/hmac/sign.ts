/** Signs a request with an HMAC (RFC 2104) over a message that a profile states. */
import { builtinModule } from '../../builtin-module.ts';
import { latin1, utf8 } from '../../bytes.ts';
import type { AuthScheme } from '../schema/auth.ts';
import { withQuery } from '../url-query.ts';
import { fillVariables, holdsSignature, type SignatureInputs, type SignedRequest, textOfVariable } from './template.ts';

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

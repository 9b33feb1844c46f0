/** Builds a request on the wire from an operation, a profile and neutral inputs. */
import { type Input, LIMITED_AUTH, type OperationKey, operationOf } from '../contract/index.ts';
import { authKeyOf } from '../profile/auth-schemes.ts';
import { headerValueProblem, textProblem } from '../profile/http-text.ts';
import type { Profile, RequestTemplate } from '../profile/schema.ts';
import { statusesOf } from '../profile/statuses.ts';
import type { Inputs, RequestParts } from '../profile/template.ts';
import { fillTemplate } from '../profile/template.ts';
import { USER_AGENT, type WireRequest } from './types.ts';

/** A deviation from the usual request: another method or path, another template, other credentials, or another content coding. */
export interface Variant {
  readonly method?: string;
  readonly path?: string;
  /** The template of the request, in place of that of the operation. */
  readonly request?: RequestTemplate;
  /** Sends credentials even if the operation needs none: an undocumented variant may need them. */
  readonly withCredentials?: true;
  /** The request has no credentials (`none`), invented ones (`invalid`), those of `authFor.limited`, or those of another operation. */
  readonly credentials?: 'none' | 'invalid' | typeof LIMITED_AUTH | OperationKey;
  /** The value of Accept-Encoding; absent: that of the profile, or none. */
  readonly acceptEncoding?: string;
  /** Inputs that the request does not contain, although their values are known: the other filters for the same rows. */
  readonly without?: readonly Input[];
}

/** The inputs that the request of a variant may contain. */
export const sentInputs = (inputs: Inputs, { without = [] }: Variant): Inputs =>
  without.length === 0
    ? inputs
    : Object.fromEntries(Object.entries(inputs).filter(([input]) => !without.some((each) => each === input)));

const encode = new TextEncoder();

/** The path of an operation with its path parameter percent-encoded, e.g. `/PLATFORMAPI/prodRef/v1/products/012345678905`. */
export function pathOf(key: OperationKey, inputs: Inputs, path: string = operationOf(key).path): string {
  return path.replace('{upc}', () => encodeURIComponent(String(inputs.upc ?? '').toWellFormed()));
}

/** The key of `authFor` for the credentials of a variant. */
function authKeyFor(credentials: Exclude<NonNullable<Variant['credentials']>, 'invalid'>, { data }: Profile) {
  if (credentials === 'none') return undefined;
  return credentials === LIMITED_AUTH ? LIMITED_AUTH : authKeyOf(data, credentials);
}

/**
 * Builds the request of an operation under a profile. Where the profile declares no request, it has method and path only,
 * and an empty JSON object as the body of a POST.
 */
export function buildRequest(
  base: string,
  key: OperationKey,
  profile: Profile,
  inputs: Inputs,
  variant: Variant = {},
): WireRequest {
  const { method, group, safety } = operationOf(key);
  const { prefixes, authExcept } = profile.data;
  const prefix = prefixes?.[key] ?? prefixes?.[group] ?? '';
  const template = variant.request ?? profile.data.operations?.[key]?.request;
  const bare: RequestParts =
    method === 'POST'
      ? { query: [], headers: [], body: { type: 'application/json', text: '{}' } }
      : { query: [], headers: [] };
  const parts = template ? fillTemplate(template, sentInputs(inputs, variant)) : bare;
  const encoded = (text: string) => encodeURIComponent(text.toWellFormed());
  const query = parts.query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
  const sentMethod = variant.method ?? method;
  const headers: [string, string][] = [
    ['accept', '*/*'],
    ['user-agent', USER_AGENT],
    ...Object.entries(profile.data.headers ?? {}),
    ...parts.headers.map(([n, v]): [string, string] => [n, v]),
    ...(variant.acceptEncoding === undefined ? [] : [['accept-encoding', variant.acceptEncoding] as [string, string]]),
  ];
  // A GET in place of a POST has no body: many servers reject a body before they check the method.
  const body = sentMethod === 'GET' || sentMethod === 'HEAD' ? undefined : parts.body;
  if (body && !headers.some(([name]) => name.toLowerCase() === 'content-type'))
    headers.push(['content-type', body.type]);
  const { credentials = key, withCredentials } = variant;
  const authKey = authKeyFor(credentials === 'invalid' ? key : credentials, profile);
  const isAnonymous = credentials === 'none' || (authExcept?.includes(key) && !withCredentials);
  const statuses = statusesOf(profile.data, key);
  const last = new Map(headers.map(([name, value]) => [name.toLowerCase(), [name, value] as const]));
  const unsendable = whyUnsendable(
    [...last.values()],
    [...parts.query.flat(), String(inputs.upc ?? ''), body?.text ?? ''],
  );
  return {
    method: sentMethod,
    url: `${base.replace(/\/+$/, '')}${prefix}${pathOf(key, inputs, variant.path)}${query ? `?${query}` : ''}`,
    headers: [...last.values()],
    ...(body && { body: encode.encode(body.text) }),
    ...(Object.keys(statuses).length > 0 && { statuses }),
    ...(unsendable !== undefined && { unsendable }),
    ...(authKey !== undefined && { authKey }),
    ...(isAnonymous && { anonymous: true }),
    ...(credentials === 'invalid' && { invalidCredentials: true }),
    ...(variant.credentials !== undefined && { mayBeDenied: true }),
    ...(safety === 'read' && sentMethod === method && { safe: true }),
  };
}

/** Why HTTP cannot carry a request that contains values of a response; constants were checked with the profile. */
function whyUnsendable(headers: WireRequest['headers'], texts: readonly string[]): string | undefined {
  for (const [name, value] of headers) {
    const wrong = headerValueProblem(value);
    if (wrong) return `the value of its header ${name} ${wrong.replace(/;.*$/, '')}`;
  }
  const wrong = texts.map(textProblem).find((each) => each !== undefined);
  return wrong && `one of its values ${wrong}`;
}

/** From an operation, a profile and neutral inputs to a request on the wire. */
import { type OperationKey, operationOf } from '../contract/index.ts';
import type { Profile } from '../profile/schema.ts';
import { statusesOf } from '../profile/statuses.ts';
import type { Inputs, RequestParts } from '../profile/template.ts';
import { fillTemplate } from '../profile/template.ts';
import { USER_AGENT, type WireRequest } from './types.ts';

/** A deliberate departure from the documented request: another method, another path. */
export interface Variant {
  readonly method?: string;
  readonly path?: string;
  /** Sent with credentials also where the operation needs none: an undocumented form may need them all the same. */
  readonly withCredentials?: true;
}

const encode = new TextEncoder();

/** The path of an operation with its path parameter percent-encoded, e.g. `/PLATFORMAPI/prodRef/v1/products/012345678905`. */
export function pathOf(key: OperationKey, inputs: Inputs, path: string = operationOf(key).path): string {
  return path.replace('{upc}', () => encodeURIComponent(String(inputs.upc ?? '')));
}

/**
 * The request an operation takes under a profile. Where the profile declares none, the bare method and path is sent,
 * with an empty JSON object as the body of a POST: the least a server can be asked.
 */
export function buildRequest(
  base: string,
  key: OperationKey,
  profile: Profile,
  inputs: Inputs,
  variant: Variant = {},
): WireRequest {
  const { method, group } = operationOf(key);
  const { prefixes, authExcept } = profile.data;
  const prefix = prefixes?.[key] ?? prefixes?.[group] ?? '';
  const template = profile.data.operations?.[key]?.request;
  const bare: RequestParts =
    method === 'POST'
      ? { query: [], headers: [], body: { type: 'application/json', text: '{}' } }
      : { query: [], headers: [] };
  const parts = template ? fillTemplate(template, inputs) : bare;
  const query = parts.query
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
  const sent = variant.method ?? method;
  const headers: [string, string][] = [
    ['accept', '*/*'],
    ['user-agent', USER_AGENT],
    ...Object.entries(profile.data.headers ?? {}),
    ...parts.headers.map(([n, v]): [string, string] => [n, v]),
  ];
  // A GET in place of a POST carries no body: many servers reject one before they look at the method.
  const body = sent === 'GET' || sent === 'HEAD' ? undefined : parts.body;
  if (body && !headers.some(([name]) => name.toLowerCase() === 'content-type'))
    headers.push(['content-type', body.type]);
  const statuses = statusesOf(profile.data, key);
  const last = new Map(headers.map(([name, value]) => [name.toLowerCase(), [name, value] as const]));
  return {
    method: sent,
    url: `${base.replace(/\/+$/, '')}${prefix}${pathOf(key, inputs, variant.path)}${query ? `?${query}` : ''}`,
    headers: [...last.values()],
    ...(body && { body: encode.encode(body.text) }),
    ...(Object.keys(statuses).length > 0 && { statuses }),
    ...(authExcept?.includes(key) && !variant.withCredentials && { anonymous: true }),
  };
}

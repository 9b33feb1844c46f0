/** A router over the operations of the contract. It matches documented paths byte for byte (sections 4 and 9). */
import { OPERATIONS, type Operation } from '../src/contract/index.ts';

export interface RoutedRequest {
  readonly method: string;
  /** The path below the base path, as sent: still percent-encoded, without the query. */
  readonly path: string;
}

export type RouteMatch =
  | { readonly kind: 'operation'; readonly operation: Operation; readonly upc?: string }
  | { readonly kind: 'wrongMethod'; readonly allow: readonly string[] }
  | { readonly kind: 'unknownPath' };

/** Percent-decodes a segment once. A segment that cannot be decoded stays unchanged, so it is not a UPC. */
function decodeOnce(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

const PARAMETER = '/{upc}';
const byPath = Map.groupBy<string, Operation>(OPERATIONS, (each) => each.path);

/** Returns the operation of a method and path, and distinguishes a wrong method from an unknown path. */
export function route({ method, path }: RoutedRequest): RouteMatch {
  const cut = path.lastIndexOf('/');
  const upc = path.slice(cut + 1);
  const exact = byPath.get(path);
  const operations = exact ?? (upc === '' ? undefined : byPath.get(path.slice(0, cut) + PARAMETER));
  if (!operations || path.includes('{')) return { kind: 'unknownPath' };
  const operation = operations.find((each) => each.method === method);
  if (!operation) return { kind: 'wrongMethod', allow: operations.map((each) => each.method) };
  return exact ? { kind: 'operation', operation } : { kind: 'operation', operation, upc: decodeOnce(upc) };
}

/** An exact router over the contract's table: the documented path, byte for byte, or nothing (sections 4 and 9). */
import { OPERATIONS, type Operation } from '../src/contract/index.ts';

export interface RoutedRequest {
  readonly method: string;
  /** The path below the base path, as sent: still percent-encoded, without the query. */
  readonly path: string;
}

export type RouteMatch =
  | { readonly is: 'operation'; readonly operation: Operation; readonly upc?: string }
  | { readonly is: 'wrongMethod'; readonly allow: readonly string[] }
  | { readonly is: 'nowhere' };

/** Percent-decoded once; what cannot be decoded stays as sent, and so is no UPC. */
function decodeOnce(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

const PARAMETER = '/{upc}';
const byPath = Map.groupBy<string, Operation>(OPERATIONS, (each) => each.path);

/** Finds what a method and path ask for. A known path with another method is told apart from an unknown path. */
export function route({ method, path }: RoutedRequest): RouteMatch {
  const cut = path.lastIndexOf('/');
  const upc = path.slice(cut + 1);
  const exact = byPath.get(path);
  const operations = exact ?? (upc === '' ? undefined : byPath.get(path.slice(0, cut) + PARAMETER));
  if (!operations || path.includes('{')) return { is: 'nowhere' };
  const operation = operations.find((each) => each.method === method);
  if (!operation) return { is: 'wrongMethod', allow: operations.map((each) => each.method) };
  return exact ? { is: 'operation', operation } : { is: 'operation', operation, upc: decodeOnce(upc) };
}

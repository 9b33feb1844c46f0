/** Finds the base address of the service in a HAR file: the one to which the 41 operations map (section 4). */

import { OPERATIONS, type OperationKey } from '../../contract/index.ts';
import { counted } from '../../format-values.ts';
import type { Profile } from '../../profile/schema.ts';

export interface Address {
  readonly method: string;
  readonly origin: string;
  readonly target: string;
}

/** Path patterns of the document with a profile’s prefixes, the longest first, so that no shorter path matches instead. */
function patternsOf({ data: { prefixes = {} } }: Profile) {
  return OPERATIONS.map(({ key, group, method, path }) => {
    const fullPath = `${prefixes[key] ?? prefixes[group] ?? ''}${path}`;
    const escaped = fullPath.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace('{upc}', '[^/]*');
    return { key, method, pattern: new RegExp(`^(.*?)${escaped}$`), length: fullPath.length };
  }).sort((x, y) => y.length - x.length);
}

/** An operation and the base path before its documented path. */
export interface Located {
  readonly key: OperationKey;
  readonly basePath: string;
}

/** Returns a function that finds the operation of a request by method and path. */
export function locator(profile: Profile): (address: Omit<Address, 'origin'>) => Located | undefined {
  const patterns = patternsOf(profile);
  return ({ method, target }) => {
    const [path = ''] = target.split('?', 1);
    for (const each of patterns) {
      if (each.method !== method) continue;
      const basePath = each.pattern.exec(path)?.[1];
      if (basePath !== undefined && !basePath.endsWith('/')) return { key: each.key, basePath };
    }
    return undefined;
  };
}

/** Counts the operations that are requested at each base address. */
export class BaseCandidates {
  readonly #operations = new Map<string, Set<OperationKey>>();
  readonly #requests = new Map<string, number>();
  readonly #locate: ReturnType<typeof locator>;

  constructor(profile: Profile) {
    this.#locate = locator(profile);
  }

  add(address: Address): void {
    const found = this.#locate(address);
    if (!found) return;
    const base = address.origin + found.basePath;
    const operations = this.#operations.get(base) ?? new Set();
    operations.add(found.key);
    this.#operations.set(base, operations);
    this.#requests.set(base, (this.#requests.get(base) ?? 0) + 1);
  }

  /**
   * The base address with at least twice as many operations as any other; otherwise the candidates, the best first, none if
   * no request maps to an operation.
   */
  choose():
    | { readonly base: string; readonly otherBases: readonly string[] }
    | { readonly candidates: readonly string[] } {
    const ranked = [...this.#operations]
      .map(([base, operations]) => ({ base, operations: operations.size, requests: this.#requests.get(base) ?? 0 }))
      .sort((x, y) => y.operations - x.operations || y.requests - x.requests);
    const [first, second] = ranked;
    const describe = ({ base, operations, requests }: (typeof ranked)[number]) =>
      `${base} (${counted(operations, 'operation')}, ${counted(requests, 'request')})`;
    if (!first) return { candidates: [] };
    if (second && second.operations * 2 > first.operations) return { candidates: ranked.map(describe) };
    return { base: first.base, otherBases: ranked.slice(1).map(describe) };
  }
}

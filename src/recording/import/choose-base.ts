/** Finds the base address of the service in a HAR file: the one to which the 41 operations map (section 4). */

import type { OperationKey } from '../../contract/index.ts';
import { counted } from '../../format-values.ts';
import type { Profile } from '../../profile/schema.ts';
import { operationLocator } from '../format/operation-finder.ts';

export interface Address {
  readonly method: string;
  readonly origin: string;
  readonly target: string;
}

/** Counts the operations that are requested at each base address. */
export class BaseCandidates {
  readonly #operations = new Map<string, Set<OperationKey>>();
  readonly #requests = new Map<string, number>();
  readonly #locate: ReturnType<typeof operationLocator>;

  constructor(profile: Profile) {
    this.#locate = operationLocator(profile.data.prefixes);
  }

  add(address: Address): void {
    const found = this.#locate(address.method, address.target);
    if (!found || found.basePath.endsWith('/')) return;
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

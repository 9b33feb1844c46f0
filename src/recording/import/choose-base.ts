/** Which of the addresses in a HAR file is the service’s: the one that the 41 operations map onto (section 4). */
import { OPERATIONS, type OperationKey } from '../../contract/index.ts';
import type { Profile } from '../../profile/schema.ts';

export interface Address {
  readonly method: string;
  readonly origin: string;
  readonly target: string;
}

/** Paths of the document under a profile’s prefixes, the longest first: `…/BrandPerformance/Metadata` ends in no other. */
function shapesOf({ data: { prefixes = {} } }: Profile) {
  return OPERATIONS.map(({ key, group, method, path }) => {
    const whole = `${prefixes[key] ?? prefixes[group] ?? ''}${path}`;
    const pattern = whole.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace('{upc}', '[^/]*');
    return { key, method, shape: new RegExp(`^(.*?)${pattern}$`), length: whole.length };
  }).sort((x, y) => y.length - x.length);
}

/** Where an operation is asked for, whatever stands before its path. */
export interface Located {
  readonly key: OperationKey;
  readonly basePath: string;
}

/** A function from an address to the operation of the document that is asked for there, by method and path. */
export function locator(profile: Profile): (address: Omit<Address, 'origin'>) => Located | undefined {
  const shapes = shapesOf(profile);
  return ({ method, target }) => {
    const [path = ''] = target.split('?', 1);
    for (const each of shapes) {
      if (each.method !== method) continue;
      const basePath = each.shape.exec(path)?.[1];
      if (basePath !== undefined && !basePath.endsWith('/')) return { key: each.key, basePath };
    }
    return undefined;
  };
}

/** Counts which operations are asked for at which base address. */
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
   * The base address that more operations are asked for at than at twice any other’s; else those in question, the likeliest
   * first, none where nothing maps.
   */
  choose(): { readonly base: string; readonly others: readonly string[] } | { readonly among: readonly string[] } {
    const ranked = [...this.#operations]
      .map(([base, operations]) => ({ base, operations: operations.size, requests: this.#requests.get(base) ?? 0 }))
      .sort((x, y) => y.operations - x.operations || y.requests - x.requests);
    const [first, second] = ranked;
    const tell = ({ base, operations, requests }: (typeof ranked)[number]) =>
      `${base} (${operations} ${operations === 1 ? 'operation' : 'operations'}, ${requests} ${requests === 1 ? 'request' : 'requests'})`;
    if (!first) return { among: [] };
    if (second && second.operations * 2 > first.operations) return { among: ranked.map(tell) };
    return { base: first.base, others: ranked.slice(1).map(tell) };
  }
}

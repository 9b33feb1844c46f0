/** Finds the operation of the interface that a request is for. */
import { OPERATIONS, type OperationKey } from '../contract/index.ts';
import type { ProfileData } from '../profile/schema.ts';

/** An operation and the path before its documented path. */
export interface Located {
  readonly key: OperationKey;
  readonly basePath: string;
}

/**
 * Returns a function from method and target to the operation, by the paths of the document (sections 5.1 to 5.4) with the
 * prefixes of a profile. Longer paths come first, so that no shorter one matches instead.
 */
export function operationLocator(
  prefixes: ProfileData['prefixes'] = {},
): (method: string, target: string) => Located | undefined {
  const patterns = OPERATIONS.map(({ key, group, method, path }) => {
    const fullPath = `${prefixes[key] ?? prefixes[group] ?? ''}${path}`;
    const escaped = fullPath.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace('{upc}', '[^/]*');
    return { key, method, pattern: new RegExp(`^(.*?)${escaped}$`), length: fullPath.length };
  }).sort((x, y) => y.length - x.length);
  return (method, target) => {
    const [path = ''] = target.split('?', 1);
    for (const each of patterns) {
      const basePath = each.method === method ? each.pattern.exec(path)?.[1] : undefined;
      if (basePath !== undefined) return { key: each.key, basePath };
    }
    return undefined;
  };
}

/**
 * Returns a function from method and target to the operation; undefined for any other request.
 * @param basePath of the service’s base address, `` or `/api`
 * @example operationFinder('/api')('GET', '/api/PLATFORMAPI/prodRef/v1/allProducts?page=2')
 */
export function operationFinder(basePath: string): (method: string, target: string) => OperationKey | undefined {
  const locate = operationLocator();
  return (method, target) => (target.startsWith(basePath) ? locate(method, target)?.key : undefined);
}

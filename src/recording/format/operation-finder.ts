/** Finds the operation of the interface that a request is for. */
import { OPERATIONS, type OperationKey } from '../../contract/index.ts';

/**
 * Returns a function from method and target to the operation, by the paths of the document after a base path (sections
 * 5.1 to 5.4); undefined for any other request.
 * @param basePath of the service’s base address, `` or `/api`
 * @example operationFinder('/api')('GET', '/api/PLATFORMAPI/prodRef/v1/allProducts?page=2')
 */
export function operationFinder(basePath: string): (method: string, target: string) => OperationKey | undefined {
  const patterns = OPERATIONS.map(({ key, method, path }): [OperationKey, string, RegExp] => [
    key,
    method,
    new RegExp(
      `/${path
        .slice(1)
        .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
        .replace('{upc}', '[^/]*')}$`,
    ),
  ]);
  return (method, target) => {
    const [path = ''] = target.split('?', 1);
    if (!path.startsWith(basePath)) return undefined;
    return patterns.find(([, verb, pattern]) => verb === method && pattern.test(path))?.[0];
  };
}

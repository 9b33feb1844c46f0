/** Which operation of the interface a request is meant for. */
import { OPERATIONS, type OperationKey } from '../../contract/index.ts';

/**
 * A function from method and target to the operation, told by the paths of the document behind a base path (sections 5.1
 * to 5.4); undefined for any other request.
 * @param basePath of the service’s base address, `` or `/api`
 * @example operationFinder('/api')('GET', '/api/PLATFORMAPI/prodRef/v1/allProducts?page=2')
 */
export function operationFinder(basePath: string): (method: string, target: string) => OperationKey | undefined {
  const shapes = OPERATIONS.map(({ key, method, path }): [OperationKey, string, RegExp] => [
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
    return shapes.find(([, verb, shape]) => verb === method && shape.test(path))?.[0];
  };
}

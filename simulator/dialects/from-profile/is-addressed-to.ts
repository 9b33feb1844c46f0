/** Compares the address of a request with a URL of the profile. */
import type { DialectRequest } from '../types.ts';

/**
 * Whether a request goes to the path of a URL, whatever its origin: clients replace the origin by that of the
 * simulator, or by its address with the base path. A path is below the base address.
 */
export function isAddressedTo({ target, base }: Pick<DialectRequest, 'target' | 'base'>, url: string): boolean {
  const [path] = target.split('?', 1);
  const { pathname } = new URL(url, 'http://localhost');
  const basePath = base.replace(/^[^:/]+:\/\/[^/]*/, '');
  return path === pathname || path === `${basePath}${pathname}`;
}

/** Compares the address of a request with a URL of the profile. */
import type { DialectRequest } from '../types.ts';

/**
 * Whether a request goes to the path of an absolute URL, whatever its origin: clients replace the origin by that of the
 * simulator, or by its address with the base path.
 */
export function isAddressedTo({ target, base }: Pick<DialectRequest, 'target' | 'base'>, url: string): boolean {
  const [path] = target.split('?', 1);
  const { pathname } = new URL(url);
  const basePath = base.replace(/^[^:/]+:\/\/[^/]*/, '');
  return path === pathname || path === `${basePath}${pathname}`;
}
